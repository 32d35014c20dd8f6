//! How long a wait may take, for limits and progress: never for figures.

use crate::machine::{Facts, Span, WaitKind};

/// Two ticks of the coarsest kernel that is still met (100 Hz).
const TWO_TICKS: u64 = 20_000_000;
/// Slack, interrupt and wake-up of a wait that does not depend on ticks.
const WAKE: u64 = 200_000;

/// How long one wait of `span` by `how` usually takes, on the long side.
#[must_use]
pub fn expected(facts: &Facts, how: WaitKind, span: Span) -> Span {
    let tick = facts.tick_hz.value().map_or(TWO_TICKS, |hz| {
        2_000_000_000_u64.checked_div(*hz).unwrap_or(TWO_TICKS)
    });
    let precise = facts.high_resolution_timers.value() == Some(&true);
    let ticks = how.counts_cpu_time() || how == WaitKind::SocketTimeout;
    let beyond = if precise && !ticks { WAKE } else { tick };
    let unit = how.unit_ns().max(1);
    let asked = span.ns().div_ceil(unit).saturating_mul(unit);
    Span::from_ns(asked.saturating_add(beyond))
}

/// The wait of this machine that asks the least of it.
#[must_use]
pub fn plainest(facts: &Facts) -> WaitKind {
    let has =
        |wait: &WaitKind| facts.waits.iter().any(|fact| fact.name == *wait);
    [WaitKind::Nanosleep, WaitKind::Sleep]
        .into_iter()
        .find(has)
        .unwrap_or(WaitKind::ThreadSleep)
}
