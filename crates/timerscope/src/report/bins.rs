//! Durations in equal bins that leave the body readable.

/// Of fewer values none is an outlier.
const FEW: u64 = 20;

/// Equal bins of round width, with far outliers folded into two tails.
///
/// An outlier of 7 ms does not squash a body that is 60 us wide: the axis
/// spans the inner 98 % wherever that is less than half of everything.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    /// The width of each in nanoseconds: 1, 2 or 5 times a power of ten.
    pub(super) width: i128,
    /// The lower edge of the first, a multiple of the width.
    start: i128,
    /// How many values each holds.
    pub(super) counts: Vec<u64>,
    /// What lies before the first.
    pub(super) under: Option<Tail>,
    /// What lies after the last.
    pub(super) over: Option<Tail>,
}

/// Values beyond one end of the bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// How many.
    pub(super) count: u64,
    /// The farthest, in nanoseconds.
    pub(super) extreme: i64,
}

/// Values in order, each with its count, none of them zero.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    values: Vec<(i64, u64)>,
    /// How many there are.
    pub(super) total: u64,
}

impl Ordered {
    /// Puts values in order; nothing if there are none.
    pub(super) fn new(values: &[(i64, u64)]) -> Option<Self> {
        let mut values: Vec<_> =
            values.iter().copied().filter(|(_, count)| *count > 0).collect();
        values.sort_unstable();
        let total = total(values.iter().map(|(_, count)| *count));
        (!values.is_empty()).then_some(Self { values, total })
    }

    /// The least.
    pub(super) fn first(&self) -> i64 {
        self.values[0].0
    }

    /// The greatest.
    pub(super) fn last(&self) -> i64 {
        self.values[self.values.len() - 1].0
    }

    /// The value with `before` values before it.
    pub(super) fn nth(&self, before: u64) -> i64 {
        let mut seen = 0_u64;
        for (value, count) in &self.values {
            seen = seen.saturating_add(*count);
            if seen > before {
                return *value;
            }
        }
        self.last()
    }

    /// The range worth an axis: everything, or without far tails.
    fn body(&self) -> (i64, i64) {
        if self.total < FEW {
            return (self.first(), self.last());
        }
        let hundredth = self.total.div_ceil(100);
        let (low, high) =
            (self.nth(hundredth), self.nth(self.total - 1 - hundredth));
        let gap = |a: i64, b: i64| i128::from(b) - i128::from(a);
        let (first, last) = (self.first(), self.last());
        let far_low = gap(first, low) > gap(low, high).max(1);
        let far_high = gap(high, last) > gap(low, high).max(1);
        (if far_low { low } else { first }, if far_high { high } else { last })
    }
}

impl Bins {
    /// Sorts values into at most `at_most` bins (but two), and the tails.
    ///
    /// The bins also reach `marks`, where at least a third of them is left
    /// for the values.
    pub(super) fn new(values: &Ordered, marks: &[i64], at_most: usize) -> Self {
        let (low, high) = values.body();
        let (low, high) = reach(low, high, marks);
        // Two values astride zero never share a bin, however wide.
        let at_most = at_most.max(2) as i128;
        let mut width = narrowest(low, high);
        while high.div_euclid(width) - low.div_euclid(width) >= at_most {
            width = next_round(width);
        }
        let start = low.div_euclid(width) * width;
        let length = high.div_euclid(width) - low.div_euclid(width) + 1;
        let counts = vec![0; length as usize];
        let mut bins = Self { width, start, counts, under: None, over: None };
        for (value, count) in &values.values {
            bins.add(*value, *count);
        }
        bins
    }

