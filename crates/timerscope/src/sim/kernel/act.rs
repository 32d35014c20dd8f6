//! What tasks do when they have a CPU.

use super::program::{Code, Kept, Op};
use super::rings::Ring;
use super::task::{BURNING, FINISHED, JUMPED, State};
use super::world::{NEVER, World};
use crate::machine::{
    Action, Meanwhile, Outcome, Point, PointBase, Sample, Until,
};

/// The phase in which only the way to the next action is left.
pub(super) const DONE: u8 = 255;

/// What follows from a step of an action.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flow {
    /// The next action.
    On,
    /// The action there.
    To(u32),
    /// The same action's next phase, after so much CPU time.
    Spend(i64),
    /// The same, looking at the clock until then.
    Until(i64),
    /// The same, when something ends it.
    Forever,
    /// The same, when it is woken.
    Block,
    /// The same, after its equals.
    GiveWay,
    /// The task is over.
    End,
}

/// What a running task does with its CPU time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    /// It has something to get done.
    Computes,
    /// It looks at the clock.
    Looks,
    /// It looks at the clock for jumps of more than this.
    Watches { gap: i64 },
}

impl<'a> World<'a> {
    /// What a task is at.
    #[inline]
    pub(super) fn op(&self, id: u32) -> Option<&'a Op<'a>> {
        let task = &self.tasks[id as usize];
        self.programs[task.program as usize].ops.get(task.pc as usize)
    }

    /// What a task did with its CPU is over: it goes on.
    pub(super) fn burst_ended(&mut self, cpu: usize) {
        let Some(id) = self.cpus[cpu].current else {
            self.burst_end[cpu] = NEVER;
            return;
        };
        self.charge(cpu);
        self.tasks[id as usize].rest = 0;
        self.burst_end[cpu] = self.now;
        while self.at_once <= self.limits.at_once && self.go_on(cpu, id) {
            self.at_once += 1;
            if self.wake_all() && self.cpus[cpu].current != Some(id) {
                break;
            }
        }
        self.wake_all();
    }

    /// One step; whether the task may go on at once.
    #[inline]
    fn go_on(&mut self, cpu: usize, id: u32) -> bool {
        let flow = self.act(id);
        let next = self.op(id).map_or(0, |op| op.next);
        let task = &mut self.tasks[id as usize];
        match flow {
            Flow::On => {
                task.pc = next;
                task.phase = 0;
                return true;
            }
            Flow::To(pc) => {
                task.pc = pc;
                task.phase = 0;
                return true;
            }
            Flow::Spend(0) => return true,
            Flow::Spend(takes) => {
                let from = self.cpus[cpu].free_at.max(self.now);
                self.burst_end[cpu] = from.saturating_add(takes);
            }
            Flow::Until(at) => {
                let from = self.cpus[cpu].free_at.max(self.now);
                self.burst_end[cpu] = at.max(from);
            }
            Flow::Forever => self.burst_end[cpu] = NEVER,
            Flow::Block => self.block(cpu),
            Flow::GiveWay => self.give_way(cpu),
            Flow::End => {
                task.flags |= FINISHED;
                self.end(id);
            }
        }
        if self.tick_at[cpu] == NEVER && self.cpus[cpu].current == Some(id) {
            self.resume_ticks(cpu);
        }
        false
    }

    #[inline]
    fn act(&mut self, id: u32) -> Flow {
        let Some(op) = self.op(id) else { return Flow::End };
        let task = &self.tasks[id as usize];
        if task.phase == 0 && task.expired != 0 {
            return self.leave(id, op);
        }
        if task.phase == DONE {
            return Flow::On;
        }
        match op.code {
            Code::Enter { action, leave } => self.enter(id, op, action, leave),
            Code::Again { action, body } => self.again(id, op, action, body),
            Code::Wait(action) => self.wait_step(id, op, action),
            Code::Do(action) => self.perform(id, op, action),
        }
    }

    fn perform(&mut self, id: u32, op: &Op<'a>, action: &'a Action) -> Flow {
        match action {
            Action::Ring { how, span, again, times, meanwhile, .. } => {
                let ring = Ring {
                    how: *how,
                    span: super::costs::ns(*span),
                    again: super::costs::ns(*again),
                    times: *times,
                    burns: *meanwhile == Meanwhile::Burn,
                };
                self.ring_step(id, op, &ring)
            }
            Action::Work { iterations, .. } => self.work(id, op, *iterations),
            Action::Spin { until, .. } => self.spin(id, op, *until),
            Action::Runs { gap, until, .. } => self.runs(id, op, *gap, *until),
            Action::Set(_) => self.set_step(id, op),
            Action::Await { timeout, .. } => self.await_step(id, op, *timeout),
            Action::SetAwait { timeout, .. } => {
                self.set_await_step(id, op, *timeout)
            }
            Action::Yield => self.yield_step(id),
            Action::Read { clock, times, .. } => {
                self.read(id, op, *clock, *times)
            }
            Action::Steps { clock, changes, .. } => {
                self.steps(id, op, *clock, *changes)
            }
            Action::AskInterval { .. } => self.ask_step(id, op),
            Action::Request(span) => self.request_step(id, op, *span),
            Action::Withdraw(span) => self.withdraw_step(id, op, *span),
            Action::End => Flow::End,
            // Loops are laid flat, and waits have a code of their own.
            Action::Every { .. }
            | Action::Repeat { .. }
            | Action::Wait { .. }
            | Action::WaitUntil { .. } => Flow::On,
        }
    }

