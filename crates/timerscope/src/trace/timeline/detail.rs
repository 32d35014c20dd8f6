//! What there is to say of a slice or an instant besides its name.

use crate::machine::{Happening, Outcome};
use crate::trace::Left;

/// What there is to say of a slice or an instant besides its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// Nothing.
    None,
    /// What an action saw.
    Sample {
        /// How it ended.
        outcome: Outcome,
        /// How many times the task had done it before.
        number: u64,
        /// When it should have ended, where that was asked.
        due: Option<i64>,
        /// How late it was, where its times say so.
        lateness_ns: Option<i64>,
        /// What it found, and what that is, for actions that find something.
        value: Option<(&'static str, i64)>,
    },
    /// A timer: when it is due.
    Due(i64),
    /// A turn on a CPU: why it ended.
    Left(Left),
}

/// A value of a detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number; its key says of what.
    Number(i64),
    /// A word.
    Word(&'static str),
}

impl Detail {
    /// Each key with its value; what is not known is not among them.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, Value)> {
        let number = |key, value| Some((key, Value::Number(value)));
        let word = |key, value| Some((key, Value::Word(value)));
        let all = match *self {
            Self::None => vec![],
            Self::Due(due) => vec![number("due_ns", due)],
            Self::Left(why) => vec![word("left", said_left(why))],
            Self::Sample {
                outcome,
                number: times,
                due,
                lateness_ns,
                value,
            } => {
                vec![
                    due.and_then(|due| number("due_ns", due)),
                    lateness_ns.and_then(|late| number("lateness_ns", late)),
                    word("outcome", said_outcome(outcome)),
                    number("number", times as i64),
                    value.and_then(|(key, value)| number(key, value)),
                ]
            }
        };
        all.into_iter().flatten().collect()
    }
}

fn said_left(why: Left) -> &'static str {
    match why {
        Left::Waits => "waits",
        Left::Preempted => "pre-empted",
        Left::TurnOver => "turn over",
        Left::Yielded => "yielded",
        Left::Ended => "ended",
    }
}

fn said_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Met => "met",
        Outcome::TimedOut => "timed-out",
        Outcome::Interrupted => "interrupted",
        Outcome::Absent => "absent",
        Outcome::Refused => "refused",
    }
}

/// The word of a workload's script for what happened.
pub(super) fn said_happening(what: Happening) -> &'static str {
    match what {
        Happening::Show => "show",
        Happening::Hide => "hide",
        Happening::Foreground => "foreground",
        Happening::Background => "background",
        Happening::Battery => "battery",
        Happening::Mains => "mains",
        Happening::Suspend => "suspend",
        Happening::Resume => "resume",
        Happening::Kill => "kill",
    }
}
