//! The one thing to take away from a survey: a finding with an action, or
//! that nothing needs fixing.

use serde::Serialize;

use super::sleep::{Row, SleepFigures};
use super::survey::SurveyFigures;
use crate::machine::{Facts, Known, Missing, WaitKind};

/// One finding with one action, or the news that nothing needs fixing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A word that programs can match; `none` if nothing needs fixing.
    pub code: &'static str,
    /// What was found, in one sentence.
    pub finding: String,
    /// What to do about it, in one sentence.
    pub action: Known<String>,
}

impl Default for Finding {
    fn default() -> Self {
        let nothing = Missing::absent("nothing needs fixing");
        Self {
            code: "none",
            finding: "Nothing needs fixing".to_owned(),
            action: nothing.into(),
        }
    }
}

type Candidate = fn(&Facts, &SurveyFigures) -> Option<Finding>;

/// Most grave first: each makes those after it hard to see.
const CANDIDATES: [Candidate; 9] = [
    held,
    coarse,
    ticks_only,
    low_resolution,
    slow_clock,
    stolen,
    slack,
    unsynchronised,
    late_without_slack,
];

pub(super) fn headline(facts: &Facts, figures: &SurveyFigures) -> Finding {
    let found = CANDIDATES.iter().find_map(|find| find(facts, figures));
    found.unwrap_or_else(|| fine(figures))
}

fn finding(code: &'static str, finding: String, action: &str) -> Finding {
    Finding { code, finding, action: Known::Value(action.to_owned()) }
}

/// An interval that somebody holds finer than the default.
fn held(facts: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let extra = *facts.extra_ticks_per_s.value()?;
    let interval = *facts.interval.current_ns.value()?;
    if extra == 0 || !facts.interval.can_be_requested() {
        return None;
    }
    let late = lateness(figures).filter(|late| *late > interval as i64 * 3);
    let in_vain = late.map_or_else(String::new, |late| {
        format!(
            ", and a wait of 1 ms of a process that did not ask ends {} ms \
             late all the same",
            ms(late)
        )
    });
    let found = format!(
        "Somebody holds the interval at {} ms: the clock interrupts {extra} \
         times a second more than by default{in_vain}",
        ms(interval as i64)
    );
    let action = "Let the program that asked end its request \
                  (timeEndPeriod) when it does not need it; `timerscope cost` \
                  tells what it costs where nobody holds one";
    Some(finding("interval-held", found, action))
}

/// Lateness that is worth a request or another wait. Invented.
const COARSE_NS: i64 = 1_000_000;

/// Waits that end on ticks which can be made finer.
fn coarse(facts: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let interval = *facts.interval.current_ns.value()?;
    let late = lateness(figures).filter(|late| *late >= COARSE_NS)?;
    if !facts.interval.can_be_requested() {
        return None;
    }
    let found = format!(
        "A wait of 1 ms ends {} ms late: it ends on a tick of the clock, and \
         those come every {} ms until somebody requests finer ones",
        ms(late),
        ms(interval as i64)
    );
    let precise = WaitKind::WaitableTimerHighResolution;
    let action = if facts.waits.iter().any(|fact| fact.name == precise) {
        "Where that matters, wait by a waitable timer that was made with \
         CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, which needs no request; \
         elsewhere leave it, it saves power"
    } else {
        "Where that matters, request 1 ms with timeBeginPeriod(1) for as long \
         as it does, and end that with timeEndPeriod(1); elsewhere leave it, \
         it saves power"
    };
    Some(finding("coarse-interval", found, action))
}

/// Waits that end on ticks which nobody can make finer.
fn ticks_only(facts: &Facts, _: &SurveyFigures) -> Option<Finding> {
    let interval = *facts.interval.current_ns.value()?;
    if facts.interval.can_be_requested() || facts.system.starts_with("Linux") {
        return None;
    }
    let found = format!(
        "Every wait ends on a tick of the clock, one comes every {} ms, and no \
         program can change that",
        ms(interval as i64)
    );
    let action = "Ask for whole ticks, less a little, and where the rest \
                  matters read the clock until it is time";
    Some(finding("ticks-only", found, action))
}

