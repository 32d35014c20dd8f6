//! One row: how the waits of one kind and span ended.

use serde::Serialize;

use super::conditions::{Conditions, conditions};
use crate::machine::{
    Action, Keep, Known, Missing, Outcome, Saved, Span, Tally, Track, WaitKind,
};
use crate::stats::{self, Counted, Moments, Quantiles};

/// The longest list of exact durations that an answer carries.
const MOST_PAIRS: usize = 1_000;

/// How the waits of one action ended. Times are wall clock, from just before
/// the call to just after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The wait.
    pub wait: WaitKind,
    /// What was asked.
    pub span_ns: u64,
    /// How many ended as asked.
    pub count: u64,
    /// How many of those ended before they were due.
    pub early: u64,
    /// How many something else ended; none of the times below is theirs.
    pub interrupted: u64,
    /// The shortest.
    pub min_ns: Known<i64>,
    /// The mean.
    pub mean_ns: Known<f64>,
    /// The longest.
    pub max_ns: Known<i64>,
    /// Their standard deviation.
    pub stddev_ns: Known<f64>,
    /// The median.
    pub p50_ns: Known<i64>,
    /// Nine of ten took no longer.
    pub p90_ns: Known<i64>,
    /// 99 of 100 took no longer.
    pub p99_ns: Known<i64>,
    /// 999 of 1000 took no longer.
    pub p999_ns: Known<i64>,
    /// The median of how late they ended; negative is early.
    pub lateness_p50_ns: Known<i64>,
    /// 99 of 100 ended no later.
    pub lateness_p99_ns: Known<i64>,
    /// Where they crowd, in rising order.
    pub modes: Vec<Mode>,
    /// How many took how long; to three digits where they are many.
    pub histogram: Vec<(i64, u64)>,
    /// Those longer than the threshold: which one, counted from 1, and how
    /// long.
    pub over: Vec<(u64, i64)>,
    /// Under which conditions.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// How many took exactly how long, as far as that was kept.
    #[serde(skip)]
    pub took: Counted,
}

/// A place where waits crowd.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// Where.
    pub at_ns: i64,
    /// The share of the waits that ended there.
    pub share: f64,
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
                let conditions = conditions(saved, role, &cast, *how);
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
    let took = Counted::from_pairs(track.took());
    let lateness = Counted::from_pairs(track.lateness());
    let known = Reason::of(track);
    let moments = Moments::of(&took);
    let quantiles = Quantiles::of(&took);
    let quantile =
        |of: fn(&Quantiles) -> i64| known.or(quantiles.as_ref().map(of));
    Row {
        wait,
        span_ns: span.ns(),
        count: took.total(),
        early: lateness.count_within(i64::MIN, -1),
        interrupted: track.ended(Outcome::Interrupted),
        min_ns: known.or(moments.min()),
        mean_ns: known.or(moments.mean()),
        max_ns: known.or(moments.max()),
        stddev_ns: match took.total() {
            1 => Missing::unknown("one wait alone deviates from nothing")
                .or_try("-n 100")
                .into(),
            _ => known.or(moments.standard_deviation()),
        },
        p50_ns: quantile(|quantiles| quantiles.p50),
        p90_ns: quantile(|quantiles| quantiles.p90),
        p99_ns: quantile(|quantiles| quantiles.p99),
        p999_ns: quantile(|quantiles| quantiles.p999),
        lateness_p50_ns: known.or(lateness.quantile(0.5)),
        lateness_p99_ns: known.or(lateness.quantile(0.99)),
        modes: modes(&took),
        histogram: histogram(&took),
        over: over(track, min),
        conditions,
        took,
    }
}

pub(in crate::lab) fn modes(took: &Counted) -> Vec<Mode> {
    let mode =
        |mode: stats::Mode| Mode { at_ns: mode.at_ns, share: mode.share };
    stats::modes(took).into_iter().map(mode).collect()
}

/// The figures themselves while they are few, else to three digits.
fn histogram(took: &Counted) -> Vec<(i64, u64)> {
    if took.pairs().len() <= MOST_PAIRS {
        return took.pairs().to_vec();
    }
    let mut tally = Tally::default();
    for (ns, count) in took.pairs() {
        tally.record(*ns, *count);
    }
    tally.pairs()
}

/// SleepTest's list: number of the wait, from 1, and what it took.
fn over(track: &Track, min: Option<Span>) -> Vec<(u64, i64)> {
    let Some(min) = min else { return Vec::new() };
    let kept = if matches!(track.keep, Keep::Over(_)) {
        &track.over
    } else {
        &track.samples
    };
    kept.iter()
        .filter(|sample| sample.counts())
        .map(|sample| (sample.number + 1, sample.took_ns()))
        .filter(|(_, took)| *took > min.ns() as i64)
        .collect()
}

/// Why a row has no times, should it have none.
struct Reason(Missing);

impl Reason {
    fn of(track: &Track) -> Self {
        let seen = |outcome| track.ended(outcome) > 0;
        Self(if seen(Outcome::Absent) {
            Missing::absent("this system does not have the call")
        } else if seen(Outcome::Refused) {
            Missing::refused("the system refused the call")
        } else if seen(Outcome::Interrupted) {
            Missing::unknown("every wait was interrupted")
        } else {
            Missing::unknown("the run ended before the first of them did")
                .or_try("let it run longer")
        })
    }

    fn or<T>(&self, value: Option<T>) -> Known<T> {
        value.map_or_else(|| self.0.clone().into(), Known::Value)
    }
}
