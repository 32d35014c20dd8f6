//! Spreads as cells, pictures and conditions, the same for every experiment.

use super::cells::{fine, plain, time};
use super::{Cell, Chart, Mark};
use crate::lab::conditions::Conditions;
use crate::lab::spread::Spread;

/// The headings of [`cells`].
pub(super) const HEADINGS: [&str; 6] =
    ["min", "mean", "half within", "99 % within", "max", "std-dev"];

/// A spread as cells, every time with its unit.
pub(super) fn cells(spread: &Spread) -> [Cell; 6] {
    [
        time(&spread.min_ns),
        fine(&spread.mean_ns),
        time(&spread.p50_ns),
        time(&spread.p99_ns),
        time(&spread.max_ns),
        fine(&spread.stddev_ns),
    ]
}

/// The headings of [`csv_cells`].
pub(super) const CSV_HEADINGS: [&str; 8] = [
    "min_ns",
    "mean_ns",
    "max_ns",
    "stddev_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p999_ns",
];

/// A spread for other programs: nanoseconds as numbers.
pub(super) fn csv_cells(spread: &Spread) -> [Cell; 8] {
    [
        plain(&spread.min_ns),
        plain(&spread.mean_ns),
        plain(&spread.max_ns),
        plain(&spread.stddev_ns),
        plain(&spread.p50_ns),
        plain(&spread.p90_ns),
        plain(&spread.p99_ns),
        plain(&spread.p999_ns),
    ]
}

/// A picture of a spread, with its median and one more mark.
pub(super) fn distribution(
    title: String,
    axis: &str,
    spread: &Spread,
    mark: Option<(&str, i64)>,
) -> Option<Chart> {
    let half = ("half", *spread.p50_ns.value()?);
    let marks = mark.into_iter().chain([half]);
    let mark = |(label, at): (&str, i64)| Mark { label: label.to_owned(), at };
    Some(Chart::Histogram {
        title,
        axis: axis.to_owned(),
        values: spread.values.pairs().to_vec(),
        marks: marks.map(mark).collect(),
    })
}

/// The policy of what was measured.
pub(super) fn policy(own: &Conditions) -> String {
    let policy = own.policy.value().map_or("", String::as_str);
    format!("{policy} (priority {})", own.priority).trim_start().to_owned()
}

/// The CPU of what was measured.
pub(super) fn cpu(own: &Conditions) -> String {
    let cpu = own.cpu.value();
    cpu.map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"))
}
