//! The waits that can be made, and which of them slack delays.

use timerscope::machine::{System, WaitFact, WaitKind};

use super::release::Release;
use super::root::Root;

/// Every wait of this kernel.
///
/// A wait may end from its time on, and must within its slack. Where every
/// wait ends on a tick, and every tick comes, that is the first tick from its
/// time on, and slack moves none (`only_ticks`).
pub(super) fn waits(
    root: &Root,
    release: &Release,
    only_ticks: bool,
) -> Vec<WaitFact> {
    WaitKind::of(System::Linux)
        .filter(|wait| is_here(*wait, root, release))
        .map(|name| WaitFact {
            name,
            slack_applies: !only_ticks && slack_applies(name),
            // Every path rounds up: hrtimers to the nanosecond, the timer
            // wheel and the CPU timers to the tick.
            may_end_early: false,
        })
        .collect()
}

/// Newer calls by the version that brought them (their man pages say so);
/// a kernel without a name is taken for a new one.
fn is_here(wait: WaitKind, root: &Root, release: &Release) -> bool {
    let since = |version| release.version().is_none_or(|own| own >= version);
    match wait {
        WaitKind::EpollPwait2 => since((5, 11)),
        WaitKind::IoUringTimeout => {
            // 2 is "for nobody" (Documentation/admin-guide/sysctl/kernel.rst).
            since((5, 4))
                && root.number("/proc/sys/kernel/io_uring_disabled") != Ok(2)
        }
        _ => true,
    }
}

/// Whether the call arms its timer with the thread's slack.
///
/// Measured as the distance of soft and hard expiry in the kernel's
/// `hrtimer_start` event (Linux 6.18): timers that signal or fill a
/// descriptor are exact, those that count CPU time or ticks of the timer
/// wheel know no slack.
fn slack_applies(wait: WaitKind) -> bool {
    !matches!(
        wait,
        WaitKind::Timerfd
            | WaitKind::PosixTimer
            | WaitKind::ItimerReal
            | WaitKind::ItimerVirtual
            | WaitKind::ItimerProf
            | WaitKind::SocketTimeout
            | WaitKind::IoUringTimeout
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(version: &str) -> Vec<WaitKind> {
        let folder = tempfile::tempdir().unwrap();
        let release =
            Release { name: version.to_owned(), ..Release::default() };
        let waits = waits(&Root::at(folder.path()), &release, false);
        waits.into_iter().map(|wait| wait.name).collect()
    }

    #[test]
    fn an_old_kernel_lacks_the_new_calls() {
        assert!(!on("5.10.0").contains(&WaitKind::EpollPwait2));
        assert!(on("5.10.0").contains(&WaitKind::IoUringTimeout));
        assert!(on("5.11.0").contains(&WaitKind::EpollPwait2));
        assert!(!on("4.19.0").contains(&WaitKind::IoUringTimeout));
        assert_eq!(on("").len(), WaitKind::of(System::Linux).count());
    }

    #[test]
    fn slack_cannot_calm_what_signals() {
        for wait in WaitKind::of(System::Linux) {
            assert!(!(wait.ends_by_signal() && slack_applies(wait)), "{wait}");
        }
        assert!(slack_applies(WaitKind::ClockNanosleep));
    }
}
