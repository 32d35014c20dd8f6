//! Whether clocks run alike, and whether one ever runs backward.

use serde::Serialize;

use super::ruler::{counted, steady_clock};
use crate::machine::{
    Action, ClockKind, Facts, Keep, Known, Missed, Missing, Point, PointBase,
    Process, Sample, Saved, Span, Task, Until, WaitKind, Workload,
};

/// Watches all clocks from all CPUs for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// How long. A clock with a step of 1 ns shows a part in a million within
    /// a second or two; a coarse one needs hours.
    pub time: Span,
}

/// What the clocks did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DriftFigures {
    /// Every pair of clocks once.
    pub drift: Vec<Pair>,
    /// Every clock.
    pub courses: Vec<Course>,
    /// The clock that stamps samples.
    pub steady: String,
    /// CPUs they were read on.
    pub cpus: Vec<u32>,
    /// How long they were watched.
    pub watched_ns: u64,
}

/// One clock against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The clock.
    pub clock: String,
    /// The one it is held against.
    pub against: String,
    /// How much faster it ran, in parts per million.
    pub ppm: Known<f64>,
    /// How often it ran backward, within one CPU or from one to another.
    pub backward_steps: u64,
}

/// What one clock did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// Its name.
    pub name: String,
    /// How many times it was read.
    pub readings: u64,
    /// What it counted in a second of the steady clock: nanoseconds, or
    /// cycles for a counter.
    pub per_s: Known<f64>,
    /// The finest difference of rates that could show, in parts per million.
    pub resolution_ppm: f64,
    /// How often a reading was below the one before it on the same CPU.
    pub backward_within_cpu: u64,
    /// How often a reading was below one that had ended on another CPU before
    /// it began.
    pub backward_across_cpus: u64,
}

/// Between two looks of one CPU.
const PERIOD: Span = Span::from_ms(20);
/// Readings of each clock in one look.
const READINGS: u64 = 5;
/// CPUs that are used at most.
const MOST_CPUS: usize = 16;
/// A rate that can be told no finer than this is not told.
const COARSEST_PPM: f64 = 20.0;

impl Drift {
    /// What is to be played on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts) -> Workload {
        let task = |cpu: &u32| Task {
            cpus: vec![*cpu],
            ..Task::new(format!("cpu{cpu}"), self.actions(facts))
        };
        let tasks = facts.cpus.iter().take(MOST_CPUS).map(task).collect();
        Workload {
            title: "how clocks run against each other".to_owned(),
            limit: Span::from_ns(self.time.ns().saturating_add(10_000_000_000)),
            ..Workload::new(vec![Process::new("drift", tasks)])
        }
    }

    fn actions(self, facts: &Facts) -> Vec<Action> {
        let keep = Keep::Everything;
        let read = |clock| Action::Read { clock, times: 1, keep };
        let reads = kinds(facts).into_iter().map(read).collect();
        let next = Point { at: PointBase::Next, less: Span::ZERO };
        let rest = Action::WaitUntil {
            how: WaitKind::ThreadSleep,
            point: next,
            keep: Keep::Nothing,
        };
        vec![Action::Every {
            period: PERIOD,
            missed: Missed::Skip,
            until: Until::Span(self.time),
            body: vec![Action::repeat(READINGS, reads), rest],
        }]
    }
}

/// The clocks that count real time.
fn kinds(facts: &Facts) -> Vec<ClockKind> {
    let kind = |name: &str| name.parse::<ClockKind>().ok();
    let known = facts.clocks.iter().filter_map(|fact| kind(&fact.name));
    known.filter(|clock| !clock.counts_cpu_time()).collect()
}

/// Turns what was seen into figures.
#[must_use]
pub fn figures(saved: &Saved) -> DriftFigures {
    let kinds = kinds(&saved.facts);
    let courses: Vec<Course> = (0..)
        .zip(&kinds)
        .map(|(place, kind)| course(saved, *kind, place))
        .collect();
    let mut drift = Vec::new();
    for (index, against) in courses.iter().enumerate() {
        for own in &courses[index + 1..] {
            drift.push(pair(own, against));
        }
    }
    let cast = saved.workload.cast();
    DriftFigures {
        drift,
        courses,
        steady: steady_clock(&saved.facts).name().to_owned(),
        cpus: cast.iter().flat_map(|role| role.task.cpus.clone()).collect(),
        watched_ns: saved.ending.lasted_ns,
    }
}

fn pair(clock: &Course, against: &Course) -> Pair {
    let ratio = |per_s: f64| {
        against.per_s.clone().and_then(|other| {
            ratio_ppm(per_s, other, clock.resolution_ppm, against)
        })
    };
    let counts_cycles = [clock, against]
        .iter()
        .any(|course| course.name == ClockKind::Tsc.name());
    let ppm = if counts_cycles {
        let why = "a counter's own rate is known by measuring it only";
        Missing::unknown(why).into()
    } else {
        clock.per_s.clone().and_then(ratio)
    };
    Pair {
        clock: clock.name.clone(),
        against: against.name.clone(),
        ppm,
        backward_steps: clock.backward_within_cpu + clock.backward_across_cpus,
    }
}

fn ratio_ppm(
    per_s: f64,
    other: f64,
    resolution: f64,
    against: &Course,
) -> Known<f64> {
    let resolution = resolution.max(against.resolution_ppm);
    if resolution > COARSEST_PPM {
        let why = format!(
            "a step this coarse shows no less than {resolution:.0} ppm in \
             this time"
        );
        return Missing::unknown(why).or_try("watch for longer").into();
    }
    Known::Value((per_s / other - 1.0) * 1e6)
}

