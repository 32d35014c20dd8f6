//! One of two runs that are compared.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Fact, PerRun};
use crate::stats::Counted;

/// One of two runs that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What it was made from.
    pub kind: Kind,
    /// The command that wrote it, or the title of what was played.
    pub about: String,
    /// The machine's system, in words.
    pub system: String,
    /// Whether it tells all the machine's facts, so that a fact it does not
    /// tell is not there.
    pub all_facts: bool,
    /// What it tells about the machine and the run.
    pub facts: Vec<Fact>,
    /// What was measured.
    pub rows: Vec<Row>,
    /// The step of the clock that all was measured with, in ns; 0 if it does
    /// not say.
    pub step_ns: f64,
}

/// What a side was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every sample, or histograms of them.
    #[default]
    Recording,
    /// The JSON answer of a command.
    Answer,
}

/// One thing that was measured many times.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Who did what: `sleep/sleeper: wait nanosleep 1 ms`.
    pub what: String,
    /// Under which conditions, as far as the workload says them.
    pub conditions: Vec<Fact>,
    /// What is compared.
    pub measure: Measure,
    /// What was seen.
    pub values: Values,
}

/// What is compared of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How late it ended, in ns: nearer to its due time is better.
    Lateness,
    /// How long it took, in ns: less is better.
    Took,
    /// How long a thread ran before its equal did, in ns: neither a longer
    /// nor a shorter turn is better.
    Turn,
    /// What was lost, in percent: less is better.
    Percent,
    /// How often it was done in a second: more is better.
    Rate,
}

impl Measure {
    /// Whether it is counted in ns.
    pub(super) fn is_time(self) -> bool {
        !matches!(self, Self::Rate | Self::Percent)
    }
}

/// What was seen of a row, by how much is left of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Every value, in the order of time.
    InOrder(Vec<i64>),
    /// How often which, in bins of this width in ns.
    Counted(Counted, f64),
    /// A figure with its name, and nothing behind it.
    Alone(Vec<(String, Measure, f64)>),
    /// Figures of several runs, one number for each.
    Runs(Vec<PerRun>),
}

impl Values {
    /// How many values there are; `None` where nobody says.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::InOrder(values) => Some(values.len() as u64),
            Self::Counted(values, _) => Some(values.total()),
            Self::Alone(_) | Self::Runs(_) => None,
        }
    }

    /// A histogram that was kept to three digits.
    pub(super) fn counted(values: Counted) -> Self {
        let extent = |q| values.quantile(q).map_or(0, i64::unsigned_abs);
        let width = extent(0.01).max(extent(0.99)) as f64 / 1_000.0;
        Self::Counted(values, width.max(1.0))
    }
}

/// Tells rows of the same name apart by their number.
pub(super) fn number_equals(rows: &mut [Row]) {
    let mut seen = BTreeMap::<String, u64>::new();
    for row in rows {
        let times = seen.entry(row.what.clone()).or_default();
        *times += 1;
        if *times > 1 {
            row.what = format!("{} ({times})", row.what);
        }
    }
}
