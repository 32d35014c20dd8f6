//! The order in which two treatments take turns.

use crate::machine::Random;

/// Draws an order for two treatments: `true` is the second of them.
///
/// Blocks come in pairs of one each, and a coin decides which goes first, so
/// that neither a drift nor a rhythm of the machine can side with one of
/// them. The same seed gives the same order, and a longer one begins with
/// the shorter.
///
/// ```
/// use timerscope::stats::alternate;
///
/// let order = alternate(3, 1);
/// assert_eq!(order.len(), 6);
/// assert!(order.chunks(2).all(|pair| pair[0] != pair[1]));
/// ```
#[must_use]
pub fn alternate(pairs: usize, seed: u64) -> Vec<bool> {
    let mut random = Random::new(seed);
    (0..pairs)
        .flat_map(|_| {
            let second_first = random.coin();
            [second_first, !second_first]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn either_goes_first_about_as_often() {
        let firsts = alternate(10_000, 7).into_iter().step_by(2).filter(|b| *b);
        // 3 standard deviations of sqrt(10,000)/2 each way.
        assert!((4_850..=5_150).contains(&firsts.count()));
    }

    proptest! {
        #[test]
        fn each_pair_has_one_of_each_and_the_order_is_the_seeds(
            pairs in 0_usize..100, seed in any::<u64>(),
        ) {
            let order = alternate(pairs, seed);
            prop_assert_eq!(order.len(), 2 * pairs);
            prop_assert!(order.chunks(2).all(|pair| pair[0] != pair[1]));
            prop_assert_eq!(&alternate(pairs + 5, seed)[..2 * pairs], &order);
        }
    }
}
