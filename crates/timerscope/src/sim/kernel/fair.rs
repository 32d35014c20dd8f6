//! The fair ones among the ready tasks, by virtual deadline.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The fair ones among the ready tasks: by virtual deadline, and those of one
/// deadline in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Fair {
    heap: BinaryHeap<Reverse<Place>>,
    came: u32,
}

/// Deadline, order of coming, task: one number, because whole numbers are
/// compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(i128);

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
    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The least deadline.
    #[inline]
    pub(super) fn first_deadline(&self) -> Option<i64> {
        self.heap.peek().map(|first| first.0.deadline())
    }

    #[inline]
    pub(super) fn push(&mut self, id: u32, deadline: i64) {
        // Between two times that it is empty, far fewer come than there are
        // numbers.
        self.came = if self.heap.is_empty() { 0 } else { self.came + 1 };
        self.heap.push(Reverse(Place::new(deadline, self.came, id)));
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|first| first.0.id())
    }

    /// The first of those that `may` run.
    pub(super) fn first_of(&self, may: impl Fn(u32) -> bool) -> Option<u32> {
        let first = self.heap.peek()?.0.id();
        if may(first) {
            return Some(first);
        }
        let able = self.heap.iter().filter(|place| may(place.0.id()));
        able.max().map(|place| place.0.id())
    }

    /// Takes one out; whether it was there.
    pub(super) fn remove(&mut self, id: u32) -> bool {
        if self.heap.peek().is_some_and(|first| first.0.id() == id) {
            return self.pop().is_some();
        }
        let before = self.heap.len();
        self.heap.retain(|place| place.0.id() != id);
        self.heap.len() < before
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
