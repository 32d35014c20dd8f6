//! /proc/timer_list: the kernel's own account of its timers (root only).
//!
//! Lines come and go between versions (`.nohz_mode` became `.nohz`,
//! `.get_time` went away), so every key is optional and none is required.

use std::ops::ControlFlow;

use timerscope::machine::Missing;

use super::root::{Root, shown};

/// The ticks that kernel/Kconfig.hz and the architectures offer.
const USUAL_HZ: [i128; 11] =
    [24, 48, 64, 100, 128, 200, 250, 256, 300, 1000, 1024];

/// What we take from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TimerList {
    /// Whether every CPU's timers can expire between two ticks.
    pub(super) high_resolution: Option<bool>,
    /// Whether idle CPUs may stop their tick.
    pub(super) stops_tick: Option<bool>,
    /// The step to which timers are rounded.
    pub(super) resolution_ns: Option<u64>,
    /// Idle entries, over all CPUs.
    pub(super) idle_calls: Option<u64>,
    /// Idle entries with the tick stopped, over all CPUs.
    pub(super) idle_sleeps: Option<u64>,
    /// What raises the timer interrupts of the first CPU that has a device.
    pub(super) device: Option<String>,
    /// Every device that can, and how often it counts.
    counting: Vec<(String, u64)>,
    /// The device whose lines are being read, and the factor by which
    /// nanoseconds become its counts.
    at: Option<(String, Option<u64>)>,
    /// Whether that device wakes CPUs whose own one sleeps, and is no CPU's.
    broadcast: bool,
    now_ns: Option<u64>,
    jiffies: Option<u64>,
}

impl TimerList {
    /// Reads it.
    pub(super) fn read(root: &Root) -> Result<Self, Missing> {
        let mut list = Self::default();
        root.lines("/proc/timer_list", |line| {
            list.take(line.trim());
            ControlFlow::Continue(())
        })?;
        Ok(list)
    }

    fn take(&mut self, line: &str) {
        if line == "Broadcast device" {
            self.broadcast = true;
        }
        if let Some(rest) = line.strip_prefix("now at ") {
            self.now_ns = first_number(rest);
            return;
        }
        let Some((key, value)) = line.split_once(':') else { return };
        let number = first_number(value);
        match key.trim() {
            "jiffies" => self.jiffies = self.jiffies.or(number),
            ".resolution" => self.resolution_ns = self.resolution_ns.or(number),
            ".hres_active" => all(&mut self.high_resolution, number),
            ".nohz" | ".nohz_mode" => all(&mut self.stops_tick, number),
            ".idle_calls" => sum(&mut self.idle_calls, number),
            ".idle_sleeps" => sum(&mut self.idle_sleeps, number),
            "Per CPU device" => self.broadcast = false,
            "Clock Event Device" => self.take_device(value),
            "mult" => self.take_factor(number),
            "shift" => self.take_shift(number),
            "event_handler" => self.take_handler(value.trim()),
            _ => (),
        }
    }

    fn take_device(&mut self, name: &str) {
        let name = shown(name);
        self.at = None;
        if name == "<NULL>" || name.is_empty() {
            return;
        }
        if self.device.is_none() && !self.broadcast {
            self.device = Some(name.clone());
        }
        self.at = Some((name, None));
    }

    fn take_factor(&mut self, number: Option<u64>) {
        if let Some((_, factor)) = &mut self.at {
            *factor = number;
        }
    }

    /// A device is set to `ns * mult >> shift` counts
    /// (clockevents_program_event, kernel/time/clockevents.c).
    fn take_shift(&mut self, shift: Option<u64>) {
        let Some((name, Some(factor))) = self.at.take() else { return };
        let counts = u128::from(factor) * 1_000_000_000;
        let hz = shift.and_then(|shift| {
            let unit = 1_u128.checked_shl(u32::try_from(shift).ok()?)?;
            u64::try_from((counts + unit / 2) / unit).ok()
        });
        if let Some(hz) = hz.filter(|hz| *hz > 0) {
            self.counting.push((name, hz));
        }
    }

    /// How often a second the device `name` counts.
    pub(super) fn counts_hz(&self, name: &str) -> Option<u64> {
        let mut all = self.counting.iter();
        all.find(|(own, _)| own == name).map(|(_, hz)| *hz)
    }

    /// A kernel built without high-resolution timers or without tickless
    /// idle has no line saying so; what its devices call does.
    fn take_handler(&mut self, name: &str) {
        if name == "tick_handle_periodic" {
            self.high_resolution.get_or_insert(false);
            self.stops_tick.get_or_insert(false);
        }
    }

    /// Ticks per second.
    ///
    /// A kernel without high-resolution timers rounds them to its tick.
    /// Otherwise the count of ticks is used, which starts 300 s before its
    /// 32-bit wrap ([`INITIAL_JIFFIES`, include/linux/jiffies.h]).
    pub(super) fn tick_hz(&self) -> Option<u64> {
        match (self.high_resolution, self.resolution_ns) {
            (Some(false), Some(step)) if step > 1 => per_second(step),
            _ => self.jiffies_hz(),
        }
    }