/// What the clock did that is the `place`-th of each look's readings.
fn course(saved: &Saved, kind: ClockKind, place: u16) -> Course {
    // Before the readings stand the `every` and the `repeat`.
    let roles = 0..saved.workload.cast().len() as u32;
    let by_cpu: Vec<Vec<Sample>> =
        roles.map(|role| counted(saved, role, place + 2)).collect();
    let within = by_cpu.iter().map(|own| backward_within(own)).sum();
    let mut all: Vec<Sample> = by_cpu.into_iter().flatten().collect();
    all.sort_by_key(|sample| sample.began);
    let step = super::ruler::nominal_step(&saved.facts, kind).unwrap_or(1);
    let time = all.last().zip(all.first());
    let time = time.map_or(1, |(last, first)| last.began - first.began);
    Course {
        name: kind.name().to_owned(),
        readings: all.len() as u64,
        per_s: rate(&all),
        resolution_ppm: step as f64 * 1e6 / time.max(1) as f64,
        backward_within_cpu: within,
        backward_across_cpus: backward_across(&all),
    }
}

fn backward_within(samples: &[Sample]) -> u64 {
    let back = samples.windows(2).filter(|two| two[1].value < two[0].value);
    back.count() as u64
}

/// Readings below one that had ended elsewhere before they began. `all` are
/// in the order in which they began.
fn backward_across(all: &[Sample]) -> u64 {
    let mut ended: Vec<&Sample> = all.iter().collect();
    ended.sort_by_key(|sample| sample.ended);
    let mut ended = ended.into_iter().peekable();
    // The highest reading of each CPU that had ended so far.
    let mut highest: Vec<(u32, i64)> = Vec::new();
    let mut back = 0;
    for sample in all {
        while let Some(before) =
            ended.next_if(|other| other.ended <= sample.began)
        {
            match highest.iter_mut().find(|(role, _)| *role == before.role) {
                Some((_, value)) => *value = before.value.max(*value),
                None => highest.push((before.role, before.value)),
            }
        }
        let above = |(role, value): &&(u32, i64)| {
            *role != sample.role && *value > sample.value
        };
        back += u64::from(highest.iter().any(|own| above(&own)));
    }
    back
}

/// What was counted in a second: from the middle of the first tenth of the
/// readings to the middle of the last, each a median, so that one reading
/// that was held up does not count.
fn rate(all: &[Sample]) -> Known<f64> {
    let tenth = all.len() / 10;
    if tenth < 5 {
        let why = "too few readings to tell a rate";
        return Missing::unknown(why).or_try("watch for longer").into();
    }
    let (from, to) = (&all[..tenth], &all[all.len() - tenth..]);
    let time = middle(to, mid) - middle(from, mid);
    // How far the clock is from the steady one is a small number; the
    // readings themselves would lose digits.
    let base = all[0];
    let apart = |sample: &Sample| {
        (sample.value - base.value) as f64 - mid(sample) + mid(&base)
    };
    let gained = middle(to, apart) - middle(from, apart);
    Known::Value((1.0 + gained / time) * 1e9)
}

fn mid(sample: &Sample) -> f64 {
    f64::midpoint(sample.began as f64, sample.ended as f64)
}

fn middle(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    super::ruler::median(samples.iter().map(of).collect()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readings every 10 us, on two CPUs by turns, of a clock that runs
    /// `ppm` too fast.
    fn readings(ppm: i64, count: i64) -> Vec<Sample> {
        let reading = |n: i64| Sample {
            role: (n % 2) as u32,
            step: 2,
            outcome: crate::machine::Outcome::Met,
            number: n as u64 / 2,
            began: n * 10_000,
            due: n * 10_000,
            ended: n * 10_000 + 40,
            value: 7_000_000_000_000 + n * 10_000 + n * ppm / 100,
        };
        (0..count).map(reading).collect()
    }

    fn ppm(per_s: &Known<f64>) -> f64 {
        (per_s.value().unwrap() / 1e9 - 1.0) * 1e6
    }

    #[test]
    fn a_rate_is_told_to_the_part_in_a_million() {
        for wrong in [0, 1, 100, -500] {
            let told = ppm(&rate(&readings(wrong, 100_000)));
            assert!((told - wrong as f64).abs() < 0.05, "{told} for {wrong}");
        }
    }

    #[test]
    fn readings_that_were_held_up_do_not_change_the_rate() {
        let mut readings = readings(10, 10_000);
        for held_up in readings.iter_mut().step_by(7) {
            held_up.ended += 3_000_000;
        }
        assert!((ppm(&rate(&readings)) - 10.0).abs() < 0.5);
    }

    #[test]
    fn a_clock_that_runs_backward_is_caught_within_and_across() {
        let mut readings = readings(0, 100);
        assert_eq!(backward_across(&readings), 0);
        readings[51].value -= 15_000;
        let own: Vec<Sample> =
            readings.iter().filter(|own| own.role == 1).copied().collect();
        assert_eq!(backward_within(&own), 0);
        assert_eq!(backward_across(&readings), 1);
        readings[51].value -= 10_000;
        let own: Vec<Sample> =
            readings.iter().filter(|own| own.role == 1).copied().collect();
        assert_eq!(backward_within(&own), 1);
    }

    // Two readings that overlap in time have no order.
    #[test]
    fn readings_at_the_same_time_are_not_held_against_each_other() {
        let mut readings = readings(0, 100);
        for reading in &mut readings {
            reading.ended += 25_000;
        }
        readings[51].value -= 15_000;
        assert_eq!(backward_across(&readings), 0);
    }
}
