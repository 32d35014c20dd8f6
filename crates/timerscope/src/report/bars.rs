//! How long the bars of a chart are.

/// More than this many times the shortest, and the axis is logarithmic.
const LOGARITHMIC_FROM: f64 = 30.0;

/// How lengths in nanoseconds become lengths of bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// Whether each power of ten takes the same length.
    pub(super) logarithmic: bool,
    /// Where bars begin: a power of ten, or zero and below.
    pub(super) low: f64,
    /// Where the longest bar or spread ends.
    pub(super) high: f64,
}

impl Scale {
    /// The scale that shows all these bars.
    pub(super) fn new(bars: &[(String, i64, Option<i64>)]) -> Self {
        let lengths = bars.iter().map(|bar| bar.1 as f64);
        let ends = bars.iter().filter_map(|bar| bar.2.map(|end| end as f64));
        let least = lengths.clone().fold(f64::INFINITY, f64::min);
        let longest = lengths.clone().fold(0.0, f64::max);
        let high = lengths.clone().chain(ends.clone()).fold(0.0, f64::max);
        let low = lengths.chain(ends).fold(f64::INFINITY, f64::min);
        if low > 0.0 && low.is_finite() && longest > LOGARITHMIC_FROM * least {
            let low = 10_f64.powf(low.log10().floor());
            // The shortest bar must not vanish at its own decade.
            let low = if low < least { low } else { low / 10.0 };
            return Self { logarithmic: true, low, high };
        }
        Self { logarithmic: false, low: low.min(0.0), high }
    }

    /// Where a length stands on the axis: 0 at its beginning, 1 at its end.
    pub(super) fn position(&self, ns: f64) -> f64 {
        if self.logarithmic {
            return (ns / self.low).log10() / (self.high / self.low).log10();
        }
        let length = self.high - self.low;
        if length > 0.0 { (ns - self.low) / length } else { 0.0 }
    }

    /// The length of a bar as a share of the longest, by magnitude.
    pub(super) fn share(&self, ns: i64) -> f64 {
        let length = (ns as f64).abs();
        if self.logarithmic {
            return self.position(length);
        }
        let longest = self.high.max(-self.low);
        if longest > 0.0 { length / longest } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(lengths: &[i64]) -> Scale {
        let bar = |ns: &i64| (String::new(), *ns, None);
        Scale::new(&lengths.iter().map(bar).collect::<Vec<_>>())
    }

    #[test]
    fn thirty_times_the_shortest_is_still_linear() {
        assert!(!scale(&[100, 3_000]).logarithmic);
        assert!(scale(&[100, 3_001]).logarithmic);
        assert!(!scale(&[0, 1, 1_000]).logarithmic);
        assert!(!scale(&[-5, 1, 1_000]).logarithmic);
        assert!(!scale(&[]).logarithmic);
    }

    #[test]
    fn the_shortest_bar_is_seen_and_the_longest_is_whole() {
        let scale = scale(&[100, 100_000]);
        assert!(scale.share(100) > 0.2);
        assert!((scale.share(100_000) - 1.0).abs() < 1e-9);
    }
}
