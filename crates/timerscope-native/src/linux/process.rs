//! Lives and deaths of players: prctl(2), kill(2).

use std::io;
use std::process::ExitStatus;

/// Makes the kernel kill this process when its parent dies.
pub(crate) fn die_with_parent() {
    // SAFETY: prctl(2) with PR_SET_PDEATHSIG takes a signal, no memory.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

/// Sends `signal` to every process of the group that `leader` leads.
pub(crate) fn signal_group(leader: u32, signal: i32) -> io::Result<()> {
    // SAFETY: kill(2) takes numbers only. `leader` is our own child, not yet
    // waited for, so its number cannot have been given to another process.
    let result = unsafe { libc::kill(-(leader as libc::pid_t), signal) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// How a process ended, in words, and whether somebody else ended it.
pub(crate) fn death(status: ExitStatus) -> (String, bool) {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let own = [
                libc::SIGSEGV,
                libc::SIGBUS,
                libc::SIGILL,
                libc::SIGFPE,
                libc::SIGABRT,
                libc::SIGTRAP,
                libc::SIGSYS,
            ];
            let text = format!("killed by signal {signal}");
            (text, !own.contains(&signal))
        }
        (None, Some(code)) => (format!("ended by itself with {code}"), false),
        (None, None) => ("ended in an unknown way".to_owned(), false),
    }
}

/// Stops what is written to standard output from reaching `fd 1`, which for a
/// player is the shared memory: it takes that descriptor away and puts
/// /dev/null in its place.
pub(crate) fn take_stdout() -> io::Result<std::os::fd::OwnedFd> {
    use std::os::fd::{AsFd as _, AsRawFd as _};
    let taken = io::stdout().as_fd().try_clone_to_owned()?;
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    // SAFETY: dup2(2) on two open descriptors; fd 1 stays open throughout.
    if unsafe { libc::dup2(null.as_raw_fd(), 1) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(taken)
}
