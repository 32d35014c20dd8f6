//! The entries that come before the wheel's.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::entry::Entry;

/// A heap that knows which of two equal keys came first.
#[derive(Default)]
pub(super) struct Front {
    heap: BinaryHeap<Arrival>,
    arrivals: u64,
}

impl Front {
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    #[inline]
    pub(super) fn least(&self) -> Option<i64> {
        self.heap.peek().map(|arrival| arrival.entry.key)
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.arrivals += 1;
        self.heap.push(Arrival { entry, number: self.arrivals });
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.heap.pop().map(|arrival| arrival.entry)
    }

    pub(super) fn capacity(&self) -> usize {
        self.heap.capacity()
    }

    /// Moves all entries behind `taken`, in their order.
    pub(super) fn empty_into(&mut self, taken: &mut Vec<Entry>) {
        let sorted = std::mem::take(&mut self.heap).into_sorted_vec();
        taken.extend(sorted.iter().rev().map(|arrival| arrival.entry));
    }
}

struct Arrival {
    entry: Entry,
    number: u64,
}

/// The heap gives back its greatest, which here is the one due first.
impl Ord for Arrival {
    fn cmp(&self, other: &Self) -> Ordering {
        let theirs = (other.entry.key, other.number);
        theirs.cmp(&(self.entry.key, self.number))
    }
}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Arrival {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Arrival {}
