//! /proc/interrupts: which device raised how many, on which CPU.

use std::ops::ControlFlow;

use timerscope::machine::Missing;

use super::root::Root;

/// What we take from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Interrupts {
    /// Timer interrupts over all CPUs, where any line counts them.
    pub(super) ticks: Option<u64>,
    /// Whether the local APIC's timer is counted.
    pub(super) local_apic: bool,
    /// Whether the interval timer of a PC has its line.
    pub(super) line_zero: bool,
    /// Whether an HPET has a line.
    pub(super) hpet: bool,
}

impl Interrupts {
    /// Reads them.
    pub(super) fn read(root: &Root) -> Result<Self, Missing> {
        let mut interrupts = Self::default();
        root.lines("/proc/interrupts", |line| {
            interrupts.take(line);
            ControlFlow::Continue(())
        })?;
        Ok(interrupts)
    }

    fn take(&mut self, line: &str) {
        let Some((label, rest)) = line.split_once(':') else { return };
        let label = label.trim();
        let device = rest.split_whitespace().next_back().unwrap_or_default();
        self.hpet |= device.starts_with("hpet");
        self.line_zero |= label == "0" && device == "timer";
        // On a PC the line of local timers has a label of its own.
        self.local_apic |=
            label == "LOC" && rest.contains("Local timer interrupts");
        if label == "LOC" || is_timer(label, device) {
            let ticks = counts(rest).fold(0, u64::saturating_add);
            self.ticks = Some(self.ticks.unwrap_or(0).saturating_add(ticks));
        }
    }
}

/// Per-CPU and board timers, by the names of their drivers; an HPET that
/// ticks for one CPU bears a number.
fn is_timer(label: &str, device: &str) -> bool {
    let board = ["arch_timer", "riscv-timer", "twd", "timer"];
    label.parse::<u32>().is_ok()
        && (board.contains(&device)
            || device.starts_with("hpet")
            || device.ends_with("_timer"))
}

/// The columns of a line: numbers, until the first that is not one.
fn counts(rest: &str) -> impl Iterator<Item = u64> {
    rest.split_whitespace().map_while(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Interrupts {
        let mut interrupts = Interrupts::default();
        text.lines().for_each(|line| interrupts.take(line));
        interrupts
    }

    #[test]
    fn every_timer_of_every_cpu_is_counted_and_nothing_else() {
        let seen = read(
            "           CPU0       CPU1\n\
             \x20  0:         37          0  IO-APIC   2-edge      timer\n\
             \x20  8:          1          0  IO-APIC   8-edge      rtc0\n\
             \x20 24:          0         11  HPET-MSI   3-edge    hpet3\n\
             LOC:       1000       2000   Local timer interrupts\n\
             RES:        500        600   Rescheduling interrupts\n\
             ERR:          9\n",
        );
        assert_eq!(seen.ticks, Some(37 + 11 + 3000));
        assert!(seen.local_apic && seen.line_zero && seen.hpet);
    }

    #[test]
    fn a_board_counts_under_its_drivers_name() {
        let seen = read(" 11:  70  80  GICv3  27 Level  arch_timer");
        assert_eq!(seen.ticks, Some(150));
        assert!(!seen.local_apic);
    }

    #[test]
    fn no_line_is_not_no_interrupt() {
        assert_eq!(read("garbage\n:::\nLOK: 5 x").ticks, None);
        assert_eq!(read("LOC:").ticks, Some(0));
    }

    #[test]
    fn huge_counts_do_not_wrap() {
        let line = format!("LOC: {0} {0} Local timer interrupts", u64::MAX);
        assert_eq!(read(&line).ticks, Some(u64::MAX));
    }
}
