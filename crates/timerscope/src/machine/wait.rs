//! Every way to let time pass, under the name of the call itself.

use super::name::named;

/// A family of systems that share a set of waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Every system: the language's own.
    Any,
    /// Any Unix.
    Unix,
    /// Linux alone.
    Linux,
    /// Windows alone.
    Windows,
}

/// One way to let time pass.
///
/// Names are the call's own, lower case with dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the call whose name it bears")]
pub enum WaitKind {
    Sleep,
    SleepEx,
    WaitForSingleObject,
    WaitForMultipleObjects,
    WaitableTimer,
    WaitableTimerHighResolution,
    NtDelayExecution,
    TimerQueue,
    MultimediaTimer,
    CompletionPort,
    ConditionVariable,
    Nanosleep,
    ClockNanosleep,
    ClockNanosleepAbsolute,
    Select,
    Pselect,
    Poll,
    Ppoll,
    EpollWait,
    EpollPwait2,
    Futex,
    PthreadCondTimedwait,
    Sigtimedwait,
    Timerfd,
    PosixTimer,
    ItimerReal,
    ItimerVirtual,
    ItimerProf,
    SocketTimeout,
    IoUringTimeout,
    ThreadSleep,
}

/// Name, system, and the finest unit in which the call takes its span (ns).
const TABLE: [(WaitKind, &str, System, u64); 31] = {
    use System::{Any, Linux, Unix, Windows};
    use WaitKind as W;
    const MS: u64 = 1_000_000;
    const US: u64 = 1_000;
    [
        (W::Sleep, "sleep", Windows, MS),
        (W::SleepEx, "sleep-ex", Windows, MS),
        (W::WaitForSingleObject, "wait-for-single-object", Windows, MS),
        (W::WaitForMultipleObjects, "wait-for-multiple-objects", Windows, MS),
        (W::WaitableTimer, "waitable-timer", Windows, 100),
        (
            W::WaitableTimerHighResolution,
            "waitable-timer-high-resolution",
            Windows,
            100,
        ),
        (W::NtDelayExecution, "nt-delay-execution", Windows, 100),
        (W::TimerQueue, "timer-queue", Windows, MS),
        (W::MultimediaTimer, "multimedia-timer", Windows, MS),
        (W::CompletionPort, "completion-port", Windows, MS),
        (W::ConditionVariable, "condition-variable", Windows, MS),
        (W::Nanosleep, "nanosleep", Unix, 1),
        (W::ClockNanosleep, "clock-nanosleep", Linux, 1),
        (W::ClockNanosleepAbsolute, "clock-nanosleep-absolute", Linux, 1),
        (W::Select, "select", Unix, US),
        (W::Pselect, "pselect", Unix, 1),
        (W::Poll, "poll", Unix, MS),
        (W::Ppoll, "ppoll", Linux, 1),
        (W::EpollWait, "epoll-wait", Linux, MS),
        (W::EpollPwait2, "epoll-pwait2", Linux, 1),
        (W::Futex, "futex", Linux, 1),
        (W::PthreadCondTimedwait, "pthread-cond-timedwait", Unix, 1),
        (W::Sigtimedwait, "sigtimedwait", Linux, 1),
        (W::Timerfd, "timerfd", Linux, 1),
        (W::PosixTimer, "posix-timer", Linux, 1),
        (W::ItimerReal, "itimer-real", Unix, US),
        (W::ItimerVirtual, "itimer-virtual", Unix, US),
        (W::ItimerProf, "itimer-prof", Unix, US),
        (W::SocketTimeout, "socket-timeout", Unix, US),
        (W::IoUringTimeout, "io-uring-timeout", Linux, 1),
        (W::ThreadSleep, "thread-sleep", Any, 1),
    ]
};

impl WaitKind {
    /// Every wait of every system.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// The waits that `system` has; [`System::Any`] is counted to each.
    pub fn of(system: System) -> impl Iterator<Item = Self> {
        Self::all().filter(move |wait| wait.is_on(system))
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The systems that have it.
    #[must_use]
    pub fn system(self) -> System {
        self.row().2
    }

    /// The finest unit the call takes, in nanoseconds; a span is rounded up
    /// to it, so that a wait never asks for less than it was given.
    #[must_use]
    pub fn unit_ns(self) -> u64 {
        self.row().3
    }

    /// Whether `system` has it.
    #[must_use]
    pub fn is_on(self, system: System) -> bool {
        match self.system() {
            System::Any => true,
            System::Unix => matches!(system, System::Unix | System::Linux),
            own => own == system,
        }
    }

    /// Whether it ends by a signal, so that a task may burn meanwhile.
    #[must_use]
    pub fn ends_by_signal(self) -> bool {
        self.is_interval_timer() || self == Self::PosixTimer
    }

    /// Whether the system re-arms it by itself when asked to.
    #[must_use]
    pub fn re_arms(self) -> bool {
        self.ends_by_signal() || self == Self::Timerfd
    }

    /// Whether it is one of the three timers a process has only one of.
    #[must_use]
    pub fn is_interval_timer(self) -> bool {
        self == Self::ItimerReal || self.counts_cpu_time()
    }

    /// Whether it counts the process's CPU time instead of real time.
    #[must_use]
    pub fn counts_cpu_time(self) -> bool {
        matches!(self, Self::ItimerVirtual | Self::ItimerProf)
    }

    fn row(self) -> &'static (Self, &'static str, System, u64) {
        // The table is in the order of the enum; a test holds it to that.
        &TABLE[self as usize]
    }
}

named!(WaitKind, "a wait");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
            assert_eq!(row.1.parse(), Ok(row.0));
        }
    }

    #[test]
    fn a_misspelt_wait_gets_the_right_spelling() {
        let error = "nanoslep".parse::<WaitKind>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`nanoslep` is not a wait; did you mean `nanosleep`?"
        );
    }

    #[test]
    fn linux_has_the_twenty_waits_of_its_table() {
        assert_eq!(WaitKind::of(System::Linux).count(), 20);
    }
}
