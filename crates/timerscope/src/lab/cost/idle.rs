//! What an idle machine does with and without the tick.

use serde::Serialize;

use super::figures::ticks;
use crate::machine::{Counters, Known, Missing, Saved};

/// An idle look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Idle {
    /// Timer interrupts in a second, over all CPUs.
    pub timer_interrupts_per_s: Known<f64>,
    /// How often in a second a CPU left an idle state, over all CPUs.
    pub idle_wakeups_per_s: Known<f64>,
    /// How many CPUs were busy, on average.
    pub busy_cpus: Known<f64>,
    /// The power of all packages.
    pub watts: Known<f64>,
    /// How often in a second the ticker woke.
    pub ticks_per_s: Known<f64>,
}

/// Turns an idle look into figures.
#[must_use]
pub fn idle(saved: &Saved) -> Idle {
    let seconds = saved.ending.lasted_ns as f64 / 1e9;
    let per_s = |counter: fn(&Counters) -> &Known<u64>, unit: f64| {
        saved.ending.meters.delta(counter).and_then(|delta| {
            if seconds > 0.0 {
                return Known::Value(delta as f64 / unit / seconds);
            }
            Missing::unknown("the look was over before it began").into()
        })
    };
    let ticks = ticks(saved).map(|ticks| ticks as f64 / seconds);
    let none = || Missing::absent("no ticker was part of this look").into();
    Idle {
        timer_interrupts_per_s: per_s(|meter| &meter.ticks, 1.0),
        idle_wakeups_per_s: per_s(|meter| &meter.idle_wakeups, 1.0),
        busy_cpus: per_s(|meter| &meter.busy_ns, 1e9),
        watts: per_s(|meter| &meter.energy_uj, 1e6),
        ticks_per_s: ticks.map_or_else(none, Known::Value),
    }
}
