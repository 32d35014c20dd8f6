//! Entries by the highest digit in which they differ from the time reached.
//!
//! A time is eight digits to the base 256. The level of an entry is the place
//! of the highest digit that differs from the time reached, and its bucket
//! that digit. So all of level 0 is due before all of level 1, and so on; and
//! entries of one time are always in one bucket, in the order in which they
//! came. When the time reached enters a bucket, what was in it goes further
//! down. (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster Algorithms for the
//! Shortest Path Problem", 1990, call it a radix heap.)

use super::entry::Entry;
use super::lists::{CHUNK, List, Lists};

const BITS: u32 = 8;
/// Buckets of one level: one for each digit.
const DIGITS: usize = 1 << BITS;
/// Buckets of all levels.
const BUCKETS: usize = (u64::BITS / BITS) as usize * DIGITS;

/// How much memory may be idle, however few entries there are: twice what the
/// buckets need when each has a chunk for one entry.
const SPARE: usize = 2 * BUCKETS * CHUNK;

/// A bucket of at most so many entries is sorted by comparing...
const RUN: usize = 128;
/// ... if it is one of the lowest three levels. There it spans at most 2^16 ns
/// (66 microseconds), and little can be pushed that comes before its end.
const SORTED: usize = 3 * DIGITS;

/// The entries of one digit at one level.
#[derive(Clone, Copy, Default)]
struct Bucket {
    least: u64,
    list: List,
}

pub(super) struct Wheel {
    /// No entry of the wheel has a lower rank.
    reached: u64,
    /// One bit for each bucket that is not empty.
    used: [u64; BUCKETS / 64],
    /// One bit for each word of `used` that is not zero.
    used_words: u32,
    /// The lowest level first, in it the lowest digit: the first bucket that
    /// is not empty has the entries that are next.
    buckets: Vec<Bucket>,
    lists: Lists,
}

impl Wheel {
    /// Makes an empty wheel that begins at the end of time.
    pub(super) fn new() -> Self {
        Self {
            reached: u64::MAX,
            used: [0; BUCKETS / 64],
            used_words: 0,
            buckets: vec![Bucket::default(); BUCKETS],
            lists: Lists::default(),
        }
    }

    /// Begins anew at `reached`, for `count` entries. The wheel is empty.
    pub(super) fn restart(&mut self, reached: u64, count: usize) {
        self.reached = reached;
        if self.capacity() > enough_for(count) {
            self.lists = Lists::default();
        }
    }

    /// The rank from which on entries may be pushed.
    #[inline]
    pub(super) fn reached(&self) -> u64 {
        self.reached
    }

    /// Counts the entries that there is memory for.
    pub(super) fn capacity(&self) -> usize {
        self.lists.capacity()
    }

    /// The least rank there is.
    #[inline]
    pub(super) fn least(&self) -> Option<u64> {
        Some(self.buckets[self.first()?].least)
    }

    /// Adds an entry whose rank is not below [`Wheel::reached`].
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        let rank = entry.rank();
        let place = place(rank, self.reached);
        let bucket = &mut self.buckets[place];
        let (word, bit) = (place / 64, 1 << (place % 64));
        if self.used[word] & bit == 0 {
            self.used[word] |= bit;
            self.used_words |= 1 << word;
            *bucket = Bucket { least: rank, list: self.lists.begin(entry) };
        } else {
            bucket.least = bucket.least.min(rank);
            self.lists.append(&mut bucket.list, entry);
        }
    }

    /// Moves some of the entries that are next into `run`, which is empty, in
    /// their order. None is left that is due before the last of them.
    pub(super) fn refill(&mut self, run: &mut Vec<Entry>) {
        while let Some(place) = self.first() {
            let bucket = &mut self.buckets[place];
            self.reached = bucket.least;
            if place < DIGITS {
                self.lists.take(&mut bucket.list, run);
                if bucket.list.is_empty() {
                    self.clear(place);
                }
                return;
            }
            let list = bucket.list;
            self.clear(place);
            if place < SORTED && list.len() <= RUN {
                self.lists.take_all(list, run);
                run.sort_by_key(|entry| entry.key);
                self.reached = run.last().map_or(self.reached, Entry::rank);
                return;
            }
            self.go_down(list, run);
        }
    }

    /// Moves all entries behind `taken`, those of one time in their order.
    pub(super) fn empty_into(&mut self, taken: &mut Vec<Entry>) {
        while let Some(place) = self.first() {
            self.lists.take_all(self.buckets[place].list, taken);
            self.clear(place);
        }
    }

    /// Pushes the entries of a bucket again, now that its time is reached.
    fn go_down(&mut self, mut list: List, chunk: &mut Vec<Entry>) {
        while !list.is_empty() {
            self.lists.take(&mut list, chunk);
            for entry in chunk.drain(..) {
                self.push(entry);
            }
        }
    }

    /// The first bucket that is not empty.
    #[inline]
    fn first(&self) -> Option<usize> {
        if self.used_words == 0 {
            return None;
        }
        let word = self.used_words.trailing_zeros() as usize;
        Some(64 * word + self.used[word].trailing_zeros() as usize)
    }

    /// Notes that a bucket is empty.
    #[inline]
    fn clear(&mut self, place: usize) {
        let word = place / 64;
        self.used[word] &= !(1 << (place % 64));
        if self.used[word] == 0 {
            self.used_words &= !(1 << word);
        }
    }
}

/// The most memory that is kept for `count` entries, counted in entries.
pub(super) fn enough_for(count: usize) -> usize {
    SPARE + 4 * count
}

/// The bucket of `rank` once `reached` is the time.
#[inline]
fn place(rank: u64, reached: u64) -> usize {
    let highest = ((rank ^ reached) | 1).ilog2();
    let level = highest / BITS;
    let digit = (rank >> (level * BITS)) as usize % DIGITS;
    level as usize * DIGITS + digit
}
