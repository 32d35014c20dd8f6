//! Counters and interrupt generators, each with its two roles.

use timerscope::machine::{ClockSource, HardwareTimer, Known, Missing};

use super::cpu::Cpu;
use super::interrupts::Interrupts;
use super::reason::recorded;
use super::root::Root;
use super::signature;
use super::timer_list::TimerList;

/// What speaks for and against a timer.
pub(super) struct Evidence<'a> {
    pub(super) root: &'a Root,
    pub(super) cpu: &'a Result<Cpu, Missing>,
    pub(super) source: &'a ClockSource,
    pub(super) device: &'a Known<String>,
    pub(super) interrupts: &'a Result<Interrupts, Missing>,
    pub(super) timers: &'a Result<TimerList, Missing>,
}

/// The timers of a PC, and those of a board that its kernel names.
pub(super) fn hardware_timers(from: &Evidence<'_>) -> Vec<HardwareTimer> {
    let mut timers = vec![
        tsc(from),
        hpet(from),
        acpi_pm(from),
        i8254(from),
        rtc(from),
        lapic(from),
    ];
    timers.extend(arch_sys_counter(from));
    timers
}

impl Evidence<'_> {
    /// Whether the kernel offers `name` to compute clocks from.
    fn listed(&self, name: &str) -> bool {
        let list = self.source.available.value();
        list.is_some_and(|list| list.iter().any(|entry| entry == name))
    }

    fn seen(&self, shows: impl Fn(&Interrupts) -> bool) -> bool {
        self.interrupts.as_ref().is_ok_and(shows)
    }

    /// How often a second the kernel has a device count; `silent` is said if
    /// it has no such device.
    fn counts_hz(
        &self,
        name: &str,
        silent: impl Fn() -> Missing,
    ) -> Result<u64, Missing> {
        let timers = self.timers.as_ref().map_err(Missing::clone)?;
        timers.counts_hz(name).ok_or_else(silent)
    }

    /// What the CPU says; a CPU that is not known says nothing.
    fn cpu(&self, shows: impl Fn(&Cpu) -> bool) -> Known<bool> {
        self.cpu.as_ref().map(shows).map_err(Missing::clone).into()
    }

    /// There, or, where the kernel lists what it found, not there.
    fn there_or_listed(&self, there: bool) -> Known<bool> {
        match &self.source.available {
            _ if there => Known::Value(true),
            Known::Value(_) => Known::Value(false),
            Known::Missing(missing) => missing.clone().into(),
        }
    }

    fn has_hpet(&self) -> bool {
        self.listed("hpet")
            || self.root.has("/dev/hpet")
            || self.root.has("/sys/firmware/acpi/tables/HPET")
            || self.seen(|interrupts| interrupts.hpet)
    }

    /// Whether one of the two roles is filled by what starts with `name`.
    fn in_use(&self, name: &str) -> Known<bool> {
        let roles = [&self.source.current, self.device];
        let mut missing = None;
        for role in roles {
            match role {
                Known::Value(user) if user.starts_with(name) => {
                    return Known::Value(true);
                }
                Known::Value(_) => (),
                Known::Missing(why) => missing = Some(why.clone()),
            }
        }
        missing.map_or(Known::Value(false), Known::Missing)
    }
}

fn tsc(from: &Evidence<'_>) -> HardwareTimer {
    let in_use = match from.device.value().map(String::as_str) {
        // This device is the APIC comparing with the counter.
        Some("lapic-deadline") => Known::Value(true),
        _ => from.in_use("tsc"),
    };
    let present = match from.cpu(|cpu| cpu.tsc) {
        Known::Missing(_) => from.there_or_listed(from.listed("tsc")),
        known @ Known::Value(_) => known,
    };
    let frequency_hz = tsc_frequency(from);
    HardwareTimer {
        in_use,
        counts: true,
        ..timer("tsc", present, frequency_hz, Known::Value(64))
    }
}

