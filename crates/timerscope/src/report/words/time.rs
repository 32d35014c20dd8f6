//! Lengths of time for people.

use super::amount::{grouped, significant};

/// Digits that are shown of a duration: enough to tell 15.63 ms from 15.6.
const DIGITS: u32 = 4;

/// A unit in which people read short times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

impl TimeUnit {
    /// From the shortest to the longest.
    const ALL: [Self; 4] = [Self::Ns, Self::Us, Self::Ms, Self::S];

    /// Its length in nanoseconds.
    #[must_use]
    pub const fn ns(self) -> u64 {
        match self {
            Self::Ns => 1,
            Self::Us => 1_000,
            Self::Ms => 1_000_000,
            Self::S => 1_000_000_000,
        }
    }

    /// Its sign, in ASCII as on the command line: `us`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Us => "us",
            Self::Ms => "ms",
            Self::S => "s",
        }
    }

    /// Picks the longest unit not above `ns` nanoseconds, early or late.
    #[must_use]
    pub fn fitting(ns: i64) -> Self {
        let fits = |unit: &&Self| ns.unsigned_abs() >= unit.ns();
        Self::ALL.iter().rev().find(fits).copied().unwrap_or(Self::Ns)
    }

    /// Writes `ns` nanoseconds in this unit with `decimals`, without the
    /// unit: for columns and axes whose heading bears it.
    #[must_use]
    pub fn number(self, ns: i64, decimals: usize) -> String {
        let scale = 10_u128.pow(decimals.min(18) as u32);
        let unit = u128::from(self.ns());
        let scaled = (u128::from(ns.unsigned_abs()) * scale + unit / 2) / unit;
        let sign = if ns < 0 && scaled > 0 { "-" } else { "" };
        let whole = grouped(scaled / scale);
        if decimals == 0 {
            return format!("{sign}{whole}");
        }
        let width = scale.ilog10() as usize;
        format!("{sign}{whole}.{:0width$}", scaled % scale)
    }

    /// The next longer unit, if people use one.
    fn longer(self) -> Option<Self> {
        Self::ALL.iter().find(|unit| **unit > self).copied()
    }
}

/// Writes `ns` nanoseconds with four significant digits: `15.63 ms`.
///
/// Trailing zeros are left away, early is negative, and nothing is longer
/// than seconds, as [`Span`](crate::machine::Span) has it.
///
/// ```
/// use timerscope::report::words::duration;
///
/// assert_eq!(duration(15_600_000), "15.6 ms");
/// assert_eq!(duration(-250), "-250 ns");
/// ```
#[must_use]
pub fn duration(ns: i64) -> String {
    let unit = TimeUnit::fitting(ns);
    let rounded = rounded(ns, unit);
    let carried = unit.longer().filter(|longer| rounded >= longer.ns());
    let unit = carried.unwrap_or(unit);
    let number = unit.number(ns, decimals(ns, unit));
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        &number
    };
    format!("{number} {}", unit.symbol())
}

/// Writes a length with parts of a nanosecond, as costs and steps have:
/// `23.41 ns`; `not a number` when it is none.
#[must_use]
pub fn fine_duration(ns: f64) -> String {
    if !ns.is_finite() {
        return significant(ns, 0);
    }
    if ns.abs() < 999.95 {
        return format!("{} ns", significant(ns, DIGITS as usize));
    }
    duration(ns.round() as i64)
}

/// The decimals that leave [`DIGITS`] digits in `unit`.
fn decimals(ns: i64, unit: TimeUnit) -> usize {
    if unit == TimeUnit::Ns {
        return 0;
    }
    let whole = (ns.unsigned_abs() / unit.ns()).checked_ilog10();
    DIGITS.saturating_sub(whole.unwrap_or(0) + 1) as usize
}

/// The length in nanoseconds once it is rounded to what is shown.
fn rounded(ns: i64, unit: TimeUnit) -> u64 {
    let step = unit.ns() / 10_u64.pow(decimals(ns, unit) as u32).min(unit.ns());
    let ns = ns.unsigned_abs();
    ns.saturating_add(step / 2) / step * step
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_bear_four_digits_and_a_unit() {
        for (ns, text) in [
            (0, "0 ns"),
            (1, "1 ns"),
            (999, "999 ns"),
            (1_000, "1 us"),
            (1_060_400, "1.06 ms"),
            (15_625_000, "15.63 ms"),
            (15_600_000, "15.6 ms"),
            (999_949, "999.9 us"),
            (999_950, "1 ms"),
            (-55_321, "-55.32 us"),
            (90_000_000_000, "90 s"),
            (3_600_000_000_000, "3600 s"),
            (12_345_000_000_000, "12\u{202f}345 s"),
            (i64::MIN, "-9\u{202f}223\u{202f}372\u{202f}037 s"),
        ] {
            assert_eq!(duration(ns), text);
        }
    }

    #[test]
    fn parts_of_a_nanosecond_are_shown_only_where_there_are_any() {
        assert_eq!(fine_duration(23.412), "23.41 ns");
        assert_eq!(fine_duration(0.25), "0.25 ns");
        assert_eq!(fine_duration(-0.0), "0 ns");
        assert_eq!(fine_duration(1_060.4), "1.06 us");
        assert_eq!(fine_duration(f64::NAN), "not a number");
    }

    #[test]
    fn a_column_has_one_unit_and_the_same_decimals() {
        assert_eq!(TimeUnit::Ms.number(1_050_000, 3), "1.050");
        assert_eq!(TimeUnit::Ms.number(-1, 3), "0.000");
        assert_eq!(TimeUnit::S.number(12_345_000_000_000, 0), "12\u{202f}345");
    }

    proptest! {
        #[test]
        fn a_duration_is_within_a_thousandth_of_what_it_says(
            ns in 0_i64..1_000_000_000_000
        ) {
            let text = duration(ns);
            let (number, unit) = text.split_once(' ').unwrap();
            let unit: &TimeUnit = TimeUnit::ALL
                .iter()
                .find(|known| known.symbol() == unit)
                .unwrap();
            let said = number.parse::<f64>().unwrap() * unit.ns() as f64;
            prop_assert!((said - ns as f64).abs() <= ns as f64 / 1_000.0);
        }
    }
}
