//! What each constant may be.

use super::Constants;
use crate::machine::Span;

/// What one constant is, and what it may be.
pub(super) struct Range {
    pub(super) key: &'static str,
    pub(super) value: u64,
    pub(super) least: u64,
    pub(super) most: u64,
    /// Whether it is a span of time.
    time: bool,
}

impl Range {
    /// A value of it as it is written.
    pub(super) fn said(&self, value: u64) -> String {
        if self.time {
            return Span::from_ns(value).written();
        }
        value.to_string()
    }
}

const US: u64 = 1_000;
const MS: u64 = 1_000 * US;
const S: u64 = 1_000 * MS;

fn span(key: &'static str, own: Span, least: u64, most: u64) -> Range {
    Range { key, value: own.ns(), least, most, time: true }
}

fn number(key: &'static str, value: u64, least: u64, most: u64) -> Range {
    Range { key, value, least, most, time: false }
}

/// Every constant with its range. The bounds are wide: they keep what no
/// machine ever had, and what would overflow, out.
pub(super) fn ranges(c: &Constants) -> Vec<Range> {
    let mut all = ticking(c);
    all.extend(running(c));
    all.extend(costing(c));
    all.extend(disturbing(c));
    all
}

fn ticking(c: &Constants) -> Vec<Range> {
    let mut all = vec![
        span("coarsest", c.coarsest, 10 * US, S),
        span("finest", c.finest, 10 * US, S),
        span("true-tick", c.true_tick, 5 * US, 2 * S),
        number("interval-grid-ps", c.interval_grid_ps, 0, 1_000 * S),
        span("system-interval-every", c.system_interval_every, MS, 3600 * S),
        span("system-interval-for", c.system_interval_for, 0, 3600 * S),
        span("pass-overshoot", c.pass_overshoot, 0, S),
        span("noise-from", c.noise_from, 0, S),
        span("noise-to", c.noise_to, 0, S),
        number("noise-early-percent", c.noise_early_percent, 0, 100),
        number("noise-late-percent", c.noise_late_percent, 0, 100),
        span("high-resolution", c.high_resolution, 0, S),
    ];
    let held = c.interval.map(|own| span("interval", own, 1, S));
    let system = c.system_interval;
    let system = system.map(|own| span("system-interval", own, 1, S));
    all.extend(held.into_iter().chain(system));
    all
}

fn running(c: &Constants) -> Vec<Range> {
    vec![
        number("cpus", u64::from(c.cpus), 1, 128),
        number("cpu-khz", c.cpu_khz, 1_000, 100_000_000),
        span("quantum", c.quantum, US, 10 * S),
        span("round-robin", c.round_robin, US, 10 * S),
        number("boost", u64::from(c.boost), 0, 15),
        number("event-boost", u64::from(c.event_boost), 0, 15),
        span("slack", c.slack, 0, 10 * S),
    ]
}

fn costing(c: &Constants) -> Vec<Range> {
    vec![
        span("system-call", c.system_call, 0, S),
        span("switch", c.switch, 0, S),
        span("signal", c.signal, 0, S),
        span("cross-wake", c.cross_wake, 0, S),
        span("record", c.record, 0, S),
        span("event-wait", c.event_wait, 0, S),
        span("idle-exit", c.idle_exit, 0, S),
        span("short-idle-exit", c.short_idle_exit, 0, S),
        span("short-idle", c.short_idle, 0, S),
        number("kept-ticks", c.kept_ticks, 0, 1_000),
        span("tick-cost", c.tick_cost, 0, S),
        number("work-ps", c.work_ps, 1, 1_000_000_000_000),
        number("tick-nj", c.tick_nj, 0, 1_000_000_000),
        number("wake-nj", c.wake_nj, 0, 1_000_000_000),
        number("busy-uw", c.busy_uw, 0, 1_000_000_000),
    ]
}

fn disturbing(c: &Constants) -> Vec<Range> {
    let rate = |key, value| number(key, value, 0, 1_000_000_000);
    let ppm = |key, value| number(key, value, 0, 1_000_000);
    vec![
        ppm("steal-ppm", c.steal_ppm),
        span("steal-least", c.steal_least, 0, 10 * S),
        span("steal-most", c.steal_most, 0, 10 * S),
        ppm("late-tick-ppm", c.late_tick_ppm),
        span("late-tick", c.late_tick, 0, S),
        span("late-second", c.late_second, 0, S),
        rate("moves-per-1000s", c.moves_per_1000s),
        rate("taken-per-1000s", c.taken_per_1000s),
        rate("taken-prof-per-1000s", c.taken_prof_per_1000s),
        span("taken", c.taken, 0, 10 * S),
        ppm("user-ppm", c.user_ppm),
        number("slew-ns-per-s", c.slew_ns_per_s, 0, S / 2),
        span("slew-budget", c.slew_budget, 0, 86_400 * S),
    ]
}
