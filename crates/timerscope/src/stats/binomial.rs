//! Which ranks bracket a quantile: the tails of a binomial distribution.

/// Weights this far below the peak's are lost in its rounding.
const NEGLIGIBLE: f64 = 1e-22;

/// The ranks, from 1, of the two values that bracket the true `q`-quantile
/// with at least `confidence`, half of the doubt on each side.
///
/// The number of `total` values at or below the true quantile is binomial.
/// `None` when there are too few values for such confidence.
pub(super) fn bracket(
    total: u64,
    q: f64,
    confidence: f64,
) -> Option<(u64, u64)> {
    let sound = |part: f64| part > 0.0 && part < 1.0;
    if total == 0 || !sound(q) || !sound(confidence) {
        return None;
    }
    let doubt = (1.0 - confidence) / 2.0;
    let (first, weights) = weights(total, q);
    let allowed = doubt * weights.iter().sum::<f64>();
    // The lower rank may be missed when at most rank - 1 values lie below,
    // the upper one when at least as many as its rank do.
    let low = first + fitting(weights.iter(), allowed);
    let last = first + weights.len() as u64 - 1;
    let high =
        (last + 1).checked_sub(fitting(weights.iter().rev(), allowed))?;
    (low >= 1 && high <= total).then_some((low, high))
}

/// How many weights, taken in turn, add up to no more than `allowed`.
fn fitting<'a>(weights: impl Iterator<Item = &'a f64>, allowed: f64) -> u64 {
    let mut sum = 0.0;
    let fits = |weight: &&f64| {
        sum += **weight;
        sum <= allowed
    };
    weights.take_while(fits).count() as u64
}

/// The binomial weights that matter, relative to the peak's, and the number
/// of successes that the first of them is for.
///
/// Neighbours differ by a simple ratio, so no factorial is ever formed.
fn weights(total: u64, q: f64) -> (u64, Vec<f64>) {
    let n = total as f64;
    let odds = q / (1.0 - q);
    let peak = (((n + 1.0) * q) as u64).min(total);
    let mut below = Vec::new();
    let (mut weight, mut k) = (1.0, peak);
    while k > 0 {
        weight *= k as f64 / ((n - k as f64 + 1.0) * odds);
        k -= 1;
        if weight < NEGLIGIBLE {
            break;
        }
        below.push(weight);
    }
    let first = peak - below.len() as u64;
    below.reverse();
    below.push(1.0);
    (weight, k) = (1.0, peak);
    while k < total {
        weight *= (n - k as f64) * odds / (k as f64 + 1.0);
        k += 1;
        if weight < NEGLIGIBLE {
            break;
        }
        below.push(weight);
    }
    (first, below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{Binomial, DiscreteCDF};

    #[test]
    fn the_median_of_a_hundred_lies_between_ranks_40_and_61() {
        // The textbook case, for instance Conover, section 3.2.
        assert_eq!(bracket(100, 0.5, 0.95), Some((40, 61)));
    }

    #[test]
    fn a_hundred_values_say_nothing_sure_about_the_thousandth() {
        assert_eq!(bracket(100, 0.999, 0.95), None);
        assert_eq!(bracket(0, 0.5, 0.95), None);
        assert_eq!(bracket(100, 0.5, 1.0), None);
    }

    #[test]
    fn millions_of_values_are_bracketed_closely() {
        let (low, high) = bracket(10_000_000, 0.5, 0.95).unwrap();
        // 1.96 standard deviations of sqrt(n)/2 each way.
        assert!((4_996_890..=4_996_912).contains(&low), "{low}");
        assert_eq!(low + high, 10_000_001);
    }

    proptest! {
        #[test]
        fn statrs_finds_the_doubt_on_each_side_kept_and_used_up(
            total in 1_u64..3_000,
            q in 0.01_f64..0.99,
            confidence in 0.5_f64..0.99,
        ) {
            let doubt = (1.0 - confidence) / 2.0;
            let oracle = Binomial::new(q, total).unwrap();
            let below = |rank: u64| match rank {
                0 => 0.0,
                rank => oracle.cdf(rank - 1),
            };
            let slip = 1e-9;
            if let Some((low, high)) = bracket(total, q, confidence) {
                prop_assert!(below(low) <= doubt + slip);
                prop_assert!(below(low + 1) >= doubt - slip);
                prop_assert!(1.0 - below(high) <= doubt + slip);
                prop_assert!(1.0 - below(high - 1) >= doubt - slip);
            } else {
                let impossible = below(1) >= doubt - slip
                    || 1.0 - below(total) >= doubt - slip;
                prop_assert!(impossible);
            }
        }
    }
}
