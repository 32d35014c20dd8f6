//! How fast two threads hand each other the turn, for people.

use super::cells::{cell, fine, plain, text};
use super::words::{fine_duration, percent, rate};
use super::{Block, Cell, Chart, Column, Document, Section, Table};
use crate::lab::switch::{Row, SwitchFigures, Variant};

/// All variants with a picture, and what they mean.
#[must_use]
pub fn document(figures: &SwitchFigures) -> Document {
    let stolen = super::sleep::stolen(&figures.stolen_ns);
    Document {
        title: "How fast two threads hand each other the turn".to_owned(),
        sections: vec![section("switch", "", figures)],
        footnotes: stolen.into_iter().collect(),
        ..Document::default()
    }
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &SwitchFigures) -> Section {
    let mut section = Section::new(id, title);
    let rows = &figures.rows;
    section.push(Block::Table(table(rows)));
    section.blocks.extend(picture(rows).map(Block::Chart));
    section.blocks.extend(meaning(rows).into_iter().map(Block::Text));
    section
}

fn table(rows: &[Row]) -> Table {
    let per_s = |value: &f64| rate(*value);
    let told = rows.iter().any(|row| row.calls.value().is_some());
    let cells = |row: &Row| {
        let mut cells = vec![
            Cell::from(row.variant.name()),
            Cell::from(row.cpus.to_string()),
        ];
        cells.extend(told.then(|| text(&row.calls)));
        cells.extend([
            fine(&row.per_switch_ns),
            cell(&row.round_trips_per_s, per_s),
            cell(&row.slowest_per_s, per_s),
            cell(&row.fastest_per_s, per_s),
        ]);
        cells
    };
    let numbers = ["one switch", "there and back", "slowest", "fastest"];
    let calls = told.then(|| Column::words("calls a switch"));
    let words = [Column::words("variant"), Column::numbers("CPUs")];
    let words = words.into_iter().chain(calls);
    Table {
        caption: caption(rows),
        columns: words.chain(numbers.map(Column::numbers)).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

fn caption(rows: &[Row]) -> String {
    let counted = rows.iter().max_by_key(|row| row.count);
    counted.map_or_else(String::new, |row| {
        let (count, priority) = (row.count, &row.priority);
        let read = "no clock read in the loop";
        format!("Priority {priority}, {count} counts each, {read}")
    })
}

fn picture(rows: &[Row]) -> Option<Chart> {
    let bar = |row: &Row| {
        let ns = row.per_switch_ns.value()?.round() as i64;
        let spread = row.slowest_per_s.value()?;
        let name = format!("{}, {}", row.variant.name(), cpus(row.cpus));
        Some((name, ns, Some((0.5e9 / spread).round() as i64)))
    };
    let bars: Vec<_> = rows.iter().filter_map(bar).collect();
    (!bars.is_empty()).then(|| Chart::Bars {
        title: "One switch".to_owned(),
        axis: "mean, line: the slowest count".to_owned(),
        bars,
    })
}

fn cpus(cpus: u32) -> &'static str {
    if cpus == 1 { "one CPU" } else { "two CPUs" }
}

fn meaning(rows: &[Row]) -> Vec<String> {
    let of = |variant, cpus| {
        let row = |row: &&Row| row.variant == variant && row.cpus == cpus;
        rows.iter().find(row)?.per_switch_ns.value().copied()
    };
    let one_call = |on| {
        let one = of(Variant::SignalAndWait, on)?;
        let two = of(Variant::SetThenWait, on)?;
        Some(calls(on, one, two))
    };
    let apart = || {
        let near = of(Variant::SetThenWait, 1)?;
        let far = of(Variant::SetThenWait, 2)?;
        Some(places(near, far))
    };
    [one_call(1), one_call(2), apart()].into_iter().flatten().collect()
}

fn calls(on: u32, one: f64, two: f64) -> String {
    // Counts that end within a round trip differ by as much.
    if (one - two).abs() < two / 1_000.0 {
        return format!(
            "On {}, one call that sets and waits costs as much as two calls: \
             {} a switch.",
            cpus(on),
            fine_duration(two)
        );
    }
    let (word, share) = if one < two {
        ("saves", (two - one) / two)
    } else {
        ("costs", (one - two) / two)
    };
    format!(
        "On {}, setting and waiting by one call instead of two {word} {} a \
         switch ({}).",
        cpus(on),
        fine_duration((one - two).abs()),
        percent(share)
    )
}

fn places(near: f64, far: f64) -> String {
    let (first, second, times) = if near < far {
        ("one CPU", "between two", far / near)
    } else {
        ("two CPUs", "on one", near / far)
    };
    format!(
        "A switch on {first} takes {}, {second} {}: {times:.1} times as long.",
        fine_duration(near.min(far)),
        fine_duration(near.max(far))
    )
}

/// The rows for other programs.
#[must_use]
pub fn csv_table(rows: &[Row]) -> Table {
    let numbers = [
        "cpus",
        "round_trips_per_s",
        "per_switch_ns",
        "slowest_per_s",
        "fastest_per_s",
        "count",
        "priority",
    ];
    let cells = |row: &Row| {
        vec![
            Cell::from(row.variant.name()),
            Cell::from(row.cpus.to_string()),
            plain(&row.round_trips_per_s),
            plain(&row.per_switch_ns),
            plain(&row.slowest_per_s),
            plain(&row.fastest_per_s),
            Cell::from(row.count.to_string()),
            Cell::from(row.priority.clone()),
        ]
    };
    let rows = rows.iter().map(cells).collect();
    Table::plain(&["variant"], numbers, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::switch::{Switch, figures};
    use crate::machine::Span;
    use crate::report::text::{TextStyle, render};

    #[test]
    fn variants_are_compared_on_the_same_cpus() {
        let switch = Switch::all(2, Span::from_ms(60));
        let facts = facts();
        let machine = &mut Scripted::default();
        let workloads = switch.workloads(&facts);
        let runs = play_all(machine, &facts, workloads, &mut Silent);
        let figures = figures(&switch, &runs.unwrap());
        let text = render(&document(&figures), TextStyle::default());
        let said = "On one CPU, setting and waiting by one call instead of \
                    two saves 1 us a switch (33.3 %).";
        assert!(text.contains(said), "{text}");
    }
}
