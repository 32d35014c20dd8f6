//! Where values pile up.

use std::ops::{Range, RangeInclusive};

use super::Counted;

/// One place where values pile up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// The middle of the pile's dense part, in ns.
    pub at_ns: i64,
    /// The share of all values that belong to it, from 0 to 1.
    pub share: f64,
}

/// Smaller piles than this share of all values are not worth a sentence.
const SMALLEST_SHARE: f64 = 0.02;

/// How many ranks the density is looked at: twenty in the smallest mode.
const PLACES: u64 = 1000;

/// Finds where values pile up, in rising order.
///
/// The density is taken from the distance between ranks, so it needs no bin
/// width: 1 ms +-20 us and 15.6 ms are two modes, and so are 54 us and 70 us.
/// Two peaks are told apart where the density between them falls to less
/// than half of the lower one, and further where few values leave room for
/// chance: a pile takes three values that lie close together. What is closer than 1 us or 1/512 of the value, which is what a
/// clock or a histogram rounds to, is one place. Each value belongs to one
/// mode, except that piles under 2 % are left out.
///
/// ```
/// use timerscope::stats::{Counted, modes};
///
/// let waits = Counted::from_pairs([(1_000_000, 60), (15_600_000, 40)]);
/// let found = modes(&waits);
/// assert_eq!((found[0].at_ns, found[0].share), (1_000_000, 0.6));
/// assert_eq!((found[1].at_ns, found[1].share), (15_600_000, 0.4));
/// ```
#[must_use]
pub fn modes(values: &Counted) -> Vec<Mode> {
    let total = values.total();
    let ranks = ranks(total);
    let widest = densities(values, &ranks, reach(total));
    let mut found = Vec::new();
    let (mut start, mut from) = (0, i64::MIN);
    for (end, to) in borders(values, &ranks) {
        found.extend(mode(values, &ranks, &widest, start..end, from..=to));
        (start, from) = (end, to.saturating_add(1));
    }
    let rest = start..ranks.len();
    found.extend(mode(values, &ranks, &widest, rest, from..=i64::MAX));
    found
}

/// Where modes part, in rising order: the first place beyond, and a value
/// between.
///
/// A pile of fewer values than a window holds has no place from which the
/// window does not look across the gap beside it. So narrower windows look,
/// too, down to one rank or half of the smallest pile; they have to see the
/// more of a difference, as chance moves the logarithm of a density by
/// 1/sqrt(ranks looked at). A valley that a wider window has seen is not
/// parted again.
fn borders(values: &Counted, ranks: &[u64]) -> Vec<(usize, i64)> {
    let mut all: Vec<(usize, i64)> = Vec::new();
    let mut reach = reach(values.total());
    let narrowest = (values.total() / 200).max(1);
    while reach >= narrowest {
        let density = densities(values, ranks, reach);
        let chance = 7.0 / (2.0 * reach as f64).sqrt();
        for valley in valleys(&density, chance.max(2.0_f64.ln())) {
            let parted = |(end, _): &(usize, i64)| valley.holds(*end);
            if !all.iter().any(parted) {
                all.extend(border(values, ranks, valley.lowest, reach));
            }
        }
        reach /= 2;
    }
    all.sort_unstable();
    all
}

fn densities(values: &Counted, ranks: &[u64], reach: u64) -> Vec<f64> {
    ranks.iter().map(|rank| density(values, *rank, reach)).collect()
}

/// The mode of some places and of the values that belong to them, if they
/// are worth a sentence.
fn mode(
    values: &Counted,
    ranks: &[u64],
    density: &[f64],
    places: Range<usize>,
    held: RangeInclusive<i64>,
) -> Option<Mode> {
    let held = values.count_within(*held.start(), *held.end());
    let share = held as f64 / values.total().max(1) as f64;
    let at_ns =
        middle(values, ranks.get(places.clone())?, density.get(places)?)?;
    (share >= SMALLEST_SHARE).then_some(Mode { at_ns, share })
}

/// Where two modes part near a valley: the widest gap within reach. Gives
/// the first place beyond it, and a value inside it.
fn border(
    values: &Counted,
    ranks: &[u64],
    valley: usize,
    reach: u64,
) -> Option<(usize, i64)> {
    let value = |place: usize| values.at_rank(ranks[place]).unwrap_or(0);
    let near = |place: &usize| ranks[*place].abs_diff(ranks[valley]) <= reach;
    let gap = |place: &usize| value(*place).saturating_sub(value(place - 1));
    // The first of the widest, so that the answer does not hang on ties.
    let end = (1..ranks.len()).filter(near).rev().max_by_key(gap)?;
    let (below, above) = (value(end - 1), value(end));
    (below < above).then(|| (end, below.midpoint(above)))
}

