//! Whether reading a clock takes a system call: seccomp(2) tells.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::AsRawFd as _;

use timerscope::machine::{ClockKind, Known, Missing};

use crate::linux::clock::Reader;
use crate::linux::memory::owned;

/// For each clock `user-space` if a reading makes no system call, else
/// `system-call`.
///
/// A child of ours lets the kernel refuse all system calls but write(2) and
/// its own end, and reads each clock once: a reading that needed a system
/// call fails. Nothing is killed, and nothing is logged.
pub(super) fn via(clocks: &[ClockKind]) -> Vec<Known<String>> {
    let readers: Vec<Option<Reader>> =
        clocks.iter().map(|clock| Reader::new(*clock).ok()).collect();
    // The first reading may load what later ones use.
    readers.iter().flatten().for_each(|reader| {
        reader.read();
    });
    let answers = ask_child(&readers).unwrap_or_default();
    let answer = |(index, reader): (usize, &Option<Reader>)| {
        if reader.is_none() {
            return Missing::refused("the clock cannot be read").into();
        }
        match answers.get(index) {
            Some(b'1') => Known::Value("user-space".to_owned()),
            Some(b'0') => Known::Value("system-call".to_owned()),
            _ => {
                let why = "the kernel does not let us give up system calls";
                Missing::unknown(why).into()
            }
        }
    };
    readers.iter().enumerate().map(answer).collect()
}

/// One byte for each reader: whether it read without a system call.
fn ask_child(readers: &[Option<Reader>]) -> std::io::Result<Vec<u8>> {
    let mut ends = [0; 2];
    // SAFETY: writes two descriptors, which we own from then on.
    let made = unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) };
    if made != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let (from, to) = (owned(ends[0])?, owned(ends[1])?);
    // SAFETY: fork(2) of a process that may have threads: the child makes
    // only async-signal-safe calls and allocates nothing before it ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        answer_and_end(readers, to.as_raw_fd());
    }
    drop(to);
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    let mut answers = Vec::new();
    let read = File::from(from).read_to_end(&mut answers);
    // SAFETY: our own child; its status is not wanted.
    while unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) } < 0
        && crate::linux::event::errno() == libc::EINTR
    {}
    read.map(|_| answers)
}

/// The child: gives up system calls, reads, answers, ends.
fn answer_and_end(readers: &[Option<Reader>], to: libc::c_int) -> ! {
    if give_up_system_calls() {
        for reader in readers {
            // A reading that failed leaves nothing, and no clock is at zero.
            let read = reader.is_some_and(|reader| reader.read() > 0);
            let byte = [if read { b'1' } else { b'0' }];
            // SAFETY: writes one byte of our own.
            unsafe { libc::write(to, byte.as_ptr().cast(), 1) };
        }
    }
    // SAFETY: ends this process, which has one thread; nothing is unwound.
    unsafe { libc::_exit(0) }
}

/// Lets the kernel answer EPERM to every call but write(2) and exit(2).
fn give_up_system_calls() -> bool {
    let load = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let equal = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jt, k| libc::sock_filter { code, jt, jf: 0, k };
    // The architecture is not looked at: this child runs our code only, all
    // of one architecture.
    let mut filter = [
        // The number of the call is the first word of struct seccomp_data.
        step(load, 0, 0),
        step(equal, 3, libc::SYS_write as u32),
        step(equal, 2, libc::SYS_exit_group as u32),
        step(equal, 1, libc::SYS_exit as u32),
        step(answer, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(answer, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: numbers, and a program that lives through the call, which
    // copies it. The first is what an unprivileged process must give first.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            ) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The thread clock has no user-space path in any kernel; the time stamp
    // counter is an instruction.
    #[test]
    fn system_calls_are_told_from_user_space() {
        let clocks = [ClockKind::ThreadCputime, ClockKind::Tsc];
        let told = via(&clocks);
        let value = |index: usize| told[index].value().map(String::as_str);
        assert!(matches!(value(0), None | Some("system-call")));
        if cfg!(target_arch = "x86_64") {
            assert!(matches!(value(1), None | Some("user-space")));
        }
    }
}
