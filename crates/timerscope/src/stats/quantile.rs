//! Exact quantiles, and how sure they are.

use super::Counted;
use super::binomial::bracket;

/// Gives the `q`-quantile of values sorted in rising order.
///
/// By nearest rank: the smallest value that at least the share `q` of all
/// values does not exceed. It is always one of the values, never a mean of
/// two: a wait that nobody saw is not reported. `q` is clamped to 0..=1;
/// `None` when there are no values.
///
/// ```
/// use timerscope::stats::quantile;
///
/// let sorted = [10, 20, 30, 40];
/// assert_eq!(quantile(&sorted, 0.5), Some(20));
/// assert_eq!(quantile(&sorted, 0.51), Some(30));
/// ```
#[must_use]
pub fn quantile(sorted: &[i64], q: f64) -> Option<i64> {
    let rank = nearest_rank(sorted.len() as u64, q)?;
    sorted.get(rank as usize - 1).copied()
}

/// Gives two of the values that bracket the true `q`-quantile with at least
/// the given confidence (for instance 0.95).
///
/// It assumes nothing about the distribution, only that the values do not
/// depend on each other: the ranks follow from the binomial distribution.
/// `None` when there are too few values to be that sure.
///
/// ```
/// use timerscope::stats::{Counted, quantile_interval};
///
/// let values: Counted = (1..=100).collect();
/// assert_eq!(quantile_interval(&values, 0.5, 0.95), Some((40, 61)));
/// assert_eq!(quantile_interval(&values, 0.999, 0.95), None);
/// ```
#[must_use]
pub fn quantile_interval(
    values: &Counted,
    q: f64,
    confidence: f64,
) -> Option<(i64, i64)> {
    let (low, high) = bracket(values.total(), q, confidence)?;
    Some((values.at_rank(low)?, values.at_rank(high)?))
}

/// The rank, from 1, of the `q`-quantile among `total` values.
fn nearest_rank(total: u64, q: f64) -> Option<u64> {
    let exact = q.clamp(0.0, 1.0) * total as f64;
    // 0.07 * 100 is a rounding error above 7, and rank 7 is meant.
    let rank = (exact * (1.0 - 4.0 * f64::EPSILON)).ceil() as u64;
    (total > 0).then(|| rank.clamp(1, total))
}

impl Counted {
    /// Gives the `q`-quantile, by nearest rank as [`quantile`] does.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<i64> {
        self.at_rank(nearest_rank(self.total(), q)?)
    }
}

/// The four quantiles that reports show, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantiles {
    /// Half of the values are not above it.
    pub p50: i64,
    /// Nine in ten values are not above it.
    pub p90: i64,
    /// 99 in 100 values are not above it.
    pub p99: i64,
    /// 999 in 1000 values are not above it.
    pub p999: i64,
}

impl Quantiles {
    /// Takes the quantiles of counted values; `None` of nothing.
    ///
    /// Of fewer than 1000 values the last one is the largest: it is exact
    /// about what was seen, and [`quantile_interval`] says what it is worth.
    #[must_use]
    pub fn of(values: &Counted) -> Option<Self> {
        Some(Self {
            p50: values.quantile(0.5)?,
            p90: values.quantile(0.9)?,
            p99: values.quantile(0.99)?,
            p999: values.quantile(0.999)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_thousand_values_have_each_quantile_at_its_rank() {
        let values: Counted = (1..=1000).collect();
        let expected = Quantiles { p50: 500, p90: 900, p99: 990, p999: 999 };
        assert_eq!(Quantiles::of(&values), Some(expected));
    }

    #[test]
    fn rounding_never_moves_a_rank() {
        let sorted: Vec<i64> = (1..=100).collect();
        for percent in 1..=100_i64 {
            let q = percent as f64 / 100.0;
            assert_eq!(quantile(&sorted, q), Some(percent));
        }
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(Quantiles::of(&Counted::default()), None);
    }

    proptest! {
        #[test]
        fn enough_values_are_not_above_a_quantile_and_none_smaller_would_do(
            mut values in prop::collection::vec(0_i64..100, 1..300),
            q in 0.0_f64..=1.0,
        ) {
            values.sort_unstable();
            let found = quantile(&values, q).unwrap();
            let share = |holds: &dyn Fn(i64) -> bool| {
                let held = values.iter().filter(|v| holds(**v)).count();
                held as f64 / values.len() as f64
            };
            prop_assert!(share(&|v| v <= found) >= q - 1e-12);
            prop_assert!(found == values[0] || share(&|v| v < found) < q);
            let counted: Counted = values.iter().copied().collect();
            prop_assert_eq!(counted.quantile(q), Some(found));
        }

        #[test]
        fn an_interval_holds_the_quantile_seen(
            values in prop::collection::vec(0_i64..1000, 20..300),
        ) {
            let counted: Counted = values.into_iter().collect();
            let (low, high) = quantile_interval(&counted, 0.5, 0.95).unwrap();
            let seen = counted.quantile(0.5).unwrap();
            prop_assert!(low <= seen && seen <= high);
        }
    }
}
