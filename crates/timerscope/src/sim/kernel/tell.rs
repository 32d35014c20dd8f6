//! Telling the listener.

use super::script::Turn;
use super::world::World;
use crate::machine::{Batch, Listener, Note, Sample, Verdict};

/// Between two batches: ten a second.
pub(super) const BATCH: i64 = 100_000_000;

/// What is to be told, and to whom.
pub(super) struct Teller<'a> {
    pub(super) seen: &'a mut (dyn Listener + 'a),
    pub(super) samples: Vec<Sample>,
    pub(super) notes: Vec<Note>,
}

impl World<'_> {
    /// Tells what was seen since the last batch; whether to go on.
    pub(super) fn tell(&mut self) -> bool {
        self.schedule(self.now.saturating_add(BATCH), Turn::Tell);
        self.tell_now()
    }

    /// Tells it without planning the next one.
    pub(super) fn tell_now(&mut self) -> bool {
        let at = self.ruler();
        let teller = &mut self.teller;
        let batch =
            Batch { at, samples: &teller.samples, notes: &teller.notes };
        let verdict = teller.seen.hear(&batch);
        teller.samples.clear();
        // There are many at the beginning and hardly any later.
        teller.notes = Vec::new();
        verdict == Verdict::Continue
    }
}
