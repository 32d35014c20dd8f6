//! The regular tick: how often, whether waits are bound to it, and when a
//! CPU may do without.

use timerscope::machine::{Interval, Known, Missing, NoHz};

use super::clocks::resolution_ns;
use super::config::Config;
use super::release::Release;
use super::root::{Root, or_absent};
use super::timer_list::{TimerList, per_second};

/// What can tell of the tick.
pub(super) struct Evidence<'a> {
    pub(super) root: &'a Root,
    pub(super) release: &'a Release,
    pub(super) timers: &'a Result<TimerList, Missing>,
    pub(super) config: &'a Result<Config, Missing>,
}

/// Ticks per second on a busy CPU.
///
/// The coarse clock steps with the tick, so that its step is the tick's
/// period. sysconf(_SC_CLK_TCK) is not asked: it is the unit in which /proc
/// counts time, 100 whatever the kernel's tick is.
pub(super) fn tick_hz(from: &Evidence<'_>) -> Known<u64> {
    let live = from
        .root
        .is_real()
        .then(|| resolution_ns(libc::CLOCK_MONOTONIC_COARSE).ok());
    live.flatten()
        .and_then(per_second)
        .or_else(|| from.config.as_ref().ok()?.tick_hz())
        .or_else(|| from.timers.as_ref().ok()?.tick_hz())
        .ok_or_else(|| {
            Missing::unknown("neither configuration nor timer list tells it")
        })
        .into()
}

/// Whether waits can end between two ticks.
pub(super) fn high_resolution(from: &Evidence<'_>) -> Known<bool> {
    let live =
        from.root.is_real().then(|| resolution_ns(libc::CLOCK_MONOTONIC).ok());
    let told = live.flatten().map(|step| step == 1);
    match (told, from.timers) {
        (Some(fine), _) => Known::Value(fine),
        (None, Ok(timers)) => timers
            .high_resolution
            .or_else(|| timers.resolution_ns.map(|step| step == 1))
            .ok_or_else(|| Missing::unknown("the timer list does not say it"))
            .into(),
        (None, Err(_)) => from.without_timer_list(),
    }
}

impl Evidence<'_> {
    /// Whether every wait ends on a tick, and every tick comes.
    pub(super) fn only_ticks(&self) -> bool {
        high_resolution(self) == Known::Value(false)
            && stops_tick(self) == Ok(false)
    }

    fn without_timer_list(&self) -> Known<bool> {
        let off = self.release.switched_off("highres");
        let built = self
            .config
            .as_ref()
            .ok()
            .map(|config| config.has("HIGH_RES_TIMERS"));
        match built {
            _ if off => Known::Value(false),
            Some(false) => Known::Value(false),
            // Built in is not in force: it also needs the hardware.
            _ => Missing::unknown("only a timer list would tell it").into(),
        }
    }
}

/// The interval that everybody shares, where waits are bound to the tick.
pub(super) fn interval(
    high_resolution: &Known<bool>,
    hz: &Known<u64>,
) -> Interval {
    let period = high_resolution.as_ref().and_then(|fine| {
        if *fine {
            return Missing::absent(
                "with high-resolution timers each wait has its own interrupt",
            )
            .into();
        }
        hz.as_ref().map(|hz| (1_000_000_000 + hz / 2) / (*hz).max(1))
    });
    Interval {
        coarsest_ns: period.clone(),
        finest_ns: period.clone(),
        current_ns: period,
    }
}

/// When a CPU may do without its tick.
pub(super) fn nohz(from: &Evidence<'_>) -> NoHz {
    let full_cpus = full_cpus(from.root);
    let counted = |pick: fn(&TimerList) -> Option<u64>| {
        let timers = from.timers.as_ref().map_err(Missing::clone);
        let none = || Missing::absent("this kernel does not count it");
        let counts = timers.and_then(|list| pick(list).ok_or_else(none));
        match (counts, stops_tick(from)) {
            // It counts on its way to stopping the tick.
            (Ok(0), Ok(false)) => none().into(),
            (counts, _) => counts.into(),
        }
    };
    NoHz {
        mode: mode(from, &full_cpus),
        full_cpus,
        idle_calls: counted(|timers| timers.idle_calls),
        idle_sleeps: counted(|timers| timers.idle_sleeps),
    }
}

fn full_cpus(root: &Root) -> Known<String> {
    let none = || Missing::absent("no CPU may stop its tick while busy");
    match root.line("/sys/devices/system/cpu/nohz_full") {
        // What older kernels print for an empty list.
        Ok(list) if list == "(null)" => none().into(),
        Ok(list) => Known::Value(list),
        // An empty line is an empty list.
        Err(why) if why.kind == timerscope::machine::MissingKind::Unknown => {
            none().into()
        }
        Err(why) => or_absent(Err(why), &none().why).into(),
    }
}

fn mode(from: &Evidence<'_>, full: &Known<String>) -> Known<String> {
    if let Known::Value(cpus) = full {
        return Known::Value(format!(
            "an idle CPU stops its tick, and CPUs {cpus} also while busy"
        ));
    }
    let words = |stops| {
        if stops {
            "an idle CPU stops its tick, a busy one never"
        } else {
            "every CPU ticks always, idle or not"
        }
    };
    stops_tick(from).map(|stops| words(stops).to_owned()).into()
}

/// Whether idle CPUs stop their tick: as it is, or else as it was built and
/// booted.
fn stops_tick(from: &Evidence<'_>) -> Result<bool, Missing> {
    let told = from.timers.as_ref().ok().and_then(|list| list.stops_tick);
    if let Some(told) = told {
        return Ok(told);
    }
    if from.release.switched_off("nohz") {
        return Ok(false);
    }
    match (from.config, from.timers) {
        (Ok(config), _) => {
            Ok(["NO_HZ_COMMON", "NO_HZ_IDLE", "NO_HZ_FULL", "NO_HZ"]
                .iter()
                .any(|option| config.has(option)))
        }
        (_, Err(why)) | (Err(why), _) => Err(why.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_bound_to_the_tick_share_its_interval() {
        let shared = interval(&Known::Value(false), &Known::Value(100));
        assert_eq!(shared.finest_ns, Known::Value(10_000_000));
        assert_eq!(shared.finest_ns, shared.coarsest_ns);
        assert_eq!(shared.finest_ns, shared.current_ns);
        let odd = interval(&Known::Value(false), &Known::Value(300));
        assert_eq!(odd.current_ns, Known::Value(3_333_333));
    }

    #[test]
    fn waits_with_interrupts_of_their_own_share_none() {
        let none = interval(&Known::Value(true), &Known::Value(250));
        let kind = none.current_ns.missing().map(|missing| missing.kind);
        assert_eq!(kind, Some(timerscope::machine::MissingKind::Absent));
    }

    #[test]
    fn a_missing_tick_is_not_an_interval() {
        let hz = Known::Missing(Missing::unknown("no"));
        let none = interval(&Known::Value(false), &hz);
        assert_eq!(none.current_ns, hz);
    }
}
