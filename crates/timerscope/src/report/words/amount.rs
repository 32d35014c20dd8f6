//! Counts, shares and rates for people.

use super::GROUP;

/// Writes a count with its digits in groups of three from 10000 on.
#[must_use]
pub fn count(count: u64) -> String {
    grouped(u128::from(count))
}

/// Writes how often something happens in a second: `64/s`.
#[must_use]
pub fn rate(per_s: f64) -> String {
    format!("{}/s", significant(per_s, 4))
}

/// Writes a share of 1 in percent: `12.3 %`.
///
/// Only nothing is `0 %` and only everything is `100 %`; a share near them
/// says on which side it stands.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.001 {
        return "< 0.001 %".to_owned();
    }
    if percent < 100.0 && percent > 99.9 {
        return if percent > 99.99 {
            "> 99.99 %".to_owned()
        } else {
            format!("{percent:.2} %")
        };
    }
    format!("{} %", significant(percent, 3))
}

/// Writes a difference between two rates in parts per million: `12.5 ppm`.
#[must_use]
pub fn ppm(parts: f64) -> String {
    format!("{} ppm", significant(parts, 3))
}

/// Writes a frequency: `3.58 MHz`.
#[must_use]
pub fn hertz(per_s: f64) -> String {
    // What four digits make a thousand is one of the next unit.
    let (length, unit) = match per_s.abs() {
        rate if rate >= 0.999_95e9 => (1e9, "GHz"),
        rate if rate >= 0.999_95e6 => (1e6, "MHz"),
        rate if rate >= 1e4 => (1e3, "kHz"),
        _ => (1.0, "Hz"),
    };
    format!("{} {unit}", significant(per_s / length, 4))
}

/// Writes an amount of memory: `12.3 MiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fits = units.iter().find(|(length, _)| bytes >= *length);
    let Some((length, unit)) = fits else {
        return format!("{bytes} bytes");
    };
    format!("{} {unit}", significant(bytes as f64 / *length as f64, 3))
}

/// Writes a number with so many significant digits, without trailing zeros.
///
/// It never invents digits: `1234567` with three digits stays whole. What is
/// not a number is called so.
#[must_use]
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "not a number".to_owned();
    }
    let magnitude = if value == 0.0 { 0.0 } else { value.abs().log10() };
    let decimals = digits as i64 - 1 - magnitude.floor() as i64;
    let decimals = decimals.clamp(0, 15) as usize;
    let text = format!("{:.decimals$}", value.abs());
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let part = part.trim_end_matches('0');
    let zero = part.is_empty() && whole == "0";
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    if part.is_empty() {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{part}")
}

/// `number` with its digits in groups of three, where there are five or more.
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_from_five_digits_on() {
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(10_000), "10\u{202f}000");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn shares_near_nothing_and_everything_are_not_rounded_away() {
        for (share, text) in [
            (0.0, "0 %"),
            (0.000_000_1, "< 0.001 %"),
            (0.123_45, "12.3 %"),
            (0.999_1, "99.91 %"),
            (0.999_999, "> 99.99 %"),
            (1.0, "100 %"),
            (-0.05, "-5 %"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn rates_and_sizes_bear_their_unit() {
        assert_eq!(rate(64.0), "64/s");
        assert_eq!(rate(0.1234), "0.1234/s");
        assert_eq!(hertz(3_579_545.0), "3.58 MHz");
        assert_eq!(hertz(250.0), "250 Hz");
        assert_eq!(hertz(999_968_752.0), "1 GHz");
        assert_eq!(hertz(999_100_000.0), "999.1 MHz");
        assert_eq!(ppm(-12.46), "-12.5 ppm");
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(12_900_000), "12.3 MiB");
    }

    #[test]
    fn what_is_no_number_is_not_shown_as_one() {
        assert_eq!(significant(f64::NAN, 3), "not a number");
        assert_eq!(significant(f64::INFINITY, 3), "not a number");
        assert_eq!(significant(-0.000_000_000_000_000_1, 3), "0");
        assert_eq!(significant(1_234_567.0, 3), "1\u{202f}234\u{202f}567");
    }
}
