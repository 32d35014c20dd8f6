//! What each clock shows and what one reading of it costs.

use serde::Serialize;

use super::ruler::{changes, cost_ns, counted, known, nominal_step};
use super::{Load, Ruler, ruler};
use crate::machine::{
    Action, ClockFact, ClockKind, Facts, Keep, Known, Missing, Outcome,
    Priority, Process, Saved, Span, Task, Workload,
};

/// A clocks experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// Whether a load competes for the same CPU.
    pub load: Load,
    /// How long one clock may be watched for changes; a clock whose single
    /// change takes longer is left unwatched, except that a second is always
    /// waited for when this is at least that.
    pub watch: Span,
}

/// What each clock shows and costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClockFigures {
    /// The clocks, in the order of the facts.
    pub clocks: Vec<ClockFigure>,
    /// What measuring cost.
    pub ruler: Known<Ruler>,
    /// How the load beside them stood to the reading task.
    pub load: Load,
    /// Cycles of the CPU's time stamp counter in a second.
    pub tsc_hz: Known<u64>,
    /// Time the host took from this guest meanwhile, over all CPUs.
    pub stolen_ns: Known<u64>,
}

/// One clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClockFigure {
    /// Its name in our vocabulary.
    pub name: String,
    /// What the system's manual calls it.
    pub system_name: String,
    /// The step the system claims.
    pub nominal_step_ns: Known<u64>,
    /// The smallest change it showed.
    pub observed_step_ns: Known<f64>,
    /// One reading, median.
    pub cost_ns: Known<f64>,
    /// The same in cycles of the time stamp counter.
    pub cost_cycles: Known<f64>,
    /// How a reading gets there: `user-space` or `system-call`.
    pub via: Known<String>,
}

/// Readings timed together, and how often: few enough that a load's turns
/// hit a few of the blocks only, and the median none; enough that two runs can
/// be compared.
const READINGS: u64 = 200;
const BLOCKS: u64 = 61;
/// Between the two readings that calibrate the time stamp counter.
const CALIBRATION: Span = Span::from_ms(20);

impl Clocks {
    /// What is to be played on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts) -> Workload {
        let mut actions = ruler::prefix(facts);
        for (kind, fact) in kinds(facts) {
            actions.extend(self.looks(kind, fact));
        }
        if kinds(facts).any(|(kind, _)| kind == ClockKind::Tsc) {
            actions.extend(calibration());
        }
        let shares = self.load != Load::None;
        let cpu = facts.cpus.first().copied().filter(|_| shares);
        let cpus = cpu.into_iter().collect();
        let task = Task { cpus, ..Task::new("reader", actions) };
        let own = Process::new("clocks", vec![task]);
        let load = self.load.process(Priority::Normal, cpu);
        Workload {
            title: "what clocks show and cost".to_owned(),
            limit: Span::from_s(120),
            ..Workload::new([Some(own), load].into_iter().flatten().collect())
        }
    }

    /// Blocks of readings, and a look at the changes if there is time.
    fn looks(&self, clock: ClockKind, fact: &ClockFact) -> Vec<Action> {
        let keep = Keep::Everything;
        let read = Action::Read { clock, times: READINGS, keep };
        let mut looks = vec![Action::repeat(BLOCKS, vec![read])];
        let nominal = fact.nominal_step_ns.value().copied();
        if nominal.unwrap_or(0) <= self.watch.ns() {
            // The first change comes after a part of a step only.
            let whole = Span::from_ns(self.watch.ns() / 4);
            let changes = changes(nominal, whole);
            looks.push(Action::Steps { clock, changes, keep });
        }
        looks
    }
}

/// The clocks of the facts that have a name in our vocabulary.
fn kinds(facts: &Facts) -> impl Iterator<Item = (ClockKind, &ClockFact)> {
    let kind = |fact: &ClockFact| fact.name.parse().ok();
    facts.clocks.iter().filter_map(move |fact| Some((kind(fact)?, fact)))
}

/// Two single readings of the counter with time between them.
fn calibration() -> [Action; 3] {
    let once = Action::Read {
        clock: ClockKind::Tsc,
        times: 1,
        keep: Keep::Everything,
    };
    let how = crate::machine::WaitKind::ThreadSleep;
    [once.clone(), Action::wait(how, CALIBRATION), once]
}

/// Turns what was seen into figures.
#[must_use]
pub fn figures(saved: &Saved) -> ClockFigures {
    let hz = tsc_hz(saved);
    let clocks = kinds(&saved.facts).map(|(kind, fact)| {
        let cost = cost(saved, kind);
        let cycles = |cost: f64| hz.as_ref().map(|hz| cost * *hz as f64 / 1e9);
        ClockFigure {
            name: fact.name.clone(),
            system_name: kind.system_name().to_owned(),
            nominal_step_ns: fact.nominal_step_ns.clone(),
            observed_step_ns: step(saved, kind, &hz),
            cost_cycles: cost.clone().and_then(cycles),
            cost_ns: cost,
            via: fact.via.clone(),
        }
    });
    let processes = &saved.workload.processes;
    let load = processes.iter().find(|process| process.background);
    let between =
        |load| Load::between(&processes[0], &processes[0].tasks[0], load);
    ClockFigures {
        clocks: clocks.collect(),
        ruler: known(ruler::figures(saved)),
        load: load.map_or(Load::None, between),
        tsc_hz: hz,
        stolen_ns: saved.ending.meters.delta(|counters| &counters.stolen_ns),
    }
}