    fn jiffies_hz(&self) -> Option<u64> {
        const S: i128 = 1_000_000_000;
        let since_wrap_ns = i128::from(self.now_ns?) - 300 * S;
        let count = self.jiffies?;
        // A 64-bit kernel counts on behind the wrap, a 32-bit one from zero.
        let ticks = [
            i128::from(count) - (1 << 32),
            i128::from(count.cast_signed() as i32),
        ];
        // Near the wrap both are small, and their ratio says nothing.
        if since_wrap_ns.abs() < 10 * S {
            return None;
        }
        let fits = |hz: i128| {
            let expected = since_wrap_ns * hz / S;
            let allowed = expected.abs() / 200 + 2;
            ticks.iter().any(|ticks| (ticks - expected).abs() <= allowed)
        };
        let hz = USUAL_HZ.into_iter().find(|hz| fits(*hz))?;
        u64::try_from(hz).ok()
    }
}

/// How often a period fits a second, rounded.
pub(super) fn per_second(period_ns: u64) -> Option<u64> {
    let rounded = 1_000_000_000_u64.checked_add(period_ns / 2)?;
    rounded.checked_div(period_ns).filter(|hz| *hz > 0)
}

fn first_number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

fn all(so_far: &mut Option<bool>, number: Option<u64>) {
    if let Some(number) = number {
        *so_far = Some(so_far.unwrap_or(true) && number != 0);
    }
}

fn sum(so_far: &mut Option<u64>, number: Option<u64>) {
    if let Some(number) = number {
        *so_far = Some(so_far.unwrap_or(0).saturating_add(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimerList {
        let mut list = TimerList::default();
        text.lines().for_each(|line| list.take(line.trim()));
        list
    }

    /// What a kernel that counts `hz` prints at `now_s`.
    fn ticking(hz: u64, now_s: u64, bits: u32) -> TimerList {
        let count = (1_u64 << 32) + now_s * hz - 300 * hz;
        let count = if bits == 32 { count & 0xffff_ffff } else { count };
        read(&format!("now at {now_s}000000000 nsecs\njiffies: {count}"))
    }

    #[test]
    fn the_count_of_ticks_gives_the_tick() {
        for hz in [100, 250, 300, 1000, 1024] {
            for now_s in [20, 280, 320, 5000, 1_000_000] {
                for bits in [32, 64] {
                    let list = ticking(hz, now_s, bits);
                    assert_eq!(list.tick_hz(), Some(hz), "{now_s} {bits}");
                }
            }
        }
    }

    #[test]
    fn around_the_wrap_nothing_is_claimed() {
        assert_eq!(ticking(250, 300, 64).tick_hz(), None);
    }

    #[test]
    fn a_kernel_that_rounds_to_its_tick_says_it() {
        let list = read(
            "  .resolution: 10000000 nsecs\n\
             Clock Event Device: <NULL>\n\
             Clock Event Device: some_timer\n\
             event_handler:  tick_handle_periodic",
        );
        assert_eq!(list.tick_hz(), Some(100));
        assert_eq!(list.high_resolution, Some(false));
        assert_eq!(list.stops_tick, Some(false));
        assert_eq!(list.device.as_deref(), Some("some_timer"));
    }

    // What an emulated PC prints: the HPET stands ready for CPUs whose own
    // timer sleeps, and comes first.
    #[test]
    fn a_device_for_sleeping_cpus_is_no_cpus_and_tells_its_frequency() {
        let list = read(
            "Tick Device: mode:     1\n\
             Broadcast device\n\
             Clock Event Device: hpet\n\
             mult:           429496730\n\
             shift:          32\n\
             Tick Device: mode:     1\n\
             Per CPU device: 0\n\
             Clock Event Device: lapic\n\
             mult:           268454783\n\
             shift:          32",
        );
        assert_eq!(list.device.as_deref(), Some("lapic"));
        assert_eq!(list.counts_hz("hpet"), Some(100_000_000));
        assert_eq!(list.counts_hz("lapic"), Some(62_504_500));
        assert_eq!(list.counts_hz("pit"), None);
    }

    #[test]
    fn a_frequency_is_made_of_no_half_device() {
        for lines in [
            "mult: 5\nshift: 1",
            "Clock Event Device: x\nshift: 1",
            "Clock Event Device: x\nmult: 5\nshift: 128",
            "Clock Event Device: x\nmult: 0\nshift: 1",
            "Clock Event Device: x\nmult: 18446744073709551615\nshift: 0",
            "Clock Event Device: x\nmult: 5\nClock Event Device: <NULL>\n\
             shift: 1",
        ] {
            assert_eq!(read(lines).counts_hz("x"), None, "{lines}");
        }
    }

    #[test]
    fn one_cpu_without_is_a_machine_without() {
        let list = read(".hres_active : 1\n.hres_active : 0\n.nohz : 1");
        assert_eq!(list.high_resolution, Some(false));
        assert_eq!(list.stops_tick, Some(true));
    }

    #[test]
    fn idle_entries_are_summed_over_cpus_and_cannot_overflow() {
        let list = read(".idle_calls : 7\n.idle_calls : 5\n.idle_sleeps : x");
        assert_eq!(list.idle_calls, Some(12));
        assert_eq!(list.idle_sleeps, None);
        let huge = format!(".idle_calls: {0}\n.idle_calls: {0}", u64::MAX);
        assert_eq!(read(&huge).idle_calls, Some(u64::MAX));
    }

    #[test]
    fn a_tick_of_no_length_is_no_tick() {
        assert_eq!(per_second(0), None);
        assert_eq!(per_second(u64::MAX), None);
        assert_eq!(per_second(3_333_333), Some(300));
        assert_eq!(per_second(976_563), Some(1024));
    }
}
