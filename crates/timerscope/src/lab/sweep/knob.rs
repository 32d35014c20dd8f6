//! Which knob a machine has.

use serde::Serialize;

use crate::machine::{AskError, Facts, Span};

/// What can be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Knob {
    /// How late a thread lets its own waits end.
    TimerSlack,
    /// The interval that a process requests, for others too or not.
    IntervalRequest,
}

/// From the finest slack there is to a hundred times the usual one.
const SLACKS: [Span; 8] = [
    Span::from_ns(1),
    Span::from_us(1),
    Span::from_us(10),
    Span::from_us(50),
    Span::from_us(100),
    Span::from_us(500),
    Span::from_ms(1),
    Span::from_ms(5),
];
/// The longest interval in whole milliseconds that is finer than the default
/// of Windows, 15.625 ms: the article's first.
const LONGEST_MS: u64 = 15;

impl Knob {
    /// The knob of the machine of `facts`.
    ///
    /// # Errors
    ///
    /// When it has none.
    pub fn of(facts: &Facts) -> Result<Self, AskError> {
        if facts.interval.can_be_requested() {
            return Ok(Self::IntervalRequest);
        }
        if facts.timer_slack_ns.value().is_some() {
            return Ok(Self::TimerSlack);
        }
        let what = "cannot turn a knob of this timer";
        let why = format!(
            "{} has neither timer slack nor an interval that a process can \
             change",
            facts.system
        );
        Err(AskError::absent(what, why).or_try(
            "a system with a knob: `timerscope sweep --on linux-6` or \
             `--on windows-7`",
        ))
    }

    /// Its name for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TimerSlack => "timer-slack",
            Self::IntervalRequest => "interval-request",
        }
    }

    /// The usual positions, in the order they are turned to.
    #[must_use]
    pub fn positions(self) -> Vec<Span> {
        match self {
            Self::TimerSlack => SLACKS.to_vec(),
            Self::IntervalRequest => {
                (1..=LONGEST_MS).rev().map(Span::from_ms).collect()
            }
        }
    }
}