/// The number of the first step whose action `is` what is looked for.
fn place(saved: &Saved, is: impl Fn(&Action) -> bool) -> Option<u16> {
    let cast = saved.workload.cast();
    let steps = cast.first()?.task.steps();
    let place = steps.iter().rposition(|step| is(step.action))?;
    Some(place as u16)
}

fn cost(saved: &Saved, kind: ClockKind) -> Known<f64> {
    let reads = |action: &Action| {
        matches!(action, Action::Read { clock, times, .. }
            if *clock == kind && *times == READINGS)
    };
    let place = place(saved, reads);
    let cost =
        place.and_then(|step| cost_ns(&counted(saved, 0, step), READINGS));
    match place.and_then(|step| failure(saved, step)) {
        Some(missing) if cost.is_none() => missing.into(),
        _ => known(cost),
    }
}

fn step(saved: &Saved, kind: ClockKind, hz: &Known<u64>) -> Known<f64> {
    let steps = |action: &Action| matches!(action, Action::Steps { clock, .. } if *clock == kind);
    let Some(step) = place(saved, steps) else {
        let nominal = nominal_step(&saved.facts, kind).unwrap_or(0);
        let nominal = Span::from_ns(nominal);
        let why = format!("watching a step of {nominal} would take longer");
        return Missing::unknown(why).or_try("give it more time").into();
    };
    let seen = counted(saved, 0, step);
    let Some(seen) = seen.first().map(|sample| sample.value as f64) else {
        return failure(saved, step).map_or(known(None), Known::Missing);
    };
    // The counter's value is in cycles, every other clock's in nanoseconds.
    if kind == ClockKind::Tsc {
        return hz.as_ref().map(|hz| seen * 1e9 / (*hz).max(1) as f64);
    }
    Known::Value(seen)
}

/// Why a step has no samples that count.
fn failure(saved: &Saved, step: u16) -> Option<Missing> {
    let track = saved.recording.track(0, step)?;
    if track.ended(Outcome::Absent) > 0 {
        return Some(Missing::absent("this system does not have the clock"));
    }
    let refused = track.ended(Outcome::Refused) > 0;
    refused.then(|| Missing::refused("the system refused to read the clock"))
}

/// The counter's frequency, from its two single readings against the clock
/// that stamps samples.
fn tsc_hz(saved: &Saved) -> Known<u64> {
    let once = |action: &Action| {
        let tsc = ClockKind::Tsc;
        matches!(action, Action::Read { clock, times: 1, .. } if *clock == tsc)
    };
    let Some(last) = place(saved, once) else {
        let why = "this machine has no time stamp counter to read";
        return Missing::absent(why).into();
    };
    let first = counted(saved, 0, last.saturating_sub(2));
    let last = counted(saved, 0, last);
    let (Some(first), Some(last)) = (first.first(), last.first()) else {
        return known(None);
    };
    let passed = last.ended - first.ended;
    let counted = i128::from(last.value) - i128::from(first.value);
    let hz = (counted * 1_000_000_000).checked_div(i128::from(passed));
    known(hz.and_then(|hz| u64::try_from(hz).ok()).filter(|hz| *hz > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, TICK};

    fn played(watch: Span) -> ClockFigures {
        let mut machine = Scripted::default();
        let facts = crate::lab::scripted::facts();
        let clocks = Clocks { load: Load::None, watch };
        let workload = clocks.workload(&facts);
        figures(&play(&mut machine, &facts, workload, &mut Silent).unwrap())
    }

    fn of<'a>(figures: &'a ClockFigures, name: &str) -> &'a ClockFigure {
        let mut clocks = figures.clocks.iter();
        clocks.find(|clock| clock.name == name).unwrap()
    }

    #[test]
    fn cost_and_step_are_what_the_machine_charges() {
        let figures = played(Span::from_s(1));
        assert_eq!(figures.tsc_hz, Known::Value(2_000_000_000));
        let monotonic = of(&figures, "monotonic");
        assert_eq!(monotonic.cost_ns, Known::Value(30.0));
        assert_eq!(monotonic.cost_cycles, Known::Value(60.0));
        assert_eq!(monotonic.observed_step_ns, Known::Value(20.0));
        let coarse = of(&figures, "monotonic-coarse");
        assert_eq!(coarse.observed_step_ns, Known::Value(TICK as f64));
    }

    #[test]
    fn a_clock_too_coarse_to_watch_says_so() {
        let figures = played(Span::from_ms(100));
        let time = of(&figures, "time");
        let why = &time.observed_step_ns.missing().unwrap().why;
        assert!(why.contains("1 s"), "{why}");
    }
}
