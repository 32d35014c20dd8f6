//! Waiting on a word of memory, and waking who waits: futex(2).

use std::io;
use std::sync::atomic::AtomicU32;

use super::clock::timespec;

/// Waits until `word` is woken, unless it is not `seen` any more.
///
/// Returns at once on a signal or after `timeout_ns`; the caller looks again.
pub(crate) fn wait(
    word: &AtomicU32,
    seen: u32,
    timeout_ns: Option<u64>,
) -> Result<(), i32> {
    let timeout = timeout_ns.map(timespec);
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: `word` lives through the call; the timeout is null or a local.
    // Not FUTEX_PRIVATE: the word may be shared between processes.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT,
            seen,
            timeout,
        )
    };
    if result == 0 { Ok(()) } else { Err(errno()) }
}

/// Wakes up to `count` of those who wait on `word`.
pub(crate) fn wake(word: &AtomicU32, count: u32) {
    // SAFETY: the kernel only looks the address up; it is a live word.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE,
            count.min(i32::MAX as u32),
        );
    }
}

/// The error of the last system call of this thread.
pub(crate) fn errno() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
