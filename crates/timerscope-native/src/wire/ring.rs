//! Samples as words in a ring: one writer, one reader.
//!
//! The reader looks ten times a second. A writer that is faster calls it when
//! the ring is half full; when it is full all the same, the writer pauses
//! between two actions, and only if nobody reads for long are samples lost.
//! Pauses and losses are counted.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use std::time::Duration;

use timerscope::machine::{Outcome, Sample};

use super::layout::SLOT;
use super::shared::Shared;

/// How long a writer waits for room, and in what portions.
const PATIENCE: Duration = Duration::from_millis(50);
const PAUSE: Duration = Duration::from_micros(100);

/// The writing end: the role's thread.
pub(crate) struct Writer<'a> {
    pub(super) shared: &'a Shared,
    pub(super) pauses: &'a AtomicU64,
    pub(super) words: &'a [AtomicU64],
    pub(super) head: &'a AtomicU64,
    pub(super) tail: &'a AtomicU64,
    pub(super) lost: &'a AtomicU64,
    pub(super) next: u64,
    pub(super) free_until: u64,
}

impl Writer<'_> {
    /// Writes one sample, or counts it as lost when the reader is behind.
    #[inline]
    pub(crate) fn push(&mut self, sample: &Sample) {
        if self.next == self.free_until && !self.make_room() {
            return self.lose();
        }
        let slots = self.words.len() / SLOT;
        let place = self.next as usize & (slots - 1);
        let kind = u64::from(sample.step) << 8 | sample.outcome as u64;
        let slot = &self.words[place * SLOT..][..SLOT];
        slot[0].store(kind, Relaxed);
        slot[1].store(sample.number, Relaxed);
        slot[2].store(sample.began as u64, Relaxed);
        slot[3].store(sample.due as u64, Relaxed);
        slot[4].store(sample.ended as u64, Relaxed);
        slot[5].store(sample.value as u64, Relaxed);
        self.next += 1;
        self.head.store(self.next, Release);
        if self.next & (slots as u64 / 2 - 1) == 0 {
            self.shared.got_on();
        }
    }

    /// Meets every page of the ring before it matters.
    pub(crate) fn touch(&self) {
        for word in self.words.iter().step_by(512) {
            word.store(0, Relaxed);
        }
    }

    #[cold]
    fn make_room(&mut self) -> bool {
        let slots = (self.words.len() / SLOT) as u64;
        let mut patience = PATIENCE;
        loop {
            self.free_until = self.tail.load(Acquire).saturating_add(slots);
            if self.next < self.free_until {
                return true;
            }
            if patience.is_zero() {
                return false;
            }
            self.pauses.fetch_add(1, Relaxed);
            std::thread::sleep(PAUSE);
            patience = patience.saturating_sub(PAUSE);
        }
    }

    #[cold]
    fn lose(&self) {
        self.lost.fetch_add(1, Relaxed);
    }
}

/// The reading end: the coordinator.
pub(crate) struct Reader<'a> {
    pub(super) words: &'a [AtomicU64],
    pub(super) head: &'a AtomicU64,
    pub(super) tail: &'a AtomicU64,
}

impl Reader<'_> {
    /// Moves what is there into `samples`; returns how full the ring was, in
    /// percent. What makes no sense (a player gone wild) is left out.
    pub(crate) fn drain(
        &self,
        role: u32,
        steps: usize,
        samples: &mut Vec<Sample>,
    ) -> u64 {
        let slots = (self.words.len() / SLOT) as u64;
        let from = self.tail.load(Relaxed);
        let most = from.saturating_add(slots);
        let to = self.head.load(Acquire).clamp(from, most);
        for number in from..to {
            let place = (number % slots) as usize;
            let slot = &self.words[place * SLOT..][..SLOT];
            samples.extend(decode(role, steps, slot));
        }
        self.tail.store(to, Release);
        (to - from) * 100 / slots
    }
}

fn decode(role: u32, steps: usize, slot: &[AtomicU64]) -> Option<Sample> {
    let word = |index: usize| slot[index].load(Relaxed);
    let kind = word(0);
    let step = u16::try_from(kind >> 8).ok()?;
    let outcome = *Outcome::ALL.get((kind & 0xff) as usize)?;
    (usize::from(step) < steps).then(|| Sample {
        role,
        step,
        outcome,
        number: word(1),
        began: word(2) as i64,
        due: word(3) as i64,
        ended: word(4) as i64,
        value: word(5) as i64,
    })
}
