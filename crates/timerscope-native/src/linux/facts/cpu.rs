//! What the CPU says of itself, as far as timers are concerned.

use std::ops::ControlFlow;

use timerscope::machine::Missing;

use super::root::Root;

/// What we want to know of a CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are its flags")]
pub(super) struct Cpu {
    /// Whether it is one of the PC's kind.
    pub(super) pc: bool,
    /// Whether it has a time stamp counter.
    pub(super) tsc: bool,
    /// Whether that runs evenly through changes of speed and idle states.
    pub(super) steady_tsc: bool,
    /// Whether it has a local APIC.
    pub(super) apic: bool,
    /// Whether a monitor told it that it is a guest.
    pub(super) guest: bool,
}

impl Cpu {
    /// Reads it.
    ///
    /// A PC that runs us is asked by the instruction that exists for it:
    /// opening /proc/cpuinfo interrupts every CPU, and from Linux 4.13 to
    /// 5.16 took 10 ms and more.
    pub(super) fn read(root: &Root) -> Result<Self, Missing> {
        match root.is_real().then(super::signature::cpu).flatten() {
            Some(cpu) => Ok(cpu),
            None => Self::listed(root),
        }
    }

    fn listed(root: &Root) -> Result<Self, Missing> {
        let mut cpu = Self::default();
        root.lines("/proc/cpuinfo", |line| match line.split_once(':') {
            Some((key, flags)) if key.trim() == "flags" => {
                cpu = Self::flagged(flags);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })?;
        Ok(cpu)
    }

    /// Only PCs call the line `flags`; boards call it `Features` or `isa`.
    fn flagged(flags: &str) -> Self {
        let has = |name| flags.split_whitespace().any(|flag| flag == name);
        Self {
            pc: true,
            tsc: has("tsc"),
            steady_tsc: has("constant_tsc") && has("nonstop_tsc"),
            apic: has("apic"),
            guest: has("hypervisor"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_a_whole_word() {
        let cpu = Cpu::flagged(" fpu tsc_adjust x2apic constant_tsc");
        assert!(cpu.pc && !cpu.tsc && !cpu.apic && !cpu.steady_tsc);
        assert!(Cpu::flagged("constant_tsc nonstop_tsc").steady_tsc);
    }

    #[test]
    fn the_real_cpu_can_be_read() {
        assert!(Cpu::read(&Root::real()).is_ok());
    }
}
