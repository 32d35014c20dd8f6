//! The good reason for a fine tick: frames in time without burning the CPU.

use serde::{Serialize, Serializer};

use super::cost::precise_wait;
use super::ruler::{counted, known};
use crate::machine::{
    Action, Facts, Keep, Known, Missed, Missing, Point, PointBase, Process,
    Sample, Saved, Span, Task, Until, WaitKind, Workload,
};
use crate::stats::Counted;

/// Loops that draw frames, each way of waiting for the next one in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Frames in a second.
    pub rates: Vec<u64>,
    /// How long all loops may take together.
    pub time: Span,
}

/// A way to wait for the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Reads the clock until it is time.
    BusyWait,
    /// Waits for the rest in whole milliseconds, with the usual slack.
    CoarseSleep,
    /// The same with an interval of 1 ms requested.
    FineSleep,
    /// Waits without slack, or with a request for 1 ms, until 2 ms before,
    /// then reads the clock.
    SleepThenSpin,
    /// Waits for the point in time, with the usual slack.
    Absolute,
    /// Waits for the point in time, without slack.
    AbsoluteNoSlack,
}

/// What each loop came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameFigures {
    /// A row for each rate and way.
    pub rows: Vec<Row>,
    /// For each rate the way that costs least of those in time.
    pub bargains: Vec<Bargain>,
    /// Where the energy comes from: `measured`, or `model` where it is what a
    /// simulated machine's rules say.
    pub energy_source: &'static str,
}

/// The cheapest way that is in time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bargain {
    /// Frames in a second.
    pub rate_hz: u64,
    /// The way.
    pub how: Known<How>,
}

/// One loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Frames in a second that were asked for.
    pub rate_hz: u64,
    /// How it waited for the next.
    pub how: How,
    /// Frames that were drawn.
    pub frames: u64,
    /// Frames that could not be, because the one before took their time.
    pub missed: u64,
    /// From one frame to the next, median.
    pub frame_p50_ns: Known<i64>,
    /// 99 of 100 took no longer.
    pub frame_p99_ns: Known<i64>,
    /// The longest.
    pub frame_max_ns: Known<i64>,
    /// How late a frame was, median.
    pub lateness_p50_ns: Known<i64>,
    /// 99 of 100 were no later.
    pub lateness_p99_ns: Known<i64>,
    /// The share of a CPU's time that the loop used.
    pub cpu_share: Known<f64>,
    /// How often in a second it gave up the CPU and was woken.
    pub wakeups_per_s: Known<f64>,
    /// The energy of all packages, in watts.
    pub energy: Known<f64>,
}

/// How long before the frame spinning begins.
const SPIN: Span = Span::from_ms(2);
/// The interval that is requested.
const FINE: Span = Span::from_ms(1);
/// Rounds of work in each frame: some 100 us.
const WORK: u64 = 1_000;
/// A frame is in time up to this share of its period. Invented.
pub const IN_TIME: f64 = 0.05;

impl How {
    /// Every way there is on the machine of `facts`, the one that burns most
    /// first.
    #[must_use]
    pub fn all(facts: &Facts) -> Vec<Self> {
        let here = |how: &Self| match how {
            Self::BusyWait | Self::CoarseSleep | Self::SleepThenSpin => true,
            Self::FineSleep => facts.interval.can_be_requested(),
            // Elsewhere an absolute wait ends at a tick, as any other does.
            Self::Absolute => waits_between_ticks(facts),
            Self::AbsoluteNoSlack => facts.timer_slack_ns.value().is_some(),
        };
        let all = [
            Self::BusyWait,
            Self::CoarseSleep,
            Self::FineSleep,
            Self::SleepThenSpin,
            Self::Absolute,
            Self::AbsoluteNoSlack,
        ];
        all.into_iter().filter(here).collect()
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::BusyWait => "busy waiting",
            Self::CoarseSleep => "sleep in whole ms",
            Self::FineSleep => "sleep in whole ms, 1 ms requested",
            Self::SleepThenSpin => "sleep, spin the last 2 ms",
            Self::Absolute => "absolute wait",
            Self::AbsoluteNoSlack => "absolute wait, no slack",
        }
    }

    /// Its name for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BusyWait => "busy-wait",
            Self::CoarseSleep => "coarse-sleep",
            Self::FineSleep => "fine-sleep",
            Self::SleepThenSpin => "sleep-then-spin",
            Self::Absolute => "absolute",
            Self::AbsoluteNoSlack => "absolute-no-slack",
        }
    }

    fn slack(self) -> Option<Span> {
        let fine = matches!(self, Self::SleepThenSpin | Self::AbsoluteNoSlack);
        fine.then(|| Span::from_ns(1))
    }

    /// The interval that it requests before all else.
    fn request(self, facts: &Facts) -> Option<Action> {
        let fine = matches!(self, Self::FineSleep | Self::SleepThenSpin);
        let requests = fine && facts.interval.can_be_requested();
        requests.then_some(Action::Request(FINE))
    }

    /// The last of the actions ends when the next frame is due.
    fn rest(self, facts: &Facts) -> Vec<Action> {
        let next = |less| Point { at: PointBase::Next, less };
        let keep = Keep::Everything;
        let spin = Action::Spin { until: Until::Point(next(Span::ZERO)), keep };
        let wait = |how, less, keep| Action::WaitUntil {
            how,
            point: next(less),
            keep,
        };
        let precise = precise_wait(facts);
        match self {
            Self::BusyWait => vec![spin],
            Self::CoarseSleep | Self::FineSleep => {
                vec![wait(coarse(facts), Span::ZERO, keep)]
            }
            Self::SleepThenSpin => {
                vec![wait(precise, SPIN, Keep::Nothing), spin]
            }
            Self::Absolute | Self::AbsoluteNoSlack => {
                vec![wait(precise, Span::ZERO, keep)]
            }
        }
    }
}

