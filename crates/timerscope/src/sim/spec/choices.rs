//! Which rules a machine follows.

use serde::{Deserialize, Serialize};

use crate::sim::rules::{
    Boost, Change, Charge, CpuTimers, Deadline, Expiry, IdleTick, Looks, Noise,
    Preemption, Remainder, Rounding, Sharing, Spent, Window,
};

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
