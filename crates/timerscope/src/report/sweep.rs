//! What the knob of the timer moves, for people.

use super::cells::{cell, fine, length, plain, span, time};
use super::words::{duration, percent};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::sleep::Mode;
use crate::lab::sweep::{Knob, Row, SweepFigures};
use crate::machine::{Known, WaitKind};

/// Where a silent process sleeps this much longer than the one that made the
/// request, the request did not help it. Invented; the rules differ by eight.
const HELPED: f64 = 1.5;

/// All rows, and what the knob moved.
#[must_use]
pub fn document(figures: &SweepFigures) -> Document {
    let mut section = Section::new("sweep", "");
    section.push(Block::Table(table(figures)));
    let said = match figures.knob {
        Knob::TimerSlack => moved(&figures.rows).into_iter().collect(),
        Knob::IntervalRequest => helped(&figures.rows),
    };
    section.blocks.extend(said.into_iter().map(Block::Text));
    section.blocks.extend(spoiled(figures).map(Block::Warning));
    Document {
        title: title(figures),
        sections: vec![section],
        footnotes: footnotes(figures.knob),
        ..Document::default()
    }
}

fn title(figures: &SweepFigures) -> String {
    let asked = span(figures.span_ns);
    match figures.knob {
        Knob::TimerSlack => {
            format!("What timer slack does to waits of {asked}")
        }
        Knob::IntervalRequest => format!(
            "What one process's request does to another's waits of {asked}"
        ),
    }
}

fn footnotes(knob: Knob) -> Vec<String> {
    let notes = match knob {
        Knob::TimerSlack => [
            "Linux has no interval to request: a thread's slack is what says \
             how late its waits may end. No other process changes it.",
            "Slack is an allowance: a wait ends within it as soon as another \
             timer interrupts the CPU anyway.",
        ],
        Knob::IntervalRequest => [
            "At each position one process requests the interval and holds it. \
             Another, which never made a request, asks what is in force, \
             watches the step of timeGetTime and then waits; the one that \
             made the request waits after it.",
            "Each loop is in step with the tick: a caller at any other time \
             waits up to one interval longer.",
        ],
    };
    notes.map(str::to_owned).into()
}

fn spoiled(figures: &SweepFigures) -> Option<String> {
    let spoiled =
        figures.rows.iter().filter(|row| row.spoiled_by.value().is_some());
    let (spoiled, all) = (spoiled.count(), figures.rows.len());
    let means = match figures.knob {
        Knob::TimerSlack => {
            "others had the CPUs meanwhile, and lateness is theirs as well as \
             the slack's"
        }
        Knob::IntervalRequest => {
            "what was measured there is not what the request alone would do"
        }
    };
    (spoiled > 0)
        .then(|| format!("{spoiled} of {all} rows are spoiled: {means}."))
}

fn table(figures: &SweepFigures) -> Table {
    let row = match figures.knob {
        Knob::TimerSlack => slackened,
        Knob::IntervalRequest => requested,
    };
    let columns = match figures.knob {
        Knob::TimerSlack => vec![
            Column::words("wait"),
            Column::numbers("slack"),
            Column::numbers("coarse clock's step"),
            Column::numbers("mean"),
            Column::words("crowds at"),
        ],
        Knob::IntervalRequest => vec![
            Column::numbers("requested"),
            Column::numbers("in force"),
            Column::numbers("timeGetTime's step"),
            Column::numbers("who asked, mean"),
            Column::numbers("who did not, mean"),
            Column::words("crowds at"),
        ],
    };
    // Nobody spoils anything on most machines.
    let any = figures.rows.iter().any(|row| row.spoiled_by.value().is_some());
    let with = |row_of: &Row| {
        let mut cells = row(row_of);
        let who = match &row_of.spoiled_by {
            Known::Value(who) => Cell::Text(who.clone()),
            Known::Missing(_) => Cell::Empty,
        };
        cells.extend(any.then_some(who));
        cells
    };
    let last = any.then(|| Column::words("spoiled by"));
    let wait = figures.rows.first().map_or("", |row| row.wait.name());
    let asked = span(figures.span_ns);
    Table {
        caption: match figures.knob {
            Knob::TimerSlack => format!("Waits of {asked}"),
            Knob::IntervalRequest => format!("Waits of {asked} by {wait}"),
        },
        columns: columns.into_iter().chain(last).collect(),
        rows: figures.rows.iter().map(with).collect(),
    }
}

