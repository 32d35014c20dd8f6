//! Values with how often each was seen.

/// Values in nanoseconds, sorted, each with how often it was seen.
///
/// Made from single values or from pairs in any order; a histogram's pairs
/// and the values behind them give the same answers everywhere in this room.
///
/// ```
/// use timerscope::stats::Counted;
///
/// let waits: Counted = [12, 10, 12].into_iter().collect();
/// assert_eq!(waits, Counted::from_pairs([(12, 2), (10, 1)]));
/// assert_eq!(waits.total(), 3);
/// assert_eq!(waits.quantile(0.5), Some(12));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pairs: Vec<(i64, u64)>,
    /// How many values there are up to and with each pair.
    up_to: Vec<u64>,
}

impl Counted {
    /// Counts pairs of a value in nanoseconds and how often it was seen.
    ///
    /// Equal values are added up; pairs with a count of 0 are dropped.
    #[must_use]
    pub fn from_pairs(pairs: impl IntoIterator<Item = (i64, u64)>) -> Self {
        let mut all: Vec<_> =
            pairs.into_iter().filter(|(_, count)| *count > 0).collect();
        all.sort_unstable();
        let mut counted = Self::default();
        for (value, count) in all {
            counted.push(value, count);
        }
        counted
    }

    /// Adds a value that is not below the last one.
    fn push(&mut self, value: i64, count: u64) {
        let total = self.total().saturating_add(count);
        match (self.pairs.last_mut(), self.up_to.last_mut()) {
            (Some(last), Some(up_to)) if last.0 == value => {
                last.1 = last.1.saturating_add(count);
                *up_to = total;
            }
            _ => {
                self.pairs.push((value, count));
                self.up_to.push(total);
            }
        }
    }

    /// Gives the pairs of value and count, in rising order of value.
    #[must_use]
    pub fn pairs(&self) -> &[(i64, u64)] {
        &self.pairs
    }

    /// Says how many values there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.up_to.last().copied().unwrap_or(0)
    }

    /// Gives the value of a rank: 1 is the smallest. `None` outside
    /// `1..=total`.
    #[must_use]
    pub fn at_rank(&self, rank: u64) -> Option<i64> {
        if rank == 0 {
            return None;
        }
        let place = self.up_to.partition_point(|up_to| *up_to < rank);
        self.pairs.get(place).map(|(value, _)| *value)
    }

    /// Counts the values from `from` to `to`, both included.
    #[must_use]
    pub fn count_within(&self, from: i64, to: i64) -> u64 {
        let below = |place: usize| match place {
            0 => 0,
            place => self.up_to[place - 1],
        };
        let start = self.pairs.partition_point(|(value, _)| *value < from);
        let end = self.pairs.partition_point(|(value, _)| *value <= to);
        below(end).saturating_sub(below(start))
    }
}

impl FromIterator<i64> for Counted {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        Self::from_pairs(values.into_iter().map(|value| (value, 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_has_no_rank() {
        let nothing = Counted::default();
        assert_eq!(nothing.total(), 0);
        assert_eq!(nothing.at_rank(1), None);
        assert_eq!(nothing.count_within(i64::MIN, i64::MAX), 0);
    }

    #[test]
    fn a_count_of_zero_is_not_a_value() {
        assert_eq!(Counted::from_pairs([(5, 0)]), Counted::default());
    }

    proptest! {
        #[test]
        fn ranks_are_places_in_the_sorted_list(
            mut values in prop::collection::vec(-50_i64..50, 1..200),
            from in -60_i64..60,
            length in 0_i64..60,
        ) {
            let counted: Counted = values.iter().copied().collect();
            values.sort_unstable();
            for (place, value) in values.iter().enumerate() {
                let rank = place as u64 + 1;
                prop_assert_eq!(counted.at_rank(rank), Some(*value));
            }
            prop_assert_eq!(counted.at_rank(0), None);
            prop_assert_eq!(counted.at_rank(values.len() as u64 + 1), None);
            let within = values
                .iter()
                .filter(|v| (from..=from + length).contains(*v))
                .count() as u64;
            prop_assert_eq!(
                counted.count_within(from, from + length),
                within
            );
        }
    }
}
