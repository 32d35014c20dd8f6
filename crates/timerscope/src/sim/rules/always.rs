//! Rules that are no choice: every machine of their kernel follows them.
//!
//! The code of each names its id in a comment.

use super::piece::{Rule, Status};

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

/// What every Windows does.
pub(super) const WINDOWS: [Rule; 9] = [
    rule(
        "W-T1",
        Measured,
        "The interval is the least of all requests that count, within what the hardware has; without any it is the coarsest.",
        "Microsoft, timeBeginPeriod; great-rule-change",
        "an interval that is finer or coarser than the finest live request",
    ),
    rule(
        "W-T2",
        Measured,
        "Requests are counted for each process and span; an end takes back one of exactly that span, or reports an error; exit and kill take back all.",
        "Microsoft, timeBeginPeriod and timeEndPeriod",
        "an interval that stays fine after every requester has ended",
    ),
    rule(
        "W-T4",
        Measured,
        "timeGetTime and the system time move at each clock interrupt, GetTickCount at 64 Hz whatever is in force, QueryPerformanceCounter always; all are monotone.",
        "great-rule-change; golang/go issue 8687",
        "a GetTickCount whose step follows the interval",
    ),
    rule(
        "W-T9",
        Invented,
        "A high-resolution waitable timer ends on its span rounded up to 0.5 ms, whatever the interval.",
        "Microsoft, CreateWaitableTimerEx names them; the rounding is nobody's",
        "such a timer at 1.2 ms that ends before 1.5 ms",
    ),
    rule(
        "W-S4",
        Measured,
        "At the end of its quantum a thread falls back to its base level, gets a new quantum, and goes behind its equals.",
        "Microsoft, Priority Boosts and Scheduling Priorities",
        "a thread still above its base level after a whole quantum",
    ),
    rule(
        "W-S7",
        Fitted,
        "A system call, a switch, and a wake-up across CPUs each take their CPU time, whatever the interval.",
        "switch_perf on the first machine",
        "round trips a second that change with the interval",
    ),
    rule(
        "W-S8.cost",
        Fitted,
        "Each clock interrupt of a busy CPU takes the same CPU time; each interrupt and each thread woken takes the same energy.",
        "the throughput series; 0.3 W at 936 interrupts a second",
        "throughput that is not linear in the rate of interrupts",
    ),
    rule(
        "W-S9",
        Measured,
        "A reading of a clock takes its cycles, more of them while another CPU is busy.",
        "the Cygwin table of clock costs",
        "a reading whose cost does not depend on the load",
    ),
    rule(
        "W-S10",
        Fitted,
        "A guest's host takes the CPU away at a clock interrupt, by chance and for a random time.",
        "SleepTest case 3",
        "gaps on a guest whose host is idle",
    ),
];

/// What every OpenBSD does.
pub(super) const OPENBSD: [Rule; 6] = [
    rule(
        "OB-1",
        Measured,
        "An interval timer of real time is due its span after it is set, by the precise clock, and fires at the first tick of the first CPU at or after that.",
        "OpenBSD kern_timeout.c and kern_time.c",
        "rows of k ticks that take k + 1 while the clock runs fast",
    ),
    rule(
        "OB-4",
        Fitted,
        "The true tick is a little shorter than the nominal one, so a loop in step with it needs one tick more for a whole number of nominal ones.",
        "VIRTUAL rows of openbsd-setitimer, 9999.85 us a tick",
        "50 ms that takes 50 ms on a clock that nobody slews",
    ),
    rule(
        "OB-5",
        Measured,
        "While a correction is left, adjtime lets the clock run fast by at most 5000 us a second; ticks do not follow.",
        "OpenBSD kern_tc.c, ntp_update_second",
        "50 ms that takes 60 ms both with and without adjtime of 2 s",
    ),
    rule(
        "OB-6",
        Fitted,
        "Each CPU ticks at a phase of its own, and a running task moves between CPUs now and then.",
        "least times of openbsd-setitimer",
        "a task pinned to one CPU that still sees 3.2 ms",
    ),
    rule(
        "OB-7",
        Fitted,
        "Ticks are handled late by chance, and others take the CPU of a burning task now and then.",
        "the deviations of openbsd-setitimer",
        "the same deviations on an idle machine without a network",
    ),
    rule(
        "OB-9",
        Invented,
        "A system call, a switch, a wake-up and a reading of a clock each take their CPU time.",
        "nobody: no article times them there",
        "any measurement of them that is another",
    ),
];

/// What every Linux does.
pub(super) const LINUX: [Rule; 4] = [
    rule(
        "L-2",
        Measured,
        "Interval timers, timerfd, POSIX timers and io_uring time-outs have no slack.",
        "Linux kernel/time/itimer.c; timed on Linux 6.18",
        "an ITIMER_REAL that gets later with PR_SET_TIMERSLACK",
    ),
    rule(
        "L-5",
        Fitted,
        "An idle CPU takes its time to answer an interrupt, less after a short stay.",
        "nanosleep and ITIMER_REAL on one virtual machine, Linux 6.18",
        "the same lateness on a CPU that is kept from idling",
    ),
    rule(
        "L-7",
        Invented,
        "A system call, a switch, a wake-up across CPUs and a tick each take their CPU time.",
        "nobody: the order of magnitude alone is known",
        "any measurement of them that is another",
    ),
    rule(
        "L-8",
        Measured,
        "A socket's time-out is counted in whole ticks, and one more.",
        "Linux net/core/sock.c and kernel/time/timer.c",
        "SO_RCVTIMEO of 1 us that ends within a tick",
    ),
];
