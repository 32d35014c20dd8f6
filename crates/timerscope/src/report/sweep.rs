//! What the knob of the timer moves, for people.

use super::cells::{cell, fine, plain, span, time};
use super::words::{duration, percent};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::sleep::Mode;
use crate::lab::sweep::{Row, SweepFigures};
use crate::machine::{Known, WaitKind};

/// All rows, and what the knob moved.
#[must_use]
pub fn document(figures: &SweepFigures) -> Document {
    let mut section = Section::new("sweep", "");
    section.push(Block::Table(table(figures)));
    section.blocks.extend(moved(&figures.rows).map(Block::Text));
    let spoiled =
        figures.rows.iter().filter(|row| row.spoiled_by.value().is_some());
    let spoiled = spoiled.count();
    if spoiled > 0 {
        section.push(Block::Warning(format!(
            "{spoiled} of {} rows are spoiled: others had the CPUs meanwhile, \
             and lateness is theirs as well as the slack's.",
            figures.rows.len()
        )));
    }
    Document {
        title: "What timer slack does to waits of 1 ms".to_owned(),
        sections: vec![section],
        footnotes: vec![
            "Linux has no interval to request: a thread's slack is what says \
             how late its waits may end. No other process changes it."
                .to_owned(),
            "Slack is an allowance: a wait ends within it as soon as another \
             timer interrupts the CPU anyway."
                .to_owned(),
        ],
        ..Document::default()
    }
}

fn table(figures: &SweepFigures) -> Table {
    let row = |row: &Row| {
        let spoiled = match &row.spoiled_by {
            Known::Value(who) => Cell::Text(who.clone()),
            Known::Missing(_) => Cell::Empty,
        };
        vec![
            Cell::from(row.wait.name()),
            Cell::Text(span(row.request_ns)),
            time(&row.clock_step_ns),
            fine(&row.sleep_mean_ns),
            Cell::Text(crowds(&row.sleep_modes)),
            spoiled,
        ]
    };
    Table {
        caption: format!("Waits of {}", span(figures.span_ns)),
        columns: vec![
            Column::words("wait"),
            Column::numbers("slack"),
            Column::numbers("coarse clock's step"),
            Column::numbers("mean"),
            Column::words("crowds at"),
            Column::words("spoiled by"),
        ],
        rows: figures.rows.iter().map(row).collect(),
    }
}

fn crowds(modes: &[Mode]) -> String {
    let mode = |mode: &Mode| match modes {
        [_] => duration(mode.at_ns),
        _ => format!("{} ({})", duration(mode.at_ns), percent(mode.share)),
    };
    modes.iter().map(mode).collect::<Vec<_>>().join(", ")
}

/// From where to where each wait's mean went from end to end of the knob.
fn moved(rows: &[Row]) -> Option<String> {
    let mut waits: Vec<WaitKind> = rows.iter().map(|row| row.wait).collect();
    waits.dedup();
    let ends = |wait: &WaitKind| {
        let mut own = rows.iter().filter(|row| row.wait == *wait);
        let (first, last) = (own.next()?, own.next_back()?);
        let mean = |row: &Row| row.sleep_mean_ns.value().copied();
        let (from, to) = (mean(first)?, mean(last)?);
        Some(format!(
            "{wait} from {} to {}",
            duration(from as i64),
            duration(to as i64)
        ))
    };
    let ends: Vec<String> = waits.iter().filter_map(ends).collect();
    let (first, last) = (rows.first()?, rows.last()?);
    (!ends.is_empty()).then(|| {
        format!(
            "From {} to {} of slack the mean went: {}. Only what ends by a \
             high-resolution timer moves; the others wait for the tick.",
            span(first.request_ns),
            span(last.request_ns),
            ends.join("; ")
        )
    })
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(figures: &SweepFigures) -> Table {
    let names = [
        "wait",
        "request_ns",
        "interval_ns",
        "clock_step_ns",
        "count",
        "sleep_mean_ns",
        "spoiled_by",
    ];
    let row = |row: &Row| {
        vec![
            Cell::from(row.wait.name()),
            Cell::Text(row.request_ns.to_string()),
            plain(&row.interval_ns),
            plain(&row.clock_step_ns),
            Cell::Text(row.count.to_string()),
            plain(&row.sleep_mean_ns),
            cell(&row.spoiled_by, Clone::clone),
        ]
    };
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: figures.rows.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::sweep::{Sweep, figures};
    use crate::report::text::{TextStyle, render};

    fn text(spoil: impl Fn(&mut Row)) -> String {
        let (sweep, facts) = (Sweep::default(), facts());
        let run = |position| {
            let workload = sweep.workload(&facts, position);
            let mut machine = Scripted::default();
            play(&mut machine, &facts, workload, &mut Silent).unwrap()
        };
        let runs: Vec<_> = sweep.positions.iter().copied().map(run).collect();
        let mut figures = figures(&runs);
        spoil(&mut figures.rows[0]);
        render(&document(&figures), TextStyle::default())
    }

    #[test]
    fn it_says_what_moved_from_end_to_end() {
        let text = text(|_| ());
        let moved = "nanosleep from 1.005 ms to 6.005 ms";
        assert!(text.contains(moved), "{text}");
        assert!(!text.contains("spoiled: others"), "{text}");
    }

    #[test]
    fn a_spoiled_row_names_who_and_warns() {
        let text = text(|row| row.spoiled_by = Known::Value("a flock".into()));
        assert!(text.contains("a flock"), "{text}");
        assert!(text.contains("1 of 12 rows are spoiled"), "{text}");
    }
}
