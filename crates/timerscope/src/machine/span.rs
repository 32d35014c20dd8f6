//! Spans of time, in whole nanoseconds, as people write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A length of time in whole nanoseconds, never negative.
///
/// Written with its unit: `1ms`, `250us`, `15.6ms`, `100ns`, `5s`, `2min`,
/// `1h`. No time at all needs none: `0`.
///
/// ```
/// use timerscope::machine::Span;
///
/// let span: Span = "15.625ms".parse()?;
/// assert_eq!(span.ns(), 15_625_000);
/// assert_eq!(span.to_string(), "15.625 ms");
/// let error = "-1ms".parse::<Span>().unwrap_err();
/// assert_eq!(error.to_string(), "a span cannot be negative: `-1ms`");
/// # Ok::<(), timerscope::machine::SpanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// Why a text is not a [`Span`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// It has a minus sign.
    #[error("a span cannot be negative: `{0}`")]
    Negative(String),
    /// It has a number but no unit.
    #[error("a span needs a unit (ns, us, ms, s, min, h): `{0}`")]
    NoUnit(String),
    /// Its unit is not one of ours.
    #[error("`{1}` is not a unit of time (ns, us, ms, s, min, h): `{0}`")]
    UnknownUnit(String, String),
    /// Its number cannot be read.
    #[error("not a span of time such as `1ms` or `15.6ms`: `{0}`")]
    NotANumber(String),
    /// It is finer than a nanosecond.
    #[error("finer than a nanosecond: `{0}`")]
    TooFine(String),
    /// It does not fit 64 bits of nanoseconds (584 years).
    #[error("longer than 584 years: `{0}`")]
    TooLong(String),
}

/// Units, longest first, with their length in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// The span of `ns` nanoseconds.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns)
    }

    /// The span of `us` microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000)
    }

    /// The span of `ms` milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }

    /// The span of `s` seconds.
    #[must_use]
    pub const fn from_s(s: u64) -> Self {
        Self(s * 1_000_000_000)
    }

    /// Its length in nanoseconds.
    #[must_use]
    pub const fn ns(self) -> u64 {
        self.0
    }

    /// Writes it exactly, without a space, so that it parses back: `15.625ms`.
    #[must_use]
    pub fn written(self) -> String {
        let (unit, length) = self.natural_unit();
        let (whole, rest) = (self.0 / length, self.0 % length);
        if rest == 0 {
            return format!("{whole}{unit}");
        }
        let width = length.ilog10() as usize;
        let digits = format!("{rest:0width$}");
        format!("{whole}.{}{unit}", digits.trim_end_matches('0'))
    }

    /// The unit a person would pick: the largest one not above the span.
    /// Hours and minutes are read, but never written: 90 s is easier than
    /// 1.5 min.
    fn natural_unit(self) -> (&'static str, u64) {
        let fits = UNITS[2..].iter().find(|(_, length)| self.0 >= *length);
        fits.copied().unwrap_or(if self.0 == 0 { UNITS[2] } else { UNITS[5] })
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let trimmed = text.trim();
        let own = || trimmed.chars().take(40).collect::<String>();
        if trimmed.starts_with('-') {
            return Err(SpanError::Negative(own()));
        }
        let split = trimmed
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(split);
        if number.is_empty() || number == "." {
            return Err(SpanError::NotANumber(own()));
        }
        let unit = unit.trim_start();
        if unit.is_empty() {
            if number.bytes().all(|digit| digit == b'0') {
                return Ok(Self::ZERO);
            }
            return Err(SpanError::NoUnit(own()));
        }
        let length = UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .map(|(_, length)| *length)
            .ok_or_else(|| {
                SpanError::UnknownUnit(own(), unit.chars().take(20).collect())
            })?;
        decimal(number, length, &own)
    }
}

/// `number` (digits with at most one point) times `length`, exactly.
fn decimal(
    number: &str,
    length: u64,
    own: &dyn Fn() -> String,
) -> Result<Span, SpanError> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') {
        return Err(SpanError::NotANumber(own()));
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let whole: u128 = whole.parse().map_err(|_| SpanError::TooLong(own()))?;
    let mut ns = whole
        .checked_mul(u128::from(length))
        .ok_or_else(|| SpanError::TooLong(own()))?;
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 18 {
        return Err(SpanError::TooFine(own()));
    }
    if !fraction.is_empty() {
        let scale = 10_u128.pow(fraction.len() as u32);
        let part = fraction
            .parse::<u128>()
            .map_err(|_| SpanError::NotANumber(own()))?
            * u128::from(length);
        if !part.is_multiple_of(scale) {
            return Err(SpanError::TooFine(own()));
        }
        ns += part / scale;
    }
    u64::try_from(ns).map(Span).map_err(|_| SpanError::TooLong(own()))
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.written();
        let unit = self.natural_unit().0;
        f.pad(&format!("{} {unit}", written.trim_end_matches(unit)))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.written())
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        super::name::parsed(from, "a span of time such as \"1ms\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_people_write() {
        for (text, ns) in [
            ("1ms", 1_000_000),
            ("250us", 250_000),
            ("15.6ms", 15_600_000),
            ("100ns", 100),
            ("5s", 5_000_000_000),
            ("2min", 120_000_000_000),
            ("1.5h", 5_400_000_000_000),
            ("0ms", 0),
            ("0", 0),
            (".5ms", 500_000),
            ("1 ms", 1_000_000),
        ] {
            assert_eq!(text.parse::<Span>().map(Span::ns), Ok(ns), "{text}");
        }
    }

    #[test]
    fn says_why_a_text_is_not_a_span() {
        let error = |text: &str| text.parse::<Span>().unwrap_err();
        assert!(matches!(error("-1ms"), SpanError::Negative(_)));
        assert!(matches!(error("1"), SpanError::NoUnit(_)));
        assert!(matches!(error("0.5"), SpanError::NoUnit(_)));
        assert!(matches!(error("1m"), SpanError::UnknownUnit(..)));
        assert!(matches!(error("ms"), SpanError::NotANumber(_)));
        assert!(matches!(error("1.2.3ms"), SpanError::NotANumber(_)));
        assert!(matches!(error("0.5ns"), SpanError::TooFine(_)));
        assert!(matches!(error("999999999999s"), SpanError::TooLong(_)));
        assert!(matches!(error(&"9".repeat(60)), SpanError::NoUnit(_)));
    }

    proptest! {
        #[test]
        fn what_is_written_parses_back(ns in any::<u64>()) {
            let span = Span::from_ns(ns);
            prop_assert_eq!(span.written().parse::<Span>(), Ok(span));
            prop_assert_eq!(span.to_string().parse::<Span>(), Ok(span));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = text.parse::<Span>();
        }
    }
}
