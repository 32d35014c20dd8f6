//! What is made of what was seen: a few kinds of figures.

use serde::Deserialize;

use super::play::Run;
use crate::machine::{Keep, Sample, Span};

/// One number of one run.
///
/// Most are made of the values of one action: the `nth` of those of the task
/// `of` that keep what they saw, as far as the other keys let them pass.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Figure {
    /// What is made of the values.
    pub kind: Kind,
    /// The task, by its name.
    pub of: String,
    /// Which of its actions that keep something, from 0.
    pub nth: usize,
    /// What of each sample counts.
    pub by: By,
    /// Only samples of this number and later ones, counted from 0.
    pub skip: u64,
    /// Only samples before this number.
    pub until: Option<u64>,
    /// Only values over this time.
    pub over: Option<Span>,
    /// Only values up to this time.
    pub under: Option<Span>,
    /// Only what ended at this time of the run or later.
    pub from: Option<Span>,
    /// Only what ended before this time.
    pub to: Option<Span>,
    /// The samples that a loss is a loss from: their first number, and the
    /// one behind their last.
    pub base: Option<(u64, u64)>,
    /// The interval whose share of the time is asked for.
    pub interval: Option<Span>,
    /// What the number is multiplied by, if by anything.
    pub scale: Option<f64>,
}

/// What is made of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Their mean.
    #[default]
    Mean,
    /// Their standard deviation.
    Deviation,
    /// Their median: of an even number of them, the upper one in the middle.
    Median,
    /// The least.
    Least,
    /// The greatest.
    Most,
    /// How many there are.
    Count,
    /// Their share of all, in percent, before `over` and `under`.
    Share,
    /// How many samples lie between one and the next: the median.
    Gap,
    /// How many there are in a second between `from` and `to`.
    PerSecond,
    /// By how many percent their median lies below that of `base`.
    Loss,
    /// The power of the whole machine during the run, in watts.
    Watts,
    /// The clock interrupts of the whole machine in a second.
    TicksPerSecond,
    /// The share of the time for which `interval` was in force, in percent,
    /// by the events.
    IntervalShare,
    /// How often in a second the interval in force changed, by the events.
    IntervalChanges,
}

/// What of each sample counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// How long it took.
    #[default]
    Took,
    /// How late it was.
    Late,
    /// What the action found.
    Value,
    /// What the action found, for each second that it took.
    Rate,
}

/// One value with the number of its sample.
#[derive(Clone, Copy, Debug)]
struct Seen {
    number: u64,
    value: f64,
}

impl Figure {
    /// It of one run, in the row's unit.
    ///
    /// # Errors
    ///
    /// When there is nothing to make it of; the text says what is lacking.
    pub(super) fn of(&self, run: &Run, unit: &str) -> Result<f64, String> {
        let number = match self.kind {
            Kind::Watts => used(run, |all| &all.energy_uj)? / 1e6,
            Kind::TicksPerSecond => used(run, |all| &all.ticks)?,
            Kind::IntervalShare => self.interval_share(run),
            Kind::IntervalChanges => {
                run.intervals.len().saturating_sub(1) as f64 / run.seconds()
            }
            _ => self.of_values(run, unit)?,
        };
        Ok(number * self.scale.unwrap_or(1.0))
    }

    fn of_values(&self, run: &Run, unit: &str) -> Result<f64, String> {
        let before = self.seen(run)?;
        let all: Vec<Seen> =
            before.iter().copied().filter(|one| self.passes(one)).collect();
        let count = all.len() as f64;
        match self.kind {
            Kind::Count => return Ok(count),
            Kind::PerSecond => return Ok(count / self.seconds(run)),
            Kind::Share => return Ok(100.0 * count / before.len() as f64),
            _ => {}
        }
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        let nothing = || "no sample is left to make it of".to_owned();
        let number = match self.kind {
            Kind::Deviation => deviation(&values),
            Kind::Median => median(&values),
            Kind::Least => values.iter().copied().reduce(f64::min),
            Kind::Most => values.iter().copied().reduce(f64::max),
            Kind::Gap => return median(&gaps(&all)).ok_or_else(nothing),
            Kind::Loss => return self.loss(run, &values),
            _ => mean(&values),
        };
        let scale = if self.by == By::Rate { 1.0 } else { ns_in(unit) };
        number.map(|number| number / scale).ok_or_else(nothing)
    }

    /// The samples between `skip` and `until`, `from` and `to`.
    fn seen(&self, run: &Run) -> Result<Vec<Seen>, String> {
        let last = self.until.unwrap_or(u64::MAX);
        self.between(run, self.skip, last)
    }

