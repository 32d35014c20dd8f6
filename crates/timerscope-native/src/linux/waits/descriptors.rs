//! Waits that are reads: timerfd_create(2), and SO_RCVTIMEO of socket(7).

use std::io;
use std::io::Read as _;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::call::{Call, checked};
use super::polls::code;
use crate::linux::clock::timespec;
use crate::linux::event::errno;
use crate::linux::memory::owned;

/// A timer as a descriptor: set, then read.
pub(super) struct Timerfd(OwnedFd);

impl Timerfd {
    pub(super) fn new() -> Result<Self, i32> {
        // SAFETY: takes a clock and flags only.
        let fd = unsafe {
            libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_CLOEXEC)
        };
        owned(fd).map(Self).map_err(|error| code(&error))
    }

    fn set(
        &self,
        flags: libc::c_int,
        time_ns: u64,
        again_ns: u64,
    ) -> Result<(), i32> {
        let time = libc::itimerspec {
            it_interval: timespec(again_ns),
            it_value: timespec(time_ns),
        };
        // SAFETY: reads one itimerspec; the old one is not wanted.
        checked(unsafe {
            libc::timerfd_settime(
                self.0.as_raw_fd(),
                flags,
                &raw const time,
                std::ptr::null_mut(),
            )
        })
    }

    fn expire(&self) -> Result<(), i32> {
        let mut expirations = 0_u64;
        // SAFETY: reads eight bytes into eight bytes.
        let read = unsafe {
            libc::read(
                self.0.as_raw_fd(),
                (&raw mut expirations).cast(),
                size_of::<u64>(),
            )
        };
        if read == 8 {
            return Ok(());
        }
        let error = errno();
        self.set(0, 0, 0)?;
        Err(error)
    }
}

impl Call for Timerfd {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        // A value of zero would disarm it: a span of nothing is over at once,
        // and the shortest one that can be set is a nanosecond.
        self.set(0, span_ns.max(1), 0)?;
        self.expire()
    }

    fn absolute(&mut self, due: i64) -> Result<(), i32> {
        self.set(libc::TFD_TIMER_ABSTIME, due.max(1) as u64, 0)?;
        self.expire()
    }

    fn arm(&mut self, span_ns: u64, again_ns: u64) -> Result<(), i32> {
        self.set(0, span_ns.max(1), again_ns)
    }

    fn ring(&mut self) -> Result<(), i32> {
        self.expire()
    }

    fn disarm(&mut self) {
        // Setting it also forgets rings that were not read.
        let _ = self.set(0, 0, 0);
    }
}

/// A socket that nothing arrives at, with a time-out for receiving.
pub(super) struct Socket {
    waiting: UnixStream,
    /// Kept open, so that the other end does not read "end of file".
    _silent: UnixStream,
    timeout_ns: u64,
}

impl Socket {
    pub(super) fn new() -> Result<Self, i32> {
        let (waiting, silent) =
            UnixStream::pair().map_err(|error| code(&error))?;
        Ok(Self { waiting, _silent: silent, timeout_ns: 0 })
    }
}

impl Call for Socket {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        // A time-out of zero would mean for ever; microseconds are its unit.
        let rounded = span_ns.div_ceil(1_000).max(1) * 1_000;
        if rounded != self.timeout_ns {
            let timeout = Some(Duration::from_nanos(rounded));
            self.waiting
                .set_read_timeout(timeout)
                .map_err(|error| code(&error))?;
            self.timeout_ns = rounded;
        }
        match self.waiting.read(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(code(&error)),
            Ok(_) => Err(libc::EINTR),
        }
    }
}
