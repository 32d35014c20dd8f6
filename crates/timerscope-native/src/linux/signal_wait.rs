//! Waking one and waiting for another by one system call: io_uring_enter(2)
//! with IORING_OP_FUTEX_WAKE and IORING_OP_FUTEX_WAIT, since Linux 6.7.

use std::sync::atomic::AtomicU32;

use io_uring::{IoUring, Probe, opcode, squeue, types};
use timerscope::machine::AskError;

/// A ring of one's own for one wake-up and one wait at a time.
pub(crate) struct SignalWait(IoUring);

/// FUTEX2_SIZE_U32 of linux/futex.h, and no FUTEX2_PRIVATE: events may be
/// shared between processes.
const FUTEX_FLAGS: u32 = 2;
/// FUTEX_BITSET_MATCH_ANY of linux/futex.h.
const ANY: u64 = 0xffff_ffff;

/// Which operation a completion belongs to.
const WAKE: u64 = 1;
const WAIT: u64 = 2;
const CANCEL: u64 = 3;

impl SignalWait {
    /// Prepares it for the calling thread, which alone may use it.
    pub(crate) fn new() -> Result<Self, i32> {
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .build(4)
            .map_err(|error| code(&error))?;
        let mut probe = Probe::new();
        let submitter = ring.submitter();
        submitter.register_probe(&mut probe).map_err(|error| code(&error))?;
        let has = |code| probe.is_supported(code);
        if has(opcode::FutexWake::CODE) && has(opcode::FutexWait::CODE) {
            Ok(Self(ring))
        } else {
            Err(libc::ENOSYS)
        }
    }

    /// Says why this system does not have it, if it does not.
    pub(crate) fn probe() -> Result<(), AskError> {
        let Err(error) = Self::new() else { return Ok(()) };
        let what = "cannot signal and wait by one call";
        Err(match error {
            libc::EPERM | libc::EACCES => AskError::refused(
                what,
                "io_uring is switched off for this user",
            )
            .or_try("sysctl kernel.io_uring_disabled=0, outside containers"),
            _ => AskError::absent(
                what,
                "this kernel has no call that does both; io_uring has had \
                 wake-up and wait on a futex since Linux 6.7",
            ),
        })
    }

    /// Wakes one who waits on `wake`, then waits on `word` unless it is not
    /// `seen` any more.
    ///
    /// An error says that nobody woke it: a signal, or `timeout_ns` passed.
    pub(crate) fn call(
        &mut self,
        wake: &AtomicU32,
        word: &AtomicU32,
        seen: u32,
        timeout_ns: Option<u64>,
    ) -> Result<(), i32> {
        let wake = opcode::FutexWake::new(wake.as_ptr(), 1, ANY, FUTEX_FLAGS);
        let (word, seen) = (word.as_ptr(), u64::from(seen));
        let wait = opcode::FutexWait::new(word, seen, ANY, FUTEX_FLAGS);
        self.push(&wake.build().user_data(WAKE))?;
        self.push(&wait.build().user_data(WAIT))?;
        // How it went shows in the completions: an enter that submitted
        // something does not tell that its waiting was cut short.
        let _ = match timeout_ns.map(timespec) {
            None => self.0.submit_and_wait(2),
            Some(timeout) => {
                let args = types::SubmitArgs::new().timespec(&timeout);
                self.0.submitter().submit_with_args(2, &args)
            }
        };
        self.waited().map_or_else(|| self.cancel(), answer)
    }

    fn push(&mut self, entry: &squeue::Entry) -> Result<(), i32> {
        // SAFETY: both words live in the run's shared memory, which outlives
        // the ring; the kernel reads nothing else through the entry.
        let pushed = unsafe { self.0.submission().push(entry) };
        pushed.map_err(|_| libc::EBUSY)
    }

    /// How the wait ended, if it has; takes every completion.
    fn waited(&mut self) -> Option<i32> {
        let done = self.0.completion();
        done.filter(|done| done.user_data() == WAIT)
            .map(|done| done.result())
            .last()
    }

    /// Takes the wait back, so that it cannot swallow a later wake-up.
    fn cancel(&mut self) -> Result<(), i32> {
        let cancel = opcode::AsyncCancel::new(WAIT).build();
        self.push(&cancel.user_data(CANCEL))?;
        // A signal may come between the two completions.
        for want in std::iter::once(2).chain(std::iter::repeat(1)) {
            let entered = self.0.submit_and_wait(want);
            if let Some(result) = self.waited() {
                return answer(result);
            }
            if let Err(error) = entered
                && code(&error) != libc::EINTR
            {
                return Err(code(&error));
            }
        }
        Err(libc::EINTR)
    }
}

/// Woken, or not to wait at all: both mean to look again.
fn answer(result: i32) -> Result<(), i32> {
    match -result {
        0 | libc::EAGAIN => Ok(()),
        libc::ECANCELED => Err(libc::EINTR),
        error => Err(error),
    }
}

fn timespec(ns: u64) -> types::Timespec {
    types::Timespec::new()
        .sec(ns / 1_000_000_000)
        .nsec((ns % 1_000_000_000) as u32)
}

fn code(error: &std::io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn a_wait_that_timed_out_leaves_no_waiter_behind() {
        let Ok(mut call) = SignalWait::new() else { return };
        let (own, other) = (AtomicU32::new(0), AtomicU32::new(0));
        for _ in 0..3 {
            let answer = call.call(&other, &own, 0, Some(1_000_000));
            assert_eq!(answer, Err(libc::EINTR));
        }
        // A changed word is not waited on.
        own.store(1, Relaxed);
        assert_eq!(call.call(&other, &own, 0, None), Ok(()));
    }
}