/// How many ranks to each side the density looks: half a percent, and more
/// where that would be a handful.
fn reach(total: u64) -> u64 {
    let few = ((total as f64).sqrt() / 3.0).ceil() as u64;
    few.max(total / 200).max(1)
}

/// The ranks at which the density is looked at, evenly spread, from 1 on.
fn ranks(total: u64) -> Vec<u64> {
    let places = total.min(PLACES);
    let rank = |place: u64| {
        let exact = u128::from(place) * u128::from(total) / u128::from(places);
        u64::try_from(exact).unwrap_or(u64::MAX).saturating_add(1)
    };
    (0..places).map(rank).collect()
}

/// Values per ns around the value of `rank`; always above 0.
fn density(values: &Counted, rank: u64, reach: u64) -> f64 {
    // At either end the window is moved inwards, not cut.
    let last = values.total();
    let start = last.saturating_sub(reach.saturating_mul(2));
    let low = rank.saturating_sub(reach).min(start).max(1);
    let high = low.saturating_add(reach.saturating_mul(2)).min(last);
    let value = |rank: u64| values.at_rank(rank).unwrap_or(0);
    let width = value(high).saturating_sub(value(low));
    let (at, finest) = (value(rank), finest(value(rank)));
    if width >= 3 * finest {
        return (high - low) as f64 / width as f64;
    }
    let (from, to) = (at.saturating_sub(finest), at.saturating_add(finest));
    values.count_within(from, to).max(1) as f64 / (2 * finest) as f64
}

/// What is closer than this is one place.
fn finest(value: i64) -> i64 {
    (value.saturating_abs() / 512).max(1_000)
}

/// A place where the density is low, between two where it is high.
#[derive(Clone, Copy, Debug)]
struct Valley {
    from: usize,
    lowest: usize,
    to: usize,
}

impl Valley {
    /// Whether a mode that ends before `place` ends within it.
    fn holds(&self, place: usize) -> bool {
        self.from < place && place <= self.to
    }
}

/// The valleys that part peaks which stand out by at least `depth`, in
/// natural logarithms of the density.
fn valleys(density: &[f64], depth: f64) -> Vec<Valley> {
    let log: Vec<f64> = density.iter().map(|d| d.ln()).collect();
    let mut found = Vec::new();
    let Some(first) = log.first() else { return found };
    // The peak since the last valley, and the lowest place since that peak.
    let (mut peak, mut valley, mut lowest) = (*first, *first, 0);
    let (mut from, mut rising) = (0, false);
    for (place, &height) in log.iter().enumerate() {
        if rising {
            // Only a peak that stands out of it makes it a valley.
            if height - valley >= depth {
                found.push(Valley { from, lowest, to: place });
                (peak, valley, rising) = (height, height, false);
                (from, lowest) = (place, place);
            } else if height < valley {
                (valley, lowest) = (height, place);
            }
        } else if height > peak {
            (peak, valley) = (height, height);
            (from, lowest) = (place, place);
        } else if height < valley {
            (valley, lowest) = (height, place);
            rising = peak - valley >= depth;
        }
    }
    found
}

/// The middle of the places at least half as dense as the densest.
fn middle(values: &Counted, ranks: &[u64], density: &[f64]) -> Option<i64> {
    let densest = density.iter().copied().fold(0.0, f64::max);
    let dense: Vec<u64> = ranks
        .iter()
        .zip(density)
        .filter(|(_, density)| **density >= densest / 2.0)
        .map(|(rank, _)| *rank)
        .collect();
    values.at_rank(*dense.get(dense.len().checked_sub(1)? / 2)?)
}

#[cfg(test)]
mod tests {
    use super::super::draws::Draws;
    use super::*;
    use proptest::prelude::*;

    const MS: i64 = 1_000_000;

    fn places(values: &Counted) -> Vec<i64> {
        modes(values).iter().map(|mode| mode.at_ns).collect()
    }