fn tsc_frequency(from: &Evidence<'_>) -> Known<u64> {
    if from.cpu(|cpu| cpu.steady_tsc) == Known::Value(false) {
        let why = "the CPU does not promise that it is steady";
        return measurable(from, Missing::unknown(why)).into();
    }
    let stated = from.root.is_real().then(signature::tsc_hz).flatten();
    // A CPU's timer that compares with the counter is set in eighths of it
    // (TSC_DIVISOR, arch/x86/kernel/apic/apic.c).
    let eighth = || from.counts_hz("lapic-deadline", unstated).ok();
    let known = stated.or_else(|| eighth()?.checked_mul(8));
    let silent = || not_stated(from, "the counter's frequency");
    known.ok_or_else(|| measurable(from, silent())).into()
}

/// Whatever the machine says of its counter, one that runs us can be timed.
fn measurable(from: &Evidence<'_>, missing: Missing) -> Missing {
    if from.root.is_real() {
        missing.or_try("`timerscope clocks --json`, which measures `tsc_hz`")
    } else {
        missing
    }
}

fn not_stated(from: &Evidence<'_>, what: &str) -> Missing {
    if from.root.is_real() { unstated() } else { recorded(what) }
}

fn unstated() -> Missing {
    Missing::unknown("neither the CPU nor a monitor states it")
}

/// Its period stands in a register, and machines differ (14.318180, 19.2, 24,
/// 25, 100 MHz), so that no constant would be true; the kernel tells it if it
/// has the HPET raise interrupts. Linux reads 32 bits of it
/// (arch/x86/kernel/hpet.c, HPET_MASK).
fn hpet(from: &Evidence<'_>) -> HardwareTimer {
    let hidden = || Missing::unknown("no file shows its period register");
    let frequency_hz = if from.has_hpet() {
        from.counts_hz("hpet", hidden)
    } else {
        Err(hidden())
    };
    HardwareTimer {
        in_use: from.in_use("hpet"),
        counts: true,
        interrupts: true,
        ..timer(
            "hpet",
            from.there_or_listed(from.has_hpet()),
            frequency_hz.into(),
            Known::Value(32),
        )
    }
}

/// ACPI 6.5, 4.8.3.3: 3.579545 MHz; Linux reads 24 bits of it
/// (drivers/clocksource/acpi_pm.c).
fn acpi_pm(from: &Evidence<'_>) -> HardwareTimer {
    HardwareTimer {
        in_use: from.in_use("acpi_pm"),
        counts: true,
        ..timer(
            "acpi_pm",
            from.there_or_listed(from.listed("acpi_pm")),
            Known::Value(3_579_545),
            Known::Value(24),
        )
    }
}

/// 1.193182 MHz (include/linux/timex.h, PIT_TICK_RATE). Linux calls it `pit`.
fn i8254(from: &Evidence<'_>) -> HardwareTimer {
    const SLEEPERS: &str =
        "/sys/devices/system/clockevents/broadcast/current_device";
    const FIRMWARE: &str = "/sys/bus/acpi/devices";
    let is_pit = |device: &String| device == "pit";
    let named = |names: Vec<String>| {
        // The AT's system timer, as firmware calls it.
        names.iter().any(|name| name.starts_with("PNP0100"))
    };
    let there = from.listed("pit")
        || from.device.value().is_some_and(is_pit)
        || from.root.line(SLEEPERS).as_ref().is_ok_and(is_pit)
        || from.root.names(FIRMWARE).is_ok_and(named);
    let line_zero = from.seen(|interrupts| interrupts.line_zero);
    let present = match from.cpu(|cpu| cpu.pc) {
        _ if there => Known::Value(true),
        // An HPET can take its interrupt, under the same name.
        Known::Value(true) if line_zero && from.has_hpet() => {
            Missing::unknown("its interrupt may be the HPET's").into()
        }
        _ if line_zero => Known::Value(true),
        // A PC has one, mostly, and a kernel that does not need it leaves
        // it alone.
        Known::Value(true) => {
            Missing::unknown("the kernel does not use one").into()
        }
        other => other,
    };
    HardwareTimer {
        in_use: from.in_use("pit"),
        counts: true,
        interrupts: true,
        ..timer("i8254", present, Known::Value(1_193_182), Known::Value(16))
    }
}

