//! Timers that re-arm themselves (OB-2).

use super::act::Flow;
use super::program::Op;
use super::steps::Stepping;
use super::task::{BURNING, CUT, FIRED, TIMED_OUT};
use super::world::World;
use crate::machine::{Outcome, WaitKind};
use crate::sim::spec::Kernel;

/// What is asked of a timer that re-arms itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) how: WaitKind,
    pub(super) span: i64,
    pub(super) again: i64,
    pub(super) times: u64,
    pub(super) burns: bool,
}

impl<'a> World<'a> {
    /// Arms the timer once, and waits for each of its rings.
    pub(super) fn ring_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        ring: &Ring,
    ) -> Flow {
        match self.tasks[id as usize].phase {
            0 => self.begin(id, 2, self.costs.system_call),
            2 => self.ring_is_armed(id, ring),
            3 => {
                let now = self.ruler();
                self.tasks[id as usize].began = now;
                self.ring_is_awaited(id, ring)
            }
            _ => self.ring_rings(id, op, ring),
        }
    }

    fn ring_is_armed(&mut self, id: u32, ring: &Ring) -> Flow {
        if ring.times == 0 {
            return Flow::On;
        }
        let began = self.tasks[id as usize].began;
        let last = began.saturating_add(ring.span);
        let smallest = self.player_cpu_ns(id);
        let left = ring.times;
        self.stepping.insert(id, Stepping { left, last, smallest });
        self.tasks[id as usize].due = last;
        self.arm(id, ring.how, ring.span);
        self.ring_sleeps(id, ring)
    }

    /// Waits for the next ring; one that has come already ends the wait.
    fn ring_is_awaited(&mut self, id: u32, ring: &Ring) -> Flow {
        let due = self.tasks[id as usize].due;
        if ring.how.counts_cpu_time() {
            self.arm_ticks(id, ring.how, self.ring_ticks(ring));
            return self.ring_sleeps(id, ring);
        }
        if self.has_rung(due) {
            self.tasks[id as usize].phase = 4;
            self.tasks[id as usize].flags |= FIRED;
            return Flow::Spend(0);
        }
        self.arm_at(id, due);
        self.ring_sleeps(id, ring)
    }

    fn ring_sleeps(&mut self, id: u32, ring: &Ring) -> Flow {
        let task = &mut self.tasks[id as usize];
        task.flags &= !(FIRED | CUT | TIMED_OUT);
        task.phase = 4;
        if ring.burns {
            task.flags |= BURNING;
            return Flow::Forever;
        }
        Flow::Block
    }

    fn ring_rings(&mut self, id: u32, op: &Op<'a>, ring: &Ring) -> Flow {
        let task = &mut self.tasks[id as usize];
        if task.has(BURNING) && !task.has(FIRED) {
            return Flow::Forever;
        }
        let cut = task.take(CUT);
        task.flags &= !(FIRED | BURNING);
        let mut scratch = self.stepping.get(&id).copied().unwrap_or_default();
        let cpu = self.player_cpu_ns(id);
        let value =
            if ring.how.counts_cpu_time() { cpu - scratch.smallest } else { 0 };
        let outcome = if cut { Outcome::Interrupted } else { Outcome::Met };
        let now = self.ruler();
        self.keep(id, op, outcome, now, value);
        scratch.left = scratch.left.saturating_sub(1);
        scratch.smallest = cpu;
        if cut || scratch.left == 0 {
            self.stepping.remove(&id);
            return Flow::On;
        }
        // Rings that came meanwhile are one with this one.
        let period = self.ring_period(ring).max(1);
        let missed = (now - scratch.last).max(0) / period;
        scratch.last = scratch.last.saturating_add((missed + 1) * period);
        self.stepping.insert(id, scratch);
        let task = &mut self.tasks[id as usize];
        task.due = scratch.last;
        task.phase = 3;
        Flow::Spend(self.costs.record)
    }

    /// The re-arming period as the system keeps it: OpenBSD rounds a short
    /// one up to a tick, before the patch and after (OB-2).
    fn ring_period(&self, ring: &Ring) -> i64 {
        if self.spec.kernel == Kernel::Openbsd {
            ring.again.max(self.costs.coarsest)
        } else {
            ring.again
        }
    }

    /// The same of a timer that counts CPU time, in ticks.
    fn ring_ticks(&self, ring: &Ring) -> i64 {
        let tick = self.costs.coarsest;
        ((ring.again + tick - 1) / tick).max(1)
    }
}
