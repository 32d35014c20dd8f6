//! One prepared way to let time pass.

use std::sync::Arc;

use timerscope::machine::{Meanwhile, WaitKind};

use super::{descriptors, polls, signals, sleeps, uring};
use crate::linux::clock::now;
use signals::Woken;

/// One prepared wait.
///
/// A call is made once: an interrupted one is not made again. The error is
/// the system's number for it.
pub(crate) trait Call: Send {
    /// Lets `span_ns` pass.
    fn relative(&mut self, span_ns: u64) -> Result<(), i32>;

    /// Waits until `due` on the steady clock. Calls that take no absolute
    /// time get what is left of it.
    fn absolute(&mut self, due: i64) -> Result<(), i32> {
        let left = due.saturating_sub(now()).max(0);
        self.relative(left as u64)
    }

    /// Arms the timer to ring after `span_ns`, and every `again_ns` from
    /// then on, where it is one that re-arms itself.
    fn arm(&mut self, _span_ns: u64, _again_ns: u64) -> Result<(), i32> {
        Err(libc::ENOSYS)
    }

    /// Waits for the next ring of an armed timer.
    fn ring(&mut self) -> Result<(), i32> {
        Err(libc::ENOSYS)
    }

    /// Disarms it, and takes a ring that came all the same.
    fn disarm(&mut self) {}

    /// What the last call found besides: CPU time for a timer that counts it.
    fn found(&self) -> i64 {
        0
    }
}

/// A wait that could not be prepared: each try gives the same error.
struct Failing(i32);

impl Call for Failing {
    fn relative(&mut self, _: u64) -> Result<(), i32> {
        Err(self.0)
    }
}

/// Prepares `how` for the calling thread. `woken` is what the timekeeper
/// reaches for when a call cannot be ended by a signal.
pub(crate) fn prepare(
    how: WaitKind,
    meanwhile: Meanwhile,
    woken: &Arc<Woken>,
) -> Box<dyn Call> {
    let prepared = match how {
        WaitKind::Nanosleep => Ok(boxed(sleeps::Nanosleep)),
        WaitKind::ClockNanosleep | WaitKind::ClockNanosleepAbsolute => {
            Ok(boxed(sleeps::ClockNanosleep))
        }
        WaitKind::ThreadSleep => Ok(boxed(sleeps::ThreadSleep)),
        WaitKind::Futex => Ok(boxed(sleeps::Futex::default())),
        WaitKind::PthreadCondTimedwait => {
            Ok(boxed(sleeps::Condition::new(Arc::clone(woken))))
        }
        WaitKind::Select => Ok(boxed(polls::Select)),
        WaitKind::Pselect => Ok(boxed(polls::Pselect)),
        WaitKind::Poll => Ok(boxed(polls::Poll)),
        WaitKind::Ppoll => Ok(boxed(polls::Ppoll)),
        WaitKind::EpollWait => polls::Epoll::new(false).map(boxed),
        WaitKind::EpollPwait2 => polls::Epoll::new(true).map(boxed),
        WaitKind::Timerfd => descriptors::Timerfd::new().map(boxed),
        WaitKind::SocketTimeout => descriptors::Socket::new().map(boxed),
        WaitKind::IoUringTimeout => uring::Uring::new().map(boxed),
        WaitKind::Sigtimedwait => Ok(boxed(signals::Sigtimedwait::new())),
        WaitKind::PosixTimer => {
            signals::PosixTimer::new(meanwhile, Arc::clone(woken)).map(boxed)
        }
        WaitKind::ItimerReal
        | WaitKind::ItimerVirtual
        | WaitKind::ItimerProf => {
            let woken = Arc::clone(woken);
            Ok(boxed(signals::IntervalTimer::new(how, meanwhile, woken)))
        }
        // The stage has refused the waits of other systems already.
        _ => Err(libc::ENOSYS),
    };
    prepared.unwrap_or_else(|error| Box::new(Failing(error)))
}

fn boxed(call: impl Call + 'static) -> Box<dyn Call> {
    Box::new(call)
}

/// The outcome of a call that answers 0 or sets errno.
pub(super) fn checked(result: libc::c_int) -> Result<(), i32> {
    if result == 0 { Ok(()) } else { Err(crate::linux::event::errno()) }
}