    fn near(found: &[i64], expected: &[i64], slip: i64) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= slip)
    }

    #[test]
    fn a_latency_with_a_long_tail_is_one_mode() {
        for (seed, total) in
            [(1, 30), (2, 100), (3, 1_000), (4, 20_000), (5, 300_000)]
        {
            let mut draws = Draws::new(seed);
            let values: Counted = (0..total)
                .map(|_| {
                    54_000 + draws.within(3_000) + draws.exponential(9_000.0)
                })
                .collect();
            let found = modes(&values);
            assert_eq!(found.len(), 1, "{total}: {found:?}");
            assert!((54_000..66_000).contains(&found[0].at_ns), "{found:?}");
        }
    }

    #[test]
    fn a_flat_distribution_is_one_mode_whatever_the_seed() {
        for seed in 0..300 {
            let mut draws = Draws::new(seed);
            let values: Counted =
                (0..200).map(|_| draws.within(10 * MS)).collect();
            assert_eq!(modes(&values).len(), 1, "seed {seed}");
        }
    }

    #[test]
    fn three_multiples_of_7_ms_with_jitter_are_three_modes() {
        for total in [60, 500, 100_000] {
            let mut draws = Draws::new(total);
            let values: Counted = (0..total)
                .map(|_| {
                    let steps = match draws.within(100) {
                        0..37 => 1,
                        37..60 => 2,
                        _ => 3,
                    };
                    steps * 7 * MS + draws.within(600_000) - 300_000
                })
                .collect();
            let found = places(&values);
            assert!(
                near(&found, &[7 * MS, 14 * MS, 21 * MS], 200_000),
                "{total}: {found:?}"
            );
        }
    }

    /// Waits that end on ticks of 4 ms, a little late, and some that a load
    /// lets end anywhere between.
    fn on_ticks(seed: u64, total: u64, ticks: i64, between: i64) -> Counted {
        let mut draws = Draws::new(seed);
        let wait = |_| {
            if draws.within(100) < between {
                return 8 * MS + draws.within(ticks * 4 * MS);
            }
            (2 + draws.within(ticks)) * 4 * MS + draws.within(60_000)
        };
        (0..total).map(wait).collect()
    }

    // Beside a load, waits of an interval timer end on many ticks, few on
    // each. A pile of fewer values than the density's window holds was not
    // seen: of a hundred waits on ten ticks, some seven piles were.
    #[test]
    fn waits_on_ticks_are_as_many_modes_as_ticks() {
        for (total, most, between) in
            [(100, 6, 0), (200, 9, 0), (300, 10, 10), (1_000, 10, 30)]
        {
            for ticks in 2..=most {
                for seed in 0..10 {
                    let waits = on_ticks(seed, total, ticks, between);
                    let expected: Vec<i64> =
                        (2..2 + ticks).map(|tick| tick * 4 * MS).collect();
                    let found = places(&waits);
                    assert!(
                        near(&found, &expected, 100_000),
                        "{total} on {ticks}, seed {seed}: {found:?}"
                    );
                }
            }
        }
    }

    // A narrower window that parts a valley once more made modes of what lay
    // between two piles.
    #[test]
    fn what_lies_between_two_piles_is_no_mode() {
        for seed in 0..100 {
            let waits = on_ticks(seed, 200, 3, 30);
            assert_eq!(modes(&waits).len(), 3, "seed {seed}");
        }
    }

    #[test]
    fn a_fine_and_a_coarse_interval_are_two_modes_with_their_shares() {
        let mut draws = Draws::new(7);
        let fine = (0..600).map(|_| MS - 20_000 + draws.within(40_000));
        let coarse = std::iter::repeat_n(15_600_000, 400);
        let values: Counted = fine.chain(coarse).collect();
        let found = modes(&values);
        assert!(near(&places(&values), &[MS, 15_600_000], 10_000));
        assert!((found[0].share - 0.6).abs() < 0.01, "{found:?}");
        assert!((found[1].share - 0.4).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn a_clock_that_counts_microseconds_makes_no_modes() {
        let values = Counted::from_pairs([
            (8_000, 5),
            (9_000, 200),
            (10_000, 600),
            (11_000, 180),
            (12_000, 15),
        ]);
        let found = modes(&values);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].at_ns, 10_000);
    }

    #[test]
    fn a_pile_under_two_percent_is_left_out() {
        let values = Counted::from_pairs([(MS, 985), (30 * MS, 15)]);
        assert_eq!(places(&values), [MS]);
        let values = Counted::from_pairs([(MS, 970), (30 * MS, 30)]);
        assert_eq!(places(&values), [MS, 30 * MS]);
    }

    #[test]
    fn few_values_are_no_trouble() {
        assert_eq!(modes(&Counted::default()), []);
        let one: Counted = [5].into_iter().collect();
        assert_eq!(modes(&one), [Mode { at_ns: 5, share: 1.0 }]);
    }

    proptest! {
        #[test]
        fn shares_are_parts_of_one_whole(
            pairs in prop::collection::vec(
                (-30_000_000_i64..30_000_000, 1_u64..100), 1..60,
            ),
        ) {
            let values = Counted::from_pairs(pairs);
            let found = modes(&values);
            let sum: f64 = found.iter().map(|mode| mode.share).sum();
            prop_assert!(sum <= 1.0 + 1e-9);
            prop_assert!(found.iter().all(|m| m.share >= SMALLEST_SHARE));
            prop_assert!(found.windows(2).all(|m| m[0].at_ns < m[1].at_ns));
        }
    }
}
