//! Whether one group of runs differs from another.
//!
//! A run of a machine lies a little elsewhere as a whole each time: where its
//! memory came to lie, who else was there, how warm it was. No single run can
//! show by how much, however long it is. So a run counts as one number here,
//! and only how the numbers of the runs lie among each other says anything.
//!
//! Had the two groups the same law, each way to deal the numbers to them would
//! be as likely as any other: Wilcoxon's rank-sum test (Mann and Whitney's U)
//! is this permutation test, taken on ranks, and it is counted out exactly.
//! Inverted, it gives the shift between the groups with its interval from the
//! differences of all pairs (Hodges and Lehmann 1963; Hollander, Wolfe and
//! Chicken, Nonparametric Statistical Methods, sections 4.1 to 4.3).

/// More runs in a group than this are not compared: counting out all orders
/// takes time, and a number of ways has to stay a number.
const MOST: usize = 100;

/// How far one group of runs lies from another.
///
/// ```
/// use timerscope::stats::Shift;
///
/// let before = [50.0, 52.0, 51.0, 53.0];
/// let after = [61.0, 60.0, 63.0, 62.0];
/// let shift = Shift::of(&before, &after).unwrap();
/// assert_eq!(shift.middle(), 10.0);
/// assert_eq!(shift.limits(0.05), Some((7.0, 13.0)));
/// // Of the 70 ways to deal eight numbers, two are as far apart.
/// assert_eq!(shift.least_doubt(), 2.0 / 70.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// Each number of the second group less each of the first, in rising
    /// order.
    differences: Vec<f64>,
    /// The chance, on both sides together, that at most so many differences
    /// have the other sign, if the groups have one law.
    doubts: Vec<f64>,
}

impl Shift {
    /// Compares two groups, each with one number for each run.
    ///
    /// `None` if one is empty, has more than a hundred runs, or a number that
    /// is not finite.
    #[must_use]
    pub fn of(before: &[f64], after: &[f64]) -> Option<Self> {
        let sound = |runs: &[f64]| {
            (1..=MOST).contains(&runs.len())
                && runs.iter().all(|own| own.is_finite())
        };
        if !sound(before) || !sound(after) {
            return None;
        }
        let pairs = after
            .iter()
            .flat_map(|after| before.iter().map(move |before| after - before));
        let mut differences: Vec<f64> = pairs.collect();
        differences.sort_unstable_by(f64::total_cmp);
        let doubts = doubts(before.len(), after.len());
        Some(Self { differences, doubts })
    }

    /// The shift that is as likely too small as too large: the median of all
    /// differences.
    #[must_use]
    pub fn middle(&self) -> f64 {
        let all = &self.differences;
        f64::midpoint(all[(all.len() - 1) / 2], all[all.len() / 2])
    }

    /// The least and the most that the true shift may be, at a doubt of at
    /// most `doubt`; `None` where so few runs cannot say.
    #[must_use]
    pub fn limits(&self, doubt: f64) -> Option<(f64, f64)> {
        let cut = self.doubts.iter().rposition(|own| *own <= doubt)?;
        Some(self.between(cut))
    }

    /// The doubt that remains however far the groups lie apart.
    #[must_use]
    pub fn least_doubt(&self) -> f64 {
        self.doubts.first().copied().unwrap_or(1.0)
    }

    /// How sure, from 0 to 1, that the true shift is where `holds` says of an
    /// interval that it is: as the widest one for which it holds.
    pub fn sure(&self, holds: impl Fn((f64, f64)) -> bool) -> f64 {
        let cut = (0..self.doubts.len()).find(|cut| holds(self.between(*cut)));
        cut.map_or(0.0, |cut| 1.0 - self.doubts[cut])
    }

    /// The interval that leaves out so many differences on each side.
    fn between(&self, cut: usize) -> (f64, f64) {
        let last = self.differences.len() - 1;
        (self.differences[cut], self.differences[last - cut])
    }
}

/// How many runs each of two groups needs, at least, so that a difference can
/// be shown at this doubt.
///
/// Of all ways to deal them, the two that lie furthest apart must be fewer
/// than the doubt: at 5 % that takes four and four.
///
/// ```
/// use timerscope::stats::runs_needed;
///
/// assert_eq!(runs_needed(0.05), Some(4));
/// assert_eq!(runs_needed(0.05 / 4.0), Some(5));
/// assert_eq!(runs_needed(0.0), None);
/// ```
#[must_use]
pub fn runs_needed(doubt: f64) -> Option<u64> {
    // 2n over n, from the one before.
    let mut ways = 1.0;
    (1..=MOST as u64).find(|runs| {
        let runs = *runs as f64;
        ways *= 2.0 * (2.0 * runs - 1.0) / runs;
        2.0 / ways <= doubt
    })
}

