//! What a wake experiment found out.

use serde::Serialize;

use super::{Setter, Wake};
use crate::lab::conditions::{Conditions, conditions};
use crate::lab::places::tick_ns;
use crate::lab::play::stolen_ns;
use crate::lab::spread::{Reason, Spread, over};
use crate::lab::{Ruler, ruler};
use crate::machine::{Action, Known, Missing, Sample, Saved, Step, Track};

/// The waiter is the first of the cast.
const WAITER: u32 = 0;

/// What runs of wake-ups found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WakeFigures {
    /// One row for each setter.
    pub rows: Vec<Row>,
    /// What measuring cost, in the first run.
    pub ruler: Known<Ruler>,
    /// Between two ticks of a busy CPU.
    pub tick_ns: Known<u64>,
    /// Time the host took from this guest meanwhile, over all CPUs.
    pub stolen_ns: Known<u64>,
}

/// How late a waiter ran: from just before the event was set to just after
/// the waiter's call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Who set the event.
    pub kind: Setter,
    /// How late the waiter ran.
    #[serde(flatten)]
    pub late: Spread,
    /// How many of them found their event set when they came to wait for it:
    /// no wake-ups, and counted as late from the setting all the same.
    pub set_before: u64,
    /// Those later than the threshold: which one, counted from 1, and how
    /// late.
    pub over: Vec<(u64, i64)>,
    /// The setter's priority, as it was asked for.
    pub setter_priority: String,
    /// Under which conditions the waiter waited.
    #[serde(flatten)]
    pub conditions: Conditions,
}

/// Turns the runs of `wake` into figures, one row for each setter.
#[must_use]
pub fn figures(wake: &Wake, runs: &[Known<Saved>]) -> WakeFigures {
    let asked = wake.setters.iter().zip(runs);
    let rows = asked.map(|(setter, run)| match run {
        Known::Value(saved) => {
            let no_waiter = || Missing::unknown("this run has no waiter");
            let row = row(wake, *setter, saved);
            row.unwrap_or_else(|| unplayed(wake, *setter, &no_waiter()))
        }
        Known::Missing(missing) => unplayed(wake, *setter, missing),
    });
    let unruled = || Missing::unknown("no run began with a ruler");
    let nothing = || Missing::unknown("nothing was played").into();
    let mut played = runs.iter().filter_map(Known::value);
    let first = played.clone().next();
    WakeFigures {
        rows: rows.collect(),
        ruler: played
            .find_map(ruler::figures)
            .map_or_else(|| unruled().into(), Known::Value),
        tick_ns: first.map_or_else(nothing, |run| tick_ns(&run.facts)),
        stolen_ns: stolen_ns(runs),
    }
}

fn row(wake: &Wake, kind: Setter, saved: &Saved) -> Option<Row> {
    let cast = saved.workload.cast();
    let waiter = cast.get(WAITER as usize)?;
    let track = awaits(saved)?;
    let late = Spread::of(track.lateness(), &Reason::of(track));
    let before =
        |sample: &&Sample| sample.counts() && sample.due < sample.began;
    let setter = cast.iter().find(|role| role.task.name == "setter");
    let setter = setter.map_or(waiter.task.priority, |own| own.task.priority);
    Some(Row {
        kind,
        late,
        set_before: track.samples.iter().filter(before).count() as u64,
        over: over(track, wake.min, Sample::lateness_ns),
        setter_priority: setter.to_string(),
        conditions: conditions(saved, WAITER, waiter, None),
    })
}

/// What the waiter's awaiting saw.
fn awaits(saved: &Saved) -> Option<&Track> {
    let cast = saved.workload.cast();
    let steps = cast.get(WAITER as usize)?.task.steps();
    let awaits = |step: &Step<'_>| matches!(step.action, Action::Await { .. });
    let step = steps.iter().position(awaits)?;
    saved.recording.track(WAITER, step as u16)
}

fn unplayed(wake: &Wake, kind: Setter, missing: &Missing) -> Row {
    Row {
        kind,
        late: Spread::of(Vec::new(), &Reason(missing.clone())),
        set_before: 0,
        over: Vec::new(),
        setter_priority: wake.priority.to_string(),
        conditions: Conditions::unplayed(wake.priority, wake.load, missing),
    }
}
