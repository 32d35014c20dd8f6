//! The CPUs that tasks run on, and the tick of them.

use crate::machine::{AskError, Facts, Known, Missing};

/// The CPU that is meant: the one asked for, else the first allowed one.
pub(super) fn first_cpu(facts: &Facts, asked: Option<u32>) -> Option<u32> {
    asked.or_else(|| facts.cpus.first().copied())
}

/// A CPU for one task and one for another, which are two.
///
/// # Errors
///
/// When this machine lets us run on one alone.
pub(super) fn two_cpus(
    facts: &Facts,
    asked: Option<u32>,
    what: &str,
) -> Result<(u32, u32), AskError> {
    let own = first_cpu(facts, asked);
    let other = facts.cpus.iter().copied().find(|cpu| Some(*cpu) != own);
    own.zip(other).ok_or_else(|| {
        let why = "this process may run on one CPU only";
        AskError::absent(what, why).or_try("a machine with more CPUs")
    })
}

/// Between two ticks of a busy CPU: the interval in force, else the
/// scheduler's tick, which is told in whole ticks a second.
pub(super) fn tick_ns(facts: &Facts) -> Known<u64> {
    match (&facts.tick_hz, &facts.interval.current_ns) {
        (_, Known::Value(interval)) => Known::Value(*interval),
        (Known::Value(hz), _) if *hz > 0 => Known::Value(1_000_000_000 / hz),
        (Known::Missing(missing), _) => missing.clone().into(),
        _ => Missing::unknown("this machine does not tell its tick").into(),
    }
}
