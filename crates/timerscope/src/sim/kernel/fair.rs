//! The fair ones among the ready tasks, by virtual deadline.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The fair ones among the ready tasks: by virtual deadline, and those of one
/// deadline in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Fair {
    /// Nearly all: a newcomer has the least virtual time there is, which only
    /// grows, and so a deadline behind all others.
    run: VecDeque<Place>,
    /// Those that came with an earlier deadline than the last of the run.
    heap: BinaryHeap<Reverse<Place>>,
    came: u32,
}

/// Deadline, order of coming, task: one number, because whole numbers are
/// compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(i128);

/// So much memory is kept anyway, counted in tasks.
const SPARE: usize = 4096;

impl Place {
    fn new(deadline: i64, came: u32, id: u32) -> Self {
        let late = u64::from(came) << 32 | u64::from(id);
        Self(i128::from(deadline) << 64 | i128::from(late))
    }

    fn deadline(self) -> i64 {
        (self.0 >> 64) as i64
    }

    fn id(self) -> u32 {
        self.0 as u32
    }
}

impl Fair {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.run.is_empty() && self.heap.is_empty()
    }

    /// The least deadline.
    #[inline]
    pub(super) fn first_deadline(&self) -> Option<i64> {
        self.first().map(Place::deadline)
    }

    #[inline]
    fn first(&self) -> Option<Place> {
        let run = self.run.front().copied();
        let Some(Reverse(early)) = self.heap.peek().copied() else {
            return run;
        };
        run.map_or(Some(early), |run| Some(run.min(early)))
    }

    #[inline]
    pub(super) fn push(&mut self, id: u32, deadline: i64) {
        // Between two times that it is empty, far fewer come than there are
        // numbers.
        self.came = if self.is_empty() { 0 } else { self.came + 1 };
        let place = Place::new(deadline, self.came, id);
        if self.run.back().is_none_or(|last| *last < place) {
            self.run.push_back(place);
        } else {
            self.heap.push(Reverse(place));
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        let first = self.first()?;
        if self.run.front() == Some(&first) {
            self.run.pop_front();
        } else {
            self.heap.pop();
        }
        if self.run.len() + SPARE < self.run.capacity() / 2 {
            self.give_back();
        }
        Some(first.id())
    }

    /// Gives back the memory of a crowd that is gone: at the start of a run
    /// everybody is ready.
    #[cold]
    fn give_back(&mut self) {
        self.run.shrink_to(self.run.len() + self.run.len() / 2);
        self.heap.shrink_to(self.heap.len() + self.heap.len() / 2);
    }

    /// The first of those that `may` run.
    pub(super) fn first_of(&self, may: impl Fn(u32) -> bool) -> Option<u32> {
        let run = self.run.iter().copied().find(|place| may(place.id()));
        let heap = self.heap.iter().map(|place| place.0);
        let early = heap.filter(|place| may(place.id())).min();
        run.into_iter().chain(early).min().map(Place::id)
    }

    /// Takes one out; whether it was there.
    pub(super) fn remove(&mut self, id: u32) -> bool {
        if self.first().is_some_and(|first| first.id() == id) {
            return self.pop().is_some();
        }
        let before = self.run.len() + self.heap.len();
        self.run.retain(|place| place.id() != id);
        self.heap.retain(|place| place.0.id() != id);
        self.run.len() + self.heap.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_run_in_the_order_in_which_they_came() {
        let mut fair = Fair::default();
        for (id, deadline) in [(7, 3), (1, -2), (5, 3), (4, i64::MAX), (2, 3)] {
            fair.push(id, deadline);
        }
        assert_eq!(fair.first_deadline(), Some(-2));
        assert_eq!(fair.first_of(|id| id < 7 && id > 1), Some(5));
        assert!(fair.remove(5) && !fair.remove(5));
        let order: Vec<u32> = std::iter::from_fn(|| fair.pop()).collect();
        assert_eq!(order, [1, 7, 2, 4]);
    }
}
