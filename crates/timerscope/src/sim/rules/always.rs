//! Rules that are no choice: every machine of a kernel follows them.

use super::{Rule, Status};
use crate::sim::spec::{Kernel, Spec};

/// A rule with those who follow it.
struct Always {
    kernels: &'static [Kernel],
    /// Whether a machine of such a kernel follows it.
    holds: fn(&Spec) -> bool,
    rule: Rule,
}

const WINDOWS: &[Kernel] = &[Kernel::Windows];
const OPENBSD: &[Kernel] = &[Kernel::Openbsd];
const LINUX: &[Kernel] = &[Kernel::Linux];
const ALL: &[Kernel] = &[Kernel::Windows, Kernel::Openbsd, Kernel::Linux];

fn yes(_: &Spec) -> bool {
    true
}

fn stolen_from(spec: &Spec) -> bool {
    spec.constants.steal_ppm > 0
}

fn slews(spec: &Spec) -> bool {
    spec.kernel == Kernel::Openbsd || spec.constants.slew_budget.ns() > 0
}

fn has_high_resolution(spec: &Spec) -> bool {
    spec.has(crate::machine::WaitKind::WaitableTimerHighResolution)
}

const fn rule(
    id: &'static str,
    status: Status,
    says: &'static str,
    source: &'static str,
    falsified_by: &'static str,
) -> Rule {
    Rule { id, says, status, source, falsified_by }
}

use Status::{Fitted, Invented, Measured};

