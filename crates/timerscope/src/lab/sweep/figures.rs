//! What was seen at each position, as figures.

use serde::Serialize;

use super::ask::{REQUESTER, SILENT, SPAN};
use super::spoiled::{by_cpu_time, by_interval};
use super::{Knob, Sweep};
use crate::lab::ruler::{counted, known};
use crate::lab::sleep::plainest;
use crate::lab::spread::{Mode, modes};
use crate::machine::{Action, Known, Missing, Sample, Saved, WaitKind};
use crate::stats::{Counted, Moments};

/// What the knob moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepFigures {
    /// What was turned.
    pub knob: Knob,
    /// The span that was asked of each wait.
    pub span_ns: u64,
    /// A row for each wait and position.
    pub rows: Vec<Row>,
}

/// The waits of one kind at one position.
///
/// Where the knob is a request, they are those of a process that made none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The wait.
    pub wait: WaitKind,
    /// The position of the knob.
    pub request_ns: u64,
    /// The interval in force, where the system has one for everybody.
    pub interval_ns: Known<u64>,
    /// The step that the clock of the tick showed meanwhile.
    pub clock_step_ns: Known<i64>,
    /// How many waits ended as asked.
    pub count: u64,
    /// What they took, on average.
    pub sleep_mean_ns: Known<f64>,
    /// Where they crowd, in rising order.
    pub sleep_modes: Vec<Mode>,
    /// What the waits of the process that made the request took, on average;
    /// absent where the sleeper turned the knob itself.
    pub requester_mean_ns: Known<f64>,
    /// Where those crowd.
    pub requester_modes: Vec<Mode>,
    /// Who spoiled the row; absent if nobody was seen to.
    pub spoiled_by: Known<String>,
}

/// Turns what was seen at each position into figures.
#[must_use]
pub fn figures(sweep: &Sweep, runs: &[Saved]) -> SweepFigures {
    let mut rows: Vec<Row> = match sweep.knob {
        Knob::TimerSlack => runs.iter().flat_map(slackened).collect(),
        Knob::IntervalRequest => runs.iter().filter_map(requested).collect(),
    };
    // Together what belongs together; positions stay in their order.
    let moved = runs.first().map(|saved| plainest(&saved.facts));
    rows.sort_by_key(|row| (Some(row.wait) != moved, row.wait));
    SweepFigures { knob: sweep.knob, span_ns: SPAN.ns(), rows }
}

fn slackened(saved: &Saved) -> Vec<Row> {
    let cast = saved.workload.cast();
    let Some(role) = cast.first() else { return Vec::new() };
    let spoiled_by = by_cpu_time(saved);
    let own = Missing::absent("the sleeper turned the knob itself");
    let row = |(step, wait): (u16, WaitKind)| {
        let slept = Slept::of(saved, 0, step);
        Row {
            wait,
            request_ns: role.task.slack.unwrap_or_default().ns(),
            interval_ns: saved.facts.interval.current_ns.clone(),
            clock_step_ns: clock_step(saved),
            count: slept.count,
            sleep_mean_ns: slept.mean_ns,
            sleep_modes: slept.modes,
            requester_mean_ns: own.clone().into(),
            requester_modes: Vec::new(),
            spoiled_by: spoiled_by.clone(),
        }
    };
    waits(saved, 0).into_iter().map(row).collect()
}

fn requested(saved: &Saved) -> Option<Row> {
    let (step, wait) = *waits(saved, SILENT).first()?;
    let (own, _) = *waits(saved, REQUESTER).first()?;
    let silent = Slept::of(saved, SILENT, step);
    let requester = Slept::of(saved, REQUESTER, own);
    let request_ns = asked(saved)?;
    let interval = finest(saved);
    let by_others =
        interval.and_then(|own| by_interval(&saved.facts, request_ns, own));
    let spoiled_by = match by_others {
        Some(who) => Known::Value(who),
        None => by_cpu_time(saved),
    };
    Some(Row {
        wait,
        request_ns,
        interval_ns: known(interval),
        clock_step_ns: clock_step(saved),
        count: silent.count,
        sleep_mean_ns: silent.mean_ns,
        sleep_modes: silent.modes,
        requester_mean_ns: requester.mean_ns,
        requester_modes: requester.modes,
        spoiled_by,
    })
}

/// The waits of a role, by their steps.
fn waits(saved: &Saved, role: u32) -> Vec<(u16, WaitKind)> {
    let waits = |action: &Action| match action {
        Action::Wait { how, .. } => Some(*how),
        _ => None,
    };
    steps(saved, role, waits)
}

/// The steps of a role that `is` says something of.
fn steps<T>(
    saved: &Saved,
    role: u32,
    is: impl Fn(&Action) -> Option<T>,
) -> Vec<(u16, T)> {
    let cast = saved.workload.cast();
    let Some(role) = cast.get(role as usize) else { return Vec::new() };
    let steps = role.task.steps();
    let found = (0..).zip(&steps);
    found
        .filter_map(|(number, step)| Some((number, is(step.action)?)))
        .collect()
}

fn clock_step(saved: &Saved) -> Known<i64> {
    let watches =
        |action: &Action| matches!(action, Action::Steps { .. }).then_some(());
    let watched = steps(saved, 0, watches);
    let seen = watched.first().map(|(step, ())| counted(saved, 0, *step));
    known(seen.and_then(|seen| Some(seen.first()?.value)))
}

/// What the requester requested.
fn asked(saved: &Saved) -> Option<u64> {
    let request = |action: &Action| match action {
        Action::Request(span) => Some(span.ns()),
        _ => None,
    };
    steps(saved, REQUESTER, request).first().map(|(_, asked)| *asked)
}

/// The finest interval in force before the waits and after them.
fn finest(saved: &Saved) -> Option<u64> {
    let asks = |action: &Action| {
        matches!(action, Action::AskInterval { .. }).then_some(())
    };
    let asked = steps(saved, SILENT, asks).into_iter();
    let answers =
        asked.flat_map(|(step, ())| counted(saved, SILENT, step)).collect();
    let answers: Vec<Sample> = answers;
    answers.iter().map(|answer| answer.value as u64).min()
}

/// What some waits took.
struct Slept {
    count: u64,
    mean_ns: Known<f64>,
    modes: Vec<Mode>,
}

impl Slept {
    fn of(saved: &Saved, role: u32, step: u16) -> Self {
        let samples = counted(saved, role, step);
        let took: Counted = samples.iter().map(Sample::took_ns).collect();
        Self {
            count: took.total(),
            mean_ns: known(Moments::of(&took).mean()),
            modes: modes(&took),
        }
    }
}
