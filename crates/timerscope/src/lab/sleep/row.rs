//! One row: how the waits of one kind and span ended.

use serde::Serialize;

use crate::lab::conditions::{Conditions, conditions, interval_ns};
use crate::lab::spread::{Reason, Spread, over};
use crate::machine::{
    Action, Known, Outcome, Sample, Saved, Span, Track, WaitKind,
};
use crate::stats::Counted;

/// How the waits of one action ended. Times are wall clock, from just before
/// the call to just after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The wait.
    pub wait: WaitKind,
    /// What was asked.
    pub span_ns: u64,
    /// How many of those ended before they were due.
    pub early: u64,
    /// How many something else ended; none of the times below is theirs.
    pub interrupted: u64,
    /// How long they took; counted are those that ended as asked.
    #[serde(flatten)]
    pub took: Spread,
    /// The median of how late they ended; negative is early.
    pub lateness_p50_ns: Known<i64>,
    /// 99 of 100 ended no later.
    pub lateness_p99_ns: Known<i64>,
    /// Those longer than the threshold: which one, counted from 1, and how
    /// long.
    pub over: Vec<(u64, i64)>,
    /// What the timer itself counted: CPU time for those that count it, else
    /// how long the waits took.
    #[serde(skip)]
    pub counted: Counted,
    /// Under which conditions.
    #[serde(flatten)]
    pub conditions: Conditions,
}

/// One row for each waiting action of a run, in the order they were played.
///
/// Waits longer than `min` are listed, if one is given.
#[must_use]
pub fn rows(saved: &Saved, min: Option<Span>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (role, cast) in (0..).zip(saved.workload.cast()) {
        for (number, step) in (0..).zip(cast.task.steps()) {
            if let Action::Wait { how, span, .. } = step.action
                && let Some(track) = saved.recording.track(role, number)
            {
                let conditions = Conditions {
                    interval_ns: interval_ns(saved, role, number),
                    ..conditions(saved, role, &cast, Some(*how))
                };
                rows.push(row(*how, *span, track, min, conditions));
            }
        }
    }
    rows
}

fn row(
    wait: WaitKind,
    span: Span,
    track: &Track,
    min: Option<Span>,
    conditions: Conditions,
) -> Row {
    let lateness = Counted::from_pairs(track.lateness());
    let reason = Reason::of(track);
    Row {
        counted: counted(wait, track),
        wait,
        span_ns: span.ns(),
        early: lateness.count_within(i64::MIN, -1),
        interrupted: track.ended(Outcome::Interrupted),
        took: Spread::of(track.took(), &reason),
        lateness_p50_ns: reason.or(lateness.quantile(0.5)),
        lateness_p99_ns: reason.or(lateness.quantile(0.99)),
        over: over(track, min, Sample::took_ns),
        conditions,
    }
}

/// Beside a load a timer of CPU time takes as much longer as the load takes of
/// the CPU; in what it counts its law shows all the same.
fn counted(wait: WaitKind, track: &Track) -> Counted {
    if !wait.counts_cpu_time() || !track.is_whole() {
        return Counted::from_pairs(track.took());
    }
    let met = track.samples.iter().filter(|sample| sample.counts());
    let told = met.clone().all(|sample| sample.value > 0);
    let of = if told { |own: &Sample| own.value } else { Sample::took_ns };
    met.map(of).collect()
}
