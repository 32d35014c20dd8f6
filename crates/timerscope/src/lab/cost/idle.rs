//! What an idle machine does with and without the tick.

use serde::Serialize;

use super::raise::{requested_per_s, woken};
use crate::machine::{Counters, Known, Missing, Saved, Span};

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
    /// The power of the whole machine, as its battery's gauge tells it.
    pub battery_watts: Known<f64>,
    /// How long the look was.
    pub lasted_ns: u64,
    /// How many ticks in a second were added: how often the waiter woke, or
    /// those of the interval that was requested.
    pub ticks_per_s: Known<f64>,
    /// Whether the power is what a simulated machine's rules say, and nobody
    /// measured it.
    pub modelled: bool,
}

/// In so long any gauge has told something new, and its usual steps of 10 mWh
/// are some percent of what an idle laptop uses. Invented.
pub(super) const GAUGE: Span = Span::from_s(300);

/// The energy that the battery gave, over the time; of a time too short for
/// that the power as it was told before and after.
fn battery_watts(saved: &Saved) -> Known<f64> {
    let meters = &saved.ending.meters;
    let lasted = saved.ending.lasted_ns;
    meters.before.battery.as_ref().and_then(|before| {
        meters.after.battery.as_ref().and_then(|after| {
            let given = before.given_uj.value().zip(after.given_uj.value());
            let given = given.and_then(|(one, two)| two.checked_sub(*one));
            match given.filter(|_| lasted >= GAUGE.ns()) {
                Some(uj) => Known::Value(uj as f64 * 1e3 / lasted as f64),
                None => before.power_uw.clone().and_then(|one| {
                    let two = after.power_uw.clone();
                    two.map(|two| (one as f64 + two as f64) / 2e6)
                }),
            }
        })
    })
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
    let woken = woken(saved).map(|times| times as f64 / seconds);
    let ticks = woken.or_else(|| requested_per_s(saved));
    let none = || Missing::absent("no ticker was part of this look").into();
    Idle {
        timer_interrupts_per_s: per_s(|meter| &meter.ticks, 1.0),
        idle_wakeups_per_s: per_s(|meter| &meter.idle_wakeups, 1.0),
        busy_cpus: per_s(|meter| &meter.busy_ns, 1e9),
        watts: per_s(|meter| &meter.energy_uj, 1e6),
        battery_watts: battery_watts(saved),
        lasted_ns: saved.ending.lasted_ns,
        ticks_per_s: ticks.map_or_else(none, Known::Value),
        modelled: saved.facts.simulated,
    }
}
