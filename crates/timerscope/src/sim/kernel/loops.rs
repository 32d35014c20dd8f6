//! Loops: counted, timed, and in step with points.

use super::act::Flow;
use super::costs::ns;
use super::program::{Code, Kept, NO_FRAME, NO_LOOP, Op};
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
        let until = until(action);
        let point = self.ruler();
        if let Some(frame) = self.frame_of(id, op) {
            *frame = Frame { point, times: 0 };
        }
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
        let mut times = 0;
        if let Some(frame) = self.frame_of(id, op) {
            frame.times += 1;
            times = frame.times;
            if let Action::Every { period, missed, .. } = action {
                frame.move_on(now, ns(*period).max(1), *missed);
            }
        }
        match until(action) {
            Until::Count(count) if times >= count => {
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
                let bits = u16::MAX << outermost;
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
        let repeats = matches!(
            op.code,
            Code::Enter { action: Action::Repeat { .. }, .. }
                | Code::Again { action: Action::Repeat { .. }, .. }
        );
        let kept = op.kept != Kept::Nothing;
        let frame = self.frame_of(id, op).copied();
        if let Some(frame) = frame.filter(|_| repeats && kept) {
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

    /// The frame of a loop, if it has something to remember.
    #[inline]
    fn frame_of(&mut self, id: u32, op: &Op<'_>) -> Option<&mut Frame> {
        if op.frame == NO_FRAME {
            return None;
        }
        let first = self.tasks[id as usize].frame as usize;
        self.frames.get_mut(first + usize::from(op.frame))
    }
}

impl Frame {
    /// The next point of an `every`.
    fn move_on(&mut self, now: i64, period: i64, missed: Missed) {
        self.point = self.point.saturating_add(period);
        let behind = now - self.point;
        if missed == Missed::Skip && behind >= period {
            self.point += behind / period * period;
        }
    }
}

/// When a loop is done.
fn until(action: &Action) -> Until {
    match action {
        Action::Every { until, .. } | Action::Repeat { until, .. } => *until,
        // Nothing else is laid out as a loop.
        _ => Until::Count(0),
    }
}