/// For each number of differences with the other sign, up to the middle, the
/// two-sided chance that there are at most so many.
fn doubts(before: usize, after: usize) -> Vec<f64> {
    let ways = ways(before, after);
    let all: f64 = ways.iter().sum();
    let half = (before * after).div_ceil(2);
    let mut sum = 0.0;
    ways.into_iter()
        .take(half)
        .map(|ways| {
            sum += ways;
            (2.0 * sum / all).min(1.0)
        })
        .collect()
}

/// In how many of all orders of two groups so many pairs stand the other way
/// round: those whose last is of the second group, and those whose last is of
/// the first (Mann and Whitney 1947, whose recurrence this is).
fn ways(before: usize, after: usize) -> Vec<f64> {
    // For a first group of each size from none on.
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; before + 1];
    for second in 1..=after {
        for first in 1..=before {
            let mut ways = rows[first].clone();
            ways.resize(first * second + 1, 0.0);
            for (fewer, count) in rows[first - 1].iter().enumerate() {
                ways[fewer + second] += count;
            }
            rows[first] = ways;
        }
    }
    rows.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::draws::Draws;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_printed_tables_of_u_agree() {
        // Any table of Mann and Whitney's U at 5 %, two-sided: the most that
        // is still significant.
        for (before, after, most) in [
            (4, 4, 0),
            (5, 5, 2),
            (6, 6, 5),
            (8, 8, 13),
            (5, 9, 7),
            (10, 10, 23),
        ] {
            let doubts = doubts(before, after);
            let last = doubts.iter().rposition(|own| *own <= 0.05);
            assert_eq!(last, Some(most), "{before} and {after}");
        }
        assert!(doubts(3, 3)[0] > 0.05);
        assert!(doubts(2, 7)[0] > 0.05 && doubts(2, 8)[0] <= 0.05);
    }

    #[test]
    fn two_against_two_can_show_nothing() {
        let shift = Shift::of(&[1.0, 2.0], &[1e9, 2e9]).unwrap();
        assert!((shift.least_doubt() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(shift.limits(0.05), None);
        assert!(shift.sure(|(low, _)| low > 0.0) < 0.67);
    }

    #[test]
    fn groups_of_one_law_are_told_apart_as_seldom_as_promised() {
        let mut draws = Draws::new(11);
        let mut runs = |count: usize| -> Vec<f64> {
            (0..count).map(|_| draws.exponential(1e6) as f64).collect()
        };
        for (before, after) in [(4, 4), (5, 7), (12, 12)] {
            let told = (0..4_000).filter(|_| {
                let shift = Shift::of(&runs(before), &runs(after)).unwrap();
                let (low, high) = shift.limits(0.05).unwrap();
                low > 0.0 || high < 0.0
            });
            let told = told.count();
            // 5 % of 4000 are 200, and four standard deviations are 55.
            assert!(told <= 255, "{before} and {after}: {told}");
            assert!(told >= 60, "{before} and {after}: {told}");
        }
    }

    #[test]
    fn what_is_no_group_of_runs_is_not_compared() {
        let many = vec![1.0; MOST + 1];
        for runs in [&[][..], &[f64::NAN], &[f64::INFINITY], &many] {
            assert_eq!(Shift::of(runs, &[1.0]), None);
            assert_eq!(Shift::of(&[1.0], runs), None);
        }
        let most = Shift::of(&many[1..], &many[1..]).unwrap();
        assert!(most.least_doubt() > 0.0 && most.least_doubt() < 1e-50);
    }

    proptest! {
        #[test]
        fn every_order_is_counted_once(
            before in 1_usize..12, after in 1_usize..12,
        ) {
            let all: f64 = ways(before, after).iter().sum();
            let binomial = (1..=before)
                .fold(1.0, |ways, i| ways * (after + i) as f64 / i as f64);
            prop_assert!((all / binomial - 1.0).abs() < 1e-12);
            let mut backward = ways(before, after);
            backward.reverse();
            prop_assert_eq!(backward, ways(after, before));
        }

        #[test]
        fn a_shift_moves_its_interval_and_turns_with_the_groups(
            before in prop::collection::vec(-1_000_i32..1_000, 4..9),
            after in prop::collection::vec(-1_000_i32..1_000, 4..9),
            by in -500_i32..500,
        ) {
            let of = |runs: &[i32], by: i32| -> Vec<f64> {
                runs.iter().map(|own| f64::from(own + by)).collect()
            };
            let (one, two) = (of(&before, 0), of(&after, 0));
            let (low, high) = Shift::of(&one, &two).unwrap().limits(0.05).unwrap();
            let moved = Shift::of(&one, &of(&after, by)).unwrap();
            let by = f64::from(by);
            prop_assert_eq!(moved.limits(0.05), Some((low + by, high + by)));
            let turned = Shift::of(&two, &one).unwrap();
            prop_assert_eq!(turned.limits(0.05), Some((-high, -low)));
            let middle = turned.middle();
            prop_assert!(-high <= middle && middle <= -low);
        }
    }
}
