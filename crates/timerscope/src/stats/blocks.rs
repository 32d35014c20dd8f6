//! What a treatment costs, from blocks of work with and without it.
//!
//! A loss of one percent is less than a processor's speed drifts while it
//! warms up, and a neighbour who takes the processor away spoils a block
//! altogether. So blocks come in pairs of one each, in an order that was
//! drawn ([`alternate`]), and only the ratio within a pair counts: whatever
//! changes slower than a pair lasts cancels, and what does not cancel takes
//! either side with the same chance.
//!
//! That coin is also what the interval rests on. Had the treatment no
//! effect, exchanging the blocks of a pair would only flip the sign of its
//! log ratio, so all combinations of signs are equally likely: Wilcoxon's
//! signed-rank test is this very permutation test, taken on ranks. Ranks,
//! because a permutation test of the mean is as exact but one spoiled block
//! widens it beyond use. Inverted, it gives the Hodges-Lehmann estimate and
//! its exact interval from the Walsh averages, the means of all pairs of log
//! ratios (Hodges and Lehmann 1963; Hollander, Wolfe and Chicken,
//! Nonparametric Statistical Methods, sections 3.1 to 3.3).
//!
//! [`alternate`]: super::alternate

/// One block of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Whether the treatment was on: the tick raised, for instance.
    pub raised: bool,
    /// Work done per second.
    pub rate: f64,
}

/// The work that a treatment costs.
///
/// ```
/// use timerscope::stats::{Block, Loss, alternate};
///
/// let blocks: Vec<Block> = alternate(20, 1)
///     .into_iter()
///     .enumerate()
///     .map(|(place, raised)| {
///         let speed = 1e6 - 100.0 * place as f64;
///         Block { raised, rate: if raised { 0.9 * speed } else { speed } }
///     })
///     .collect();
/// let loss = Loss::of(&blocks).unwrap();
/// assert!((loss.percent - 10.0).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Pairs of neighbouring blocks, one with and one without, that count.
    pub pairs: usize,
    /// The loss in percent of the rate without; negative for a gain.
    pub percent: f64,
    /// The least and the most that the true loss may be, in percent, with a
    /// confidence of 95 %; `None` of fewer than six pairs.
    pub interval: Option<(f64, f64)>,
    /// How far the log ratio's interval reaches each way, on average.
    reach: Option<f64>,
}

/// The chance that the interval misses.
const DOUBT: f64 = 0.05;

/// The normal quantile of 97.5 %: an interval reaches this many errors.
const SURE: f64 = 1.960;

/// The normal quantile of 90 %, the chance to see what is to be seen.
const NINE_IN_TEN: f64 = 1.282;

/// Fewer pairs than this have no interval: 2 of 2^5 orders are over 5 %.
const FEWEST: usize = 6;

/// Up to here the signed-rank distribution is counted out.
const COUNTED_OUT: usize = 100;

impl Loss {
    /// Takes the loss from blocks in the order of time.
    ///
    /// Neighbours with different treatments make pairs; a block left over,
    /// or beside one that did no work, is left aside. `None` without a pair.
    #[must_use]
    pub fn of(blocks: &[Block]) -> Option<Self> {
        let ratios = log_ratios(blocks);
        let pairs = ratios.len();
        let walsh = walsh_averages(&ratios);
        let middle = median(&walsh)?;
        let ends = (pairs >= FEWEST).then(|| {
            let cut = cut(pairs);
            (walsh[cut], walsh[walsh.len() - 1 - cut])
        });
        Some(Self {
            pairs,
            percent: percent(middle),
            interval: ends.map(|(low, high)| (percent(high), percent(low))),
            reach: ends.map(|(low, high)| (high - low) / 2.0),
        })
    }

    /// Says how many blocks a run needs to show a loss of `percent` nine
    /// times in ten, if its blocks scatter as these did.
    ///
    /// Blocks of the same length, half of them with the treatment. Of fewer
    /// than 40 pairs a few spoiled blocks exaggerate the answer. `None` if
    /// the blocks were too few to say how they scatter, and outside 0..100.
    #[must_use]
    pub fn blocks_needed(&self, percent: f64) -> Option<u64> {
        if !(percent > 0.0 && percent < 100.0) {
            return None;
        }
        let error = self.reach? / SURE;
        let effect = -(-percent / 100.0).ln_1p();
        let times = ((SURE + NINE_IN_TEN) * error / effect).powi(2);
        // The normal curve forgets that a few ranks need to agree wholly.
        let pairs = (times * self.pairs as f64).ceil() + FEWEST as f64;
        Some(2 * pairs as u64)
    }
}

/// A log ratio as a loss in percent.
fn percent(log_ratio: f64) -> f64 {
    -100.0 * log_ratio.exp_m1()
}

/// The logarithm of the rate with over that without, of each pair.
fn log_ratios(mut blocks: &[Block]) -> Vec<f64> {
    let mut ratios = Vec::new();
    while let [first, second, rest @ ..] = blocks {
        if first.raised == second.raised {
            blocks = &blocks[1..];
            continue;
        }
        let ratio = (second.rate / first.rate).ln();
        let works = |block: &Block| block.rate > 0.0;
        if works(first) && works(second) && ratio.is_finite() {
            ratios.push(if second.raised { ratio } else { -ratio });
        }
        blocks = rest;
    }
    ratios
}

/// The means of all pairs, each value with itself too, in rising order.
fn walsh_averages(values: &[f64]) -> Vec<f64> {
    let mut averages: Vec<f64> = values
        .iter()
        .enumerate()
        .flat_map(|(i, a)| values[i..].iter().map(|b| f64::midpoint(*a, *b)))
        .collect();
    averages.sort_unstable_by(f64::total_cmp);
    averages
}

fn median(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[last - last / 2]))
}

/// How many Walsh averages lie outside the interval on each side.
fn cut(pairs: usize) -> usize {
    if pairs > COUNTED_OUT {
        let n = pairs as f64;
        let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        return (n * (n + 1.0) / 4.0 - SURE * deviation) as usize - 1;
    }
    let mut sum = 0.0;
    let fits = |chance: &f64| {
        sum += chance;
        sum <= DOUBT / 2.0
    };
    let refused = signed_ranks(pairs).into_iter().take_while(fits).count();
    // The end of the interval is the last average that is refused.
    refused.saturating_sub(1)
}

/// The chance of each sum of positive ranks when signs are coins.
fn signed_ranks(pairs: usize) -> Vec<f64> {
    let most = pairs * (pairs + 1) / 2;
    let mut chances = vec![0.0; most + 1];
    chances[0] = 1.0;
    for rank in 1..=pairs {
        for sum in (0..=most).rev() {
            let with = sum.checked_sub(rank).map_or(0.0, |i| chances[i]);
            chances[sum] = f64::midpoint(chances[sum], with);
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_table_of_signed_ranks_agrees() {
        // Wilcoxon's table at 5 %, two-sided: the largest sum to reject.
        let table = [(6, 0), (7, 2), (8, 3), (10, 8), (15, 25), (20, 52)];
        for (pairs, largest) in table {
            assert_eq!(cut(pairs), largest, "{pairs} pairs");
        }
    }

    #[test]
    fn counting_out_and_the_normal_curve_meet() {
        let (out, curve) = (cut(COUNTED_OUT), cut(COUNTED_OUT + 1));
        // A pair more is worth some 20 averages.
        assert!((out..out + 60).contains(&curve), "{out} {curve}");
    }
}