    fn between(
        &self,
        run: &Run,
        first: u64,
        last: u64,
    ) -> Result<Vec<Seen>, String> {
        let samples = self.samples(run)?;
        let from = self.from.map_or(i64::MIN, |from| from.ns() as i64);
        let to = self.to.map_or(i64::MAX, |to| to.ns() as i64);
        let inside = samples.iter().filter(|one| {
            one.counts()
                && (first..last).contains(&one.number)
                && (from..to).contains(&one.ended)
        });
        let seen =
            |one: &Sample| Seen { number: one.number, value: self.value(one) };
        Ok(inside.map(seen).collect())
    }

    fn samples<'r>(&self, run: &'r Run) -> Result<&'r [Sample], String> {
        let nothing = || format!("no action {} of `{}`", self.nth, self.of);
        let cast = run.workload.cast();
        let role = cast.iter().position(|role| role.task.name == self.of);
        let role = role.ok_or_else(nothing)?;
        let steps = cast[role].task.steps();
        let mut kept = steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.action.keep().samples());
        let (step, _) = kept.nth(self.nth).ok_or_else(nothing)?;
        let track = run.recording.track(role as u32, step as u16);
        let track = track.ok_or_else(nothing)?;
        Ok(match track.keep {
            Keep::Over(_) => &track.over,
            _ => &track.samples,
        })
    }

    fn value(&self, sample: &Sample) -> f64 {
        let took = sample.took_ns() as f64;
        match self.by {
            By::Took => took,
            By::Late => sample.lateness_ns() as f64,
            By::Value => sample.value as f64,
            By::Rate => sample.value as f64 * 1e9 / took,
        }
    }

    fn passes(&self, one: &Seen) -> bool {
        let over = self.over.is_none_or(|over| one.value > over.ns() as f64);
        let under = self.under.is_none_or(|at| one.value <= at.ns() as f64);
        over && under
    }

    /// How long the time between `from` and `to` is, in seconds.
    fn seconds(&self, run: &Run) -> f64 {
        let from = self.from.map_or(0.0, |from| from.ns() as f64 / 1e9);
        let to = self.to.map_or(run.seconds(), |to| to.ns() as f64 / 1e9);
        to - from
    }

    fn loss(&self, run: &Run, values: &[f64]) -> Result<f64, String> {
        let (first, last) = self.base.ok_or("it is a loss from nothing")?;
        let base = self.between(run, first, last)?;
        let base: Vec<f64> = base.iter().map(|one| one.value).collect();
        let (now, before) = median(values)
            .zip(median(&base))
            .ok_or("no sample is left on one of the sides that are compared")?;
        Ok(100.0 * (1.0 - now / before))
    }

    fn interval_share(&self, run: &Run) -> f64 {
        let wanted = self.interval.map_or(0, |interval| interval.ns() as i64);
        let ends = run.intervals.iter().skip(1).map(|(at, _)| *at);
        let ends = ends.chain([run.ending.lasted_ns as i64]);
        let held = run.intervals.iter().zip(ends);
        let held: i64 = held
            .filter(|((_, interval), _)| *interval == wanted)
            .map(|((at, _), end)| end - at)
            .sum();
        100.0 * held as f64 / 1e9 / run.seconds()
    }
}

/// Of a counter of the whole machine, so much a second.
fn used(
    run: &Run,
    of: impl Fn(&crate::machine::Counters) -> &crate::machine::Known<u64>,
) -> Result<f64, String> {
    let delta = run.ending.meters.delta(of);
    match delta.value() {
        Some(used) => Ok(*used as f64 / run.seconds()),
        None => Err("the machine does not count it".to_owned()),
    }
}

/// How many nanoseconds a unit of time has; of anything else there is one.
fn ns_in(unit: &str) -> f64 {
    match unit {
        "ms" => 1e6,
        "us" => 1e3,
        _ => 1.0,
    }
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (count > 0.0).then(|| values.iter().sum::<f64>() / count)
}

/// The standard deviation of all there are.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    let middle = mean(values)?;
    let squares: Vec<f64> =
        values.iter().map(|value| (value - middle).powi(2)).collect();
    mean(&squares).map(f64::sqrt)
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

fn gaps(all: &[Seen]) -> Vec<f64> {
    let gap = |pair: &[Seen]| (pair[1].number - pair[0].number) as f64;
    all.windows(2).map(gap).collect()
}