/// How late the plainest wait is, by the median.
fn lateness(figures: &SurveyFigures) -> Option<i64> {
    plain(&figures.waits)?.lateness_p50_ns.value().copied()
}

/// In milliseconds, with up to three decimals.
fn ms(ns: i64) -> f64 {
    (ns as f64 / 1e3).round() / 1e3
}

/// Kernels built or booted so that waits end on ticks only.
fn low_resolution(facts: &Facts, _: &SurveyFigures) -> Option<Finding> {
    if *facts.high_resolution_timers.value()? {
        return None;
    }
    if facts.interval.can_be_requested() {
        return None;
    }
    let tick = facts.tick_hz.value().map_or_else(String::new, |hz| {
        format!(" ({} ms)", 1_000.0 / *hz as f64)
    });
    let found = format!(
        "Every wait ends on a tick of the clock{tick}: this kernel runs \
         without high-resolution timers"
    );
    let action = "Boot without `highres=off`, with a kernel built with \
                  CONFIG_HIGH_RES_TIMERS";
    Some(finding("low-resolution", found, action))
}

/// A reading that costs more than this goes by way of the kernel or of a
/// device; a counter read in user space costs tens of nanoseconds.
const SLOW_READING_NS: f64 = 500.0;

fn slow_clock(facts: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let clocks = &figures.clocks.value()?.clocks;
    let monotonic = clocks.iter().find(|clock| clock.name == "monotonic")?;
    let cost = *monotonic.cost_ns.value()?;
    let source = facts.clock_source.current.value()?;
    if cost < SLOW_READING_NS || source == "tsc" {
        return None;
    }
    let found = format!(
        "Reading the clock costs {cost:.0} ns, because it counts by \
         `{source}` instead of the CPU's time stamp counter"
    );
    let available = facts.clock_source.available.value();
    let has_tsc =
        available.is_some_and(|all| all.iter().any(|name| name == "tsc"));
    let action = if has_tsc {
        "Write `tsc` to /sys/devices/system/clocksource/clocksource0/\
         current_clocksource as root"
    } else {
        "Look in the kernel log (dmesg) why the tsc was found unstable"
    };
    Some(finding("slow-clock", found, action))
}

/// The share of one CPU's time that a host may take unnoticed.
const STOLEN_SHARE: f64 = 0.02;

fn stolen(facts: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let sleeps = [&figures.waits, &figures.unslacked, &figures.sweep];
    let (mut stolen, mut lasted) = (0, 0);
    for figures in sleeps.into_iter().filter_map(Known::value) {
        stolen += figures.stolen_ns.value()?;
        lasted += figures.lasted_ns;
    }
    let cpus = facts.cpus.len().max(1) as f64;
    let share = stolen as f64 / (lasted.max(1) as f64 * cpus);
    if share < STOLEN_SHARE {
        return None;
    }
    let found = format!(
        "The host took {:.1} % of this guest's CPU time while it was \
         measured, and no wait can end while its CPU is away",
        share * 100.0
    );
    let action = "Measure again when the host is quiet; nothing inside the \
                  guest gives that time back";
    Some(finding("stolen-time", found, action))
}

/// Timer slack that is at least half of what waits are late.
fn slack(_: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let with = plain(&figures.waits)?;
    let without = plain(&figures.unslacked)?;
    let slack = *with.conditions.slack_ns.value()? as i64;
    let late = *with.lateness_p50_ns.value()?;
    let bare = *without.lateness_p50_ns.value()?;
    // What slack promises must also be seen to go when it goes.
    if slack * 2 < late || (late - bare) * 2 < slack {
        return None;
    }
    let us = |ns: i64| format!("{} us", (ns + 500) / 1_000);
    let found = format!(
        "A wait of 1 ms ends {} late, with the {} of timer slack that every \
         ordinary thread has; without it we measured {}",
        us(late),
        us(slack),
        us(bare),
    );
    let action = "Where that matters, call prctl(PR_SET_TIMERSLACK, 1) in \
                  the thread that waits; elsewhere leave it, it saves power";
    Some(finding("timer-slack", found, action))
}

