//! How late waiters run, for people.

use super::cells::plain;
use super::long_ones::long_ones;
use super::meaning::nearly_all;
use super::spread;
use super::words::{count, duration, percent};
use super::{Block, Cell, Chart, Column, Document, Section, Table};
use crate::lab::Load;
use crate::lab::wake::{Row, Setter, WakeFigures};

/// All rows with a picture, and what they mean.
#[must_use]
pub fn document(figures: &WakeFigures) -> Document {
    let footnotes = super::sleep::ruler(&figures.ruler);
    let stolen = super::sleep::stolen(&figures.stolen_ns);
    Document {
        title: "How late a waiter runs once its event is set".to_owned(),
        sections: vec![section("wake", "", figures)],
        footnotes: footnotes.into_iter().chain(stolen).collect(),
        ..Document::default()
    }
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &WakeFigures) -> Section {
    let mut section = Section::new(id, title);
    let rows = &figures.rows;
    section.push(Block::Table(table(rows)));
    section.blocks.extend(picture(rows).map(Block::Chart));
    let lists = rows.iter().filter_map(|row| {
        let title = format!("Set {}", place(row.kind));
        long_ones(&title, &row.over)
    });
    section.blocks.extend(lists);
    section.blocks.extend(meaning(figures).into_iter().map(Block::Text));
    section
}

fn table(rows: &[Row]) -> Table {
    let words = [Column::words("setter")];
    let numbers = ["wake-ups"].into_iter().chain(spread::HEADINGS);
    let cells = |row: &Row| {
        let mut cells =
            vec![Cell::from(row.kind.name()), Cell::from(counts(row))];
        cells.extend(spread::cells(&row.late));
        cells
    };
    Table {
        caption: caption(rows),
        columns: words
            .into_iter()
            .chain(numbers.map(Column::numbers))
            .collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

fn counts(row: &Row) -> String {
    let all = count(row.late.count);
    match row.set_before {
        0 => all,
        before => format!("{all} ({} set before)", count(before)),
    }
}

fn caption(rows: &[Row]) -> String {
    let played = rows.iter().find(|row| row.conditions.cpu.value().is_some());
    let Some(own) = played.map(|row| &row.conditions) else {
        return String::new();
    };
    format!(
        "{}, waiter on {}, load {}",
        spread::policy(own),
        spread::cpu(own),
        own.load
    )
}

fn picture(rows: &[Row]) -> Option<Chart> {
    if let [row] = rows {
        let title = format!("Set {}", place(row.kind));
        return spread::distribution(title, "late", &row.late, None);
    }
    let bar = |row: &Row| {
        let median = *row.late.p50_ns.value()?;
        let far = row.late.p99_ns.value().copied();
        Some((row.kind.name().to_owned(), median, far))
    };
    let bars: Vec<_> = rows.iter().filter_map(bar).collect();
    (!bars.is_empty()).then(|| Chart::Bars {
        title: "From setting the event to the waiter running".to_owned(),
        axis: "half within, line: 99 %".to_owned(),
        bars,
    })
}

fn place(setter: Setter) -> &'static str {
    match setter {
        Setter::OtherCpu => "on another CPU",
        Setter::SameCpu => "on the same CPU",
        Setter::BelowSpinning => {
            "on the same CPU by a thread of lower priority that goes on \
             computing"
        }
    }
}

/// What part the scheduler has in it, held against a tick.
fn meaning(figures: &WakeFigures) -> Vec<String> {
    let tick = figures.tick_ns.value().map(|tick| *tick as i64);
    let rows = figures.rows.iter();
    let mut said: Vec<String> =
        rows.filter_map(|row| sentence(row, tick)).collect();
    if !said.is_empty() {
        let text = "No timer takes part in this: all of it is the scheduler, \
                    the switch, and the CPU's way out of idle.";
        said.push(text.to_owned());
    }
    said
}

fn sentence(row: &Row, tick: Option<i64>) -> Option<String> {
    let (half, most) = (*row.late.p50_ns.value()?, *row.late.p99_ns.value()?);
    let load = match row.conditions.load {
        Load::None => "",
        Load::Below => " beside a load of lower priority",
        Load::Same => " beside a load of the same priority",
        Load::Above => " beside a load of higher priority",
    };
    let against =
        tick.map_or_else(String::new, |tick| against(half, most, tick));
    Some(format!(
        "Set {}{load}, half of the waiters run within {}, {}{against}.",
        place(row.kind),
        duration(half),
        nearly_all(&row.late)?
    ))
}

/// A system that switches at ticks only is half a tick late, by the median.
fn against(half: i64, most: i64, tick: i64) -> String {
    let share = half as f64 / tick.max(1) as f64;
    let of = format!("{} of a tick of {}", percent(share), duration(tick));
    if share > 0.25 {
        return format!(
            ": the median is {of}; a scheduler that switches at ticks only \
             would take half of one"
        );
    }
    let slow = if most > tick / 2 {
        "; the latest found the CPU taken until a tick"
    } else {
        ""
    };
    format!(": the median is {of}, so a wake-up waits for no tick{slow}")
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(rows: &[Row]) -> Table {
    let numbers = ["count", "set_before"]
        .into_iter()
        .chain(spread::CSV_HEADINGS)
        .chain([
            "policy",
            "priority",
            "setter_priority",
            "cpu",
            "load",
            "interval_ns",
        ]);
    let cells = |row: &Row| {
        let own = &row.conditions;
        let mut cells = vec![
            Cell::from(row.kind.name()),
            Cell::Text(row.late.count.to_string()),
            Cell::Text(row.set_before.to_string()),
        ];
        cells.extend(spread::csv_cells(&row.late));
        cells.extend([
            plain(&own.policy),
            Cell::Text(own.priority.clone()),
            Cell::Text(row.setter_priority.clone()),
            plain(&own.cpu),
            Cell::Text(own.load.to_string()),
            plain(&own.interval_ns),
        ]);
        cells
    };
    let rows = rows.iter().map(cells).collect();
    Table::plain(&["kind"], numbers, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::wake::{Wake, figures};
    use crate::machine::Facts;
    use crate::report::text::{TextStyle, render};

    fn told(facts: &Facts, wake: &Wake) -> String {
        let workloads = wake.workloads(facts);
        let machine = &mut Scripted::default();
        let runs = play_all(machine, facts, workloads, &mut Silent);
        let figures = figures(wake, &runs.unwrap());
        render(&document(&figures), TextStyle::default())
    }

    #[test]
    fn a_wake_up_is_held_against_the_tick() {
        let text = told(&facts(), &Wake::by(Setter::SameCpu));
        let said = "Set on the same CPU, half of the waiters run within 5 us, \
                    99 of 100 within 5 us: the median is 0.125 % of a tick of \
                    4 ms, so a wake-up waits for no tick.";
        assert!(text.contains(said), "{text}");
    }

    #[test]
    fn what_has_no_place_here_says_why() {
        let facts = Facts { cpus: vec![0], ..facts() };
        let setters = vec![Setter::OtherCpu, Setter::SameCpu];
        let wake = Wake { setters, ..Wake::by(Setter::SameCpu) };
        let text = told(&facts, &wake);
        assert!(text.contains("may run on one CPU only"), "{text}");
    }
}
