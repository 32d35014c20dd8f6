//! How figures are written in reasons.

use crate::machine::Span;

/// A time with four digits.
pub(super) fn time(ns: i64) -> String {
    let size = ns.unsigned_abs();
    let digits = size.checked_ilog10().unwrap_or(0);
    let unit = 10_u64.pow(digits.saturating_sub(3));
    let rounded = size.saturating_add(unit / 2) / unit * unit;
    let sign = if ns < 0 { "-" } else { "" };
    format!("{sign}{}", Span::from_ns(rounded))
}

/// A range of times, or one where both ends are alike.
pub(super) fn range(from: i64, to: i64) -> String {
    let near = (to - from).unsigned_abs() * 50 <= to.unsigned_abs();
    if near {
        return time(i64::midpoint(from, to));
    }
    format!("{} to {}", time(from), time(to))
}

/// Names, the last one after `and`; only so many of them.
pub(super) fn names<T: AsRef<str>>(all: &[T], most: usize) -> String {
    let mut names: Vec<String> =
        all.iter().take(most).map(|own| own.as_ref().to_owned()).collect();
    if all.len() > most {
        names.push(format!("{} more", all.len() - most));
    }
    match names.pop() {
        None => String::new(),
        Some(only) if names.is_empty() => only,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_four_digits_and_near_ends_are_one() {
        assert_eq!(time(15_623_456), "15.62 ms");
        assert_eq!(time(999_999), "1 ms");
        assert_eq!(time(-1_500), "-1.5 us");
        assert_eq!(range(1_990_000, 2_000_000), "1.995 ms");
        assert_eq!(range(8_000_000, 24_000_000), "8 ms to 24 ms");
        assert_eq!(names(&["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(names(&["a", "b"], 2), "a and b");
    }
}
