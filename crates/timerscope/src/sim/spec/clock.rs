//! The clocks a machine has.

use serde::{Deserialize, Serialize};

use crate::machine::{ClockKind, Span};

/// One clock of a machine (W-T4, W-S9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clock {
    /// Which one.
    pub name: ClockKind,
    /// When it moves.
    pub moves: Moves,
    /// What its readings are multiples of.
    pub unit: Span,
    /// Cycles of a reading on an idle machine.
    pub cycles: u64,
    /// Cycles of a reading while other CPUs are busy.
    pub loaded_cycles: u64,
    /// Whether a reading needs a system call.
    #[serde(default)]
    pub system_call: bool,
}

impl Clock {
    /// Whether it counts on while the others are slewed (OB-5).
    pub(in crate::sim) fn is_raw(&self) -> bool {
        matches!(self.name, ClockKind::Tsc | ClockKind::MonotonicRaw)
    }
}

/// When a clock moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moves {
    /// All the time.
    Always,
    /// At each clock interrupt.
    AtTick,
    /// At each point of the default interval, whatever is in force.
    AtDefaultTick,
    /// While its thread or process runs, all the time.
    Running,
    /// While its thread or process runs, by the default interval.
    RunningByTick,
}

impl Moves {
    /// When, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Always => "all the time",
            Self::AtTick => "at each clock interrupt",
            Self::AtDefaultTick => "at the default interval",
            Self::Running => "while it runs",
            Self::RunningByTick => "while it runs, by the default interval",
        }
    }
}
