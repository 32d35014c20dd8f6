//! Bins with edges that a person can read.

use super::Counted;

/// How wide the bins of a [`Histogram`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// All the same width in ns: 1, 2 or 5 times a power of ten.
    Linear(u64),
    /// The same width within each decade: so many bins per decade, upwards
    /// from 0 and, for negative values, downwards.
    Decades(u64),
}

/// One bin that holds at least one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its lower edge in ns, which belongs to it.
    pub from_ns: i64,
    /// Its upper edge in ns, which belongs to the next bin.
    pub to_ns: i64,
    /// How many values it holds.
    pub count: u64,
}

/// The values sorted into bins, for a picture or for JSON.
///
/// Empty bins are not kept, and no value is lost: an outlier has a bin of
/// its own, however far away.
///
/// ```
/// use timerscope::stats::{Counted, Histogram};
///
/// let waits = Counted::from_pairs([(1_057, 90), (1_061, 9), (9_000, 1)]);
/// let histogram = Histogram::of(&waits, 2);
/// assert_eq!(histogram.pairs(), [(1_050, 99), (9_000, 1)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// How wide the bins are.
    pub scale: Scale,
    /// The bins that hold something, in rising order.
    pub bins: Vec<Bin>,
}

/// Bins per decade, coarse to fine: each has round edges, such as 1, 2, 5
/// or 1, 1.1, 1.2.
const PER_DECADE: [u64; 8] = [1, 3, 9, 18, 45, 90, 180, 450];

impl Histogram {
    /// Bins by whichever scale shows more: equal widths, or widths that grow
    /// by decades where equal ones would put most values into one bin.
    ///
    /// At most `max_bins`, and at least two are allowed, because zero is
    /// always an edge.
    #[must_use]
    pub fn of(values: &Counted, max_bins: usize) -> Self {
        let linear = Self::linear(values, max_bins);
        let decades = Self::decades(values, max_bins);
        let crowded = linear.fullest() > values.total() / 2;
        let better = decades.fullest() < linear.fullest() / 2;
        if crowded && better { decades } else { linear }
    }

    /// Bins by the finest equal width that fills at most `max_bins` bins.
    #[must_use]
    pub fn linear(values: &Counted, max_bins: usize) -> Self {
        let widths = (0..19_u32)
            .flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
        // The widest but one already splits any i64 at zero only.
        let widths = widths.chain([10_u64.pow(19)]);
        Self::first_fitting(values, max_bins, widths.map(Scale::Linear))
    }

    /// Bins by the finest split of decades that fills at most `max_bins`.
    #[must_use]
    pub fn decades(values: &Counted, max_bins: usize) -> Self {
        let scales = PER_DECADE.into_iter().rev().map(Scale::Decades);
        Self::first_fitting(values, max_bins, scales)
    }

    fn first_fitting(
        values: &Counted,
        max_bins: usize,
        scales: impl Iterator<Item = Scale>,
    ) -> Self {
        let widest = Scale::Linear(10_u64.pow(19));
        let fitting = scales
            .chain([widest])
            .find_map(|scale| bins(values, scale, max_bins.max(2)));
        let (scale, bins) = fitting.unwrap_or((widest, Vec::new()));
        Self { scale, bins }
    }

    fn fullest(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).max().unwrap_or(0)
    }

    /// Gives each bin's lower edge in ns and its count, as JSON has it.
    #[must_use]
    pub fn pairs(&self) -> Vec<(i64, u64)> {
        self.bins.iter().map(|bin| (bin.from_ns, bin.count)).collect()
    }
}

/// Fills bins; `None` as soon as there are more than `max_bins`.
fn bins(
    values: &Counted,
    scale: Scale,
    max_bins: usize,
) -> Option<(Scale, Vec<Bin>)> {
    let mut bins: Vec<Bin> = Vec::new();
    for (value, count) in values.pairs() {
        let (from_ns, to_ns) = scale.edges(*value);
        if let Some(bin) = bins.last_mut()
            && bin.from_ns == from_ns
        {
            bin.count = bin.count.saturating_add(*count);
            continue;
        }
        if bins.len() == max_bins {
            return None;
        }
        bins.push(Bin { from_ns, to_ns, count: *count });
    }
    Some((scale, bins))
}

