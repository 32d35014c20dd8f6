//! How sure the mean of values is that come one after another.
//!
//! Latencies of consecutive waits resemble each other: load comes in bursts,
//! clocks warm up. The formula for independent values then promises far too
//! much. Batch means (Conway 1963; Law, Simulation Modeling and Analysis,
//! section 9.5.3) need no model: the run is cut into a few long blocks, and
//! how the blocks' means scatter says how sure their mean is. Few and long,
//! because Schmeiser ("Batch Size Effects in the Analysis of Simulation
//! Output", 1982) found that more than 10 to 30 blocks gain next to nothing
//! while short ones hide whatever is slower than they are.
//!
//! A second run of the same condition may lie elsewhere as a whole, and no
//! single run can show that. But a run that still changes slowly across its
//! blocks gives a hint: then its level is one draw and not the mean of many,
//! and the scatter between blocks counts in full. Von Neumann's ratio
//! (Fishman, "Grouping Observations in Digital Simulation", 1978) tells.

/// Blocks that a run is cut into.
const BLOCKS: usize = 12;

/// With fewer blocks than this nothing is said.
const FEWEST: usize = 6;

/// Values that make a block at least.
const SHORTEST: usize = 8;

/// Neighbouring blocks that resemble each other this many standard
/// deviations beyond chance mean a slow change; 1 in 40 steady runs does.
const ALIKE: f64 = 1.96;

/// The standard error of a mean is never taken for less than this part of
/// what independent values would have: a few blocks agree by luck, too.
pub(super) const LUCK: f64 = 0.5;

/// Says how many blocks a run of `count` values is cut into; `None` for too
/// few.
pub(super) fn blocks(count: usize) -> Option<usize> {
    let blocks = (count / SHORTEST).min(BLOCKS);
    (blocks >= FEWEST).then_some(blocks)
}

/// The means of a run's blocks.
struct Blocks {
    means: Vec<f64>,
}

impl Blocks {
    /// The mean of the blocks.
    fn mean(&self) -> f64 {
        self.means.iter().sum::<f64>() / self.means.len() as f64
    }

    /// The sum of squared distances from the mean.
    fn squares(&self) -> f64 {
        let mean = self.mean();
        self.means.iter().map(|value| (value - mean).powi(2)).sum()
    }

    /// The standard error of their mean.
    fn error(&self) -> f64 {
        let count = self.means.len() as f64;
        (self.squares() / (count - 1.0) / count).sqrt() * self.unrest()
    }

    /// How much more a slow change makes of the standard error; 1 if none.
    ///
    /// So much that two runs are just not told apart that leave the same
    /// level straight in opposite directions: each then deviates from its
    /// middle by its half height over sqrt(3), and their means lie apart by
    /// the sum of the half heights.
    fn unrest(&self) -> f64 {
        let steps: f64 =
            self.means.windows(2).map(|two| (two[1] - two[0]).powi(2)).sum();
        let ratio = steps / self.squares();
        let count = self.means.len() as f64;
        let by_chance = ((count - 2.0) / (count * count - 1.0)).sqrt();
        // Equal means give no ratio, and no slow change either.
        let changes = (1.0 - ratio / 2.0) / by_chance > ALIKE;
        if changes { (1.5 * count).sqrt() } else { 1.0 }
    }
}

/// The standard error of the mean of `count` values in the order of time.
///
/// `None` for fewer than 48.
pub(super) fn error_of_mean(
    count: usize,
    value: impl Fn(usize) -> f64,
) -> Option<f64> {
    let blocks = blocks(count)?;
    let mean_of = |from: usize, to: usize| {
        (from..to).map(&value).sum::<f64>() / (to - from) as f64
    };
    let end = |block: usize| block * count / blocks;
    let means = (0..blocks).map(|b| mean_of(end(b), end(b + 1))).collect();
    let mean = mean_of(0, count);
    let squares: f64 = (0..count).map(|i| (value(i) - mean).powi(2)).sum();
    let independent = squares.sqrt() / count as f64;
    Some(Blocks { means }.error().max(LUCK * independent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::draws::Draws;

    fn error(values: &[i64]) -> Option<f64> {
        error_of_mean(values.len(), |i| values[i] as f64)
    }

    #[test]
    fn few_values_cannot_be_trusted_at_all() {
        assert_eq!(error(&[7; 47]), None);
        assert_eq!(error(&[7; 48]), Some(0.0));
    }

    #[test]
    fn independent_values_have_the_textbook_error() {
        // Even from 0 to 1000: standard deviation 1000/sqrt(12).
        let squared = (0..200).map(|seed| {
            let mut draws = Draws::new(seed);
            let values: Vec<i64> =
                (0..600).map(|_| draws.within(1000)).collect();
            error(&values).unwrap().powi(2)
        });
        let mean = squared.sum::<f64>() / 200.0;
        let textbook = 1e6 / 12.0 / 600.0;
        assert!((0.9..1.6).contains(&(mean / textbook)), "{mean}");
    }

    #[test]
    fn a_run_that_climbs_is_one_draw_of_a_level() {
        // A straight line of length 1200 deviates by 1200/sqrt(12) = 346.
        let values: Vec<i64> = (0..1200).collect();
        let found = error(&values).unwrap() / 1.5_f64.sqrt();
        assert!((340.0..370.0).contains(&found), "{found}");
    }

    #[test]
    fn luck_is_not_taken_for_sureness() {
        // Every block has the same mean.
        let values: Vec<i64> = (0..1200).map(|i| i % 2 * 2).collect();
        let independent = 1.0 / 1200_f64.sqrt();
        assert!((error(&values).unwrap() - independent / 2.0).abs() < 1e-12);
    }
}
