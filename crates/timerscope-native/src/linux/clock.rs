//! Clocks: clock_gettime(2), gettimeofday(2), time(2), the time stamp counter.

use timerscope::machine::ClockKind;

/// The steady clock of every measurement, in nanoseconds since boot.
///
/// CLOCK_MONOTONIC: it shares its base with kernel tracing, is read without a
/// system call, and never steps. It is slewed by adjtime, as sleeps are.
#[inline]
pub(crate) fn now() -> i64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// CPU time of this process so far.
pub(crate) fn process_cpu_ns() -> i64 {
    clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

#[inline]
fn clock_ns(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_gettime writes one timespec, which we own. It fails only
    // for a clock that does not exist; the time then stays 0.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// A span of nanoseconds as system calls take it.
pub(crate) fn timespec(ns: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (ns % 1_000_000_000) as libc::c_long,
    }
}

/// A span as the older calls take it, rounded up to whole microseconds.
pub(crate) fn timeval(ns: u64) -> libc::timeval {
    let us = ns.div_ceil(1_000);
    libc::timeval {
        tv_sec: (us / 1_000_000) as libc::time_t,
        tv_usec: (us % 1_000_000) as libc::suseconds_t,
    }
}

/// The number clock_gettime(2) knows a clock by, where it has one.
pub(crate) fn id(clock: ClockKind) -> Option<libc::clockid_t> {
    Some(match clock {
        ClockKind::Realtime => libc::CLOCK_REALTIME,
        ClockKind::RealtimeCoarse => libc::CLOCK_REALTIME_COARSE,
        ClockKind::RealtimeAlarm => libc::CLOCK_REALTIME_ALARM,
        ClockKind::Monotonic => libc::CLOCK_MONOTONIC,
        ClockKind::MonotonicCoarse => libc::CLOCK_MONOTONIC_COARSE,
        ClockKind::MonotonicRaw => libc::CLOCK_MONOTONIC_RAW,
        ClockKind::Boottime => libc::CLOCK_BOOTTIME,
        ClockKind::BoottimeAlarm => libc::CLOCK_BOOTTIME_ALARM,
        ClockKind::Tai => libc::CLOCK_TAI,
        ClockKind::ProcessCputime => libc::CLOCK_PROCESS_CPUTIME_ID,
        ClockKind::ThreadCputime => libc::CLOCK_THREAD_CPUTIME_ID,
        _ => return None,
    })
}

/// A way to read one clock: nanoseconds, or cycles for the counter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    Clock(libc::clockid_t),
    Gettimeofday,
    Time,
    Tsc,
}

impl Reader {
    /// The reader of `clock`, or the error of trying it once.
    pub(crate) fn new(clock: ClockKind) -> Result<Self, i32> {
        let reader = match (clock, id(clock)) {
            (_, Some(id)) => Self::Clock(id),
            (ClockKind::Gettimeofday, _) => Self::Gettimeofday,
            (ClockKind::Time, _) => Self::Time,
            (ClockKind::Tsc, _) if cfg!(target_arch = "x86_64") => Self::Tsc,
            _ => return Err(libc::ENOSYS),
        };
        if let Self::Clock(id) = reader {
            let mut time = timespec(0);
            // SAFETY: writes one timespec, which we own.
            if unsafe { libc::clock_gettime(id, &raw mut time) } != 0 {
                return Err(super::event::errno());
            }
        }
        Ok(reader)
    }

    /// Reads it once.
    #[inline]
    pub(crate) fn read(self) -> i64 {
        match self {
            Self::Clock(id) => clock_ns(id),
            Self::Gettimeofday => gettimeofday_ns(),
            // SAFETY: time(2) with a null pointer only returns.
            Self::Time => unsafe {
                libc::time(std::ptr::null_mut()) * 1_000_000_000
            },
            Self::Tsc => tsc(),
        }
    }
}

fn gettimeofday_ns() -> i64 {
    let mut time = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: writes one timeval, which we own; the zone may be null.
    unsafe { libc::gettimeofday(&raw mut time, std::ptr::null_mut()) };
    time.tv_sec * 1_000_000_000 + time.tv_usec * 1_000
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn tsc() -> i64 {
    // SAFETY: RDTSC reads a register; every x86-64 CPU has it, and where the
    // system forbids it (PR_SET_TSC) the process asked for that itself.
    unsafe { core::arch::x86_64::_rdtsc() as i64 }
}

#[cfg(not(target_arch = "x86_64"))]
fn tsc() -> i64 {
    0
}

/// The length of a tick: what the coarse clock claims as its step, since that
/// clock is set by the tick. (sysconf(_SC_CLK_TCK) is the unit of /proc, not
/// the tick.)
pub(crate) fn tick_ns() -> Option<u64> {
    let mut step = timespec(0);
    // SAFETY: writes one timespec, which we own.
    let result = unsafe {
        libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &raw mut step)
    };
    (result == 0 && step.tv_nsec > 0).then_some(step.tv_nsec as u64)
}

/// Sleeps until `at`, whatever interrupts it: for the common start, not for
/// anything measured.
pub(crate) fn sleep_until(at: i64) {
    let time = timespec(at.max(0) as u64);
    while now() < at {
        // SAFETY: reads one timespec; no remainder for an absolute sleep.
        unsafe {
            libc::clock_nanosleep(
                libc::CLOCK_MONOTONIC,
                libc::TIMER_ABSTIME,
                &raw const time,
                std::ptr::null_mut(),
            );
        }
    }
}