impl Scale {
    /// The edges of the bin that `value` falls into, cut to what fits.
    fn edges(self, value: i64) -> (i64, i64) {
        let value = i128::from(value);
        let (from, to) = match self {
            Self::Linear(width) => {
                let width = i128::from(width);
                let from = value.div_euclid(width) * width;
                (from, from + width)
            }
            Self::Decades(per_decade) if value < 0 => {
                // The mirror image; its open end is now the lower one.
                let (from, to) = decade_edges(-value, per_decade);
                (1 - to, 1 - from)
            }
            Self::Decades(per_decade) => decade_edges(value, per_decade),
        };
        let cut = |edge: i128| {
            let fits = edge.clamp(i64::MIN.into(), i64::MAX.into());
            i64::try_from(fits).unwrap_or(i64::MAX)
        };
        (cut(from), cut(to))
    }
}

/// The edges of `value`, not negative, with so many bins per decade.
fn decade_edges(value: i128, per_decade: u64) -> (i128, i128) {
    if value == 0 {
        return (0, 1);
    }
    let decade = 10_i128.pow(value.ilog10());
    match per_decade {
        1 => (decade, 10 * decade),
        3 => match value / decade {
            1 => (decade, 2 * decade),
            2..5 => (2 * decade, 5 * decade),
            _ => (5 * decade, 10 * decade),
        },
        _ => {
            let width = (9 * decade / i128::from(per_decade)).max(1);
            let from = value / width * width;
            (from, from + width)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn widths_are_one_two_or_five_times_a_power_of_ten() {
        let values: Counted = (0..1000).map(|v| v * 1_000).collect();
        let histogram = Histogram::linear(&values, 40);
        assert_eq!(histogram.scale, Scale::Linear(50_000));
        assert_eq!(histogram.bins.len(), 20);
        assert!(histogram.bins.iter().all(|bin| bin.count == 50));
    }

    #[test]
    fn a_long_tail_does_not_hide_the_bulk() {
        let bulk = (0..10_000).map(|v| 50_000 + v);
        let tail = (1..200).map(|v| 100_000 + v * 500_000);
        let values: Counted = bulk.chain(tail).collect();
        let histogram = Histogram::of(&values, 40);
        assert!(matches!(histogram.scale, Scale::Decades(_)));
        let in_bulk =
            histogram.bins.iter().filter(|b| b.to_ns <= 60_000).count();
        assert!(in_bulk >= 2, "{histogram:?}");
    }

    #[test]
    fn early_wakes_are_the_mirror_image_of_late_ones() {
        let values: Counted = [-14, -10, -1, 0, 1, 10, 14].into();
        let histogram = Histogram::decades(&values, 5);
        assert_eq!(
            histogram.pairs(),
            [(-14, 2), (-1, 1), (0, 1), (1, 1), (10, 2)]
        );
    }

    #[test]
    fn nothing_fills_no_bin() {
        assert!(Histogram::of(&Counted::default(), 10).bins.is_empty());
    }

    impl<const N: usize> From<[i64; N]> for Counted {
        fn from(values: [i64; N]) -> Self {
            values.into_iter().collect()
        }
    }

    fn pairs() -> impl Strategy<Value = Vec<(i64, u64)>> {
        let value = prop_oneof![
            any::<i64>(),
            -1_000_000_i64..1_000_000,
            0_i64..20_000_000
        ];
        prop::collection::vec((value, 1_u64..1_000_000), 0..300)
    }

    proptest! {
        #[test]
        fn no_value_is_lost_and_no_bin_too_many(
            pairs in pairs(), max_bins in 0_usize..60,
        ) {
            let values = Counted::from_pairs(pairs);
            for histogram in [
                Histogram::of(&values, max_bins),
                Histogram::linear(&values, max_bins),
                Histogram::decades(&values, max_bins),
            ] {
                let sum: u64 = histogram.bins.iter().map(|b| b.count).sum();
                prop_assert_eq!(sum, values.total());
                prop_assert!(histogram.bins.len() <= max_bins.max(2));
                for pair in histogram.bins.windows(2) {
                    prop_assert!(pair[0].to_ns <= pair[1].from_ns);
                }
            }
        }

        #[test]
        fn each_bin_holds_the_values_between_its_edges(
            values in prop::collection::vec(-5_000_000_i64..50_000_000, 1..200),
            max_bins in 2_usize..60,
        ) {
            let values: Counted = values.into_iter().collect();
            for histogram in [
                Histogram::linear(&values, max_bins),
                Histogram::decades(&values, max_bins),
            ] {
                for bin in &histogram.bins {
                    let held = values.count_within(bin.from_ns, bin.to_ns - 1);
                    prop_assert_eq!(held, bin.count);
                }
            }
        }
    }
}