static EVERY: &[Always] = &[
    Always {
        kernels: WINDOWS,
        holds: yes,
        rule: rule(
            "W-T1",
            Measured,
            "The interval in force is the least of all requests that count, within the finest and the coarsest there are, on the hardware's grid.",
            "Microsoft, timeBeginPeriod; megawatts-wasted",
            "an interval that a coarser request of another process changes",
        ),
    },
    Always {
        kernels: WINDOWS,
        holds: yes,
        rule: rule(
            "W-T2",
            Measured,
            "Requests are counted per process and interval; an end removes one of exactly its interval, else it is refused; the end of a process drops all of its own.",
            "Microsoft, timeEndPeriod; blogstuff TimerOverlaps",
            "an end without a begin that changes the interval",
        ),
    },
    Always {
        kernels: WINDOWS,
        holds: yes,
        rule: rule(
            "W-T4",
            Measured,
            "timeGetTime and the coarse system times move at each clock interrupt, GetTickCount at 64 Hz whatever is in force, QueryPerformanceCounter all the time.",
            "great-rule-change; golang/go#8687",
            "a step of GetTickCount that follows a request",
        ),
    },
    Always {
        kernels: WINDOWS,
        holds: has_high_resolution,
        rule: rule(
            "W-T9",
            Invented,
            "A high-resolution waitable timer has an interrupt of its own, at its span rounded up to `high-resolution`, whatever is in force.",
            "Microsoft, CreateWaitableTimerEx, and rust-lang/rust#43376 have steps of about half a millisecond; no article has a figure",
            "one that follows the interval in force, or ends off such a step",
        ),
    },
    Always {
        kernels: &[Kernel::Windows, Kernel::Openbsd],
        holds: yes,
        rule: rule(
            "W-S4",
            Measured,
            "At the end of its quantum a thread falls back to its base level, gets a new quantum, and goes behind its equals.",
            "Microsoft, Priority Boosts; Scheduling Priorities",
            "a thread above its base level after a whole quantum",
        ),
    },
    Always {
        kernels: ALL,
        holds: yes,
        rule: rule(
            "W-S7",
            Fitted,
            "A system call, a switch, a wake-up on another CPU and a recorded action each take a constant of CPU time.",
            "switch_perf; SleepTest",
            "switch_perf's two variants on one CPU whose times differ by other than a system call",
        ),
    },
    Always {
        kernels: ALL,
        holds: yes,
        rule: rule(
            "W-S8.cost",
            Fitted,
            "A clock interrupt takes a constant of CPU time from whoever runs; energy is a constant for each interrupt, each wake-up of a task and each second of a busy CPU.",
            "megawatts-wasted, the throughput series",
            "throughput that does not fall linearly in the rate of interrupts",
        ),
    },
    Always {
        kernels: ALL,
        holds: yes,
        rule: rule(
            "W-S9",
            Measured,
            "Reading a clock takes a constant number of cycles, more while other CPUs are busy.",
            "cygwin-precise-time",
            "a cached clock that costs as much as a precise one",
        ),
    },
    Always {
        kernels: ALL,
        holds: stolen_from,
        rule: rule(
            "W-S10",
            Fitted,
            "The host takes the CPU away at some ticks, which come when it is back; ticks that fall in between are one.",
            "windows-timer-articles, SleepTest case 3",
            "a late wake-up that is not followed by a short one",
        ),
    },
    Always {
        kernels: OPENBSD,
        holds: yes,
        rule: rule(
            "OB-1",
            Measured,
            "A real interval timer is due its span after now, on the uptime clock, and fires at the first tick of the first CPU at or after that.",
            "OpenBSD kern_time.c, kern_timeout.c",
            "a row of k whole ticks that takes k ticks on a clock that is not slewed",
        ),
    },
    Always {
        kernels: OPENBSD,
        holds: yes,
        rule: rule(
            "OB-4",
            Fitted,
            "A tick is a little shorter than the kernel believes, so k ticks never reach k times its nominal length.",
            "openbsd-setitimer, VIRTUAL rows",
            "rows of k whole ticks in step that take k ticks",
        ),
    },
    Always {
        kernels: ALL,
        holds: slews,
        rule: rule(
            "OB-5",
            Measured,
            "While a correction is left, the steady clock runs faster by a constant rate; ticks do not.",
            "OpenBSD kern_tc.c, ntp_update_second",
            "timer.c with and without adjtime of 2 s whose rows agree",
        ),
    },
    Always {
        kernels: OPENBSD,
        holds: yes,
        rule: rule(
            "OB-6",
            Fitted,
            "Each CPU ticks at a phase of its own, and a running task moves to another CPU now and then.",
            "openbsd-setitimer, least times of 3.2 ms",
            "a pinned task whose VIRTUAL rows have such least times",
        ),
    },
    Always {
        kernels: OPENBSD,
        holds: yes,
        rule: rule(
            "OB-7",
            Fitted,
            "Some ticks are handled late, and others take the CPU of a burning task now and then.",
            "openbsd-setitimer, the column of deviations",
            "deviations on an idle machine as large as on a busy one",
        ),
    },
    Always {
        kernels: LINUX,
        holds: yes,
        rule: rule(
            "L-2",
            Measured,
            "Slack delays sleeps and polls of normal tasks; interval timers, timerfd, POSIX timers and io_uring have none, nor have real-time tasks.",
            "Linux kernel/time/hrtimer.c, fs/select.c; timed on Linux 6.18",
            "an itimer-real that ends later with more slack",
        ),
    },
    Always {
        kernels: LINUX,
        holds: yes,
        rule: rule(
            "L-5",
            Fitted,
            "An idle CPU takes a constant time to answer an interrupt, less after a short stay.",
            "timed on one virtual machine, Linux 6.18",
            "a wake-up latency that does not depend on the stay",
        ),
    },
    Always {
        kernels: LINUX,
        holds: yes,
        rule: rule(
            "L-7",
            Invented,
            "A socket's time-out ends on a tick, one more than its span needs.",
            "Linux kernel/time/timer.c, simplified: the wheel's levels are left out",
            "a time-out of 100 ms that ends on a coarser grid than the tick",
        ),
    },
];

/// The rules that a machine follows without having chosen them.
pub(crate) fn always(spec: &Spec) -> Vec<&'static Rule> {
    let own = |always: &&Always| {
        always.kernels.contains(&spec.kernel) && (always.holds)(spec)
    };
    EVERY.iter().filter(own).map(|always| &always.rule).collect()
}
