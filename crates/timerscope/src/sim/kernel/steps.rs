//! Computing, spinning, watching, and reading clocks.

use super::act::Flow;
use super::costs::ns;
use super::program::Op;
use super::task::JUMPED;
use super::world::{NEVER, World};
use crate::machine::{ClockKind, Outcome, Span, Until};
use crate::sim::spec::Moves;

/// What few actions need to remember between their phases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stepping {
    /// Times that are left.
    pub(super) left: u64,
    /// The last reading.
    pub(super) last: i64,
    /// The smallest change; CPU time when it began.
    pub(super) smallest: i64,
}

impl<'a> World<'a> {
    pub(super) fn work(&mut self, id: u32, op: &Op<'a>, rounds: u64) -> Flow {
        if self.tasks[id as usize].phase == 0 {
            let ps = u128::from(rounds) * u128::from(self.work_ps());
            let takes = (ps / 1000).min(NEVER as u128 / 4) as i64;
            return self.begin(id, 2, takes);
        }
        self.finish(id, op, Outcome::Met, 0)
    }

    fn work_ps(&self) -> u64 {
        self.spec.constants.work_ps
    }

    pub(super) fn spin(&mut self, id: u32, op: &Op<'a>, until: Until) -> Flow {
        let each = self.ruler_ns(id);
        if self.tasks[id as usize].phase == 0 {
            let (due, most) = self.bounds(id, op, until);
            if let Until::Count(count) = until {
                let takes = i128::from(each) * i128::from(count);
                let takes = takes.min(i128::from(NEVER / 4)) as i64;
                self.stepping.insert(
                    id,
                    Stepping { left: count, ..Stepping::default() },
                );
                return self.begin(id, 2, takes);
            }
            let smallest = self.tasks[id as usize].cpu_ns as i64;
            let scratch = Stepping { left: most, last: 0, smallest };
            self.stepping.insert(id, scratch);
            self.begin(id, 1, 0);
            self.tasks[id as usize].due = due;
        }
        let task = &self.tasks[id as usize];
        let scratch = self.stepping.get(&id).copied().unwrap_or_default();
        if task.phase == 2 {
            self.stepping.remove(&id);
            return self.finish(id, op, Outcome::Met, scratch.left as i64);
        }
        let over = self.ruler() >= task.due;
        if !over && task.expired == 0 {
            return Flow::Until(self.real(task.due));
        }
        let readings = (task.cpu_ns as i64 - scratch.smallest) / each;
        self.stepping.remove(&id);
        let outcome = if over { Outcome::Met } else { Outcome::Interrupted };
        if self.tasks[id as usize].due == NEVER {
            let task = &mut self.tasks[id as usize];
            task.due = task.began;
        }
        self.finish(id, op, outcome, readings.max(1))
    }

    /// Notices when its CPU is taken away.
    pub(super) fn runs(
        &mut self,
        id: u32,
        op: &Op<'a>,
        gap: Span,
        until: Until,
    ) -> Flow {
        if self.tasks[id as usize].phase == 0 {
            let (due, left) = self.bounds(id, op, until);
            self.stepping.insert(id, Stepping { left, last: due, smallest: 0 });
            self.begin(id, 1, 0);
        }
        let Some(mut scratch) = self.stepping.get(&id).copied() else {
            return Flow::On;
        };
        let now = self.ruler();
        if self.tasks[id as usize].take(JUMPED) {
            let left_at = self.ruler_at(self.tasks[id as usize].soft);
            let jump = now - left_at;
            if jump > ns(gap) {
                let task = &mut self.tasks[id as usize];
                task.due = task.began;
                self.keep(id, op, Outcome::Met, left_at, jump);
                self.tasks[id as usize].began = now;
                scratch.left = scratch.left.saturating_sub(1);
                self.stepping.insert(id, scratch);
            }
        }
        let expired = self.tasks[id as usize].expired != 0;
        if scratch.left > 0 && now < scratch.last && !expired {
            return Flow::Until(self.real(scratch.last));
        }
        self.stepping.remove(&id);
        if scratch.left > 0 {
            let task = &mut self.tasks[id as usize];
            task.due = task.began;
            self.keep(id, op, Outcome::Interrupted, now, 0);
        }
        Flow::On
    }

    pub(super) fn read(
        &mut self,
        id: u32,
        op: &Op<'a>,
        kind: ClockKind,
        times: u64,
    ) -> Flow {
        let Some(clock) = self.clock(kind).cloned() else {
            self.begin(id, 0, 0);
            return self.finish(id, op, Outcome::Absent, 0);
        };
        if self.tasks[id as usize].phase == 0 {
            let takes = self.reading_ns(&clock, id, times);
            return self.begin(id, 2, takes);
        }
        let value = self.reading(&clock, id);
        self.finish(id, op, Outcome::Met, value)
    }

    /// Reads a clock until it has changed so many times.
    pub(super) fn steps(
        &mut self,
        id: u32,
        op: &Op<'a>,
        kind: ClockKind,
        changes: u64,
    ) -> Flow {
        let Some(clock) = self.clock(kind).cloned() else {
            self.begin(id, 0, 0);
            return self.finish(id, op, Outcome::Absent, 0);
        };
        let always = matches!(clock.moves, Moves::Always | Moves::Running);
        if self.tasks[id as usize].phase == 0 {
            let last = self.reading(&clock, id);
            let scratch = Stepping { left: changes, last, smallest: NEVER };
            self.stepping.insert(id, scratch);
            if always {
                return self.steps_of_counter(id, &clock, changes);
            }
            self.begin(id, 1, 0);
        }
        let Some(mut scratch) = self.stepping.get(&id).copied() else {
            return Flow::On;
        };
        if !always {
            let reading = self.reading(&clock, id);
            let change = reading - scratch.last;
            if change > 0 && scratch.left > 0 {
                scratch.left -= 1;
                scratch.last = reading;
                scratch.smallest = scratch.smallest.min(change);
                self.stepping.insert(id, scratch);
            }
            if self.tasks[id as usize].expired != 0 {
                self.stepping.remove(&id);
                return self.finish(id, op, Outcome::Interrupted, 0);
            }
            if scratch.left > 0 {
                return Flow::Until(self.next_move(kind));
            }
        }
        self.stepping.remove(&id);
        let smallest = if changes == 0 { 0 } else { scratch.smallest };
        self.finish(id, op, Outcome::Met, smallest)
    }

    /// A counter that moves all the time changes with each reading, or with
    /// each of its units where those are longer.
    fn steps_of_counter(
        &mut self,
        id: u32,
        clock: &crate::sim::spec::Clock,
        changes: u64,
    ) -> Flow {
        let unit = clock.unit.ns().max(1) as i64;
        let reading = self.reading_ns(clock, id, 1).max(1);
        let each = (reading + unit - 1) / unit * unit;
        let least = if reading < unit { unit } else { reading / unit * unit };
        let smallest = if clock.name == ClockKind::Tsc {
            (i128::from(least) * i128::from(self.costs.cpu_khz) / 1_000_000)
                as i64
        } else {
            least
        };
        if let Some(scratch) = self.stepping.get_mut(&id) {
            scratch.smallest = smallest;
        }
        let all = i128::from(each) * i128::from(changes);
        self.begin(id, 2, all.min(i128::from(NEVER / 4)) as i64)
    }
}
