//! What is made of what was seen: a few kinds of figures.

use serde::Deserialize;

use crate::machine::Span;

/// One number of one run.
///
/// Most are made of the values of one action: the `nth` of those of the task
/// `of` that keep what they saw, as far as the other keys let them pass.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Figure {
    /// What is made of the values.
    pub kind: Kind,
    /// The task, by its name.
    pub of: String,
    /// Which of its actions that keep something, from 0.
    pub nth: usize,
    /// What of each sample counts.
    pub by: By,
    /// Only samples of this number and later ones, counted from 0.
    pub skip: u64,
    /// Only samples before this number.
    pub until: Option<u64>,
    /// Only values over this time.
    pub over: Option<Span>,
    /// Only values up to this time.
    pub under: Option<Span>,
    /// Only what ended at this time of the run or later.
    pub from: Option<Span>,
    /// Only what ended before this time.
    pub to: Option<Span>,
    /// The samples that a loss is a loss from: their first number, and the
    /// one behind their last.
    pub base: Option<(u64, u64)>,
    /// The interval whose share of the time is asked for.
    pub interval: Option<Span>,
    /// What the number is multiplied by, if by anything.
    pub scale: Option<f64>,
}

/// What is made of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Their mean.
    #[default]
    Mean,
    /// Their standard deviation.
    Deviation,
    /// Their median: one of them, by nearest rank.
    Median,
    /// The least.
    Least,
    /// The greatest.
    Most,
    /// How many there are.
    Count,
    /// Their share of all, in percent, before `over` and `under`.
    Share,
    /// How many samples lie between one and the next: the median.
    Gap,
    /// How many there are in a second between `from` and `to`.
    PerSecond,
    /// By how many percent their median lies below that of `base`.
    Loss,
    /// The power of the whole machine during the run, in watts.
    Watts,
    /// The clock interrupts of the whole machine in a second.
    TicksPerSecond,
    /// The share of the time for which `interval` was in force, in percent,
    /// by the events.
    IntervalShare,
    /// How often in a second the interval in force changed, by the events.
    IntervalChanges,
}

/// What of each sample counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// How long it took.
    #[default]
    Took,
    /// How late it was.
    Late,
    /// What the action found.
    Value,
    /// What the action found, for each second that it took.
    Rate,
}
