//! Waits, events and requests, step by step.

use super::act::{DONE, Flow};
use super::costs::ns;
use super::program::{Kept, Op};
use super::steps::Stepping;
use super::task::{BURNING, CUT, FIRED, TIMED_OUT};
use super::world::World;
use crate::machine::{Action, Meanwhile, Outcome, Random, Span, WaitKind};
use crate::sim::spec::Kernel;

impl<'a> World<'a> {
    /// A wait for a span, or until a point.
    #[inline]
    pub(super) fn wait_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        action: &Action,
    ) -> Flow {
        match self.tasks[id as usize].phase {
            0 => self.wait_begins(id, op),
            1 => self.wait_spins(id, op),
            2 => self.wait_is_called(id, op, action),
            3 => {
                // A wait for nothing has given way.
                self.finish(id, op, Outcome::Met, 0)
            }
            _ => self.wait_ends(id, op, action),
        }
    }

    fn wait_begins(&mut self, id: u32, op: &Op<'a>) -> Flow {
        let task = &self.tasks[id as usize];
        if self.programs[task.program as usize].random_phase {
            let share = self.random_share(id);
            let task = &mut self.tasks[id as usize];
            task.soft = self.now + share;
            task.phase = 1;
            return Flow::Until(task.soft);
        }
        self.wait_enters(id, op)
    }

    fn wait_spins(&mut self, id: u32, op: &Op<'a>) -> Flow {
        let task = &self.tasks[id as usize];
        if self.now < task.soft && task.expired == 0 {
            return Flow::Until(task.soft);
        }
        self.wait_enters(id, op)
    }

    fn wait_enters(&mut self, id: u32, _: &Op<'a>) -> Flow {
        self.begin(id, 2, self.costs.system_call)
    }

    fn wait_is_called(
        &mut self,
        id: u32,
        op: &Op<'a>,
        action: &Action,
    ) -> Flow {
        let (how, span, due, burns) = match action {
            Action::Wait { how, span, meanwhile, .. } => {
                let due =
                    self.tasks[id as usize].began.saturating_add(ns(*span));
                (*how, ns(*span), due, *meanwhile == Meanwhile::Burn)
            }
            Action::WaitUntil { how, point, .. } => {
                let due = self.point(id, op, *point);
                (*how, self.until(due), due, false)
            }
            _ => return Flow::On,
        };
        let task = &mut self.tasks[id as usize];
        task.due = due;
        task.flags &= !(FIRED | CUT | TIMED_OUT);
        if self.only_gives_way(action) {
            self.tasks[id as usize].phase = 3;
            return Flow::GiveWay;
        }
        if how.counts_cpu_time() {
            let smallest = self.player_cpu_ns(id);
            let scratch = Stepping { smallest, ..Stepping::default() };
            self.stepping.insert(id, scratch);
        }
        self.arm(id, how, span);
        let task = &mut self.tasks[id as usize];
        task.phase = 4;
        if burns {
            task.flags |= BURNING;
            return Flow::Forever;
        }
        Flow::Block
    }

    fn wait_ends(&mut self, id: u32, op: &Op<'a>, action: &Action) -> Flow {
        let task = &mut self.tasks[id as usize];
        if task.has(BURNING) && !task.has(FIRED) {
            return Flow::Forever;
        }
        let outcome =
            if task.take(CUT) { Outcome::Interrupted } else { Outcome::Met };
        task.flags &= !(FIRED | BURNING);
        let cpu_time = matches!(
            action,
            Action::Wait { how, .. } | Action::WaitUntil { how, .. }
                if how.counts_cpu_time()
        );
        let value = if cpu_time {
            let began = self.stepping.remove(&id).unwrap_or_default();
            self.player_cpu_ns(id) - began.smallest
        } else {
            0
        };
        self.finish(id, op, outcome, value)
    }

    /// A random share of a tick, of a stream for each role.
    fn random_share(&mut self, id: u32) -> i64 {
        let tick = self.period();
        let seed = self.workload.seed;
        let stream = self
            .phases
            .entry(id)
            .or_insert_with(|| Random::stream(seed, u64::from(id)));
        stream.below(tick as u64) as i64
    }

    pub(super) fn set_step(&mut self, id: u32, op: &Op<'a>) -> Flow {
        if self.tasks[id as usize].phase == 0 {
            return self.begin(id, 2, self.costs.system_call);
        }
        let stamp = self.tasks[id as usize].began;
        self.set(op, id, stamp);
        self.tasks[id as usize].phase = DONE;
        Flow::Spend(0)
    }

    pub(super) fn await_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        timeout: Option<Span>,
    ) -> Flow {
        match self.tasks[id as usize].phase {
            0 => {
                let sampled = op.kept == Kept::Sample;
                let more = if sampled { self.costs.event_wait } else { 0 };
                self.begin(id, 2, self.costs.system_call + more)
            }
            2 => self.await_is_called(id, op, timeout),
            _ => self.await_ends(id, op),
        }
    }

    fn await_is_called(
        &mut self,
        id: u32,
        op: &Op<'a>,
        timeout: Option<Span>,
    ) -> Flow {
        let task = &mut self.tasks[id as usize];
        task.phase = 4;
        task.flags &= !(FIRED | CUT | TIMED_OUT);
        if self.take_or_queue(op, id) {
            return Flow::Spend(0);
        }
        if let Some(timeout) = timeout {
            let task = &mut self.tasks[id as usize];
            task.due = task.began.saturating_add(ns(timeout));
            let how = match self.spec.kernel {
                Kernel::Windows => WaitKind::WaitForSingleObject,
                Kernel::Linux | Kernel::Openbsd => WaitKind::Futex,
            };
            self.arm(id, how, ns(timeout));
        }
        Flow::Block
    }

    fn await_ends(&mut self, id: u32, op: &Op<'a>) -> Flow {
        let task = &mut self.tasks[id as usize];
        let (cut, timed_out) = (task.take(CUT), task.take(TIMED_OUT));
        task.flags &= !FIRED;
        let outcome = match (cut, timed_out) {
            (true, _) => Outcome::Interrupted,
            (_, true) => Outcome::TimedOut,
            _ => Outcome::Met,
        };
        self.finish(id, op, outcome, 0)
    }

    /// Sets one event and waits for another; nobody runs in between.
    pub(super) fn set_await_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        timeout: Option<Span>,
    ) -> Flow {
        match self.tasks[id as usize].phase {
            0 => self.begin(id, 2, self.costs.system_call),
            2 => {
                let stamp = self.tasks[id as usize].began;
                let flow = self.await_is_called(id, op, timeout);
                self.set(op, id, stamp);
                flow
            }
            _ => self.await_ends(id, op),
        }
    }

    pub(super) fn ask_step(&mut self, id: u32, op: &Op<'a>) -> Flow {
        if self.spec.kernel != Kernel::Windows {
            self.begin(id, 0, 0);
            return self.finish(id, op, Outcome::Absent, 0);
        }
        if self.tasks[id as usize].phase == 0 {
            return self.begin(id, 2, self.costs.system_call);
        }
        self.finish(id, op, Outcome::Met, self.interval)
    }

    pub(super) fn request_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        span: Span,
    ) -> Flow {
        if self.tasks[id as usize].phase == 0 {
            return self.begin(id, 2, self.costs.system_call);
        }
        match self.request(id, ns(span)) {
            Some(granted) => self.finish(id, op, Outcome::Met, granted),
            None => self.finish(id, op, Outcome::Absent, 0),
        }
    }

    pub(super) fn withdraw_step(
        &mut self,
        id: u32,
        op: &Op<'a>,
        span: Span,
    ) -> Flow {
        if self.tasks[id as usize].phase == 0 {
            return self.begin(id, 2, self.costs.system_call);
        }
        let outcome = match self.withdraw(id, ns(span)) {
            Some(true) => Outcome::Met,
            Some(false) => Outcome::Refused,
            None => Outcome::Absent,
        };
        self.finish(id, op, outcome, 0)
    }
}