/// A calendar with an alarm: Linux neither counts with it nor ticks by it.
fn rtc(from: &Evidence<'_>) -> HardwareTimer {
    const FOLDER: &str = "/sys/class/rtc";
    let present = from
        .root
        .names(FOLDER)
        .map(|names| !names.is_empty())
        .map_err(|_| Missing::unknown("this kernel keeps no list of them"));
    let driver = from.root.line(&format!("{FOLDER}/rtc0/name"));
    let frequency_hz = match driver {
        // The PC's own, driven by a watch crystal.
        Ok(name) if name.starts_with("rtc_cmos") => Known::Value(32_768),
        _ => Missing::unknown("only the PC's own has a known one").into(),
    };
    let no_counter = Missing::absent("it counts seconds in a calendar");
    HardwareTimer {
        in_use: Known::Value(false),
        interrupts: true,
        wraps_after_ns: no_counter.clone().into(),
        ..timer("rtc", present.into(), frequency_hz, no_counter.into())
    }
}

fn lapic(from: &Evidence<'_>) -> HardwareTimer {
    let there = from.seen(|interrupts| interrupts.local_apic);
    let present = match from.cpu(|cpu| cpu.apic) {
        _ if there => Known::Value(true),
        other => other,
    };
    let stated = from.root.is_real().then(signature::crystal_hz).flatten();
    // Linux has it count every 16th beat (APIC_DIVISOR,
    // arch/x86/kernel/apic/apic.c).
    let sixteenth = || from.counts_hz("lapic", unstated).ok();
    let frequency_hz: Known<u64> = stated
        .or_else(|| sixteenth()?.checked_mul(16))
        .ok_or_else(|| not_stated(from, "its frequency"))
        .into();
    HardwareTimer {
        in_use: from.in_use("lapic"),
        interrupts: true,
        wraps_after_ns: frequency_hz.as_ref().and_then(|hz| wrap(*hz, 32 + 4)),
        ..timer("lapic", present, frequency_hz, Known::Value(32))
    }
}

/// The generic timer of ARM, where there is one.
fn arch_sys_counter(from: &Evidence<'_>) -> Option<HardwareTimer> {
    const NAME: &str = "arch_sys_counter";
    let unknown = || Missing::unknown("only a register says it");
    from.listed(NAME).then(|| HardwareTimer {
        in_use: from.in_use("arch_sys"),
        counts: true,
        interrupts: true,
        ..timer(NAME, Known::Value(true), unknown().into(), unknown().into())
    })
}

/// A timer with no role yet; the wrap follows from width and frequency.
fn timer(
    name: &str,
    present: Known<bool>,
    frequency_hz: Known<u64>,
    width_bits: Known<u32>,
) -> HardwareTimer {
    let wraps_after_ns = frequency_hz
        .as_ref()
        .and_then(|hz| width_bits.as_ref().and_then(|bits| wrap(*hz, *bits)));
    HardwareTimer {
        name: name.to_owned(),
        present,
        frequency_hz,
        counts: false,
        interrupts: false,
        width_bits,
        wraps_after_ns,
        in_use: Known::Value(false),
    }
}

/// How long a counter of `bits` runs at `hz`.
fn wrap(hz: u64, bits: u32) -> Known<u64> {
    1_u128
        .checked_shl(bits)
        .and_then(|states| states.checked_mul(1_000_000_000))
        .and_then(|ns| ns.checked_div(u128::from(hz)))
        .and_then(|ns| u64::try_from(ns).ok())
        .ok_or_else(|| Missing::absent("it does not wrap in 584 years"))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_counters_wrap_when_they_are_known_to() {
        assert_eq!(wrap(3_579_545, 24), Known::Value(4_686_968_874));
        assert_eq!(wrap(1_193_182, 16), Known::Value(54_925_401));
        assert_eq!(wrap(4_294_967_296, 32), Known::Value(1_000_000_000));
    }

    #[test]
    fn a_counter_that_outlives_the_nanosecond_does_not_wrap() {
        assert!(wrap(1_000_000_000, 64).value().is_none());
        assert!(wrap(2_400_000_000, 64).value().is_some());
        assert!(wrap(0, 64).value().is_none());
        assert!(wrap(1, 127).value().is_none());
    }
}
