//! The machine's clocks (W-T4, W-S9, OB-5).

use super::world::World;
use crate::machine::ClockKind;
use crate::sim::spec::{Clock, Moves};

const SECOND: i128 = 1_000_000_000;

impl World<'_> {
    /// The machine's steady clock. While there is a correction left, it is
    /// slewed (OB-5).
    #[inline]
    pub(super) fn ruler(&self) -> i64 {
        self.ruler_at(self.now)
    }

    #[inline]
    pub(super) fn ruler_at(&self, at: i64) -> i64 {
        if self.costs.slew == 0 {
            return at;
        }
        let slewed = i128::from(at) * i128::from(self.costs.slew) / SECOND;
        at.saturating_add(slewed.min(i128::from(self.costs.slew_budget)) as i64)
    }

    /// The first time at which the steady clock shows `reading` or more.
    #[inline]
    pub(super) fn real(&self, reading: i64) -> i64 {
        if self.costs.slew == 0 {
            return reading;
        }
        let rate = SECOND + i128::from(self.costs.slew);
        let slewing =
            (i128::from(reading) * SECOND + rate - 1).div_euclid(rate);
        let after = reading.saturating_sub(self.costs.slew_budget);
        after.max(slewing as i64)
    }

    /// The clock of that kind, if the machine has it.
    pub(super) fn clock(&self, kind: ClockKind) -> Option<&Clock> {
        self.spec.clocks.iter().find(|clock| clock.name == kind)
    }

    /// What a clock shows to a task.
    pub(super) fn reading(&self, clock: &Clock, id: u32) -> i64 {
        let cpu_time = || match clock.name {
            ClockKind::ProcessCputime | ClockKind::ProcessTimes => {
                self.player_cpu_ns(id)
            }
            _ => self.tasks[id as usize].cpu_ns as i64,
        };
        let default = self.costs.coarsest;
        let raw = match clock.moves {
            // Nobody slews a counter.
            Moves::Always if clock.is_raw() => self.now,
            Moves::Always => self.ruler(),
            Moves::AtTick => self.ruler_at(self.last_tick),
            Moves::AtDefaultTick => self.ruler().div_euclid(default) * default,
            Moves::Running => cpu_time(),
            Moves::RunningByTick => cpu_time() / default * default,
        };
        let unit = clock.unit.ns().max(1) as i64;
        let shown = raw.div_euclid(unit) * unit;
        if clock.name == ClockKind::Tsc {
            return (i128::from(shown) * i128::from(self.costs.cpu_khz)
                / 1_000_000) as i64;
        }
        shown
    }

    /// CPU time of so many readings, in nanoseconds.
    pub(super) fn reading_ns(&self, clock: &Clock, id: u32, times: u64) -> i64 {
        let cpu = usize::from(self.tasks[id as usize].cpu);
        let cycles =
            if self.loaded(cpu) { clock.loaded_cycles } else { clock.cycles };
        let all = u128::from(cycles) * u128::from(times) * 1_000_000;
        let ns = all.div_ceil(u128::from(self.costs.cpu_khz)) as i64;
        if clock.system_call {
            ns + self.costs.system_call * times as i64
        } else {
            ns
        }
    }

    /// CPU time of one reading of the steady clock; at least a nanosecond.
    pub(super) fn ruler_ns(&self, id: u32) -> i64 {
        let steady = |clock: &&Clock| {
            matches!(
                clock.name,
                ClockKind::QueryPerformanceCounter | ClockKind::Monotonic
            )
        };
        let clock = self.spec.clocks.iter().find(steady);
        clock.map_or(1, |clock| self.reading_ns(clock, id, 1).max(1))
    }

    /// Whether anybody else computes: on another CPU, or for a turn on this.
    fn loaded(&self, own: usize) -> bool {
        let busy = |cpu: usize| cpu != own && self.cpus[cpu].current.is_some();
        self.cpus[own].ready.len > 0 || (0..self.cpus.len()).any(busy)
    }
}
