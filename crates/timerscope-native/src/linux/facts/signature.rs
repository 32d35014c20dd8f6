//! The PC's own instruction for what a CPU is, and who imitates it.
//!
//! Intel's manual, volume 2, CPUID; AMD's, volume 3, appendix E. Leaves from
//! 0x4000_0000 are the monitor's (docs.kernel.org/virt/kvm/x86/cpuid.html).

use super::cpu::Cpu;

#[cfg(not(target_arch = "x86_64"))]
mod instruction {
    /// Other CPUs have no such instruction.
    pub(super) fn leaf(_number: u32) -> Option<[u32; 4]> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
mod instruction {
    /// eax, ebx, ecx and edx of a leaf.
    #[expect(clippy::unnecessary_wraps, reason = "other CPUs have none")]
    pub(super) fn leaf(number: u32) -> Option<[u32; 4]> {
        let leaf = std::arch::x86_64::__cpuid(number);
        Some([leaf.eax, leaf.ebx, leaf.ecx, leaf.edx])
    }
}

use instruction::leaf;

/// A leaf that the CPU has; beyond its last it answers something else.
fn standard(number: u32) -> Option<[u32; 4]> {
    (leaf(0)?[0] >= number).then(|| leaf(number)).flatten()
}

/// The CPU we run on, if it is a PC's.
pub(super) fn cpu() -> Option<Cpu> {
    let [_, _, ecx, edx] = standard(1)?;
    let extended = leaf(0x8000_0000)?[0];
    let power = (extended >= 0x8000_0007).then(|| leaf(0x8000_0007)).flatten();
    Some(Cpu {
        pc: true,
        tsc: edx & 1 << 4 != 0,
        steady_tsc: power.is_some_and(|leaf| leaf[3] & 1 << 8 != 0),
        apic: edx & 1 << 9 != 0,
        guest: ecx & 1 << 31 != 0,
    })
}

/// The monitor's signature, if we run in a guest.
pub(super) fn monitor() -> Option<[u8; 12]> {
    let guest = cpu()?.guest;
    guest.then(|| leaf(0x4000_0000)).flatten().map(|[_, ebx, ecx, edx]| {
        let mut bytes = [0; 12];
        for (part, word) in bytes.chunks_exact_mut(4).zip([ebx, ecx, edx]) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    })
}

/// The time stamp counter's frequency, where CPU or monitor state it.
pub(super) fn tsc_hz() -> Option<u64> {
    told_by_monitor().or_else(told_by_cpu)
}

/// The local APIC's crystal, where the CPU states it.
pub(super) fn crystal_hz() -> Option<u64> {
    standard(0x15).map(|leaf| u64::from(leaf[2])).filter(|hz| *hz > 0)
}

fn told_by_monitor() -> Option<u64> {
    const TIMING: u32 = 0x4000_0010;
    monitor()?;
    let last = leaf(0x4000_0000)?[0];
    let khz = (TIMING..TIMING + 0xf0)
        .contains(&last)
        .then(|| leaf(TIMING))
        .flatten()?[0];
    (khz > 0).then(|| u64::from(khz) * 1000)
}

fn told_by_cpu() -> Option<u64> {
    let [denominator, numerator, ..] = standard(0x15)?;
    let cycles = crystal_hz()?.checked_mul(u64::from(numerator))?;
    cycles.checked_div(u64::from(denominator)).filter(|hz| *hz > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_frequency_is_one_a_cpu_can_have() {
        for hz in tsc_hz().into_iter().chain(crystal_hz()) {
            assert!((1_000_000..10_000_000_000).contains(&hz), "{hz}");
        }
    }

    #[test]
    fn only_a_guest_has_a_monitor() {
        let guest = cpu().is_some_and(|cpu| cpu.guest);
        assert_eq!(monitor().is_some(), guest);
    }
}
