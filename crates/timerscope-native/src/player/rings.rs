//! Waiting for a timer that re-arms itself.

use timerscope::machine::Outcome;

use super::perform::{Found, Performer};
use super::program::Kept;
use crate::sys::clock::now;
use crate::sys::waits::Call;

/// What is asked of a timer that re-arms itself.
pub(super) struct Rings {
    pub(super) step: u16,
    pub(super) keep: Kept,
    pub(super) span_ns: u64,
    pub(super) again_ns: u64,
    pub(super) times: u64,
}

impl Performer<'_> {
    /// Arms `call` once, takes each ring, and disarms it.
    pub(super) fn rings(&mut self, call: &mut dyn Call, asked: &Rings) {
        let mut began = now();
        let mut due = began.saturating_add_unsigned(asked.span_ns);
        let mut answer = call.arm(asked.span_ns, asked.again_ns);
        for _ in 0..asked.times {
            if answer.is_ok() {
                answer = call.ring();
            }
            let ended = now();
            let mut found = Found::answered(due, answer);
            if found.outcome == Outcome::Met {
                found.value = call.found();
            }
            self.keep_until(asked.step, asked.keep, began, ended, found);
            if answer.is_err() || self.is_over() {
                break;
            }
            due = next_due(due, ended, asked.again_ns);
            began = now();
        }
        call.disarm();
    }
}

/// The first ring after `due` that is not past: rings that nobody waited for
/// are one with the one that was taken.
fn next_due(due: i64, now: i64, again_ns: u64) -> i64 {
    let period = again_ns.clamp(1, i64::MAX as u64 / 4) as i64;
    let missed = now.saturating_sub(due).max(0) / period;
    due.saturating_add((missed + 1).saturating_mul(period))
}

#[cfg(test)]
mod tests {
    use super::next_due;

    #[test]
    fn rings_that_nobody_waited_for_are_one() {
        assert_eq!(next_due(100, 105, 50), 150);
        assert_eq!(next_due(100, 95, 50), 150);
        assert_eq!(next_due(100, 260, 50), 300);
    }
}
