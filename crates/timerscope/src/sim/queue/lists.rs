//! Many first-in-first-out lists in one block of memory.
//!
//! A list is a chain of chunks. A chunk that has been read goes back to the
//! pool, and the next list that grows takes it while it is still in the cache.

use super::entry::Entry;

/// How many entries a chunk has: four cache lines.
pub(super) const CHUNK: usize = 16;
/// No chunk.
const NONE: u32 = u32::MAX;
const BLANK: Entry = Entry { key: 0, seq: 0, id: 0 };

/// Where a list begins and ends.
#[derive(Clone, Copy, Default)]
pub(super) struct List {
    first: u32,
    last: u32,
    len: u32,
    /// How many entries of the last chunk are in use.
    filled: u32,
}

impl List {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The memory of all lists.
pub(super) struct Lists {
    entries: Vec<Entry>,
    /// For each chunk the next one of its list, or of the unused ones.
    next: Vec<u32>,
    unused: u32,
}

impl Default for Lists {
    fn default() -> Self {
        Self { entries: vec![], next: vec![], unused: NONE }
    }
}

impl Lists {
    /// How many entries there is memory for.
    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Begins a list with `entry`.
    pub(super) fn begin(&mut self, entry: Entry) -> List {
        let chunk = self.take_chunk();
        self.entries[chunk as usize * CHUNK] = entry;
        List { first: chunk, last: chunk, len: 1, filled: 1 }
    }

    /// Adds `entry` at the end of `list`, which is not empty.
    #[inline]
    pub(super) fn append(&mut self, list: &mut List, entry: Entry) {
        if list.filled as usize == CHUNK {
            let chunk = self.take_chunk();
            self.next[list.last as usize] = chunk;
            list.last = chunk;
            list.filled = 0;
        }
        let slot = list.last as usize * CHUNK + list.filled as usize;
        self.entries[slot] = entry;
        list.filled += 1;
        list.len += 1;
    }

    /// Moves the first chunk of `list`, which is not empty, behind `taken`.
    #[inline]
    pub(super) fn take(&mut self, list: &mut List, taken: &mut Vec<Entry>) {
        let chunk = list.first as usize;
        let count = list.len().min(CHUNK);
        let from = chunk * CHUNK;
        taken.extend_from_slice(&self.entries[from..from + count]);
        list.len -= count as u32;
        list.first = self.next[chunk];
        self.next[chunk] = self.unused;
        self.unused = chunk as u32;
    }

    /// Moves all entries of `list` behind `taken`.
    pub(super) fn take_all(&mut self, mut list: List, taken: &mut Vec<Entry>) {
        while !list.is_empty() {
            self.take(&mut list, taken);
        }
    }

    fn take_chunk(&mut self) -> u32 {
        if self.unused == NONE {
            self.grow();
        }
        let chunk = self.unused;
        self.unused = self.next[chunk as usize];
        chunk
    }

    /// Adds one chunk. Memory grows by a quarter when it must: doubling would
    /// leave half of it idle.
    fn grow(&mut self) {
        let chunks = self.next.len();
        if self.entries.len() + CHUNK > self.entries.capacity() {
            let more = (chunks / 4).max(4);
            self.next.reserve_exact(more);
            self.entries.reserve_exact(more * CHUNK);
        }
        self.next.push(NONE);
        self.entries.resize((chunks + 1) * CHUNK, BLANK);
        self.unused = chunks as u32;
    }
}
