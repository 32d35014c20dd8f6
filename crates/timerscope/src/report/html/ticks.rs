//! Round numbers along an axis.

use crate::report::bins::next_round;

/// A step of 1, 2 or 5 times a power of ten, and its multiples from `low` to
/// `high`: at most `at_most` and one.
pub(super) fn linear(low: i64, high: i64, at_most: usize) -> (i128, Vec<i64>) {
    let (low, high) = (i128::from(low), i128::from(high));
    let mut step = 1;
    while (high - low) / step > at_most.max(1) as i128 {
        step = next_round(step);
    }
    let first = low.div_euclid(step) + i128::from(low.rem_euclid(step) != 0);
    let last = high.div_euclid(step);
    let ticks = (first..=last).filter_map(|at| i64::try_from(at * step).ok());
    (step, ticks.collect())
}

/// Powers of ten from `low` to `high`, both above zero; with their doubles
/// and fives where there would be fewer than three.
pub(super) fn logarithmic(low: f64, high: f64) -> Vec<f64> {
    let tens = (0..19).map(|power| 10_f64.powi(power));
    let within = |at: &f64| (low..=high).contains(at);
    let ticks: Vec<_> = tens.clone().filter(within).collect();
    if ticks.len() >= 3 {
        return ticks;
    }
    let finer = tens.flat_map(|ten| [ten, 2.0 * ten, 5.0 * ten]);
    finer.filter(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let (step, ticks) = linear(1_048_000, 1_071_000, 6);
        assert_eq!(step, 5_000);
        assert_eq!(ticks[0], 1_050_000);
        assert_eq!(ticks.len(), 5);
        assert_eq!(linear(-3, 3, 6).1, [-3, -2, -1, 0, 1, 2, 3]);
    }

    #[test]
    fn short_logarithmic_axes_have_ticks_between_the_powers() {
        assert_eq!(logarithmic(800.0, 6_000.0), [1_000.0, 2_000.0, 5_000.0]);
        assert_eq!(logarithmic(1.0, 120.0), [1.0, 10.0, 100.0]);
    }

    proptest! {
        #[test]
        fn no_axis_has_too_many_ticks(a in any::<i64>(), b in any::<i64>()) {
            let (low, high) = (a.min(b), a.max(b));
            let (_, ticks) = linear(low, high, 6);
            prop_assert!(ticks.len() <= 7);
            prop_assert!(ticks.iter().all(|at| (low..=high).contains(at)));
        }
    }
}
