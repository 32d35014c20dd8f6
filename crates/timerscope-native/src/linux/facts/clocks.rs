//! The clocks that can be read, and the steps the system claims for them.

use std::io;

use timerscope::machine::{ClockFact, ClockKind, Known, Missing, System};

use super::cpu::Cpu;
use super::reason::{reason, recorded};
use super::root::Root;
use super::via::via;
use crate::linux::clock::id;

/// Every clock that can be read here.
///
/// Alarm clocks need an RTC that can wake the machine, and are left out where
/// the system says that there is none.
pub(super) fn clocks(
    root: &Root,
    cpu: &Result<Cpu, Missing>,
) -> Vec<ClockFact> {
    let tsc = cpu.as_ref().is_ok_and(|cpu| cpu.tsc);
    let here: Vec<(ClockKind, Known<u64>)> = ClockKind::of(System::Linux)
        .filter(|clock| *clock != ClockKind::Tsc || tsc)
        .map(|clock| (clock, step_ns(root, clock)))
        .filter(|(_, step)| !is_not_here(step))
        .collect();
    let kinds: Vec<ClockKind> = here.iter().map(|own| own.0).collect();
    let via = if root.is_real() {
        via(&kinds)
    } else {
        vec![recorded("how a clock is read").into(); kinds.len()]
    };
    let fact = |((clock, nominal_step_ns), via): ((ClockKind, _), _)| {
        let name = clock.name().to_owned();
        ClockFact { name, nominal_step_ns, via }
    };
    here.into_iter().zip(via).map(fact).collect()
}

fn is_not_here(step: &Known<u64>) -> bool {
    use timerscope::machine::MissingKind::Absent;
    step.missing().is_some_and(|missing| missing.kind == Absent)
}

fn step_ns(root: &Root, clock: ClockKind) -> Known<u64> {
    match clock {
        ClockKind::Gettimeofday => Known::Value(1_000),
        ClockKind::Time => Known::Value(1_000_000_000),
        ClockKind::Tsc => {
            Missing::unknown("its step is shorter than a nanosecond").into()
        }
        _ => match id(clock) {
            Some(id) if root.is_real() => resolution_ns(id).into(),
            Some(_) => recorded("a clock's step").into(),
            None => Missing::absent("Linux has no such clock").into(),
        },
    }
}

/// The step of a clock by its number, in nanoseconds.
pub(super) fn resolution_ns(id: libc::clockid_t) -> Result<u64, Missing> {
    let mut step = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_getres(2) writes one timespec to the valid one we lend
    // it, and keeps no pointer; a wrong id is an error, not a fault.
    if unsafe { libc::clock_getres(id, &raw mut step) } != 0 {
        let error = io::Error::last_os_error();
        return Err(match error.raw_os_error() {
            Some(libc::EINVAL) => Missing::absent("there is no such clock"),
            _ => reason("the clock's step", &error),
        });
    }
    let parts = (u64::try_from(step.tv_sec), u64::try_from(step.tv_nsec));
    let (Ok(s), Ok(ns)) = parts else {
        return Err(Missing::failed("the clock's step is negative"));
    };
    Ok(s.saturating_mul(1_000_000_000).saturating_add(ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_posix_clock_of_linux_has_a_number() {
        let without = ClockKind::of(System::Linux).filter(|clock| {
            !matches!(
                clock,
                ClockKind::Gettimeofday | ClockKind::Time | ClockKind::Tsc
            ) && id(*clock).is_none()
        });
        assert_eq!(without.count(), 0);
    }

    #[test]
    fn a_clock_that_is_not_there_is_absent() {
        let missing = resolution_ns(15).unwrap_err();
        assert_eq!(missing.kind, timerscope::machine::MissingKind::Absent);
    }

    #[test]
    fn a_coarse_clock_is_not_finer_than_its_twin() {
        let fine = resolution_ns(libc::CLOCK_MONOTONIC).unwrap();
        let coarse = resolution_ns(libc::CLOCK_MONOTONIC_COARSE).unwrap();
        assert!(0 < fine && fine <= coarse);
    }
}
