//! Figures, reckoned from what was seen.

use super::figure::{By, Figure, Kind};
use super::play::Run;
use crate::machine::{Counters, Keep, Known, Sample};
use crate::stats::{Counted, Moments};

/// A sample's number, and what of it counts: nanoseconds, or thousandths
/// of a rate.
type Seen = (u64, i64);

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
        let last = self.until.unwrap_or(u64::MAX);
        let before = self.seen(run, self.skip, last)?;
        let passes = |one: &&Seen| self.passes(one.1);
        let all: Vec<Seen> = before.iter().filter(passes).copied().collect();
        let values = counted(&all);
        let (count, moments) = (all.len() as f64, Moments::of(&values));
        let scale = if self.by == By::Rate { 1e3 } else { ns_in(unit) };
        let in_unit = |value: Option<i64>| value.map(|own| own as f64 / scale);
        let number = match self.kind {
            Kind::Count => Some(count),
            Kind::PerSecond => Some(count / self.seconds(run)),
            Kind::Share => Some(100.0 * count / before.len() as f64),
            Kind::Gap => gaps(&all).quantile(0.5).map(|gap| gap as f64),
            Kind::Deviation => {
                moments.standard_deviation().map(|own| own / scale)
            }
            Kind::Median => in_unit(values.quantile(0.5)),
            Kind::Least => in_unit(moments.min()),
            Kind::Most => in_unit(moments.max()),
            Kind::Loss => self.loss(run, &values)?,
            _ => moments.mean().map(|own| own / scale),
        };
        number.ok_or_else(|| "too few samples to make it of".to_owned())
    }

    /// The samples from the number `first` to before `last`, as far as they
    /// ended between `from` and `to`.
    fn seen(
        &self,
        run: &Run,
        first: u64,
        last: u64,
    ) -> Result<Vec<Seen>, String> {
        let from = self.from.map_or(i64::MIN, |from| from.ns() as i64);
        let to = self.to.map_or(i64::MAX, |to| to.ns() as i64);
        let inside = self.samples(run)?.iter().filter(|one| {
            one.counts()
                && (first..last).contains(&one.number)
                && (from..to).contains(&one.ended)
        });
        Ok(inside.map(|one| (one.number, self.value(one))).collect())
    }

    fn samples<'r>(&self, run: &'r Run) -> Result<&'r [Sample], String> {
        let nothing = || format!("no action {} of `{}`", self.nth, self.of);
        let cast = run.workload.cast();
        let role = cast.iter().position(|role| role.task.name == self.of);
        let role = role.ok_or_else(nothing)?;
        let steps = cast[role].task.steps();
        let keeps = steps.iter().map(|step| step.action.keep().samples());
        let mut kept = keeps.enumerate().filter(|(_, keeps)| *keeps);
        let (step, _) = kept.nth(self.nth).ok_or_else(nothing)?;
        let track = run.recording.track(role as u32, step as u16);
        let track = track.ok_or_else(nothing)?;
        Ok(match track.keep {
            Keep::Over(_) => &track.over,
            _ => &track.samples,
        })
    }

    fn value(&self, sample: &Sample) -> i64 {
        let took = sample.took_ns();
        match self.by {
            By::Took => took,
            By::Late => sample.lateness_ns(),
            By::Value => sample.value,
            By::Rate => (sample.value as f64 * 1e12 / took as f64) as i64,
        }
    }

    fn passes(&self, value: i64) -> bool {
        let over = self.over.is_none_or(|over| value > over.ns() as i64);
        over && self.under.is_none_or(|under| value <= under.ns() as i64)
    }

    /// How long the time between `from` and `to` is, in seconds.
    fn seconds(&self, run: &Run) -> f64 {
        let from = self.from.map_or(0.0, |from| from.ns() as f64 / 1e9);
        let to = self.to.map_or(run.seconds(), |to| to.ns() as f64 / 1e9);
        to - from
    }

    fn loss(&self, run: &Run, now: &Counted) -> Result<Option<f64>, String> {
        let (first, last) = self.base.ok_or("it is a loss from nothing")?;
        let before = counted(&self.seen(run, first, last)?);
        let medians = now.quantile(0.5).zip(before.quantile(0.5));
        let loss = |(now, before)| 100.0 * (1.0 - now as f64 / before as f64);
        Ok(medians.map(loss))
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
    of: impl Fn(&Counters) -> &Known<u64>,
) -> Result<f64, String> {
    let delta = run.ending.meters.delta(of);
    let used = delta.value().ok_or("the machine does not count it")?;
    Ok(*used as f64 / run.seconds())
}

/// How many nanoseconds a unit of time has; of anything else there is one.
fn ns_in(unit: &str) -> f64 {
    match unit {
        "ms" => 1e6,
        "us" => 1e3,
        _ => 1.0,
    }
}

fn counted(all: &[Seen]) -> Counted {
    all.iter().map(|(_, value)| *value).collect()
}

/// How many samples lie between one and the next.
fn gaps(all: &[Seen]) -> Counted {
    let gap = |pair: &[Seen]| pair[1].0.saturating_sub(pair[0].0) as i64;
    all.windows(2).map(gap).collect()
}
