//! The tasks that could run on a CPU if it were free.

use super::fair::Fair;
use super::task::Task;

/// No task.
pub(super) const NOBODY: u32 = u32::MAX;
/// Levels: 0 for the fair ones, 1 to 31 on Windows, 1 to 99 on Linux.
const LEVELS: usize = 100;

/// The tasks that could run on a CPU if it were free: a queue for each level,
/// linked through the tasks, and the fair ones by virtual deadline.
#[derive(Debug)]
pub(super) struct Ready {
    /// Bit n: level n has a task.
    levels: u128,
    /// First and last of each level.
    ends: Vec<(u32, u32)>,
    fair: Fair,
    pub(super) len: u32,
}

impl Ready {
    pub(super) fn new() -> Self {
        Self {
            levels: 0,
            ends: vec![(NOBODY, NOBODY); LEVELS],
            fair: Fair::default(),
            len: 0,
        }
    }

    /// The highest level that has a task.
    #[inline]
    pub(super) fn top(&self) -> Option<u8> {
        match self.levels {
            0 if self.fair.is_empty() => None,
            0 => Some(0),
            levels => Some(127 - levels.leading_zeros() as u8),
        }
    }

    /// The least virtual deadline of the fair ones.
    pub(super) fn first_deadline(&self) -> Option<i64> {
        self.fair.first_deadline()
    }

    /// Adds a fair task with its virtual deadline.
    pub(super) fn push_fair(&mut self, id: u32, deadline: i64) {
        self.fair.push(id, deadline);
        self.len += 1;
    }

    /// Adds a task to the head or the tail of its level.
    #[inline]
    pub(super) fn push(&mut self, tasks: &mut [Task], id: u32, head: bool) {
        let level = usize::from(tasks[id as usize].level);
        let (first, last) = self.ends[level];
        self.len += 1;
        if first == NOBODY {
            tasks[id as usize].next = NOBODY;
            self.ends[level] = (id, id);
            self.levels |= 1 << level;
        } else if head {
            tasks[id as usize].next = first;
            self.ends[level].0 = id;
        } else {
            tasks[id as usize].next = NOBODY;
            tasks[last as usize].next = id;
            self.ends[level].1 = id;
        }
    }

    /// Takes the one that is to run next.
    #[inline]
    pub(super) fn pop(&mut self, tasks: &[Task]) -> Option<u32> {
        if self.levels == 0 {
            let id = self.fair.pop()?;
            self.len -= 1;
            return Some(id);
        }
        let level = 127 - self.levels.leading_zeros() as usize;
        let (id, last) = self.ends[level];
        self.len -= 1;
        if id == last {
            self.ends[level] = (NOBODY, NOBODY);
            self.levels &= !(1 << level);
        } else {
            self.ends[level].0 = tasks[id as usize].next;
        }
        Some(id)
    }

    /// The first of those that `may` run, in the order in which they would.
    pub(super) fn first(
        &self,
        tasks: &[Task],
        may: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut levels = self.levels;
        while levels != 0 {
            let level = 127 - levels.leading_zeros() as usize;
            let mut id = self.ends[level].0;
            while id != NOBODY {
                if may(id) {
                    return Some(id);
                }
                id = tasks[id as usize].next;
            }
            levels &= !(1 << level);
        }
        self.fair.first_of(may)
    }

    /// Takes one out, wherever it is.
    pub(super) fn remove(&mut self, tasks: &mut [Task], id: u32) {
        if self.fair.remove(id) {
            self.len -= 1;
            return;
        }
        let level = usize::from(tasks[id as usize].level);
        let mut before = NOBODY;
        let mut at = self.ends[level].0;
        while at != NOBODY && at != id {
            (before, at) = (at, tasks[at as usize].next);
        }
        if at == NOBODY {
            return;
        }
        let after = tasks[id as usize].next;
        if before == NOBODY {
            self.ends[level].0 = after;
        } else {
            tasks[before as usize].next = after;
        }
        if after == NOBODY {
            self.ends[level].1 = before;
        }
        if self.ends[level].0 == NOBODY {
            self.ends[level] = (NOBODY, NOBODY);
            self.levels &= !(1 << level);
        }
        self.len -= 1;
    }
}