fn slackened(row: &Row) -> Vec<Cell> {
    vec![
        Cell::from(row.wait.name()),
        Cell::Text(span(row.request_ns)),
        time(&row.clock_step_ns),
        fine(&row.sleep_mean_ns),
        Cell::Text(crowds(&row.sleep_modes)),
    ]
}

fn requested(row: &Row) -> Vec<Cell> {
    vec![
        Cell::Text(span(row.request_ns)),
        length(&row.interval_ns),
        time(&row.clock_step_ns),
        fine(&row.requester_mean_ns),
        fine(&row.sleep_mean_ns),
        Cell::Text(crowds(&row.sleep_modes)),
    ]
}

fn crowds(modes: &[Mode]) -> String {
    let mode = |mode: &Mode| match modes {
        [_] => duration(mode.at_ns),
        _ => format!("{} ({})", duration(mode.at_ns), percent(mode.share)),
    };
    modes.iter().map(mode).collect::<Vec<_>>().join(", ")
}

/// What the finest request did for others, and where their waits scatter.
fn helped(rows: &[Row]) -> Vec<String> {
    let finest = rows.iter().min_by_key(|row| row.request_ns);
    [finest.and_then(rule), scattered(rows)].into_iter().flatten().collect()
}

fn rule(row: &Row) -> Option<String> {
    let own = *row.requester_mean_ns.value()?;
    let other = *row.sleep_mean_ns.value()?;
    let means = if other > own * HELPED {
        "a request helps the process that made it, and no other"
    } else {
        "a request by one process helps every process"
    };
    Some(format!(
        "With {} requested, the waits of the process that asked take {} on \
         average, those of one that did not {}: on this system {means}.",
        span(row.request_ns),
        duration(own as i64),
        duration(other as i64),
    ))
}

fn scattered(rows: &[Row]) -> Option<String> {
    let own = rows.iter().filter(|row| row.sleep_modes.len() > 1);
    let least = own.clone().map(|row| row.request_ns).min()?;
    let most = own.map(|row| row.request_ns).max()?;
    let places = if least == most {
        format!("At {}", span(least))
    } else {
        format!("From {} to {}", span(least), span(most))
    };
    Some(format!(
        "{places} the waits of the process that did not ask scatter over \
         several multiples of the interval."
    ))
}

/// From where to where each wait's mean went from end to end of the knob.
fn moved(rows: &[Row]) -> Option<String> {
    let mut waits: Vec<WaitKind> = rows.iter().map(|row| row.wait).collect();
    waits.dedup();
    let ends = |wait: &WaitKind| {
        let mut own = rows.iter().filter(|row| row.wait == *wait);
        let (first, last) = (own.next()?, own.next_back()?);
        let mean = |row: &Row| row.sleep_mean_ns.value().copied();
        let means = (mean(first)?, mean(last)?);
        let (from, to) = (duration(means.0 as i64), duration(means.1 as i64));
        Some((format!("{wait} from {from} to {to}"), from != to))
    };
    let ends: Vec<(String, bool)> = waits.iter().filter_map(ends).collect();
    let (first, last) = (rows.first()?, rows.last()?);
    let said = if ends.iter().any(|end| end.1) {
        "Only what ends by a high-resolution timer moves; the others wait for \
         the tick."
    } else {
        "Nothing moves: each waits for a tick, whatever its slack."
    };
    let ends: Vec<String> = ends.into_iter().map(|end| end.0).collect();
    (!ends.is_empty()).then(|| {
        format!(
            "From {} to {} of slack the mean went: {}. {said}",
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
        "requester_mean_ns",
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
            plain(&row.requester_mean_ns),
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
        let facts = facts();
        let sweep = Sweep::of(&facts).unwrap();
        let run = |position| {
            let workload = sweep.workload(&facts, position);
            let mut machine = Scripted::default();
            play(&mut machine, &facts, workload, &mut Silent).unwrap()
        };
        let runs: Vec<_> = sweep.positions.iter().copied().map(run).collect();
        let mut figures = figures(&sweep, &runs);
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
