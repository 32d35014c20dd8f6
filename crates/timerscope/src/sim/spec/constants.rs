//! What a machine's rules are fed with.

use serde::{Deserialize, Serialize};

use crate::machine::Span;

/// What a machine's rules are fed with.
///
/// Rates are whole numbers of what their name says; chances are in a million.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Constants {
    /// The longest interval, and the default: the tick as the kernel sees it.
    pub coarsest: Span,
    /// The shortest interval that can be had.
    pub finest: Span,
    /// How long a tick of the longest interval really is (OB-4).
    pub true_tick: Span,
    /// Intervals are multiples of this many picoseconds, rounded down;
    /// 0 means that any can be had.
    pub interval_grid_ps: u64,
    /// The interval that some other process requests all the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Span>,
    /// The interval that the system itself requests from time to time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_interval: Option<Span>,
    /// How often it does.
    pub system_interval_every: Span,
    /// For how long each time.
    pub system_interval_for: Span,
    /// How far over the default a pass over silent processes may come (W-T6).
    pub pass_overshoot: Span,
    /// The shortest interval at which passes are noisy (W-T8).
    pub noise_from: Span,
    /// The longest one.
    pub noise_to: Span,
    /// Of 100 noisy passes, how many come one interrupt early.
    pub noise_early_percent: u64,
    /// How many come one late.
    pub noise_late_percent: u64,
    /// What a high-resolution timer's span is rounded up to (W-T9).
    pub high_resolution: Span,

    /// CPUs.
    pub cpus: u32,
    /// Cycles in a millisecond.
    pub cpu_khz: u64,
    /// How far each CPU's tick is from the first one's (OB-6); CPUs without
    /// an entry tick with the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tick_phases: Vec<Span>,
    /// How long equals run in turn (W-S2), or a fair slice (L-6).
    pub quantum: Span,
    /// The same for real-time tasks that take turns (Linux SCHED_RR).
    pub round_robin: Span,
    /// Levels that a wake-up by a timer adds in the foreground (W-S3).
    pub boost: u8,
    /// Levels that one by an event adds on top.
    pub event_boost: u8,

    /// Lateness that a normal task's waits are allowed (L-1).
    pub slack: Span,
    /// CPU time of a system call (W-S7).
    pub system_call: Span,
    /// CPU time of a switch to another task (W-S7).
    pub switch: Span,
    /// From the expiry of a timer to the handler of a task that burns until
    /// its signal comes.
    pub signal: Span,
    /// From a set event to its waiter running on another CPU (W-S7).
    pub cross_wake: Span,
    /// CPU time of making a sample of an action.
    pub record: Span,
    /// CPU time more of an awaited event.
    pub event_wait: Span,
    /// How long an idle CPU takes to answer an interrupt (L-5).
    pub idle_exit: Span,
    /// The same after a short stay.
    pub short_idle_exit: Span,
    /// A stay shorter than this is short.
    pub short_idle: Span,
    /// An idle CPU with a timer of its own due within so many ticks keeps
    /// ticking, where others stop (L-4).
    pub kept_ticks: u64,
    /// CPU time of a clock interrupt on a busy CPU (W-S8).
    pub tick_cost: Span,
    /// Picoseconds of one round of `work`.
    pub work_ps: u64,

    /// Nanojoules of one clock interrupt.
    pub tick_nj: u64,
    /// Nanojoules of waking a task.
    pub wake_nj: u64,
    /// Microwatts of a busy CPU above an idle one.
    pub busy_uw: u64,

    /// How often, in a million ticks, the host takes the CPU away (W-S10).
    pub steal_ppm: u64,
    /// For how long at least.
    pub steal_least: Span,
    /// For how long at most.
    pub steal_most: Span,
    /// How often, in a million, a tick is handled late (OB-7).
    pub late_tick_ppm: u64,
    /// How late on average, exponentially spread.
    pub late_tick: Span,
    /// How late one tick of each second is.
    pub late_second: Span,
    /// How often in 1000 s a running task moves to another CPU (OB-6).
    pub moves_per_1000s: u64,
    /// How often in 1000 s others take the CPU of a burning task (OB-7).
    pub taken_per_1000s: u64,
    /// The same of a task that burns until a profiling timer fires.
    pub taken_prof_per_1000s: u64,
    /// For how long on average, exponentially spread.
    pub taken: Span,
    /// How often, in a million, a tick finds a burning task in user mode.
    pub user_ppm: u64,

    /// Nanoseconds in a second by which the clock is slewed (OB-5).
    pub slew_ns_per_s: u64,
    /// How much there is to slew.
    pub slew_budget: Span,
}
