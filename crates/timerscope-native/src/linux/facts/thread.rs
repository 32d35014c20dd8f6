//! What the system allows the calling thread: slack and scheduling policy.

use std::io;

use timerscope::machine::{Known, Missing};

use super::reason::{reason, recorded};
use super::root::Root;

/// Lateness that the system may add to this thread's waits.
pub(super) fn timer_slack_ns(root: &Root) -> Known<u64> {
    if !root.is_real() {
        return recorded("a thread's slack").into();
    }
    // SAFETY: PR_GET_TIMERSLACK (prctl(2)) takes no pointer. The raw call is
    // made because the wrapper's int cannot hold a slack beyond 2.1 s.
    let slack =
        unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_TIMERSLACK) };
    told(slack, "this thread's slack").into()
}

/// This thread's policy and priority, in words.
pub(super) fn policy(root: &Root) -> Known<String> {
    if !root.is_real() {
        return recorded("a thread's policy").into();
    }
    // SAFETY: sched_getscheduler(2) of ourselves takes no pointer. The raw
    // call is made because musl's wrapper only says that it is not one.
    let number = unsafe { libc::syscall(libc::SYS_sched_getscheduler, 0) };
    let number = told(number, "this thread's policy");
    number.and_then(in_words).into()
}

fn in_words(number: u64) -> Result<String, Missing> {
    // sched(7) and include/uapi/linux/sched.h.
    const RESET_ON_FORK: u64 = 0x4000_0000;
    Ok(match number & !RESET_ON_FORK {
        0 => format!("SCHED_OTHER, nice {}", nice()?),
        1 => format!("SCHED_FIFO, priority {}", priority()?),
        2 => format!("SCHED_RR, priority {}", priority()?),
        3 => format!("SCHED_BATCH, nice {}", nice()?),
        5 => "SCHED_IDLE".to_owned(),
        6 => "SCHED_DEADLINE".to_owned(),
        7 => format!("SCHED_EXT, nice {}", nice()?),
        other => format!("policy number {other}"),
    })
}

fn nice() -> Result<i64, Missing> {
    // SAFETY: getpriority(2) takes no pointer. The raw call answers
    // 20 - nice, so that a negative answer is always an error.
    let answer =
        unsafe { libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, 0) };
    told(answer, "this thread's nice value")
        .map(|answer| 20_i64.saturating_sub_unsigned(answer))
}

fn priority() -> Result<i32, Missing> {
    // sched_param of the system call has this one field, musl's has more.
    let mut priority: libc::c_int = 0;
    // SAFETY: sched_getparam(2) writes one int to the valid one we lend it.
    let answer = unsafe {
        libc::syscall(libc::SYS_sched_getparam, 0, &raw mut priority)
    };
    told(answer, "this thread's priority").map(|_| priority)
}

/// A call's answer, or why it gave none.
fn told(answer: libc::c_long, what: &str) -> Result<u64, Missing> {
    u64::try_from(answer).map_err(|_| reason(what, &io::Error::last_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_words() {
        assert_eq!(in_words(6).unwrap(), "SCHED_DEADLINE");
        assert_eq!(in_words(0x4000_0005).unwrap(), "SCHED_IDLE");
        assert_eq!(in_words(99).unwrap(), "policy number 99");
        assert!(in_words(0).unwrap().starts_with("SCHED_OTHER, nice "));
    }

    #[test]
    fn a_nice_value_is_one() {
        assert!((-20..=19).contains(&nice().unwrap()));
    }

    #[test]
    fn a_slack_that_is_set_is_the_slack_that_is_told() {
        std::thread::spawn(|| {
            // SAFETY: PR_SET_TIMERSLACK (prctl(2)) takes no pointer and
            // changes this thread alone, which ends here.
            let set = unsafe {
                libc::prctl(libc::PR_SET_TIMERSLACK, 3_000_000_000_u64)
            };
            assert_eq!(set, 0);
            let told = timer_slack_ns(&Root::real());
            // A real-time thread has no slack, whatever it asks for.
            let real_time = policy(&Root::real())
                .value()
                .is_some_and(|policy| policy.contains("priority"));
            let expected = if real_time { 0 } else { 3_000_000_000 };
            assert_eq!(told, Known::Value(expected));
        })
        .join()
        .unwrap();
    }
}