    /// Begins an action: stamps it, and takes CPU time before `phase`.
    pub(super) fn begin(&mut self, id: u32, phase: u8, takes: i64) -> Flow {
        let now = self.ruler();
        let task = &mut self.tasks[id as usize];
        task.began = now;
        task.due = now;
        task.phase = phase;
        Flow::Spend(takes)
    }

    /// Ends an action: keeps what is to be kept of it.
    pub(super) fn finish(
        &mut self,
        id: u32,
        op: &Op<'_>,
        outcome: Outcome,
        value: i64,
    ) -> Flow {
        let ended = self.ruler();
        self.tasks[id as usize].phase = DONE;
        if op.kept == Kept::Nothing {
            return Flow::On;
        }
        self.keep(id, op, outcome, ended, value);
        match op.kept {
            Kept::Sample => Flow::Spend(self.costs.record),
            Kept::Nothing | Kept::Count => Flow::On,
        }
    }

    /// Keeps one sample of the action under way.
    pub(super) fn keep(
        &mut self,
        id: u32,
        op: &Op<'_>,
        outcome: Outcome,
        ended: i64,
        value: i64,
    ) {
        if op.kept == Kept::Nothing {
            return;
        }
        let task = &self.tasks[id as usize];
        let program = &self.programs[task.program as usize];
        let place = program.counted[usize::from(op.step)];
        let count = &mut self.counts[task.counts as usize + usize::from(place)];
        let number = *count;
        *count += 1;
        if op.kept == Kept::Sample {
            let (began, due) = (task.began, task.due);
            let (role, step) = (id, op.step);
            self.teller.samples.push(Sample {
                role,
                step,
                outcome,
                number,
                began,
                due,
                ended,
                value,
            });
        }
    }

    /// The point of the enclosing `every` that is meant.
    pub(super) fn point(&self, id: u32, op: &Op<'_>, point: Point) -> i64 {
        let task = &self.tasks[id as usize];
        let program = &self.programs[task.program as usize];
        let mut at = op.inside as usize;
        // A workload without faults has a point only inside an `every`.
        while let Some(around) = program.ops.get(at) {
            if let Code::Enter {
                action: Action::Every { period, .. }, ..
            } = around.code
            {
                let frame = task.frame as usize + usize::from(around.frame);
                let here = self.frames[frame].point;
                let period = super::costs::ns(*period);
                let next = here.saturating_add(period);
                let at = if point.at == PointBase::Now { here } else { next };
                return at.saturating_sub(super::costs::ns(point.less));
            }
            at = around.inside as usize;
        }
        self.ruler()
    }

    /// When something that reads the clock itself is done, and after how many
    /// times.
    pub(super) fn bounds(
        &self,
        id: u32,
        op: &Op<'_>,
        until: Until,
    ) -> (i64, u64) {
        let now = self.ruler();
        match until {
            Until::Forever => (NEVER, u64::MAX),
            Until::Count(count) => (NEVER, count),
            Until::Span(span) => {
                (now.saturating_add(super::costs::ns(span)), u64::MAX)
            }
            Until::Point(point) => (self.point(id, op, point), u64::MAX),
        }
    }

    /// What a running task does with its CPU time.
    pub(super) fn doing(&self, id: u32) -> Doing {
        let task = &self.tasks[id as usize];
        if task.has(BURNING) {
            return Doing::Looks;
        }
        if task.phase != 1 {
            return Doing::Computes;
        }
        let Some(action) = self.op(id).and_then(|op| op.code.action()) else {
            return Doing::Computes;
        };
        match action {
            Action::Runs { gap, .. } => {
                Doing::Watches { gap: super::costs::ns(*gap) }
            }
            Action::Spin { .. }
            | Action::Steps { .. }
            | Action::Wait { .. }
            | Action::WaitUntil { .. } => Doing::Looks,
            _ => Doing::Computes,
        }
    }

    /// A task that had a CPU has none any more, with `left` to be done.
    pub(super) fn put_down(&mut self, id: u32, left: i64) {
        let now = self.now;
        match self.doing(id) {
            Doing::Computes => self.tasks[id as usize].rest = left,
            Doing::Looks => self.tasks[id as usize].rest = 0,
            Doing::Watches { .. } => {
                let task = &mut self.tasks[id as usize];
                task.rest = 0;
                if !task.has(JUMPED) {
                    task.flags |= JUMPED;
                    task.soft = now;
                }
            }
        }
    }

    /// A loop's time is up, or the run's: who only looks at the clock stops.
    pub(super) fn stop_looking(&mut self, id: u32) {
        let task = &self.tasks[id as usize];
        let cpu = usize::from(task.cpu);
        let looks =
            matches!(self.doing(id), Doing::Looks | Doing::Watches { .. });
        if task.state == State::Running && looks && !task.has(BURNING) {
            self.burst_end[cpu] = self.cpus[cpu].free_at.max(self.now);
        }
    }

    pub(super) fn yield_step(&mut self, id: u32) -> Flow {
        let task = &mut self.tasks[id as usize];
        task.phase += 1;
        match task.phase {
            1 => Flow::Spend(self.costs.system_call),
            2 => {
                task.phase = DONE;
                Flow::GiveWay
            }
            _ => Flow::On,
        }
    }
}
