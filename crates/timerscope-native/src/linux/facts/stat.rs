//! /proc/stat: where the CPUs' time went.

use std::ops::ControlFlow;

use timerscope::machine::Missing;

use super::root::Root;

/// What we take from it, over all CPUs since the machine started.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stat {
    /// Time the host took.
    pub(super) stolen_ns: Option<u64>,
    /// Time the CPUs worked, in programs, the kernel and interrupts.
    pub(super) busy_ns: Option<u64>,
    /// Times a CPU was given to another task.
    pub(super) switches: Option<u64>,
}

impl Stat {
    /// Reads it.
    pub(super) fn read(root: &Root) -> Result<Self, Missing> {
        let unit_hz = user_hz(root);
        let mut stat = Self::default();
        root.lines("/proc/stat", |line| {
            stat.take(line, unit_hz);
            ControlFlow::Continue(())
        })?;
        Ok(stat)
    }

    fn take(&mut self, line: &str, unit_hz: u64) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("cpu") => {
                let columns: Vec<_> =
                    words.map(|word| in_ns(word, unit_hz)).collect();
                self.busy_ns = busy(&columns);
                self.stolen_ns = columns.get(7).copied().flatten();
            }
            Some("ctxt") => {
                self.switches = words.next().and_then(|n| n.parse().ok());
            }
            _ => (),
        }
    }
}

/// user, nice, system, (idle, iowait,) irq, softirq (proc_stat(5)); guests'
/// time is within the first two.
fn busy(columns: &[Option<u64>]) -> Option<u64> {
    [0, 1, 2, 5, 6].into_iter().try_fold(0_u64, |sum, index| {
        sum.checked_add(columns.get(index).copied().flatten()?)
    })
}

fn in_ns(word: &str, unit_hz: u64) -> Option<u64> {
    let ns = word.parse::<u128>().ok()?.checked_mul(1_000_000_000)?;
    u64::try_from(ns / u128::from(unit_hz)).ok()
}

/// The unit of times in /proc, as a rate. It is not the tick.
fn user_hz(root: &Root) -> u64 {
    /// USER_HZ of every architecture but Alpha and Itanium
    /// (include/uapi/asm-generic/param.h).
    const USUAL: u64 = 100;
    if !root.is_real() {
        return USUAL;
    }
    // SAFETY: sysconf(3) takes a number and touches no memory of ours.
    let answer = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u64::try_from(answer).ok().filter(|hz| *hz > 0).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Stat {
        let mut stat = Stat::default();
        text.lines().for_each(|line| stat.take(line, 100));
        stat
    }

    #[test]
    fn idle_and_stolen_time_is_not_busy() {
        let stat = read("cpu  1 2 3 4000 500 6 7 80 9 9\nctxt 12345");
        assert_eq!(stat.busy_ns, Some(190_000_000));
        assert_eq!(stat.stolen_ns, Some(800_000_000));
        assert_eq!(stat.switches, Some(12_345));
    }

    #[test]
    fn an_old_kernel_without_the_column_says_nothing_of_stolen_time() {
        let stat = read("cpu 1 2 3 4 5 6 7");
        assert_eq!(stat.stolen_ns, None);
        assert_eq!(stat.busy_ns, Some(190_000_000));
    }

    #[test]
    fn a_number_too_large_is_no_number() {
        let stat = read(&format!("cpu {0} {0} {0} 4 5 6 7 8", u128::MAX));
        assert_eq!(stat.busy_ns, None);
        assert_eq!(stat.stolen_ns, Some(80_000_000));
    }

    #[test]
    fn single_cpus_are_not_the_machine() {
        assert_eq!(read("cpu0 1 2 3 4 5 6 7 8"), Stat::default());
    }
}
