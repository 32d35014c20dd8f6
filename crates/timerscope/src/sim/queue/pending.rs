//! The queue: a wheel, the run taken from it, and what comes before both.

use super::entry::{Entry, key_of};
use super::front::Front;
use super::wheel::{Wheel, enough_for};

/// Up to so many entries a heap is the fastest.
const FEW: usize = 32;

/// Entries by time; those of one time in the order in which they were pushed.
///
/// It holds the owner's entries, cancelled ones too: the owner knows these by
/// their `seq` when they come out, or throws them out with [`Queue::retain`].
pub(crate) struct Queue {
    len: usize,
    wheel: Wheel,
    run: Vec<Entry>,
    /// How many entries of the run were popped.
    popped: usize,
    front: Front,
}

impl Queue {
    /// Makes an empty queue.
    pub(crate) fn new() -> Self {
        Self {
            len: 0,
            wheel: Wheel::new(),
            run: vec![],
            popped: 0,
            front: Front::default(),
        }
    }

    /// Counts the entries, cancelled ones too.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds an entry. Its key may be before all that was popped; then it is
    /// simply next.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) {
        self.len += 1;
        if entry.rank() >= self.wheel.reached() {
            self.wheel.push(entry);
        } else {
            self.front.push(entry);
            if self.front.len() > FEW + self.in_wheel() / 4 {
                self.rebuild(|_| true);
            }
        }
    }

    /// Tells the least key. It moves nothing, so it may be asked at any time.
    #[inline]
    pub(crate) fn next_key(&self) -> Option<i64> {
        let run = self.run.get(self.popped).map(|entry| entry.key);
        match (run, self.front.least()) {
            (Some(run), Some(front)) => Some(run.min(front)),
            (None, None) => self.wheel.least().map(key_of),
            (run, front) => run.or(front),
        }
    }

    /// Takes the entry with the least key, of several the first that came.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        if self.len == 0 {
            return None;
        }
        if self.popped == self.run.len() && self.front.is_empty() {
            self.refill();
        }
        let next = match (self.run.get(self.popped), self.front.least()) {
            (None, None) => return None,
            // At equal keys the run was first: it was in the wheel before.
            (Some(run), front) if front.is_none_or(|key| run.key <= key) => {
                self.popped += 1;
                *run
            }
            _ => self.front.pop()?,
        };
        self.len -= 1;
        Some(next)
    }

    /// Throws out each entry that `live` does not want. It is asked once for
    /// each, in no order that means anything, but always in the same.
    pub(crate) fn retain(&mut self, live: impl FnMut(&Entry) -> bool) {
        self.rebuild(live);
    }

    fn in_wheel(&self) -> usize {
        self.len - (self.run.len() - self.popped) - self.front.len()
    }

    fn refill(&mut self) {
        let memory = self.wheel.capacity() + self.front.capacity();
        if self.len <= FEW / 2 || memory > enough_for(self.len) {
            self.rebuild(|_| true);
        }
        if self.front.is_empty() {
            self.run.clear();
            self.popped = 0;
            self.wheel.refill(&mut self.run);
        }
    }

    /// Sorts everything in again, for the number there is of it now.
    ///
    /// What it costs is paid for by the pushes or pops that made it necessary:
    /// each time at least a fixed share of what is moved.
    fn rebuild(&mut self, mut live: impl FnMut(&Entry) -> bool) {
        // Equal keys stay in order: they are in one bucket, or in the run, the
        // front and the wheel in this order.
        let mut entries = self.run.split_off(self.popped);
        self.run.clear();
        self.popped = 0;
        self.front.empty_into(&mut entries);
        self.wheel.empty_into(&mut entries);
        entries.retain(&mut live);
        self.len = entries.len();
        let least = entries.iter().map(Entry::rank).min();
        let few = self.len <= FEW / 2;
        // Where the wheel begins at the end of time, all goes to the front.
        let reached = least.filter(|_| !few).unwrap_or(u64::MAX);
        self.wheel.restart(reached, self.len);
        for entry in entries {
            if entry.rank() >= reached {
                self.wheel.push(entry);
            } else {
                self.front.push(entry);
            }
        }
    }

    /// Counts the entries that there is memory for.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.wheel.capacity() + self.front.capacity() + self.run.capacity()
    }
}
