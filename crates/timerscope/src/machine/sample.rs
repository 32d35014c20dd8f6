//! What one action of one task saw.

use serde::{Deserialize, Serialize};

/// What one action saw.
///
/// Times are nanoseconds on the machine's steady clock, counted from the
/// common start of the run; what happened before the start is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Which running task: its place in the workload's cast
    /// ([`super::Workload::cast`]).
    pub role: u32,
    /// Which action of that task: its place in [`super::Task::steps`].
    pub step: u16,
    /// How it ended.
    pub outcome: Outcome,
    /// How many times the task had done this action before.
    pub number: u64,
    /// Just before the action.
    pub began: i64,
    /// When it should have ended: the asked end of a wait, the setter's stamp
    /// of an event. Equal to `began` where nothing was asked.
    pub due: i64,
    /// Just after it.
    pub ended: i64,
    /// What the action itself found: see [`super::Action`]. Else 0.
    pub value: i64,
}

/// How an action ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As asked: the span passed, the event came.
    Met,
    /// The time-out of an `await` passed first.
    TimedOut,
    /// Something else ended it: a signal, or the end of the run.
    Interrupted,
    /// This system does not have the call.
    Absent,
    /// The system refused the call.
    Refused,
}

impl Sample {
    /// How long the action took, from before the call to after it.
    #[must_use]
    pub fn took_ns(&self) -> i64 {
        self.ended.saturating_sub(self.began)
    }

    /// How late it ended: negative is early.
    #[must_use]
    pub fn lateness_ns(&self) -> i64 {
        self.ended.saturating_sub(self.due)
    }

    /// Whether its times say something about the timer.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(self.outcome, Outcome::Met | Outcome::TimedOut)
    }
}
