//! Count, extremes, mean and deviation, in one pass that never cancels.

use super::Counted;

/// Count, extremes, mean and standard deviation of values in nanoseconds.
///
/// The sum is kept exactly, in 128 bits, and squares are taken of distances
/// from the mean only (after Chan, Golub and `LeVeque`, "Updating formulae
/// and a pairwise algorithm", 1979). The sum of plain squares, by which
/// timer.c prints a deviation of `-nan`, never appears.
///
/// ```
/// use timerscope::stats::Moments;
///
/// let moments: Moments = [10_000_000, 10_000_001].into_iter().collect();
/// assert_eq!(moments.mean(), Some(10_000_000.5));
/// assert_eq!(moments.standard_deviation(), Some(0.5_f64.sqrt()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    min: i64,
    max: i64,
    sum: i128,
    /// Squared distances from the mean, added up; never negative.
    squares: f64,
}

impl Moments {
    /// Takes the moments of counted values.
    #[must_use]
    pub fn of(values: &Counted) -> Self {
        let mut moments = Self::default();
        for (value, count) in values.pairs() {
            moments.add_times(*value, *count);
        }
        moments
    }

    /// Adds one value.
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    /// Adds a value that was seen `count` times.
    pub fn add_times(&mut self, value: i64, count: u64) {
        let sum = i128::from(value) * i128::from(count);
        self.merge(&Self { count, min: value, max: value, sum, squares: 0.0 });
    }

    /// Adds what another one has seen.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let count = self.count.saturating_add(other.count);
        let apart = self.mean_less(other);
        let weight = self.count as f64 * (other.count as f64 / count as f64);
        self.squares += other.squares + apart * apart * weight;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum = self.sum.saturating_add(other.sum);
        self.count = count;
    }

    /// The difference of two means; the whole parts cancel exactly.
    fn mean_less(&self, other: &Self) -> f64 {
        let (whole, part) = self.split_mean();
        let (other_whole, other_part) = other.split_mean();
        (whole - other_whole) as f64 + (part - other_part)
    }

    /// The mean as a whole number and a fraction from 0 to 1.
    fn split_mean(&self) -> (i128, f64) {
        let count = i128::from(self.count.max(1));
        let part = self.sum.rem_euclid(count) as f64 / count as f64;
        (self.sum.div_euclid(count), part)
    }

    /// Says how many values were added.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Gives the smallest value, in ns.
    #[must_use]
    pub fn min(&self) -> Option<i64> {
        (self.count > 0).then_some(self.min)
    }

    /// Gives the largest value, in ns.
    #[must_use]
    pub fn max(&self) -> Option<i64> {
        (self.count > 0).then_some(self.max)
    }

    /// Gives the mean, in ns.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let (whole, part) = self.split_mean();
        (self.count > 0).then_some(whole as f64 + part)
    }

    /// Gives the sample variance (divided by count - 1), in square ns.
    ///
    /// `None` for fewer than two values.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let free = self.count.checked_sub(1).filter(|free| *free > 0)?;
        Some(self.squares / free as f64)
    }

    /// Gives the sample standard deviation, in ns; never NaN.
    ///
    /// `None` for fewer than two values: one value does not say how values
    /// scatter.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }
}

impl Extend<i64> for Moments {
    fn extend<I: IntoIterator<Item = i64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<i64> for Moments {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        let mut moments = Self::default();
        moments.extend(values);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::statistics::Statistics;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    #[test]
    fn too_few_values_have_no_deviation() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.min()), (None, None));
        assert_eq!(moments.standard_deviation(), None);
        moments.add(7);
        assert_eq!((moments.mean(), moments.max()), (Some(7.0), Some(7)));
        assert_eq!(moments.standard_deviation(), None);
    }

    #[test]
    fn a_huge_offset_takes_nothing_from_the_deviation() {
        for offset in [0, 1_000_000_000_000_000, i64::MAX - 1] {
            let moments: Moments =
                [0, 1, 0, 1].iter().map(|v| offset + v).collect();
            assert_eq!(moments.variance(), Some(1.0 / 3.0), "{offset}");
        }
    }

    #[test]
    fn the_row_that_timer_c_calls_nan_has_a_small_deviation() {
        let mut moments = Moments::default();
        moments.add_times(9_999_000, 10);
        moments.add_times(10_000_000, 80);
        moments.add_times(10_001_000, 10);
        let expected = (20.0 * 1e6 / 99.0_f64).sqrt();
        assert!(close(moments.standard_deviation().unwrap(), expected));
    }

    proptest! {
        #[test]
        fn equal_values_deviate_by_nothing(
            value in any::<i64>(), count in 2_u64..1_000_000,
        ) {
            let mut moments = Moments::default();
            moments.add_times(value, count);
            moments.add_times(value, 3);
            moments.add(value);
            prop_assert_eq!(moments.standard_deviation(), Some(0.0));
        }

        #[test]
        fn a_deviation_is_a_number_and_not_negative(
            values in prop::collection::vec(any::<i64>(), 2..50),
            count in any::<u64>(),
        ) {
            let mut moments: Moments = values.iter().copied().collect();
            moments.add_times(values[0], count);
            let deviation = moments.standard_deviation().unwrap();
            prop_assert!(deviation.is_finite() && deviation >= 0.0);
            prop_assert!(moments.mean().unwrap().is_finite());
        }

        #[test]
        fn two_passes_and_statrs_agree(
            values in prop::collection::vec(
                -1_000_000_000_i64..1_000_000_000, 2..200,
            ),
        ) {
            let moments: Moments = values.iter().copied().collect();
            let floats: Vec<f64> = values.iter().map(|v| *v as f64).collect();
            let mean = floats.iter().sum::<f64>() / floats.len() as f64;
            let squares: f64 = floats.iter().map(|v| (v - mean).powi(2)).sum();
            let variance = moments.variance().unwrap();
            prop_assert!(close(variance, squares / (floats.len() - 1) as f64));
            prop_assert!(close(variance, floats.iter().variance()));
            prop_assert!(close(moments.mean().unwrap(), floats.iter().mean()));
        }

        #[test]
        fn parts_merge_into_the_whole(
            values in prop::collection::vec(0_i64..1_000_000_000_000, 2..100),
            cut in 0_usize..100,
        ) {
            let cut = cut.min(values.len());
            let whole: Moments = values.iter().copied().collect();
            let mut parts: Moments = values[..cut].iter().copied().collect();
            parts.merge(&values[cut..].iter().copied().collect());
            prop_assert_eq!(parts.count(), whole.count());
            prop_assert_eq!(parts.mean(), whole.mean());
            prop_assert_eq!(
                (parts.min(), parts.max()),
                (whole.min(), whole.max())
            );
            prop_assert!(close(
                parts.variance().unwrap(),
                whole.variance().unwrap()
            ));
        }
    }
}
