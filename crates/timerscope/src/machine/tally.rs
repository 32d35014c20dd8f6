//! A histogram of signed nanoseconds that loses no count.

use hdrhistogram::Histogram;

/// Significant decimal digits of a counted value.
const DIGITS: u8 = 3;

/// How often each value was seen, to three digits; least and greatest exactly.
///
/// Two HdrHistograms, because that library counts nothing below zero: one for
/// values from 0 up, one for the sizes of those below.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tally {
    late: Option<Histogram<u64>>,
    early: Option<Histogram<u64>>,
    extremes: Option<(i64, i64)>,
}

impl Tally {
    /// Counts `value` `times` times more.
    pub fn record(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        let side = if value < 0 { &mut self.early } else { &mut self.late };
        let histogram = side.get_or_insert_with(empty);
        let size = value.unsigned_abs().min(i64::MAX as u64);
        if histogram.record_n(size, times).is_err() {
            // It grows by itself; a count is kept even where it could not.
            histogram.saturating_record_n(size, times);
        }
        let (least, greatest) = self.extremes.unwrap_or((value, value));
        self.extremes = Some((least.min(value), greatest.max(value)));
    }

    /// How many values were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        let len = |side: &Option<Histogram<u64>>| {
            side.as_ref().map_or(0, Histogram::len)
        };
        len(&self.late) + len(&self.early)
    }

    /// Values from least to greatest with their counts. The least and the
    /// greatest are exact, the others to three digits.
    #[must_use]
    pub fn pairs(&self) -> Vec<(i64, u64)> {
        let side = |histogram: &Option<Histogram<u64>>, sign: i64| {
            let mut pairs = Vec::new();
            if let Some(histogram) = histogram {
                for bin in histogram.iter_recorded() {
                    let middle =
                        histogram.median_equivalent(bin.value_iterated_to());
                    pairs.push((
                        sign * middle as i64,
                        bin.count_since_last_iteration(),
                    ));
                }
            }
            pairs
        };
        let mut pairs = side(&self.early, -1);
        pairs.reverse();
        pairs.extend(side(&self.late, 1));
        if let (Some((least, greatest)), count) = (self.extremes, pairs.len())
            && count > 0
        {
            pairs[count - 1].0 = greatest;
            pairs[0].0 = least;
        }
        pairs
    }
}

fn empty() -> Histogram<u64> {
    Histogram::new(DIGITS)
        .unwrap_or_else(|_| unreachable!("three digits are allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_add_up_and_values_keep_three_digits(
            values in prop::collection::vec(-1_000_000_000_i64.., 1..200)
        ) {
            let mut tally = Tally::default();
            for value in &values {
                tally.record(*value, 1);
            }
            let pairs = tally.pairs();
            let count: u64 = pairs.iter().map(|pair| pair.1).sum();
            prop_assert_eq!(count, values.len() as u64);
            prop_assert_eq!(tally.count(), count);
            prop_assert_eq!(pairs[0].0, *values.iter().min().unwrap());
            prop_assert!(pairs.is_sorted());
            for value in values {
                let near = |pair: &&(i64, u64)| {
                    let off = (pair.0 - value).unsigned_abs();
                    off <= value.unsigned_abs() / 1000 + 1
                };
                prop_assert!(pairs.iter().any(|pair| near(&pair)));
            }
        }
    }
}