fn unsynchronised(facts: &Facts, _: &SurveyFigures) -> Option<Finding> {
    if *facts.synchronised.value()? {
        return None;
    }
    let found = "Nothing keeps the wall clock right: it drifts with its \
                 crystal";
    let action = "Start chrony or systemd-timesyncd, unless the host keeps \
                  the clock";
    Some(finding("unsynchronised", found.to_owned(), action))
}

/// Lateness that neither slack nor ticks explain.
const LATE_NS: i64 = 250_000;

fn late_without_slack(_: &Facts, figures: &SurveyFigures) -> Option<Finding> {
    let bare = *plain(&figures.unslacked)?.lateness_p50_ns.value()?;
    if bare < LATE_NS {
        return None;
    }
    let found = format!(
        "A wait of 1 ms ends {} us late even without timer slack: the CPU \
         is busy, or slow to leave its idle state",
        bare / 1_000
    );
    let action = "Run `timerscope sleep --priority fifo:50` as root: what \
                  goes away was other tasks, what stays is the hardware";
    Some(finding("slow-wake-up", found, action))
}

fn fine(figures: &SurveyFigures) -> Finding {
    let late = plain(&figures.waits)
        .and_then(|row| row.lateness_p50_ns.value().copied());
    let seen = late.map_or_else(String::new, |late| {
        format!(": half of the waits of 1 ms end within {} us", late / 1_000)
    });
    let finding = format!("Nothing needs fixing{seen}");
    Finding { finding, ..Finding::default() }
}

/// The row of the plainest wait.
#[must_use]
pub fn plain(figures: &Known<SleepFigures>) -> Option<&Row> {
    let rows = &figures.value()?.rows;
    let plain = [WaitKind::Nanosleep, WaitKind::Sleep, WaitKind::ThreadSleep];
    plain.iter().find_map(|wait| rows.iter().find(|row| row.wait == *wait))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::Silent;
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::survey::{Survey, survey};
    use crate::machine::Span;

    fn told(change: fn(&mut Facts, &mut SurveyFigures)) -> Finding {
        let mut facts = facts();
        let asked = Survey { time: Span::from_s(2) };
        let mut machine = Scripted::default();
        let mut figures =
            survey(&mut machine, &facts, asked, &mut Silent).unwrap();
        change(&mut facts, &mut figures);
        headline(&facts, &figures)
    }

    #[test]
    fn slack_is_named_with_what_remains_without_it() {
        let finding = told(|_, _| ());
        assert_eq!(finding.code, "timer-slack");
        assert!(finding.finding.contains("ends 55 us late"), "{finding:?}");
        // The facts below tell the slack: the headline once told another
        // number, the difference of two medians, as if that were it.
        let said = "with the 50 us of timer slack";
        assert!(finding.finding.contains(said), "{finding:?}");
        let said = "without it we measured 5 us";
        assert!(finding.finding.contains(said), "{finding:?}");
    }

    #[test]
    fn the_gravest_finding_comes_first() {
        let finding = told(|facts, _| {
            facts.high_resolution_timers = Known::Value(false);
        });
        assert_eq!(finding.code, "low-resolution");
        assert!(finding.finding.contains("(4 ms)"), "{finding:?}");
    }

    #[test]
    fn a_slow_clock_source_is_named() {
        let finding = told(|facts, figures| {
            facts.clock_source.current = Known::Value("hpet".to_owned());
            let Known::Value(clocks) = &mut figures.clocks else { panic!() };
            for clock in &mut clocks.clocks {
                clock.cost_ns = Known::Value(1_500.0);
            }
        });
        assert_eq!(finding.code, "slow-clock");
        assert!(finding.finding.contains("1500 ns"), "{finding:?}");
    }

    #[test]
    fn stolen_time_is_a_share_of_all_cpus() {
        let finding = told(|_, figures| {
            let Known::Value(waits) = &mut figures.waits else { panic!() };
            waits.stolen_ns = Known::Value(waits.lasted_ns);
        });
        assert_eq!(finding.code, "stolen-time");
    }

    #[test]
    fn nothing_needs_fixing_on_a_machine_without_slack_in_its_waits() {
        let finding = told(|_, figures| {
            figures.waits = figures.unslacked.clone();
        });
        assert_eq!(finding.code, "none");
        assert!(finding.finding.contains("within 5 us"), "{finding:?}");
        assert!(finding.action.missing().is_some());
    }
}