impl Serialize for How {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// Whether some wait for a point in time need not end at a tick.
fn waits_between_ticks(facts: &Facts) -> bool {
    facts.high_resolution_timers.value() == Some(&true)
        || precise_wait(facts) == WaitKind::WaitableTimerHighResolution
}

/// A call that takes whole milliseconds.
fn coarse(facts: &Facts) -> WaitKind {
    let has = |wait: &WaitKind| facts.waits.iter().any(|f| f.name == *wait);
    let calls = [WaitKind::Poll, WaitKind::Sleep];
    calls.into_iter().find(has).unwrap_or(WaitKind::ThreadSleep)
}

impl Frames {
    /// Every loop, in the order they are to be played.
    #[must_use]
    pub fn loops(&self, facts: &Facts) -> Vec<(u64, How)> {
        let ways = How::all(facts);
        let of = |rate: &u64| {
            let rate = *rate;
            ways.iter().map(move |how| (rate, *how))
        };
        self.rates.iter().flat_map(of).collect()
    }

    /// What is to be played for one loop on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts, rate: u64, how: How) -> Workload {
        let rate = rate.max(1);
        let loops = (self.loops(facts).len() as u64).max(1);
        let frames = (self.time.ns() / loops * rate / 1_000_000_000).max(2);
        let work = Action::Work { iterations: WORK, keep: Keep::Nothing };
        let body = [work].into_iter().chain(how.rest(facts)).collect();
        let draw = Action::Every {
            period: Span::from_ns(1_000_000_000 / rate),
            missed: Missed::Skip,
            until: Until::Count(frames),
            body,
        };
        let actions = how.request(facts).into_iter().chain([draw]);
        // Slack where there is none to have would be refused.
        let slack =
            how.slack().filter(|_| facts.timer_slack_ns.value().is_some());
        let task = Task { slack, ..Task::new("frames", actions.collect()) };
        Workload {
            title: format!("{rate} frames in a second: {}", how.words()),
            limit: Span::from_ns(self.time.ns().saturating_add(20_000_000_000)),
            ..Workload::new(vec![Process::new("game", vec![task])])
        }
    }
}

/// Turns what was seen of each loop into figures.
#[must_use]
pub fn figures(runs: &[((u64, How), Saved)]) -> FrameFigures {
    let rows: Vec<Row> =
        runs.iter().map(|((rate, how), run)| row(*rate, *how, run)).collect();
    let mut rates: Vec<u64> = rows.iter().map(|row| row.rate_hz).collect();
    rates.dedup();
    let bargain = |rate_hz| Bargain { rate_hz, how: bargain(&rows, rate_hz) };
    let bargains = rates.into_iter().map(bargain).collect();
    let simulated = runs.iter().any(|(_, run)| run.facts.simulated);
    let energy_source = if simulated { "model" } else { "measured" };
    FrameFigures { rows, bargains, energy_source }
}

fn row(rate_hz: u64, how: How, saved: &Saved) -> Row {
    let cast = saved.workload.cast();
    let steps = cast.first().map(|role| role.task.steps()).unwrap_or_default();
    let last = steps.len().saturating_sub(1) as u16;
    let drawn = counted(saved, 0, last);
    let pairs = || drawn.windows(2);
    let frame: Counted =
        pairs().map(|two| two[1].ended - two[0].ended).collect();
    let late: Counted = drawn.iter().map(Sample::lateness_ns).collect();
    let period = 1_000_000_000 / rate_hz.max(1);
    let periods = |ns: i64| (ns as f64 / period as f64).round() as u64;
    let missed = pairs()
        .map(|two| periods(two[1].due - two[0].due).saturating_sub(1))
        .sum();
    let lasted = saved.ending.lasted_ns.max(1) as f64;
    let role = saved.ending.roles.first();
    let ended = |of: fn(&crate::machine::RoleEnding) -> &Known<u64>| {
        let missing = || Missing::unknown("nothing was played").into();
        role.map_or_else(missing, |role| of(role).clone())
    };
    Row {
        rate_hz,
        how,
        frames: drawn.len() as u64,
        missed,
        frame_p50_ns: known(frame.quantile(0.5)),
        frame_p99_ns: known(frame.quantile(0.99)),
        frame_max_ns: known(frame.quantile(1.0)),
        lateness_p50_ns: known(late.quantile(0.5)),
        lateness_p99_ns: known(late.quantile(0.99)),
        cpu_share: ended(|role| &role.cpu_ns).map(|ns| ns as f64 / lasted),
        wakeups_per_s: ended(|role| &role.switches)
            .map(|times| times as f64 * 1e9 / lasted),
        energy: saved
            .ending
            .meters
            .delta(|counters| &counters.energy_uj)
            .map(|uj| uj as f64 * 1e3 / lasted),
    }
}

