//! Every clock that can be read, under the system's own name.

use super::System;
use super::name::named;

/// One clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the clock whose name it bears")]
pub enum ClockKind {
    Realtime,
    RealtimeCoarse,
    RealtimeAlarm,
    Monotonic,
    MonotonicCoarse,
    MonotonicRaw,
    Boottime,
    BoottimeAlarm,
    Tai,
    ProcessCputime,
    ThreadCputime,
    Gettimeofday,
    Time,
    GetTickCount64,
    TimeGetTime,
    SystemTime,
    SystemTimePrecise,
    QueryPerformanceCounter,
    QueryInterruptTime,
    QueryInterruptTimePrecise,
    ProcessTimes,
    ThreadTimes,
    Tsc,
}

/// Short name, the system's own name, system.
const TABLE: [(ClockKind, &str, &str, System); 23] = {
    use ClockKind as C;
    use System::{Any, Linux, Unix, Windows};
    [
        (C::Realtime, "realtime", "CLOCK_REALTIME", Unix),
        (C::RealtimeCoarse, "realtime-coarse", "CLOCK_REALTIME_COARSE", Linux),
        (C::RealtimeAlarm, "realtime-alarm", "CLOCK_REALTIME_ALARM", Linux),
        (C::Monotonic, "monotonic", "CLOCK_MONOTONIC", Unix),
        (
            C::MonotonicCoarse,
            "monotonic-coarse",
            "CLOCK_MONOTONIC_COARSE",
            Linux,
        ),
        (C::MonotonicRaw, "monotonic-raw", "CLOCK_MONOTONIC_RAW", Linux),
        (C::Boottime, "boottime", "CLOCK_BOOTTIME", Linux),
        (C::BoottimeAlarm, "boottime-alarm", "CLOCK_BOOTTIME_ALARM", Linux),
        (C::Tai, "tai", "CLOCK_TAI", Linux),
        (
            C::ProcessCputime,
            "process-cputime",
            "CLOCK_PROCESS_CPUTIME_ID",
            Unix,
        ),
        (C::ThreadCputime, "thread-cputime", "CLOCK_THREAD_CPUTIME_ID", Unix),
        (C::Gettimeofday, "gettimeofday", "gettimeofday()", Unix),
        (C::Time, "time", "time()", Unix),
        (C::GetTickCount64, "get-tick-count-64", "GetTickCount64", Windows),
        (C::TimeGetTime, "time-get-time", "timeGetTime", Windows),
        (C::SystemTime, "system-time", "GetSystemTimeAsFileTime", Windows),
        (
            C::SystemTimePrecise,
            "system-time-precise",
            "GetSystemTimePreciseAsFileTime",
            Windows,
        ),
        (
            C::QueryPerformanceCounter,
            "query-performance-counter",
            "QueryPerformanceCounter",
            Windows,
        ),
        (
            C::QueryInterruptTime,
            "query-interrupt-time",
            "QueryInterruptTime",
            Windows,
        ),
        (
            C::QueryInterruptTimePrecise,
            "query-interrupt-time-precise",
            "QueryInterruptTimePrecise",
            Windows,
        ),
        (C::ProcessTimes, "process-times", "GetProcessTimes", Windows),
        (C::ThreadTimes, "thread-times", "GetThreadTimes", Windows),
        (C::Tsc, "tsc", "the CPU's time stamp counter", Any),
    ]
};

impl ClockKind {
    /// Every clock of every system.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// The clocks that `system` may have.
    pub fn of(system: System) -> impl Iterator<Item = Self> {
        let has = move |own| match own {
            System::Any => true,
            System::Unix => matches!(system, System::Unix | System::Linux),
            own => own == system,
        };
        TABLE.iter().filter(move |row| has(row.3)).map(|row| row.0)
    }

    /// Its name in workloads and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// What the system's manual calls it.
    #[must_use]
    pub fn system_name(self) -> &'static str {
        self.row().2
    }

    /// Whether it counts CPU time, so that it stands still in a wait.
    #[must_use]
    pub fn counts_cpu_time(self) -> bool {
        matches!(
            self,
            Self::ProcessCputime
                | Self::ThreadCputime
                | Self::ProcessTimes
                | Self::ThreadTimes
        )
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, System) {
        // The table is in the order of the enum; a test holds it to that.
        &TABLE[self as usize]
    }
}

named!(ClockKind, "a clock");

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
}
