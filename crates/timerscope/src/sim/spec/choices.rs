//! Which rules a machine follows.

use serde::{Deserialize, Serialize};

use super::Kernel;
use crate::sim::rules::{
    Boost, Change, Charge, CpuTimers, Deadline, Expiry, IdleTick, Looks, Noise,
    Preemption, Remainder, Rounding, Rule, Sharing, Spent, Window, told,
};

/// One field of [`Choices`] beside its rivals.
macro_rules! chosen {
    ($own:expr, $kernel:expr, $field:ident, $choice:ident) => {{
        let word = |(own, word): &($choice, &'static str)| {
            (*own == $own.$field).then_some(*word)
        };
        let other = |(own, word): &($choice, &'static str)| {
            (*own != $own.$field).then(|| (*word, told($kernel, own.rule())))
        };
        Chosen {
            key: stringify!($field),
            word: $choice::ALL.iter().find_map(word).unwrap_or_default(),
            rule: told($kernel, $own.$field.rule()),
            rivals: $choice::ALL.iter().filter_map(other).collect(),
        }
    }};
}

/// Which rules a machine follows: one of each choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "each choice says what it is about")]
pub struct Choices {
    pub expiry: Expiry,
    pub deadline: Deadline,
    pub looks: Looks,
    pub noise: Noise,
    pub window: Window,
    pub change: Change,
    pub rounding: Rounding,
    pub cpu_timers: CpuTimers,
    pub sharing: Sharing,
    pub preemption: Preemption,
    pub charge: Charge,
    pub boost: Boost,
    pub spent: Spent,
    pub remainder: Remainder,
    pub idle_tick: IdleTick,
}

impl Choices {
    /// The choices that matter to a kernel, in the order of the fields.
    #[must_use]
    pub fn chosen(&self, kernel: Kernel) -> Vec<Chosen> {
        let windows = kernel == Kernel::Windows;
        let passes = windows && self.looks != Looks::Everyone;
        let levels = kernel != Kernel::Linux;
        let ticks = self.expiry == Expiry::AtTick;
        let all = [
            (true, chosen!(self, kernel, expiry, Expiry)),
            (ticks, chosen!(self, kernel, deadline, Deadline)),
            (windows, chosen!(self, kernel, looks, Looks)),
            (passes, chosen!(self, kernel, noise, Noise)),
            (windows, chosen!(self, kernel, window, Window)),
            (windows, chosen!(self, kernel, change, Change)),
            (!windows, chosen!(self, kernel, rounding, Rounding)),
            (!windows, chosen!(self, kernel, cpu_timers, CpuTimers)),
            (true, chosen!(self, kernel, sharing, Sharing)),
            (true, chosen!(self, kernel, preemption, Preemption)),
            (levels, chosen!(self, kernel, charge, Charge)),
            (levels, chosen!(self, kernel, boost, Boost)),
            (levels, chosen!(self, kernel, spent, Spent)),
            (levels, chosen!(self, kernel, remainder, Remainder)),
            (true, chosen!(self, kernel, idle_tick, IdleTick)),
        ];
        let own = all.into_iter().filter(|(matters, _)| *matters);
        own.map(|(_, chosen)| chosen).collect()
    }
}

/// One choice of a machine, and what else it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The key of the choice: `looks`.
    pub key: &'static str,
    /// The word that is chosen: `h5`.
    pub word: &'static str,
    /// The rule that it is.
    pub rule: Rule,
    /// The other words, and the rules that they are.
    pub rivals: Vec<(&'static str, Rule)>,
}
