//! Setting events and awaiting them.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use timerscope::machine::Outcome;

use super::perform::{Found, Performer};
use crate::sys::clock::now;
use crate::sys::event;
use crate::sys::signal_wait::SignalWait;

impl Performer<'_> {
    pub(super) fn set(&self, number: usize) {
        if self.stamp(number) {
            event::wake(self.shared.event(number).0, 1);
        }
    }

    /// Sets an event without waking who waits for it, and says whether that
    /// is still to be done. One that is set already keeps its stamp: setting
    /// it again changes nothing.
    fn stamp(&self, number: usize) -> bool {
        let (word, stamp) = self.shared.event(number);
        let set = stamp.compare_exchange(0, now() as u64, AcqRel, Relaxed);
        if set.is_ok() {
            word.fetch_add(1, Release);
        }
        set.is_ok()
    }

    pub(super) fn await_event(
        &self,
        number: usize,
        timeout: Option<u64>,
        began: i64,
    ) -> Found {
        self.await_until(number, after(timeout), began)
    }

    /// Both by one call. What is left to do after it, a second wait because
    /// the first ended for nothing, is done by a wait alone.
    pub(super) fn set_await(
        &self,
        call: &mut SignalWait,
        set: usize,
        awaited: usize,
        timeout: Option<u64>,
        began: i64,
    ) -> Found {
        let gives_up = after(timeout);
        if self.stamp(set) {
            let (wake, _) = self.shared.event(set);
            let (word, stamp) = self.shared.event(awaited);
            let seen = word.load(Acquire);
            if stamp.load(Acquire) == 0 {
                let _ = call.call(wake, word, seen, timeout);
            } else {
                event::wake(wake, 1);
            }
        }
        self.await_until(awaited, gives_up, began)
    }

    fn await_until(
        &self,
        number: usize,
        gives_up: Option<i64>,
        began: i64,
    ) -> Found {
        let (word, stamp) = self.shared.event(number);
        loop {
            let seen = word.load(Acquire);
            let set = stamp.swap(0, AcqRel);
            if set != 0 {
                return Found::met(set as i64, 0);
            }
            let left = gives_up.map(|at| (at - now()).max(0) as u64);
            let (outcome, due) = match event::wait(word, seen, left) {
                Err(libc::ETIMEDOUT) => {
                    (Outcome::TimedOut, gives_up.unwrap_or(began))
                }
                Err(libc::EINTR) if self.agenda.expired() != 0 => {
                    (Outcome::Interrupted, began)
                }
                _ => continue,
            };
            return Found { outcome, due, value: 0 };
        }
    }
}

fn after(timeout: Option<u64>) -> Option<i64> {
    timeout.map(|timeout| now().saturating_add_unsigned(timeout))
}