/// The way that uses least CPU time of those whose frames are in time.
fn bargain(rows: &[Row], rate_hz: u64) -> Known<How> {
    let period = 1e9 / rate_hz.max(1) as f64;
    let in_time = |row: &&Row| {
        let late = row.lateness_p99_ns.value();
        row.missed == 0 && late.is_some_and(|ns| *ns as f64 <= IN_TIME * period)
    };
    let share = |row: &&Row| row.cpu_share.value().copied();
    let ways = rows.iter().filter(|row| row.rate_hz == rate_hz);
    let known = ways.filter(in_time).filter(|row| share(row).is_some());
    let least = known.min_by(|one, other| {
        share(one)
            .partial_cmp(&share(other))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let none = || Missing::unknown("no way was in time").or_try("an idle CPU");
    least.map_or_else(|| none().into(), |row| Known::Value(row.how))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{SLACK, Scripted, WAKE, facts};

    fn played() -> FrameFigures {
        let facts = facts();
        let frames = Frames { rates: vec![60, 144], time: Span::from_s(10) };
        let mut runs = Vec::new();
        for (rate, how) in frames.loops(&facts) {
            let workload = frames.workload(&facts, rate, how);
            assert_eq!(workload.faults(), []);
            let mut machine = Scripted::default();
            let saved = play(&mut machine, &facts, workload, &mut Silent);
            runs.push(((rate, how), saved.unwrap()));
        }
        figures(&runs)
    }

    #[test]
    fn a_frame_is_as_late_as_the_way_of_waiting_for_it() {
        for row in played().rows {
            let period = (1_000_000_000 / row.rate_hz) as i64;
            assert_eq!(row.frames, row.rate_hz, "a second each");
            assert_eq!(row.missed, 0);
            let late = *row.lateness_p50_ns.value().unwrap();
            match row.how {
                How::BusyWait | How::SleepThenSpin => assert_eq!(late, 0),
                How::Absolute => assert_eq!(late, SLACK + WAKE),
                How::AbsoluteNoSlack => assert_eq!(late, 1 + WAKE),
                How::FineSleep => panic!("there are no requests here"),
                How::CoarseSleep => {
                    assert!(
                        (SLACK + WAKE..1_000_000 + SLACK + WAKE)
                            .contains(&late)
                    );
                    continue;
                }
            }
            assert_eq!(row.frame_p50_ns, Known::Value(period));
        }
    }

    fn with_shares(shares: [f64; 5]) -> Vec<Row> {
        let rows = played().rows.into_iter().zip(shares);
        let with = |(row, share)| Row { cpu_share: Known::Value(share), ..row };
        rows.map(with).collect()
    }

    #[test]
    fn the_bargain_is_the_cheapest_way_that_is_in_time() {
        let mut rows = with_shares([1.0, 0.01, 0.2, 0.02, 0.03]);
        // A millisecond late is too late at 60 Hz: 5 % are 0.83 ms.
        rows[1].lateness_p99_ns = Known::Value(1_000_000);
        assert_eq!(bargain(&rows, 60), Known::Value(How::Absolute));
        rows[3].missed = 1;
        assert_eq!(bargain(&rows, 60), Known::Value(How::AbsoluteNoSlack));
        assert!(bargain(&rows, 30).missing().is_some());
    }

    #[test]
    fn points_that_were_passed_over_are_missed_frames() {
        let facts = facts();
        let frames = Frames { rates: vec![60], time: Span::from_s(10) };
        let (rate, how) = (60, How::BusyWait);
        let workload = frames.workload(&facts, rate, how);
        let mut machine = Scripted::default();
        let mut saved =
            play(&mut machine, &facts, workload, &mut Silent).unwrap();
        let whole = row(rate, how, &saved).frames;
        let mut recording = crate::machine::Recording::new(&saved.workload);
        let track = saved.recording.track(0, 2).unwrap();
        let few: Vec<_> = track.samples.iter().step_by(3).copied().collect();
        let batch = crate::machine::Batch { at: 0, samples: &few, notes: &[] };
        crate::machine::Listener::hear(&mut recording, &batch);
        saved.recording = recording;
        let thinned = row(rate, how, &saved);
        assert_eq!(thinned.frames, whole.div_ceil(3));
        assert_eq!(thinned.missed, (thinned.frames - 1) * 2);
    }
}
