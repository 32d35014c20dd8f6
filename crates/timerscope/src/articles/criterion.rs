//! When a machine's figure agrees with a published one.

use serde::Deserialize;

/// When a machine's figure agrees with a published one: any of the distances
/// that are given, and all of the other conditions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Criterion {
    /// It lies within so many percent of it.
    pub percent: Option<f64>,
    /// It lies within this of it, in the row's unit.
    pub absolute: Option<f64>,
    /// It lies within so many standard errors of it: those of the model's
    /// runs and of the published mean of 100 values together.
    pub errors: Option<f64>,
    /// Neither is more than so many times the other.
    pub factor: Option<f64>,
    /// Both are the same number of these, in the row's unit.
    pub tick: Option<f64>,
    /// The machine's figure is above this.
    pub above: Option<f64>,
    /// The machine's figure is below this.
    pub below: Option<f64>,
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// What the source says, if it is a number.
    pub(super) published: Option<f64>,
    /// The standard deviation of its single values, if it gives one.
    pub(super) sd: Option<f64>,
    /// The mean of the model's runs.
    pub(super) model: f64,
    /// How far these lie apart: their standard deviation.
    pub(super) apart: f64,
}

/// How many single values a published mean is the mean of.
const LOOPS: f64 = 100.0;

impl Criterion {
    /// Whether it is met; `None` where the source gives nothing to hold the
    /// model to.
    pub(super) fn is_met(&self, pair: &Pair) -> Option<bool> {
        let bounds = self.bounds(pair.model);
        let Some(published) = pair.published else {
            return (!bounds.is_empty()).then(|| bounds.iter().all(|met| *met));
        };
        let near = self.near(published, pair);
        if near.is_empty() && bounds.is_empty() && self.tick.is_none() {
            return None;
        }
        let tick = self.tick.is_none_or(|tick| {
            let ticks = |value: f64| (value / tick).round();
            (ticks(pair.model) - ticks(published)).abs() < 0.5
        });
        let near = near.is_empty() || near.iter().any(|met| *met);
        Some(near && tick && bounds.iter().all(|met| *met))
    }

    fn bounds(&self, model: f64) -> Vec<bool> {
        let above = self.above.map(|bound| model > bound);
        let below = self.below.map(|bound| model < bound);
        above.into_iter().chain(below).collect()
    }

    fn near(&self, published: f64, pair: &Pair) -> Vec<bool> {
        let off = (pair.model - published).abs();
        let error = pair.apart.hypot(pair.sd.unwrap_or(0.0) / LOOPS.sqrt());
        let (size, model) = (published.abs(), pair.model.abs());
        let within = [
            self.percent.map(|percent| off <= size * percent / 100.0),
            self.absolute.map(|absolute| off <= absolute),
            self.errors.map(|errors| off <= errors * error),
            self.factor
                .map(|factor| size <= model * factor && model <= size * factor),
        ];
        within.into_iter().flatten().collect()
    }

    /// It in words, `unit` being that of the row.
    #[must_use]
    pub fn words(&self, unit: &str) -> String {
        let near: Vec<String> = [
            self.percent.map(|percent| format!("within {percent} %")),
            self.absolute.map(|absolute| format!("within {absolute} {unit}")),
            self.errors
                .map(|errors| format!("within {errors} standard errors")),
            self.factor.map(|factor| format!("within a factor of {factor}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let near = (!near.is_empty()).then(|| near.join(" or "));
        let tick = self
            .tick
            .map(|tick| format!("the same number of ticks of {tick} {unit}"));
        let above = self.above.map(|bound| format!("above {bound} {unit}"));
        let below = self.below.map(|bound| format!("below {bound} {unit}"));
        let all: Vec<String> =
            [near, tick, above, below].into_iter().flatten().collect();
        if all.is_empty() {
            return "none: there is nothing to hold it to".to_owned();
        }
        all.join(", and ")
    }
}
