//! The machine's counters, to be read before and after a run.

use timerscope::machine::{Counters, Known, Missing};

use super::interrupts::Interrupts;
use super::root::Root;
use super::stat::Stat;
use super::{battery, energy, idle};

/// Reads every counter of the whole machine once.
///
/// A counter that cannot be had says why. Nothing is traced, so that
/// wake-ups of tasks are unknown.
#[must_use]
pub fn counters(root: &Root) -> Counters {
    let stat = Stat::read(root);
    Counters {
        stolen_ns: stolen_ns(&stat),
        switches: column(&stat, |stat| stat.switches),
        wakeups: Missing::unknown("only tracing counts wake-ups of tasks")
            .into(),
        idle_wakeups: idle::entered(root),
        ticks: ticks(root).into(),
        busy_ns: column(&stat, |stat| stat.busy_ns),
        energy_uj: energy::packages_uj(root),
        battery: battery::battery(root),
    }
}

/// Time the host took, over all CPUs since the machine started.
pub(super) fn stolen_ns(stat: &Result<Stat, Missing>) -> Known<u64> {
    column(stat, |stat| stat.stolen_ns)
}

fn column(
    stat: &Result<Stat, Missing>,
    pick: fn(&Stat) -> Option<u64>,
) -> Known<u64> {
    let none = || Missing::absent("this kernel's /proc/stat does not count it");
    let stat = stat.as_ref().map_err(Missing::clone);
    stat.and_then(|stat| pick(stat).ok_or_else(none)).into()
}

fn ticks(root: &Root) -> Result<u64, Missing> {
    Interrupts::read(root)?.ticks.ok_or_else(|| {
        Missing::unknown("no line of /proc/interrupts is known as a timer's")
    })
}
