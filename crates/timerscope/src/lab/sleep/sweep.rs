//! A sweep of spans, each half the one before, as timer.c does it.

use std::str::FromStr;

use crate::machine::{Span, SpanError};

/// Spans from one end to the other, halving.
///
/// Halves are whole numbers of the unit in which the lower end is written, so
/// that `800ms..1us` gives timer.c's 800000, 400000, ..., 3, 1 microseconds.
///
/// ```
/// use timerscope::lab::sleep::Sweep;
///
/// let sweep: Sweep = "800ms..1us".parse()?;
/// assert_eq!(sweep.spans().len(), 20);
/// # Ok::<(), timerscope::lab::sleep::SweepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sweep {
    from: u64,
    to: u64,
    unit: u64,
}

/// Why a text is not a [`Sweep`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// It has no two dots.
    #[error("a sweep is written `800ms..1us`: `{0}`")]
    NoDots(String),
    /// One of its ends is no span.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// Its ends are the wrong way round.
    #[error("a sweep goes from the longer span to the shorter one: `{0}`")]
    Upward(String),
    /// Its lower end is no time at all.
    #[error("halving never reaches zero; end at `1ns` or above: `{0}`")]
    Zero(String),
}

impl Sweep {
    /// Its spans, longest first.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let halves = |length: &u64| Some(length / 2);
        std::iter::successors(Some(self.from / self.unit), halves)
            .take_while(|length| *length > 0 && length * self.unit >= self.to)
            .map(|length| Span::from_ns(length * self.unit))
            .collect()
    }
}

impl FromStr for Sweep {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let own = || text.chars().take(40).collect::<String>();
        let (from, to) =
            text.split_once("..").ok_or_else(|| SweepError::NoDots(own()))?;
        let unit = to.trim_start_matches(|c: char| {
            c.is_ascii_digit() || c == '.' || c.is_whitespace()
        });
        let (from, to): (Span, Span) = (from.parse()?, to.parse()?);
        if to == Span::ZERO {
            return Err(SweepError::Zero(own()));
        }
        if from < to {
            return Err(SweepError::Upward(own()));
        }
        let unit: Span = format!("1{unit}").parse()?;
        // `..0.5ms` is halved in nanoseconds: its unit is longer than itself.
        let unit = if unit > to { 1 } else { unit.ns() };
        Ok(Self { from: from.ns(), to: to.ns(), unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<u64> {
        let sweep: Sweep = text.parse().unwrap();
        sweep.spans().into_iter().map(Span::ns).collect()
    }

    // The spans of timer.c's table, in microseconds.
    #[test]
    fn a_sweep_gives_the_rows_of_the_table() {
        let table = [
            800_000, 400_000, 200_000, 100_000, 50_000, 25_000, 12_500, 6_250,
            3_125, 1_562, 781, 390, 195, 97, 48, 24, 12, 6, 3, 1,
        ];
        let table: Vec<u64> = table.iter().map(|us| us * 1_000).collect();
        assert_eq!(spans("800ms..1us"), table);
    }

    #[test]
    fn a_sweep_ends_at_or_above_its_lower_end() {
        assert_eq!(spans("4ms..1ms"), [4_000_000, 2_000_000, 1_000_000]);
        assert_eq!(spans("5ms..2ms"), [5_000_000, 2_000_000]);
        assert_eq!(spans("1ms..0.5ms"), [1_000_000, 500_000]);
        assert_eq!(spans("1ms..1ms"), [1_000_000]);
    }

    #[test]
    fn what_is_no_sweep_is_told() {
        let error = |text: &str| text.parse::<Sweep>().unwrap_err();
        assert!(matches!(error("1ms"), SweepError::NoDots(_)));
        assert!(matches!(error("1us..1ms"), SweepError::Upward(_)));
        assert!(matches!(error("1ms..0us"), SweepError::Zero(_)));
        assert!(matches!(error("-1ms..1us"), SweepError::Span(_)));
    }
}
