//! Loops: counted, timed, and in step with points.

use super::act::Flow;
use super::costs::ns;
use super::program::{Code, Kept, NO_LOOP, Op};
use super::script::Turn;
use super::task::Frame;
use super::world::World;
use crate::machine::{Action, Missed, Outcome, Until};

/// How long an action under way may go on when a loop's time is up.
pub(super) const GRACE: i64 = 20_000_000;

impl<'a> World<'a> {
    /// Enters a loop.
    pub(super) fn enter(
        &mut self,
        id: u32,
        op: &Op<'a>,
        action: &Action,
        leave: u32,
    ) -> Flow {
        let until = match action {
            Action::Every { until, .. } | Action::Repeat { until, .. } => {
                *until
            }
            _ => return Flow::To(leave),
        };
        let point = self.ruler();
        let frame = self.frame_of(id, op);
        self.frames[frame] = Frame { point, times: 0 };
        let ends = match until {
            Until::Span(span) => Some(point.saturating_add(ns(span))),
            Until::Point(point) => Some(self.point(id, op, point)),
            Until::Forever | Until::Count(_) => None,
        };
        if let Some(ends) = ends {
            self.time_loop(id, op.depth, self.real(ends));
        }
        if until == Until::Count(0) {
            return self.leave_loop(id, op, Outcome::Met, leave);
        }
        Flow::On
    }

    /// The end of a loop's body: once more, or on.
    pub(super) fn again(
        &mut self,
        id: u32,
        op: &Op<'a>,
        action: &Action,
        body: u32,
    ) -> Flow {
        let now = self.ruler();
        let place = self.frame_of(id, op);
        let frame = &mut self.frames[place];
        frame.times += 1;
        let until = match action {
            Action::Every { period, missed, until, .. } => {
                let period = ns(*period).max(1);
                frame.point = frame.point.saturating_add(period);
                let behind = now - frame.point;
                if *missed == Missed::Skip && behind >= period {
                    frame.point += behind / period * period;
                }
                *until
            }
            Action::Repeat { until, .. } => *until,
            _ => Until::Count(0),
        };
        match until {
            Until::Count(count) if frame.times >= count => {
                let leave = self.tasks[id as usize].pc + 1;
                self.leave_loop(id, op, Outcome::Met, leave)
            }
            _ => Flow::To(body),
        }
    }

    /// Some enclosing loop's time is up: leaves to the outermost such loop.
    pub(super) fn leave(&mut self, id: u32, op: &Op<'a>) -> Flow {
        let task = &self.tasks[id as usize];
        let outermost = task.expired.trailing_zeros() as u8;
        let program = task.program as usize;
        let mut at = match op.code {
            Code::Again { body, .. } => body - 1,
            _ => op.inside,
        };
        while at != NO_LOOP {
            let around = &self.programs[program].ops[at as usize];
            let Code::Enter { leave, .. } = around.code else { break };
            if around.depth <= outermost {
                let bits = u32::MAX << outermost;
                self.tasks[id as usize].expired &= !bits;
                return self.leave_loop(id, around, Outcome::Met, leave);
            }
            self.leave_loop(id, around, Outcome::Interrupted, leave);
            at = around.inside;
        }
        self.tasks[id as usize].expired = 0;
        Flow::On
    }

    fn leave_loop(
        &mut self,
        id: u32,
        op: &Op<'a>,
        outcome: Outcome,
        leave: u32,
    ) -> Flow {
        self.loops.remove(&(id, op.depth));
        let frame = self.frames[self.frame_of(id, op)];
        let repeats = matches!(
            op.code,
            Code::Enter { action: Action::Repeat { .. }, .. }
                | Code::Again { action: Action::Repeat { .. }, .. }
        );
        if repeats && op.kept != Kept::Nothing {
            let task = &mut self.tasks[id as usize];
            task.began = frame.point;
            task.due = frame.point;
            let ended = self.ruler();
            self.keep(id, op, outcome, ended, frame.times as i64);
        }
        Flow::To(leave)
    }

    /// A loop is to end at a time.
    fn time_loop(&mut self, id: u32, depth: u8, at: i64) {
        let number = self.schedule(at, Turn::LoopOver { role: id, depth });
        self.loops.insert((id, depth), number);
    }

    /// A loop's time is up: who looks at the clock stops at once, others get
    /// some time to end what they do.
    pub(super) fn loop_over(&mut self, number: u64, id: u32, depth: u8) {
        if self.loops.get(&(id, depth)) != Some(&number) {
            return;
        }
        self.tasks[id as usize].expired |= 1 << depth;
        self.stop_looking(id);
        let turn = Turn::LoopCut { role: id, depth };
        let cut = self.schedule(self.now.saturating_add(GRACE), turn);
        self.loops.insert((id, depth), cut);
    }

    /// A loop's time has been up for long: what its task waits for is cut.
    pub(super) fn loop_cut(&mut self, number: u64, id: u32, depth: u8) {
        if self.loops.get(&(id, depth)) != Some(&number) {
            return;
        }
        self.cut_wait(id);
        let turn = Turn::LoopCut { role: id, depth };
        let cut = self.schedule(self.now.saturating_add(GRACE), turn);
        self.loops.insert((id, depth), cut);
        self.wake_all();
    }

    fn frame_of(&self, id: u32, op: &Op<'_>) -> usize {
        let first = self.tasks[id as usize].frame;
        first as usize + usize::from(op.depth)
    }
}
