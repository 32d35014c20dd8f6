//! Pending timers (a heap until the wheel lands).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: i64,
    pub(crate) seq: u32,
    pub(crate) id: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<(i64, u64, u32, u32)>>,
    pushed: u64,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self::default()
    }
    pub(crate) fn push(&mut self, entry: Entry) {
        self.pushed += 1;
        self.heap.push(Reverse((entry.key, self.pushed, entry.seq, entry.id)));
    }
    pub(crate) fn next_key(&mut self) -> Option<i64> {
        self.heap.peek().map(|entry| entry.0.0)
    }
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let Reverse((key, _, seq, id)) = self.heap.pop()?;
        Some(Entry { key, seq, id })
    }
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }
    pub(crate) fn retain(&mut self, mut live: impl FnMut(&Entry) -> bool) {
        self.heap.retain(|Reverse((key, _, seq, id))| {
            live(&Entry { key: *key, seq: *seq, id: *id })
        });
    }
}
