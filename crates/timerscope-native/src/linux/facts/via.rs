//! Whether reading a clock takes a system call: seccomp(2) tells.

use timerscope::machine::{ClockKind, Known, Missing};

use crate::linux::clock::Reader;

/// `user-space` if a reading of `clock` makes no system call, else
/// `system-call`.
///
/// A child of ours gives up all system calls but its own end
/// (SECCOMP_MODE_STRICT) and reads the clock once: the kernel kills it if the
/// reading needed another one.
pub(super) fn via(clock: ClockKind) -> Known<String> {
    let Ok(reader) = Reader::new(clock) else {
        return Missing::refused("the clock cannot be read").into();
    };
    // The first reading may load what later ones use.
    reader.read();
    match read_under_seccomp(reader) {
        Some(Fate::Lived) => Known::Value("user-space".to_owned()),
        Some(Fate::Killed) => Known::Value("system-call".to_owned()),
        None => {
            let why = "the kernel does not let us give up system calls";
            Missing::unknown(why).into()
        }
    }
}

enum Fate {
    Lived,
    Killed,
}

fn read_under_seccomp(reader: Reader) -> Option<Fate> {
    // SAFETY: fork(2) of a process that may have threads: the child makes
    // only async-signal-safe calls before it ends itself.
    let child = unsafe { libc::fork() };
    if child == 0 {
        end_child(reader);
    }
    if child < 0 {
        return None;
    }
    let mut status = 0;
    // SAFETY: our own child; writes one int.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0 {
        if crate::linux::event::errno() != libc::EINTR {
            return None;
        }
    }
    if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
        return Some(Fate::Lived);
    }
    let killed =
        libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL;
    killed.then_some(Fate::Killed)
}

/// Reads the clock with no system call left but exit(2), and ends.
fn end_child(reader: Reader) -> ! {
    // SAFETY: numbers only. In strict mode exit_group(2), which the C
    // library's `_exit` makes, would kill us: hence the raw exit(2), which
    // ends the only thread there is in this child.
    unsafe {
        let strict = libc::SECCOMP_MODE_STRICT;
        if libc::prctl(libc::PR_SET_SECCOMP, strict) != 0 {
            libc::_exit(1);
        }
        std::hint::black_box(reader.read());
        libc::syscall(libc::SYS_exit, 0);
    }
    unreachable!("exit(2) does not return")
}

#[cfg(test)]
mod tests {
    use super::*;

    // The thread clock has no user-space path in any kernel; the time stamp
    // counter is an instruction.
    #[test]
    fn system_calls_are_told_from_user_space() {
        let value = |clock| via(clock).value().cloned();
        let cpu_time = value(ClockKind::ThreadCputime);
        assert!(matches!(cpu_time.as_deref(), None | Some("system-call")));
        if cfg!(target_arch = "x86_64") {
            let tsc = value(ClockKind::Tsc);
            assert!(matches!(tsc.as_deref(), None | Some("user-space")));
        }
    }
}
