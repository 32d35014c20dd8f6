//! What a role and its timekeeper agree on: which loops have run out of time.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::sys::thread;
use crate::sys::waits::Woken;
use crate::wire::{Mark, Shared};

/// The bit that ends everything: the run is over.
pub(crate) const OVER: u32 = 1 << 31;

/// What a role and its timekeeper agree on.
pub(crate) struct Agenda {
    shared: Arc<Shared>,
    role: usize,
    /// One bit for each loop depth whose time is up, and [`OVER`].
    expired: AtomicU32,
    /// Loops with a time, by depth; the last is the innermost.
    loops: Mutex<Vec<TimedLoop>>,
    /// How a wait is ended that no signal ends.
    pub(crate) woken: Arc<Woken>,
}

/// A loop that is to end at a time.
#[derive(Clone, Copy)]
struct TimedLoop {
    bit: u32,
    at: i64,
}

impl Agenda {
    pub(crate) fn new(shared: Arc<Shared>, role: usize) -> Self {
        Self {
            shared,
            role,
            expired: AtomicU32::new(0),
            loops: Mutex::new(Vec::new()),
            woken: Arc::new(Woken::new()),
        }
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The loops whose time is up.
    #[inline]
    pub(crate) fn expired(&self) -> u32 {
        self.expired.load(Relaxed)
    }

    /// Enters a loop at `depth` that is to end at `at`.
    pub(crate) fn enter(&self, depth: u32, at: i64) {
        self.loops().push(TimedLoop { bit: 1 << depth, at });
        self.shared.ring_bell(self.shared.role(self.role).player());
    }

    /// Leaves the loop entered last. After this nothing is interrupted on its
    /// behalf.
    pub(crate) fn leave(&self) {
        let mut loops = self.loops();
        if let Some(left) = loops.pop() {
            self.expired.fetch_and(!left.bit, Relaxed);
        }
        if self.expired() == 0 {
            self.woken.stop.store(false, Relaxed);
        }
    }

    /// Marks the loops whose time is up at `now`; returns when the timekeeper
    /// must look again: at the next time, or for the next kick.
    pub(crate) fn review(&self, now: i64, over: Option<i64>) -> Option<i64> {
        let loops = self.loops();
        let over = over.map(|at| TimedLoop { bit: OVER, at });
        let mut next: Option<i64> = None;
        let mut kick = false;
        for timed in loops.iter().chain(over.iter()) {
            let look = if timed.at > now {
                timed.at
            } else {
                self.expired.fetch_or(timed.bit, Relaxed);
                let patience_ends = timed.at.saturating_add(GRACE_NS);
                kick |= patience_ends <= now;
                patience_ends.max(now + KICK_AGAIN_NS)
            };
            next = Some(next.map_or(look, |next| next.min(look)));
        }
        if kick {
            self.interrupt();
        }
        next
    }

    /// Ends the call under way. The lock is held: a role that has left its
    /// loop is not disturbed on its behalf.
    fn interrupt(&self) {
        self.woken.stop.store(true, Relaxed);
        self.woken.condition.wake();
        let tid = self.shared.role(self.role).get(Mark::Tid);
        if tid != 0 {
            thread::kick(tid as u32);
        }
    }

    fn loops(&self) -> MutexGuard<'_, Vec<TimedLoop>> {
        self.loops.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long an action under way may go on when its time is up.
const GRACE_NS: i64 = 20_000_000;

/// How soon a call is ended again: a signal may come just before the call.
const KICK_AGAIN_NS: i64 = 5_000_000;
