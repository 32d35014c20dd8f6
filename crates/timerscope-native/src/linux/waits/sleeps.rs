//! Sleeps: nanosleep(2), clock_nanosleep(2), futex(2),
//! pthread_cond_timedwait(3), and Rust's own.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use super::call::{Call, checked};
use super::signals::Woken;
use crate::linux::clock::{now, timespec};
use crate::linux::event;

pub(super) struct Nanosleep;

impl Call for Nanosleep {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let span = timespec(span_ns);
        // SAFETY: reads one timespec; the rest of an interrupted sleep is
        // not wanted, so the second may be null.
        checked(unsafe {
            libc::nanosleep(&raw const span, std::ptr::null_mut())
        })
    }
}

/// Relative and absolute, both on CLOCK_MONOTONIC.
pub(super) struct ClockNanosleep;

impl ClockNanosleep {
    fn sleep(flags: libc::c_int, time_ns: u64) -> Result<(), i32> {
        let time = timespec(time_ns);
        // SAFETY: reads one timespec; the rest is not wanted.
        let error = unsafe {
            libc::clock_nanosleep(
                libc::CLOCK_MONOTONIC,
                flags,
                &raw const time,
                std::ptr::null_mut(),
            )
        };
        // It returns its error and leaves errno alone.
        if error == 0 { Ok(()) } else { Err(error) }
    }
}

impl Call for ClockNanosleep {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        Self::sleep(0, span_ns)
    }

    fn absolute(&mut self, due: i64) -> Result<(), i32> {
        Self::sleep(libc::TIMER_ABSTIME, due.max(0) as u64)
    }
}

/// `std::thread::sleep`, which makes the call again when interrupted.
pub(super) struct ThreadSleep;

impl Call for ThreadSleep {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        std::thread::sleep(Duration::from_nanos(span_ns));
        Ok(())
    }
}

/// A word of one's own that nobody wakes.
#[derive(Default)]
pub(super) struct Futex(AtomicU32);

impl Call for Futex {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        match event::wait(&self.0, 0, Some(span_ns)) {
            Err(libc::ETIMEDOUT) => Ok(()),
            // Nobody wakes it: a wake-up is not the end of the span.
            Ok(()) => Err(libc::EINTR),
            Err(error) => Err(error),
        }
    }
}

/// A condition on CLOCK_MONOTONIC that nobody signals but the timekeeper.
///
/// No signal ends this call, which is why the timekeeper must.
pub(super) struct Condition(Arc<Woken>);

impl Condition {
    pub(super) fn new(woken: Arc<Woken>) -> Self {
        Self(woken)
    }
}

impl Call for Condition {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        self.absolute(now().saturating_add_unsigned(span_ns))
    }

    fn absolute(&mut self, due: i64) -> Result<(), i32> {
        self.0.condition.wait_until(due.max(0) as u64)
    }
}
