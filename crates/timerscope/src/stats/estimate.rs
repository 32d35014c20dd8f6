//! A figure of one run and how far off it may be.

use super::serial::{LUCK, blocks, error_of_mean};
use super::{Counted, Moments};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// The quantile of this share, between 0 and 1: 0.5 is the median.
    Quantile(f64),
    /// The mean.
    Mean,
}

/// A figure with its limits, which widen with the sureness asked for.
pub(super) struct Estimate {
    at: f64,
    reach: Option<Reach>,
    freedom: f64,
}

/// What the limits of an estimate follow from.
enum Reach {
    /// The standard error of a mean.
    Mean(f64),
    /// The standard errors of the share of values below a quantile and of
    /// that up to it: they differ where values are tied.
    Quantile { values: Counted, q: f64, below: f64, up_to: f64 },
}

/// Values of lost order count as this many times fewer independent ones.
///
/// Invented: waits of a quiet machine count in full, those of a loaded one
/// several times less.
const LOST_ORDER: f64 = 4.0;

/// Degrees of freedom that stand for an error that is not itself estimated.
const GIVEN: f64 = 200.0;

impl Estimate {
    /// Takes the figure of values in the order of time; `None` of nothing.
    pub(super) fn in_order(values: &[i64], figure: Figure) -> Option<Self> {
        let blocks = blocks(values.len()).unwrap_or(2);
        let freedom = (blocks - 1) as f64;
        let error = |of: &dyn Fn(i64) -> f64| {
            error_of_mean(values.len(), |place| of(values[place]))
        };
        if let Figure::Quantile(q) = figure {
            let counted: Counted = values.iter().copied().collect();
            let at = counted.quantile(sound(q)?)?;
            let below = error(&|value| f64::from(value < at));
            let up_to = error(&|value| f64::from(value <= at));
            let luck = LUCK * error_of_share(q, counted.total() as f64);
            let reach = below.zip(up_to).map(|(below, up_to)| {
                let (below, up_to) = (below.max(luck), up_to.max(luck));
                Reach::Quantile { values: counted, q, below, up_to }
            });
            return Some(Self { at: at as f64, reach, freedom });
        }
        let at = values.iter().copied().collect::<Moments>().mean()?;
        let reach = error(&|value| value as f64 - at).map(Reach::Mean);
        Some(Self { at, reach, freedom })
    }

    /// Takes the figure of values whose order was lost; `None` of nothing.
    ///
    /// Only a quantile has limits then.
    pub(super) fn of_counted(values: &Counted, figure: Figure) -> Option<Self> {
        let freedom = GIVEN;
        if let Figure::Quantile(q) = figure {
            let at = values.quantile(sound(q)?)? as f64;
            let alone = values.total() as f64 / LOST_ORDER;
            let error = error_of_share(q, alone);
            let values = values.clone();
            let reach =
                Reach::Quantile { values, q, below: error, up_to: error };
            return Some(Self { at, reach: Some(reach), freedom });
        }
        let mut moments = Moments::default();
        for (value, count) in values.pairs() {
            moments.add_times(*value, *count);
        }
        Some(Self { at: moments.mean()?, reach: None, freedom })
    }

    /// The figure, in ns.
    pub(super) fn at(&self) -> f64 {
        self.at
    }

    /// The degrees of freedom of the limits.
    pub(super) fn freedom(&self) -> f64 {
        self.freedom
    }

    /// How far the truth may lie below and above the figure, in ns, at
    /// `critical` standard errors; infinity where the values do not say.
    ///
    /// A quantile's limits are two of the values: how unsure the share of
    /// values up to it is says which (Woodruff, "Confidence Intervals for
    /// Medians and Other Position Measures", 1952).
    pub(super) fn limits(&self, critical: f64) -> (f64, f64) {
        match &self.reach {
            None => (f64::INFINITY, f64::INFINITY),
            Some(Reach::Mean(error)) => (critical * error, critical * error),
            Some(Reach::Quantile { values, q, below, up_to }) => {
                let away = |share: f64| {
                    let inside = share > 0.0 && share <= 1.0;
                    let value = values.quantile(share).filter(|_| inside);
                    value.map_or(f64::INFINITY, |value| {
                        (value as f64 - self.at).abs()
                    })
                };
                (away(q - critical * below), away(q + critical * up_to))
            }
        }
    }
}

/// The standard error of a share of independent values.
fn error_of_share(share: f64, total: f64) -> f64 {
    (share * (1.0 - share) / total).sqrt()
}

/// A share that has a quantile with values on both sides.
fn sound(q: f64) -> Option<f64> {
    (q > 0.0 && q < 1.0).then_some(q)
}
