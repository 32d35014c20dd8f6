//! Any workload's recording, told as it is: no experiment stands behind it.

use serde::Serialize;

use crate::machine::{
    Action, Ended, Known, Meters, Missing, Outcome, Role, RoleEnding, Sample,
    Saved, Track,
};
use crate::stats::Counted;

/// The most samples of one task that are told one by one.
const MOST_TOLD: u64 = 100_000;

/// What the tasks of a run saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunFigures {
    /// The tasks, in the order of the cast.
    pub tasks: Vec<TaskFigures>,
    /// Whether the run was completed.
    pub ending: Ended,
    /// From the common start to the end.
    pub lasted_ns: u64,
    /// The machine's counters before and after.
    pub meters: Meters,
}

/// What one running task saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskFigures {
    /// Its process.
    pub process: String,
    /// The task.
    pub task: String,
    /// The process's number.
    pub pid: Known<u32>,
    /// The thread's number.
    pub tid: Known<u32>,
    /// The policy and priority it ran with, in words.
    pub policy: Known<String>,
    /// The timer slack it ran with.
    pub slack_ns: Known<u64>,
    /// CPU time it used.
    pub cpu_ns: Known<u64>,
    /// How often it gave up its CPU to wait.
    pub switches: Known<u64>,
    /// Whether it did all its actions.
    pub finished: bool,
    /// Samples that were made but could not be told in time.
    pub lost: u64,
    /// How often it paused because its samples came too fast to be told.
    pub pauses: u64,
    /// How its samples ended.
    pub outcomes: Outcomes,
    /// Its steps.
    pub steps: Vec<StepFigures>,
    /// What it saw, by value or counted.
    #[serde(flatten)]
    pub seen: Seen,
}

/// What a task saw: each sample, or how many took how long where not each was
/// kept or they are more than a hundred thousand.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Every sample, in the order they began.
    Samples(Vec<SampleFigure>),
    /// Durations in nanoseconds with their counts.
    Histogram(Vec<(i64, u64)>),
}

/// One step of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepFigures {
    /// Its place among the task's steps.
    pub step: u16,
    /// Its action, in the vocabulary's words.
    pub action: String,
    /// How often it was done.
    pub done: Known<u64>,
    /// How its samples ended, where it keeps samples.
    pub outcomes: Outcomes,
    /// Those over the step's threshold, if it has one: which one, counted
    /// from 1, and how long it took.
    pub over: Vec<(u64, i64)>,
    /// How long the counted ones took.
    #[serde(skip)]
    pub took: Counted,
    /// How late they were.
    #[serde(skip)]
    pub lateness: Counted,
    /// Whether something was due, so that lateness means anything.
    #[serde(skip)]
    pub has_due: bool,
}

/// How many samples ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "each is the outcome whose name it bears")]
pub struct Outcomes {
    pub met: u64,
    pub timed_out: u64,
    pub interrupted: u64,
    pub absent: u64,
    pub refused: u64,
}

/// One sample with its units in its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SampleFigure {
    /// Its task's place in the cast.
    pub role: u32,
    /// Its step.
    pub step: u16,
    /// How often the task had done the step before.
    pub number: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Just before the action, since the common start.
    pub began_ns: i64,
    /// When it should have ended.
    pub due_ns: i64,
    /// Just after it.
    pub ended_ns: i64,
    /// What the action found.
    pub value: i64,
}

/// Tells what a run saw.
#[must_use]
pub fn figures(saved: &Saved) -> RunFigures {
    let cast = saved.workload.cast();
    let roles = (0..).zip(&cast);
    RunFigures {
        tasks: roles.map(|(role, cast)| task(saved, role, cast)).collect(),
        ending: saved.ending.ended.clone(),
        lasted_ns: saved.ending.lasted_ns,
        meters: saved.ending.meters.clone(),
    }
}

fn task(saved: &Saved, role: u32, cast: &Role<'_>) -> TaskFigures {
    let ending = saved.ending.roles.get(role as usize);
    let ids = saved.recording.ids(role);
    let id = |told: Option<u32>, heard: Option<u32>| {
        let why = "it had no such number, or ended before it told";
        told.or(heard)
            .map_or_else(|| Missing::unknown(why).into(), Known::Value)
    };
    let steps: Vec<StepFigures> = (0..)
        .zip(cast.task.steps())
        .map(|(number, step)| {
            let track = saved.recording.track(role, number);
            self::step(number, step.action, track, ending)
        })
        .collect();
    let mut outcomes = Outcomes::default();
    for step in &steps {
        outcomes.add(step.outcomes);
    }
    TaskFigures {
        process: cast.process.name.clone(),
        task: cast.task.name.clone(),
        pid: id(ending.and_then(|own| own.pid), ids.map(|ids| ids.0)),
        tid: id(ending.and_then(|own| own.tid), ids.map(|ids| ids.1)),
        policy: told(ending, |own| &own.policy),
        slack_ns: told(ending, |own| &own.slack_ns),
        cpu_ns: told(ending, |own| &own.cpu_ns),
        switches: told(ending, |own| &own.switches),
        finished: ending.is_some_and(|own| own.finished),
        lost: ending.map_or(0, |own| own.lost),
        pauses: ending.map_or(0, |own| own.pauses),
        outcomes,
        steps,
        seen: seen(saved, role),
    }
}

