//! Rows of waits as a table that says once what all rows share.

use super::cells::{fine, span, time};
use super::spread;
use super::words::count;
use super::{Cell, Column, Table};
use crate::lab::sleep::Row;
use crate::machine::Phase;

/// Whether a column is shown, its heading, and what it says of a row.
type Choice = (bool, Column, fn(&Row) -> Cell);

/// One line for each row, every time with its unit.
pub(super) fn table(rows: &[Row]) -> Table {
    let many = rows.len() > 1;
    let wait = many && shared(rows, |row| row.wait).is_some();
    let asked = many && shared(rows, |row| row.span_ns).is_some();
    let waits = many && shared(rows, counts).is_some();
    let columns: [Choice; 10] = [
        (!wait, Column::words("wait"), |row| row.wait.name().into()),
        (!asked, Column::numbers("asked"), |row| span(row.span_ns).into()),
        (!waits, Column::numbers("waits"), |row| counts(row).into()),
        (true, Column::numbers("min"), |row| time(&row.took.min_ns)),
        (true, Column::numbers("mean"), |row| fine(&row.took.mean_ns)),
        (true, Column::numbers("half within"), |row| time(&row.took.p50_ns)),
        (true, Column::numbers("99 % within"), |row| time(&row.took.p99_ns)),
        (true, Column::numbers("max"), |row| time(&row.took.max_ns)),
        (true, Column::numbers("std-dev"), |row| fine(&row.took.stddev_ns)),
        (true, Column::numbers("late, half"), |row| time(&row.lateness_p50_ns)),
    ];
    let shown = || columns.iter().filter(|(shown, ..)| *shown);
    Table {
        caption: [what_all_share(rows), conditions(rows)].concat(),
        columns: shown().map(|(_, column, _)| column.clone()).collect(),
        rows: rows
            .iter()
            .map(|row| shown().map(|(.., cell)| cell(row)).collect())
            .collect(),
    }
}

/// What `of` says of every row, if it says the same of each.
pub(super) fn shared<T: PartialEq>(
    rows: &[Row],
    of: impl Fn(&Row) -> T,
) -> Option<T> {
    let first = of(rows.first()?);
    rows.iter().all(|row| of(row) == first).then_some(first)
}

fn counts(row: &Row) -> String {
    let mut text = count(row.took.count);
    for (number, word) in
        [(row.early, "early"), (row.interrupted, "interrupted")]
    {
        if number > 0 {
            text = format!("{text} ({} {word})", count(number));
        }
    }
    text
}

/// `nanosleep, 1 ms asked, 100 waits each: `, as far as it has no column.
fn what_all_share(rows: &[Row]) -> String {
    if rows.len() < 2 {
        return String::new();
    }
    let wait = shared(rows, |row| row.wait).map(|wait| wait.to_string());
    let asked =
        shared(rows, |row| row.span_ns).map(|ns| format!("{} asked", span(ns)));
    let waits =
        shared(rows, counts).map(|counts| format!("{counts} waits each"));
    let all: Vec<String> = [wait, asked, waits].into_iter().flatten().collect();
    if all.is_empty() {
        return String::new();
    }
    format!("{}; ", all.join(", "))
}

/// The conditions, which are the same for all rows of an experiment.
fn conditions(rows: &[Row]) -> String {
    let Some(row) = rows.first() else { return String::new() };
    let own = &row.conditions;
    // What a system does not have is no condition of it.
    let slack = own.slack_ns.value().map(|ns| span(*ns));
    let slack = slack.map(|slack| format!("timer slack {slack}"));
    let interval = shared(rows, |row| row.conditions.interval_ns.clone());
    let interval = interval.and_then(|own| own.value().copied());
    let interval = interval.map(|ns| format!("interval {}", span(ns)));
    let held = own.held_ns.value().map(|ns| format!("{} held", span(*ns)));
    let all = [
        Some(spread::policy(own)),
        slack,
        interval,
        held,
        Some(spread::cpu(own)),
        Some(format!("phase {}", word(own.phase))),
        Some(format!("load {}", own.load)),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Sync => "in step",
        Phase::Random => "random",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::sleep::{Sleep, figures};
    use crate::machine::{Span, WaitKind};

    fn titles(waits: &[WaitKind], spans: &[u64]) -> (String, Vec<String>) {
        let sleep = Sleep {
            waits: waits.to_vec(),
            spans: spans.iter().map(|ms| Span::from_ms(*ms)).collect(),
            ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
        };
        let facts = facts();
        let mut machine = Scripted::default();
        let workload = sleep.workload(&facts);
        let saved = play(&mut machine, &facts, workload, &mut Silent);
        let table = table(&figures(&saved.unwrap(), None).rows);
        let titles = table.columns.iter().map(|own| own.title.clone());
        (table.caption, titles.take(3).collect())
    }

    #[test]
    fn what_all_rows_share_is_said_once() {
        let (caption, first) =
            titles(&[WaitKind::Nanosleep, WaitKind::Poll], &[1]);
        assert!(caption.starts_with("1 ms asked, 100 waits each; SCHED"));
        assert_eq!(first, ["wait", "min", "mean"]);
        let (caption, first) = titles(&[WaitKind::Poll], &[1, 2]);
        assert!(caption.starts_with("poll, 100 waits each; "));
        assert_eq!(first, ["asked", "min", "mean"]);
    }

    #[test]
    fn a_single_row_says_everything_itself() {
        let (caption, first) = titles(&[WaitKind::Poll], &[1]);
        assert!(caption.starts_with("SCHED_OTHER"));
        assert_eq!(first, ["wait", "asked", "waits"]);
    }
}
