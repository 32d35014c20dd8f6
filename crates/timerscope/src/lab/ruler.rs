//! The ruler: what measuring itself costs, measured first and never
//! subtracted.

use serde::Serialize;

use crate::machine::{
    Action, ClockKind, Facts, Keep, Known, Missing, Sample, Saved, Span,
};

/// What the clock that all samples are stamped with can show, and what one
/// stamped action costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ruler {
    /// The clock.
    pub clock: String,
    /// The smallest change it showed.
    pub step_ns: Known<i64>,
    /// What one reading costs, median.
    pub cost_ns: Known<f64>,
    /// What one recorded action costs that does nothing, median: two readings
    /// and the keeping.
    pub action_ns: Known<f64>,
}

/// Readings timed together, and how often.
const READINGS: u64 = 1_000;
const TIMES: u64 = 20;
/// Empty actions.
const EMPTY: u64 = 2_000;
/// How long watching the clock change may take.
const WATCH: Span = Span::from_ms(10);

/// What a measured task does first, so that its figures carry a ruler.
#[must_use]
pub fn prefix(facts: &Facts) -> Vec<Action> {
    let clock = steady_clock(facts);
    let keep = Keep::Everything;
    let nominal = nominal_step(facts, clock);
    vec![
        Action::repeat(
            TIMES,
            vec![Action::Read { clock, times: READINGS, keep }],
        ),
        Action::Steps { clock, changes: changes(nominal, WATCH), keep },
        Action::repeat(EMPTY, vec![Action::Work { iterations: 0, keep }]),
    ]
}

/// What the ruler of a run measured; `None` if it had none.
#[must_use]
pub fn figures(saved: &Saved) -> Option<Ruler> {
    let cast = saved.workload.cast();
    let steps = cast.first()?.task.steps();
    let place = |is: fn(&Action) -> bool| {
        let place = steps.iter().position(|step| is(step.action))?;
        Some((place as u16, steps[place].action))
    };
    let (read, action) = place(|action| matches!(action, Action::Read { .. }))?;
    let (step, _) = place(|action| matches!(action, Action::Steps { .. }))?;
    let (empty, _) =
        place(|action| matches!(action, Action::Work { iterations: 0, .. }))?;
    let Action::Read { clock, times, .. } = action else { return None };
    let samples = |step| counted(saved, 0, step);
    let began = samples(empty);
    let gaps = began.windows(2).map(|two| two[1].began - two[0].began);
    Some(Ruler {
        clock: clock.system_name().to_owned(),
        step_ns: known(samples(step).first().map(|sample| sample.value)),
        cost_ns: known(cost_ns(&samples(read), *times)),
        action_ns: known(median(gaps.map(|gap| gap as f64).collect())),
    })
}

/// The clock that this machine stamps samples with.
#[must_use]
pub fn steady_clock(facts: &Facts) -> ClockKind {
    let has = |clock: &ClockKind| {
        facts.clocks.iter().any(|fact| fact.name == clock.name())
    };
    [ClockKind::Monotonic, ClockKind::QueryPerformanceCounter]
        .into_iter()
        .find(has)
        .unwrap_or(ClockKind::Monotonic)
}

/// The step the system claims for `clock`.
pub(super) fn nominal_step(facts: &Facts, clock: ClockKind) -> Option<u64> {
    let fact = facts.clocks.iter().find(|fact| fact.name == clock.name())?;
    fact.nominal_step_ns.value().copied()
}

/// How many changes of a clock of this step can be watched in `time`.
pub(super) fn changes(step_ns: Option<u64>, time: Span) -> u64 {
    (time.ns() / step_ns.unwrap_or(1_000_000).max(1)).clamp(1, 1_000)
}

/// The samples of one step whose times count.
pub(super) fn counted(saved: &Saved, role: u32, step: u16) -> Vec<Sample> {
    let track = saved.recording.track(role, step);
    let samples = track.map_or(&[][..], |track| &track.samples);
    samples.iter().filter(|sample| sample.counts()).copied().collect()
}

/// What one of `times` readings cost, median over the samples.
pub(super) fn cost_ns(samples: &[Sample], times: u64) -> Option<f64> {
    let each = |sample: &Sample| sample.took_ns() as f64 / times.max(1) as f64;
    median(samples.iter().map(each).collect())
}

/// The middle value, or the mean of the two middle ones.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

pub(super) fn known<T>(value: Option<T>) -> Known<T> {
    let missing = || Missing::unknown("the run ended before it was measured");
    value.map_or_else(|| missing().into(), Known::Value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::Scripted;
    use crate::machine::{Process, Task, Workload};

    #[test]
    fn the_ruler_finds_what_a_machine_charges() {
        let mut machine = Scripted::default();
        let facts = crate::lab::scripted::facts();
        let task = Task::new("sleeper", prefix(&facts));
        let workload = Workload::new(vec![Process::new("sleep", vec![task])]);
        let saved = play(&mut machine, &facts, workload, &mut Silent).unwrap();
        let ruler = figures(&saved).unwrap();
        assert_eq!(ruler.clock, "CLOCK_MONOTONIC");
        assert_eq!(ruler.step_ns, Known::Value(20));
        assert_eq!(ruler.cost_ns, Known::Value(30.0));
        assert_eq!(ruler.action_ns, Known::Value(60.0));
    }

    #[test]
    fn a_coarse_clock_is_watched_for_few_changes() {
        assert_eq!(changes(Some(1), WATCH), 1_000);
        assert_eq!(changes(Some(4_000_000), WATCH), 2);
        assert_eq!(changes(Some(1_000_000_000), WATCH), 1);
    }
}
