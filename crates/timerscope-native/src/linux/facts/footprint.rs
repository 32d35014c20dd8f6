//! What looking cost: our own use of the machine.

use std::io;

use serde::{Deserialize, Serialize};
use timerscope::machine::{Known, Missing};

use super::reason::reason;
use super::root::Root;

/// What this process and its ended children used so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footprint {
    /// CPU time in nanoseconds, in programs and in the kernel.
    pub cpu_ns: Known<u64>,
    /// The most memory that any one of these processes had in use, in bytes.
    pub peak_rss_bytes: Known<u64>,
    /// How often one of their threads waited and was woken.
    pub own_wakeups: Known<u64>,
}

/// Reads the footprint of this process and of its children.
///
/// Children count once they have ended and were waited for; those that still
/// run do not. CPU time and wake-ups add up, memory is that of the largest
/// process, since they need not have lived at the same time. Wake-ups are the
/// voluntary context switches: a thread that gave up its CPU and ran again
/// was woken.
///
/// ```
/// let used = timerscope_native::linux::facts::footprint();
/// assert!(used.cpu_ns.value().is_some());
/// ```
#[must_use]
pub fn footprint() -> Footprint {
    let own = usage(libc::RUSAGE_SELF);
    let children = usage(libc::RUSAGE_CHILDREN);
    let add = |pick: fn(&libc::rusage) -> Option<u64>| -> Known<u64> {
        both(own.as_ref(), children.as_ref(), pick, u64::checked_add).into()
    };
    Footprint {
        cpu_ns: add(cpu_ns),
        peak_rss_bytes: both(
            own.as_ref(),
            children.as_ref(),
            |usage| u64::try_from(usage.ru_maxrss).ok(),
            |own, children| {
                // Linux gives KiB (getrusage(2)).
                own_peak_kib().unwrap_or(own).max(children).checked_mul(1024)
            },
        )
        .into(),
        own_wakeups: add(|usage| u64::try_from(usage.ru_nvcsw).ok()),
    }
}

fn both(
    own: Result<&libc::rusage, &Missing>,
    children: Result<&libc::rusage, &Missing>,
    pick: impl Fn(&libc::rusage) -> Option<u64>,
    join: impl Fn(u64, u64) -> Option<u64>,
) -> Result<u64, Missing> {
    let own = pick(own.map_err(Missing::clone)?);
    let children = pick(children.map_err(Missing::clone)?);
    own.zip(children)
        .and_then(|(own, children)| join(own, children))
        .ok_or_else(|| Missing::failed("what the kernel says is no amount"))
}

fn usage(whose: libc::c_int) -> Result<libc::rusage, Missing> {
    // SAFETY: rusage is a struct of numbers, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: getrusage(2) fills the valid struct we lend it, and keeps no
    // pointer.
    match unsafe { libc::getrusage(whose, &raw mut usage) } {
        0 => Ok(usage),
        _ => Err(reason("our own usage", &io::Error::last_os_error())),
    }
}

fn cpu_ns(usage: &libc::rusage) -> Option<u64> {
    let ns = |time: libc::timeval| {
        let s = u64::try_from(time.tv_sec).ok()?.checked_mul(1_000_000_000)?;
        s.checked_add(u64::try_from(time.tv_usec).ok()?.checked_mul(1_000)?)
    };
    ns(usage.ru_utime)?.checked_add(ns(usage.ru_stime)?)
}

/// The peak since our program was loaded. `ru_maxrss` also remembers the
/// program that started us, before it became ours by execve(2).
fn own_peak_kib() -> Option<u64> {
    let status = Root::real().text("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(known: &Known<u64>) -> u64 {
        *known.value().unwrap()
    }

    #[test]
    fn what_was_used_is_never_given_back() {
        let before = footprint();
        std::thread::sleep(std::time::Duration::from_millis(1));
        let after = footprint();
        assert!(value(&before.cpu_ns) <= value(&after.cpu_ns));
        assert!(value(&before.own_wakeups) < value(&after.own_wakeups));
        assert!(value(&before.peak_rss_bytes) > 0);
    }

    #[test]
    fn an_ended_child_counts() {
        let ended = || cpu_ns(&usage(libc::RUSAGE_CHILDREN).unwrap()).unwrap();
        let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let (all_before, ended_before) = (footprint(), ended());
        let mut child = std::process::Command::new("sh");
        assert!(child.args(["-c", script]).status().unwrap().success());
        let child_ns = ended() - ended_before;
        let used_ns = value(&footprint().cpu_ns) - value(&all_before.cpu_ns);
        assert!(child_ns > 0);
        assert!(used_ns >= child_ns);
    }
}
