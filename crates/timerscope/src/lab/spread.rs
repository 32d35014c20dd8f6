//! How a quantity was spread over its samples, the same for every
//! experiment.

use serde::Serialize;

use crate::machine::{
    Keep, Known, Missing, Outcome, Sample, Span, Tally, Track,
};
use crate::stats::{self, Counted, Moments, Quantiles};

/// The longest list of exact durations that an answer carries.
const MOST_PAIRS: usize = 1_000;
/// Whole samples up to this many stay cheap to keep; more go into histograms.
const MOST_WHOLE: u64 = 1_000_000;

/// How a quantity in nanoseconds was spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many there were.
    pub count: u64,
    /// The least.
    pub min_ns: Known<i64>,
    /// The mean.
    pub mean_ns: Known<f64>,
    /// The greatest.
    pub max_ns: Known<i64>,
    /// Their standard deviation.
    pub stddev_ns: Known<f64>,
    /// The median.
    pub p50_ns: Known<i64>,
    /// Nine of ten were no greater.
    pub p90_ns: Known<i64>,
    /// 99 of 100 were no greater.
    pub p99_ns: Known<i64>,
    /// 999 of 1000 were no greater.
    pub p999_ns: Known<i64>,
    /// Where they crowd, in rising order.
    pub modes: Vec<Mode>,
    /// How many were how great; to three digits where they are many.
    pub histogram: Vec<(i64, u64)>,
    /// How many were exactly how great, as far as that was kept.
    #[serde(skip)]
    pub values: Counted,
}

/// A place where values crowd.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// Where.
    pub at_ns: i64,
    /// The share of the values that lie there.
    pub share: f64,
}

impl Spread {
    /// The spread of values with their counts; `reason` says why there are
    /// none, should there be none.
    pub(super) fn of(pairs: Vec<(i64, u64)>, reason: &Reason) -> Self {
        let values = Counted::from_pairs(pairs);
        let moments = Moments::of(&values);
        let quantiles = Quantiles::of(&values);
        let quantile =
            |of: fn(&Quantiles) -> i64| reason.or(quantiles.as_ref().map(of));
        Self {
            count: values.total(),
            min_ns: reason.or(moments.min()),
            mean_ns: reason.or(moments.mean()),
            max_ns: reason.or(moments.max()),
            stddev_ns: match values.total() {
                1 => Missing::unknown("one value alone deviates from nothing")
                    .or_try("-n 100")
                    .into(),
                _ => reason.or(moments.standard_deviation()),
            },
            p50_ns: quantile(|quantiles| quantiles.p50),
            p90_ns: quantile(|quantiles| quantiles.p90),
            p99_ns: quantile(|quantiles| quantiles.p99),
            p999_ns: quantile(|quantiles| quantiles.p999),
            modes: modes(&values),
            histogram: histogram(&values),
            values,
        }
    }
}

pub(super) fn modes(values: &Counted) -> Vec<Mode> {
    let mode =
        |mode: stats::Mode| Mode { at_ns: mode.at_ns, share: mode.share };
    stats::modes(values).into_iter().map(mode).collect()
}

/// The figures themselves while they are few, else to three digits.
fn histogram(values: &Counted) -> Vec<(i64, u64)> {
    if values.pairs().len() <= MOST_PAIRS {
        return values.pairs().to_vec();
    }
    let mut tally = Tally::default();
    for (ns, count) in values.pairs() {
        tally.record(*ns, *count);
    }
    tally.pairs()
}

/// What to keep of `samples` in all, of which those over `min` are listed.
pub(super) fn keep(samples: u64, min: Option<Span>) -> Keep {
    match min {
        _ if samples <= MOST_WHOLE => Keep::Everything,
        Some(min) => Keep::Over(min),
        None => Keep::Histogram,
    }
}

/// SleepTest's list of samples over `min`: number, from 1, and nanoseconds.
pub(super) fn over(
    track: &Track,
    min: Option<Span>,
    of: fn(&Sample) -> i64,
) -> Vec<(u64, i64)> {
    let Some(min) = min else { return Vec::new() };
    let kept = if matches!(track.keep, Keep::Over(_)) {
        &track.over
    } else {
        &track.samples
    };
    kept.iter()
        .filter(|sample| sample.counts())
        .map(|sample| (sample.number + 1, of(sample)))
        .filter(|(_, ns)| *ns > min.ns() as i64)
        .collect()
}

/// Why there are no times, should there be none.
#[derive(Clone)]
pub(super) struct Reason(pub(super) Missing);

impl Reason {
    pub(super) fn of(track: &Track) -> Self {
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

    pub(super) fn or<T>(&self, value: Option<T>) -> Known<T> {
        value.map_or_else(|| self.0.clone().into(), Known::Value)
    }
}
