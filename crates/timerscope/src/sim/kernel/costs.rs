//! A machine's constants as the loop wants them: signed nanoseconds.

use crate::machine::Span;
use crate::sim::spec::{Constants, Spec};

/// A machine's constants as the loop wants them: signed nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    pub(super) coarsest: i64,
    pub(super) finest: i64,
    pub(super) high_resolution: i64,
    pub(super) true_tick: i64,
    pub(super) quantum: i64,
    pub(super) round_robin: i64,
    pub(super) system_call: i64,
    pub(super) switch: i64,
    pub(super) signal: i64,
    pub(super) cross_wake: i64,
    pub(super) record: i64,
    pub(super) event_wait: i64,
    pub(super) idle_exit: i64,
    pub(super) short_idle_exit: i64,
    pub(super) short_idle: i64,
    pub(super) tick: i64,
    pub(super) cpu_khz: u64,
    pub(super) slew: i64,
    pub(super) slew_budget: i64,
}

impl Costs {
    pub(super) fn new(spec: &Spec) -> Self {
        let c: &Constants = &spec.constants;
        let slewing = c.slew_budget.ns() > 0;
        Self {
            coarsest: ns(c.coarsest).max(1),
            finest: ns(c.finest).max(1),
            high_resolution: ns(c.high_resolution).max(1),
            true_tick: ns(c.true_tick).max(1),
            quantum: ns(c.quantum),
            round_robin: ns(c.round_robin),
            system_call: ns(c.system_call),
            switch: ns(c.switch),
            signal: ns(c.signal),
            cross_wake: ns(c.cross_wake),
            record: ns(c.record),
            event_wait: ns(c.event_wait),
            idle_exit: ns(c.idle_exit),
            short_idle_exit: ns(c.short_idle_exit),
            short_idle: ns(c.short_idle),
            tick: ns(c.tick_cost),
            cpu_khz: c.cpu_khz.max(1),
            slew: if slewing { c.slew_ns_per_s as i64 } else { 0 },
            slew_budget: ns(c.slew_budget),
        }
    }
}

/// A span as signed nanoseconds: at most some 146 years, so that a sum of two
/// cannot overflow.
pub(super) fn ns(span: Span) -> i64 {
    span.ns().min(i64::MAX as u64 / 4) as i64
}