/// What a role's ending tells, if there is one.
fn told<T: Clone>(
    ending: Option<&RoleEnding>,
    what: fn(&RoleEnding) -> &Known<T>,
) -> Known<T> {
    let untold = || Missing::unknown("the task did not tell").into();
    ending.map_or_else(untold, |own| what(own).clone())
}

fn step(
    number: u16,
    action: &Action,
    track: Option<&Track>,
    ending: Option<&RoleEnding>,
) -> StepFigures {
    let counts = ending.map(|own| own.counts.as_slice()).unwrap_or_default();
    let done = counts.get(usize::from(number)).copied().flatten();
    let uncounted =
        || Missing::absent("a step that keeps nothing counts nothing");
    StepFigures {
        step: number,
        action: action.to_string(),
        done: done.map_or_else(|| uncounted().into(), Known::Value),
        outcomes: track.map(Outcomes::of).unwrap_or_default(),
        over: track.map_or_else(Vec::new, over),
        took: track.map_or_else(Counted::default, |own| {
            Counted::from_pairs(own.took())
        }),
        lateness: track.map_or_else(Counted::default, |own| {
            Counted::from_pairs(own.lateness())
        }),
        has_due: matches!(
            action,
            Action::Wait { .. }
                | Action::Ring { .. }
                | Action::WaitUntil { .. }
                | Action::Await { .. }
                | Action::SetAwait { .. }
        ),
    }
}

fn over(track: &Track) -> Vec<(u64, i64)> {
    let long = track.over.iter();
    long.map(|sample| (sample.number + 1, sample.took_ns())).collect()
}

fn seen(saved: &Saved, role: u32) -> Seen {
    let own = saved.recording.tracks().filter(|track| track.0 == role);
    let tracks: Vec<&Track> = own.map(|(_, _, track)| track).collect();
    let count: u64 = tracks.iter().map(|track| track.count()).sum();
    let whole = tracks.iter().all(|track| track.is_whole());
    if whole && count <= MOST_TOLD {
        let samples = tracks.iter().flat_map(|track| &track.samples);
        let mut samples: Vec<SampleFigure> =
            samples.map(SampleFigure::of).collect();
        samples.sort_by_key(|sample| (sample.began_ns, sample.step));
        return Seen::Samples(samples);
    }
    let took = tracks.iter().flat_map(|track| track.took());
    Seen::Histogram(Counted::from_pairs(took).pairs().to_vec())
}

impl SampleFigure {
    /// The figures of a sample.
    #[must_use]
    pub fn of(sample: &Sample) -> Self {
        Self {
            role: sample.role,
            step: sample.step,
            number: sample.number,
            outcome: sample.outcome,
            began_ns: sample.began,
            due_ns: sample.due,
            ended_ns: sample.ended,
            value: sample.value,
        }
    }
}

impl Outcomes {
    fn of(track: &Track) -> Self {
        Self {
            met: track.ended(Outcome::Met),
            timed_out: track.ended(Outcome::TimedOut),
            interrupted: track.ended(Outcome::Interrupted),
            absent: track.ended(Outcome::Absent),
            refused: track.ended(Outcome::Refused),
        }
    }

    fn add(&mut self, other: Self) {
        self.met += other.met;
        self.timed_out += other.timed_out;
        self.interrupted += other.interrupted;
        self.absent += other.absent;
        self.refused += other.refused;
    }

    /// How many samples there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.met
            + self.timed_out
            + self.interrupted
            + self.absent
            + self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::Scripted;
    use crate::machine::{Keep, Process, Span, Task, WaitKind, Workload};

    fn played(keep: Keep) -> RunFigures {
        let wait = Action::Wait {
            how: WaitKind::Nanosleep,
            span: Span::from_ms(1),
            meanwhile: crate::machine::Meanwhile::Block,
            keep,
        };
        let task = Task::new("sleeper", vec![Action::repeat(5, vec![wait])]);
        let workload = Workload::new(vec![Process::new("app", vec![task])]);
        let mut machine = Scripted::default();
        let facts = crate::lab::scripted::facts();
        let saved = play(&mut machine, &facts, workload, &mut Silent).unwrap();
        figures(&saved)
    }

    #[test]
    fn whole_samples_are_told_one_by_one() {
        let task = &played(Keep::Everything).tasks[0];
        let Seen::Samples(samples) = &task.seen else { panic!("{task:?}") };
        assert_eq!(samples.len(), 5);
        assert!(samples.is_sorted_by_key(|sample| sample.began_ns));
        assert_eq!((task.pid.clone(), task.outcomes.met), (Known::Value(7), 5));
        assert_eq!(task.steps[1].action, "wait nanosleep 1 ms");
    }

    #[test]
    fn counted_ones_are_told_as_a_histogram() {
        let task = &played(Keep::Histogram).tasks[0];
        let Seen::Histogram(pairs) = &task.seen else { panic!("{task:?}") };
        assert_eq!(pairs.iter().map(|pair| pair.1).sum::<u64>(), 5);
    }
}
