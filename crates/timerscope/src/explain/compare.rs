//! How unlike what was seen is to what a candidate would have shown.

use super::Seen;
use super::seen::alike;

/// The shares of waits that end earlier and later than was predicted, from 0
/// to 1, if each may be off by `blur` ns: the distances of Kolmogorov and
/// Smirnov between the two distributions, one moved by the blur.
///
/// So a wake latency, a little work between waits or a rounding costs
/// nothing, a disturbance costs its share, and another multiple of the
/// interval costs all. Another interval in force costs all, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unlike {
    pub(super) early: f64,
    pub(super) late: f64,
}

impl Unlike {
    pub(super) fn of(seen: &Seen, predicted: &Seen, blur: i64) -> Self {
        let (own, model) = (seen.interval(), predicted.interval());
        if own.zip(model).is_some_and(|(own, model)| !alike(own, model)) {
            return Self { early: 1.0, late: 1.0 };
        }
        Self {
            early: beyond(&seen.took, &predicted.took, blur),
            late: beyond(&predicted.took, &seen.took, blur),
        }
    }

    /// The larger share.
    pub(super) fn either(self) -> f64 {
        self.early.max(self.late)
    }
}

/// What [`Unlike`] comes to by chance alone in one of a thousand comparisons
/// of so many waits with so many (Kolmogorov and Smirnov).
pub(super) fn by_chance(seen: &Seen, predicted: &Seen) -> f64 {
    let part = |seen: &Seen| 1.0 / seen.took.len().max(1) as f64;
    1.95 * (part(seen) + part(predicted)).sqrt()
}

/// By how much more of `these` than of `those` end by any time, `those` being
/// given `blur` longer.
fn beyond(these: &[i64], those: &[i64], blur: i64) -> f64 {
    let share =
        |count: usize, of: &[i64]| count as f64 / of.len().max(1) as f64;
    let mut most: f64 = 0.0;
    for (rank, value) in (1..).zip(these) {
        let until = value.saturating_add(blur);
        let other = those.partition_point(|own| *own <= until);
        most = most.max(share(rank, these) - share(other, those));
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(took: &[i64]) -> Seen {
        Seen { took: took.to_vec(), interval_ns: None }
    }

    fn unlike(one: &Seen, other: &Seen, blur: i64) -> f64 {
        Unlike::of(one, other, blur).either()
    }

    #[test]
    fn what_is_within_the_blur_is_like_and_what_is_beyond_is_not() {
        let (one, other) = (seen(&[10, 10, 10, 10]), seen(&[12, 12, 12, 12]));
        assert_eq!(unlike(&one, &other, 2).to_bits(), 0.0_f64.to_bits());
        assert_eq!(unlike(&one, &other, 1).to_bits(), 1.0_f64.to_bits());
        assert_eq!(unlike(&other, &one, 1).to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn a_disturbance_costs_its_share() {
        let (one, other) = (seen(&[10, 10, 10, 90]), seen(&[10, 10, 10, 10]));
        assert!((unlike(&one, &other, 1) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn another_interval_is_unlike_whatever_the_waits_took() {
        let at = |ns| Seen { took: vec![10; 4], interval_ns: Some((ns, ns)) };
        assert!(unlike(&at(1_000_000), &at(1_020_000), 1) < 0.5);
        assert!(unlike(&at(1_000_000), &at(15_625_000), 1) > 0.5);
    }
}
