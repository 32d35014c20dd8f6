//! Auto-reset events.

use std::collections::VecDeque;

use super::program::Op;
use super::task::{CROSS, FIRED, TIMED_OUT};
use super::world::World;
use crate::trace::What;

/// An auto-reset event.
#[derive(Clone, Debug, Default)]
pub(super) struct Signal {
    /// The setter's stamp, while it is set.
    set: Option<i64>,
    /// Who waits, longest first.
    waiters: VecDeque<u32>,
}

impl World<'_> {
    /// Sets an event with its stamp: lets one waiter through.
    pub(super) fn set(&mut self, op: &Op<'_>, setter: u32, stamp: i64) {
        let event = op.events.0;
        let cpu = self.tasks[setter as usize].cpu;
        self.note(Some(usize::from(cpu)), What::Set { role: setter, event });
        let signal = &mut self.signals[event as usize];
        let Some(waiter) = signal.waiters.pop_front() else {
            signal.set = Some(stamp);
            return;
        };
        let task = &mut self.tasks[waiter as usize];
        task.due = stamp;
        task.timer = 0;
        task.flags |= FIRED;
        if task.cpu != cpu {
            task.flags |= CROSS;
        }
        self.woken.push(waiter);
    }

    /// Takes an event that is set; else queues up for it.
    pub(super) fn take_or_queue(&mut self, op: &Op<'_>, id: u32) -> bool {
        let signal = &mut self.signals[op.events.1 as usize];
        if let Some(stamp) = signal.set.take() {
            self.tasks[id as usize].due = stamp;
            return true;
        }
        signal.waiters.push_back(id);
        false
    }

    /// Leaves the queue: the wait timed out, was cut, or its task ended.
    pub(super) fn leave_queues(&mut self, id: u32) {
        for signal in &mut self.signals {
            signal.waiters.retain(|waiter| *waiter != id);
        }
    }

    /// An await whose time-out passed.
    pub(super) fn time_out(&mut self, id: u32) {
        self.leave_queues(id);
        self.tasks[id as usize].flags |= TIMED_OUT;
    }
}
