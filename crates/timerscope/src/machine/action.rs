//! What a task can do: the words of the vocabulary.

use serde::{Deserialize, Serialize};

use super::defaults::{is_default, is_one, one};
use super::{ClockKind, Span, WaitKind};

/// One thing a task does.
///
/// The `value` of its samples is said with each; it is 0 where nothing is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Lets `span` pass, once, by one call. `value`: the CPU time its process
    /// used meanwhile, for the timers that count CPU time.
    Wait {
        /// By which call.
        how: WaitKind,
        /// How long.
        span: Span,
        /// What the CPU does until the signal comes.
        #[serde(default, skip_serializing_if = "is_default")]
        meanwhile: Meanwhile,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Arms a timer that re-arms itself, and waits for it to ring so many
    /// times. Each ring is one sample, due `span`, and then `again` after the
    /// one before; rings that come while nobody waits are one. `value`: as
    /// that of `wait`.
    Ring {
        /// Which timer: an interval timer, `timerfd` or `posix-timer`.
        how: WaitKind,
        /// Until the first ring.
        span: Span,
        /// From one ring to the next: the re-arming period.
        again: Span,
        /// How many rings.
        times: u64,
        /// What the CPU does until each signal comes.
        #[serde(default, skip_serializing_if = "is_default")]
        meanwhile: Meanwhile,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Waits until a point of the enclosing `every`. A point that is past
    /// already is waited for all the same.
    WaitUntil {
        /// By which call; those that take no absolute time get the rest.
        how: WaitKind,
        /// Until when.
        point: Point,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Does `body` once a period; points are counted from when it begins.
    /// It does not wait: a body that ends early is begun again at once.
    Every {
        /// The period.
        period: Span,
        /// What happens to points that pass while the body runs.
        #[serde(default, skip_serializing_if = "is_default")]
        missed: Missed,
        /// When it is done.
        #[serde(default, skip_serializing_if = "is_default")]
        until: Until,
        /// What is done.
        body: Vec<Action>,
    },
    /// Does `body` again and again. `value`: how many times.
    Repeat {
        /// When it is done. A time is watched from outside: no clock is read
        /// in the loop.
        until: Until,
        /// What is kept of each whole repetition.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
        /// What is done.
        body: Vec<Action>,
    },
    /// Computes: `iterations` rounds of adding up 1024 integers.
    Work {
        /// How many rounds.
        iterations: u64,
        /// What is kept.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
    },
    /// Burns CPU reading the clock. `value`: how many times it was read.
    Spin {
        /// Until when; a count counts readings.
        until: Until,
        /// What is kept.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
    },
    /// Spins reading the clock, and notices when it jumps: while it did, the
    /// CPU was taken away. Each stretch without a jump is one sample, from
    /// its first reading to its last; `value`: how far the clock then jumped.
    /// The stretch that `until` cuts short is told as interrupted.
    Runs {
        /// A jump is a step of the clock over more than this: longer than the
        /// reading itself, shorter than anybody's turn.
        gap: Span,
        /// When it is done; a count counts stretches.
        until: Until,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Sets an event, stamping it just before the call.
    Set(String),
    /// Waits for an event; due at the setter's stamp.
    Await {
        /// Which event.
        event: String,
        /// How long at most; none means for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<Span>,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Sets one event and waits for another, by one call, so that no other
    /// thread can run in between. A machine without such a call refuses the
    /// workload as absent, rather than play it as a `set` and an `await`.
    ///
    /// Windows has `SignalObjectAndWait`. On Linux an `io_uring_enter` that
    /// submits a wake-up and a wait on a futex together stands for it: one
    /// system call, though not one atomic step (since Linux 6.7).
    SetAwait {
        /// Which event is set.
        set: String,
        /// Which event is awaited.
        #[serde(rename = "await")]
        awaited: String,
        /// How long at most; none means for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<Span>,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Gives the CPU to an equal, if one is ready.
    Yield,
    /// Reads a clock. `value`: the last reading.
    Read {
        /// Which clock.
        clock: ClockKind,
        /// How many times, back to back.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        times: u64,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Reads a clock until it has changed `changes` times. `value`: the
    /// smallest change.
    Steps {
        /// Which clock.
        clock: ClockKind,
        /// How many changes.
        changes: u64,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Asks for the interval in force. `value`: the answer in nanoseconds.
    AskInterval {
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Requests an interval. `value`: what was granted, in nanoseconds.
    Request(Span),
    /// Withdraws one request.
    Withdraw(Span),
    /// Ends the task.
    End,
}

/// What the CPU does during a wait that ends by a signal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Meanwhile {
    /// Something else.
    #[default]
    Block,
    /// The task computes until the signal comes.
    Burn,
}

/// What becomes of points that pass while an `every`'s body runs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// They are dropped: the next point is the next one to come.
    #[default]
    Skip,
    /// None is dropped: the body runs once for each.
    CatchUp,
}

/// When a loop is done.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Until {
    /// Never: the workload's limit ends it.
    #[default]
    Forever,
    /// After so many times.
    Count(u64),
    /// After so long.
    Span(Span),
    /// At a point of the enclosing `every`.
    Point(Point),
}

/// A point of the enclosing `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Point {
    /// Which point.
    pub at: PointBase,
    /// How long before it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub less: Span,
}

/// Which point of the enclosing `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointBase {
    /// The one this run of the body belongs to.
    Now,
    /// The one after it.
    Next,
}

/// What is kept of an action's samples. Each keeps what those before it keep.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// Nothing: no clock is read.
    Nothing,
    /// How many there were: no clock is read.
    Count,
    /// A histogram of how long each took and how late it was.
    Histogram,
    /// The histogram, and each that took longer than this.
    Over(Span),
    /// Every sample.
    #[default]
    Everything,
}

impl Keep {
    /// Whether samples are made, and so clocks read.
    #[must_use]
    pub fn samples(self) -> bool {
        !matches!(self, Self::Nothing | Self::Count)
    }
}

impl Action {
    /// One blocking wait of which everything is kept.
    #[must_use]
    pub fn wait(how: WaitKind, span: Span) -> Self {
        let (meanwhile, keep) = (Meanwhile::Block, Keep::Everything);
        Self::Wait { how, span, meanwhile, keep }
    }

    /// `body`, so many times.
    #[must_use]
    pub fn repeat(count: u64, body: Vec<Self>) -> Self {
        Self::Repeat { until: Until::Count(count), keep: Keep::Nothing, body }
    }

    /// The call it waits by, if it waits by one that is named.
    #[must_use]
    pub fn wait_kind(&self) -> Option<WaitKind> {
        match self {
            Self::Wait { how, .. }
            | Self::WaitUntil { how, .. }
            | Self::Ring { how, .. } => Some(*how),
            _ => None,
        }
    }

    /// The actions inside it.
    #[must_use]
    pub fn body(&self) -> &[Self] {
        match self {
            Self::Every { body, .. } | Self::Repeat { body, .. } => body,
            _ => &[],
        }
    }

    /// What is kept of it.
    #[must_use]
    pub fn keep(&self) -> Keep {
        match self {
            Self::Wait { keep, .. }
            | Self::Ring { keep, .. }
            | Self::WaitUntil { keep, .. }
            | Self::Repeat { keep, .. }
            | Self::Work { keep, .. }
            | Self::Spin { keep, .. }
            | Self::Runs { keep, .. }
            | Self::Await { keep, .. }
            | Self::SetAwait { keep, .. }
            | Self::Read { keep, .. }
            | Self::Steps { keep, .. }
            | Self::AskInterval { keep } => *keep,
            Self::Request(_) | Self::Withdraw(_) => Keep::Everything,
            Self::Every { .. } | Self::Set(_) | Self::Yield | Self::End => {
                Keep::Nothing
            }
        }
    }

    /// Its name in TOML.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Wait { .. } => "wait",
            Self::Ring { .. } => "ring",
            Self::WaitUntil { .. } => "wait-until",
            Self::Every { .. } => "every",
            Self::Repeat { .. } => "repeat",
            Self::Work { .. } => "work",
            Self::Spin { .. } => "spin",
            Self::Runs { .. } => "runs",
            Self::Set(_) => "set",
            Self::Await { .. } => "await",
            Self::SetAwait { .. } => "set-await",
            Self::Yield => "yield",
            Self::Read { .. } => "read",
            Self::Steps { .. } => "steps",
            Self::AskInterval { .. } => "ask-interval",
            Self::Request(_) => "request",
            Self::Withdraw(_) => "withdraw",
            Self::End => "end",
        }
    }
}

fn nothing() -> Keep {
    Keep::Nothing
}

fn is_nothing(keep: &Keep) -> bool {
    *keep == Keep::Nothing
}
