//! Waits for descriptors, of which there are none: select(2), poll(2),
//! epoll_wait(2) and their finer forms.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

use super::call::{Call, checked};
use crate::linux::clock::{timespec, timeval};
use crate::linux::event::errno;
use crate::linux::memory::owned;

/// A span as poll(2) takes it: whole milliseconds, rounded up.
fn whole_ms(span_ns: u64) -> libc::c_int {
    let ms = span_ns.div_ceil(1_000_000);
    libc::c_int::try_from(ms).unwrap_or(libc::c_int::MAX)
}

pub(super) struct Select;

impl Call for Select {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let mut span = timeval(span_ns);
        let null = std::ptr::null_mut();
        // SAFETY: no descriptors, so no sets; reads and writes one timeval.
        checked(unsafe { libc::select(0, null, null, null, &raw mut span) })
    }
}

pub(super) struct Pselect;

impl Call for Pselect {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let span = timespec(span_ns);
        let null = std::ptr::null_mut();
        // SAFETY: no descriptors, so no sets; reads one timespec; no mask.
        checked(unsafe {
            libc::pselect(
                0,
                null,
                null,
                null,
                &raw const span,
                std::ptr::null(),
            )
        })
    }
}

pub(super) struct Poll;

impl Call for Poll {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        // SAFETY: no descriptors, so the array may be null.
        checked(unsafe {
            libc::poll(std::ptr::null_mut(), 0, whole_ms(span_ns))
        })
    }
}

pub(super) struct Ppoll;

impl Call for Ppoll {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let span = timespec(span_ns);
        // SAFETY: no descriptors; reads one timespec; no mask.
        checked(unsafe {
            libc::ppoll(
                std::ptr::null_mut(),
                0,
                &raw const span,
                std::ptr::null(),
            )
        })
    }
}

/// An epoll that watches nothing; with a time-out in ms or in ns.
pub(super) struct Epoll {
    epoll: OwnedFd,
    fine: bool,
}

impl Epoll {
    pub(super) fn new(fine: bool) -> Result<Self, i32> {
        // SAFETY: takes flags only.
        let fd = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        let epoll = owned(fd).map_err(|error| code(&error))?;
        Ok(Self { epoll, fine })
    }
}

impl Call for Epoll {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        let fd = self.epoll.as_raw_fd();
        if !self.fine {
            // SAFETY: room for the one event that the call may write.
            return checked(unsafe {
                libc::epoll_wait(fd, &raw mut event, 1, whole_ms(span_ns))
            });
        }
        let span = timespec(span_ns);
        // SAFETY: as above; reads one timespec; no mask. The raw call, since
        // older C libraries have no function for it.
        let result = unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                fd,
                &raw mut event,
                1,
                &raw const span,
                std::ptr::null::<libc::sigset_t>(),
                0,
            )
        };
        if result == 0 { Ok(()) } else { Err(errno()) }
    }
}

/// The system's number for an error.
pub(super) fn code(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}
