//! An axis with ticks of our choosing.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// An axis in nanoseconds or counts.
///
/// The ticks are given, as plotters' own know no unit of time: they would
/// stand at 1.048576 ms where people look for 1.05.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<f64>,
    /// Whether each power of ten takes the same length; `low` is above zero.
    pub(super) logarithmic: bool,
}

impl Axis {
    /// An axis on which equal lengths are equal differences.
    pub(super) fn linear(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        Self { low, high, ticks, logarithmic: false }
    }

    /// An axis on which equal lengths are equal ratios.
    pub(super) fn logarithmic(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        Self { low, high, ticks, logarithmic: true }
    }

    /// Where a value stands: 0 at the beginning, 1 at the end.
    fn share(&self, value: f64) -> f64 {
        let place = |value: f64| {
            if self.logarithmic { value.log10() } else { value }
        };
        let (low, high) = (place(self.low), place(self.high));
        if high > low { (place(value) - low) / (high - low) } else { 0.0 }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1 - limit.0);
        limit.0 + (self.share(*value) * length).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}
