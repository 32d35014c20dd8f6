//! Noticing when the CPU is taken away.

use timerscope::machine::{Outcome, Until};

use super::perform::{Found, Performer};
use super::program::Kept;
use crate::sys::clock::now;

impl Performer<'_> {
    /// Reads the clock without a break; keeping a stretch costs less than any
    /// jump that counts, so that nothing is missed meanwhile.
    pub(super) fn runs(
        &mut self,
        step: u16,
        keep: Kept,
        gap_ns: u64,
        until: Until,
    ) {
        let mut began = now();
        let (due, most) = self.bounds(until, began);
        let mut last = began;
        let mut times = 0;
        while times < most {
            let at = now();
            let jump = at - last;
            if jump.unsigned_abs() > gap_ns {
                let found = Found::met(began, jump);
                self.keep_until(step, keep, began, last, found);
                times += 1;
                began = at;
            }
            last = at;
            if at >= due || self.agenda.expired() != 0 {
                let outcome = Outcome::Interrupted;
                let found = Found { outcome, due: began, value: 0 };
                self.keep_until(step, keep, began, at, found);
                break;
            }
        }
    }
}