    /// The lower edge of bin `index`, in nanoseconds.
    pub(super) fn edge(&self, index: usize) -> i64 {
        let edge = self.start + self.width * index as i128;
        edge.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// The upper edge of the last bin.
    pub(super) fn end(&self) -> i64 {
        self.edge(self.counts.len())
    }

    /// The bin in which a value lies, unless it is in a tail.
    pub(super) fn bin_of(&self, value: i64) -> Option<usize> {
        let index = (i128::from(value) - self.start).div_euclid(self.width);
        usize::try_from(index).ok().filter(|at| *at < self.counts.len())
    }

    fn add(&mut self, value: i64, count: u64) {
        if let Some(index) = self.bin_of(value) {
            self.counts[index] = self.counts[index].saturating_add(count);
            return;
        }
        let under = i128::from(value) < self.start;
        let tail = if under { &mut self.under } else { &mut self.over };
        let far = tail.map_or(value, |tail| {
            if under {
                tail.extreme.min(value)
            } else {
                tail.extreme.max(value)
            }
        });
        let before = tail.map_or(0, |tail| tail.count);
        let count = before.saturating_add(count);
        *tail = Some(Tail { count, extreme: far });
    }
}

/// The range stretched to the marks that leave a third of it for the values.
fn reach(low: i64, high: i64, marks: &[i64]) -> (i128, i128) {
    let (mut low, mut high) = (i128::from(low), i128::from(high));
    let most = (high - low) * 3;
    for mark in marks.iter().map(|mark| i128::from(*mark)) {
        let (wider_low, wider_high) = (low.min(mark), high.max(mark));
        if wider_high - wider_low <= most {
            (low, high) = (wider_low, wider_high);
        }
    }
    (low, high)
}

/// The narrowest width that tells something: a single value fills a bin of
/// about a thousandth of itself.
fn narrowest(low: i128, high: i128) -> i128 {
    if low != high {
        return 1;
    }
    let enough = (low.abs() / 1_000).max(1);
    let mut width = 1;
    while width < enough {
        width = next_round(width);
    }
    width
}

/// The next of 1, 2, 5, 10, 20, 50 ...
pub(super) fn next_round(width: i128) -> i128 {
    let mut lead = width;
    while lead >= 10 {
        lead /= 10;
    }
    if lead == 2 { width / 2 * 5 } else { width * 2 }
}

/// The sum of counts, held at the greatest number rather than wrapped.
pub(super) fn total(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_outlier_does_not_squash_the_body() {
        let mut values: Vec<_> =
            (0..100).map(|at| (1_050_000 + at * 600, 10)).collect();
        values.push((7_000_000, 2));
        let values = Ordered::new(&values).unwrap();
        let bins = Bins::new(&values, &[], 12);
        assert_eq!(bins.width, 5_000);
        assert_eq!(bins.edge(0), 1_050_000);
        assert_eq!(bins.end(), 1_110_000);
        let extreme = 7_000_000;
        assert_eq!(bins.over, Some(Tail { count: 2, extreme }));
        assert_eq!(bins.under, None);
    }

    #[test]
    fn one_early_wake_is_a_tail_of_its_own() {
        let values = Ordered::new(&[(-9_000, 1), (100, 150), (140, 150)]);
        let bins = Bins::new(&values.unwrap(), &[], 12);
        assert_eq!(bins.under, Some(Tail { count: 1, extreme: -9_000 }));
        assert_eq!(bins.edge(0), 100);
    }

    #[test]
    fn equal_values_fill_one_bin() {
        let values = Ordered::new(&[(15_625_000, 100)]).unwrap();
        let bins = Bins::new(&values, &[], 12);
        assert_eq!(bins.counts, [100]);
        assert_eq!(bins.width, 20_000);
    }

    #[test]
    fn a_near_mark_is_reached_and_a_far_one_is_not() {
        let values = Ordered::new(&[(1_000, 1), (1_500, 1)]).unwrap();
        let near = Bins::new(&values, &[200], 40);
        assert!(near.bin_of(200).is_some());
        let far = Bins::new(&values, &[-9_000], 40);
        assert_eq!(far.bin_of(-9_000), None);
    }

    proptest! {
        #[test]
        fn every_value_is_in_one_place(
            values in prop::collection::vec(any::<(i64, u32)>(), 1..60),
            marks in prop::collection::vec(any::<i64>(), 0..4),
            at_most in 1_usize..60,
        ) {
            let values: Vec<_> = values
                .iter()
                .map(|(value, count)| (*value, u64::from(*count) + 1))
                .collect();
            let ordered = Ordered::new(&values).unwrap();
            let bins = Bins::new(&ordered, &marks, at_most);
            prop_assert!(bins.counts.len() <= at_most.max(2));
            let tails = [bins.under, bins.over];
            let tails = tails.iter().flatten().map(|tail| tail.count);
            let sum = total(bins.counts.iter().copied().chain(tails));
            prop_assert_eq!(sum, ordered.total);
        }
    }
}
