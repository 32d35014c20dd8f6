//! Which probes a machine is asked.

use super::Probe;
use crate::machine::{AskError, Facts, Known, Phase, Span, WaitKind};

/// What a machine is asked: always, and where it helps to decide.
pub(super) struct Battery {
    pub(super) always: Vec<Probe>,
    pub(super) more: Vec<Probe>,
    /// Which of those that are always asked tell constants.
    pub(super) anchors: Anchors,
}

/// Which probes tell the constants that candidates are given.
#[derive(Clone, Copy)]
pub(super) struct Anchors {
    /// A CPU-time timer of next to no span: it takes the same small number of
    /// ticks, however long a tick is.
    pub(super) tick: Option<usize>,
    /// A wait that nothing delays but the wake latency, where timers have
    /// interrupts of their own.
    pub(super) latency: Option<usize>,
    /// The same wait with the system's slack.
    pub(super) slack: Option<usize>,
}

/// Waits in a probe.
const COUNT: u64 = 80;
/// Waits in one of which shares are compared.
const MANY: u64 = 200;
/// Waits in one that takes long.
const FEW: u64 = 30;
const MS: Span = Span::from_ms(1);

impl Battery {
    /// The probes for a machine of these calls.
    pub(super) fn of(facts: &Facts) -> Result<Self, AskError> {
        let has = |wait| facts.waits.iter().any(|fact| fact.name == wait);
        if has(WaitKind::Sleep) {
            return Ok(windows(facts));
        }
        if has(WaitKind::Nanosleep) {
            return Ok(unix());
        }
        let what = "cannot find out which rule is in force";
        let why = "this system has neither Sleep nor nanosleep";
        Err(AskError::absent(what, why))
    }
}

/// The five tests of the article's rules, then what tells their rivals apart.
/// Requests are shares of the coarsest interval, so that a pass over silent
/// processes is as many interrupts as on a machine of 15.625 ms.
fn windows(facts: &Facts) -> Battery {
    let told = |known: &Known<u64>| known.value().copied();
    let coarsest = told(&facts.interval.coarsest_ns).unwrap_or(15_625_000);
    let finest = told(&facts.interval.finest_ns).unwrap_or(500_000);
    let share = |of_15625: u64| {
        let exact = u128::from(coarsest) * u128::from(of_15625) / 15_625;
        Span::from_ns((exact as u64).div_ceil(100_000) * 100_000)
    };
    let silent = Probe::of(WaitKind::Sleep, MS, COUNT);
    let beside = |other| Probe { other: Some(other), ..silent.clone() };
    let asking = |own| Probe { own: Some(own), ..silent.clone() };
    // Where passes are noisy.
    let many = |probe| Probe { count: MANY, ..probe };
    let random = |own| Probe { phase: Phase::Random, ..asking(own) };
    let always = vec![
        silent.clone(),
        beside(Span::from_ms(2)),
        asking(MS),
        Probe { hidden: true, ..asking(MS) },
        asking(Span::from_ns(finest)),
        random(Span::from_us(1_500)),
        beside(share(6_000)),
        many(beside(share(8_000))),
        beside(share(10_000)),
        // The middle of the band in which passes may be noisy, wherever it
        // begins and ends.
        many(beside(Span::from_us(5_400))),
    ];
    let others = [1, 3, 4, 5, 7, 9, 11, 13, 15];
    let mut more: Vec<Probe> =
        others.map(|ms| beside(share(ms * 1_000))).to_vec();
    more.extend([
        asking(share(4_000)),
        Probe { hidden: true, ..asking(Span::from_ns(finest)) },
    ]);
    more.extend(from_when(coarsest));
    Battery {
        always,
        more,
        anchors: Anchors { tick: None, latency: None, slack: None },
    }
}

/// Waits at random phase whose span is a little less than so many intervals:
/// counted from the last interrupt most end before their time, counted from
/// now none does.
fn from_when(coarsest: u64) -> Vec<Probe> {
    let ms = coarsest / MS.ns();
    let silent = Probe::of(WaitKind::Sleep, Span::from_ms(ms.max(1)), COUNT);
    let silent = Probe { phase: Phase::Random, ..silent };
    let asking = |span, own| Probe {
        span: Span::from_ms(span),
        own: Some(Span::from_us(own)),
        ..silent.clone()
    };
    vec![silent.clone(), asking(1, 550), asking(2, 700), asking(3, 1_600)]
}

/// Spans below and above a tick, waits with and without slack, timers that
/// count CPU time. The spans of these leave a small and a large rest of a
/// tick at 100, 250, 300 and 1000 Hz, so that a tick more is not taken for a
/// longer tick.
fn unix() -> Battery {
    let sleep = Probe::of(WaitKind::Nanosleep, MS, COUNT);
    let slack = |slack| Probe { slack: Some(slack), ..sleep.clone() };
    let random = |us| Probe {
        phase: Phase::Random,
        span: Span::from_us(us),
        ..sleep.clone()
    };
    let burn =
        |us, count| Probe::of(WaitKind::ItimerProf, Span::from_us(us), count);
    let timer =
        |us, count| Probe::of(WaitKind::ItimerReal, Span::from_us(us), count);
    let always = vec![
        burn(1, COUNT / 2),
        slack(Span::from_ns(1)),
        sleep.clone(),
        slack(Span::from_us(500)),
        random(3_900),
        random(9_900),
        timer(1, COUNT),
        timer(25_700, FEW),
        burn(6_500, FEW),
        burn(25_700, FEW),
    ];
    let more = vec![
        Probe { span: Span::from_us(6_500), ..sleep.clone() },
        timer(6_500, FEW),
        Probe::of(WaitKind::ItimerVirtual, Span::from_us(6_500), FEW),
        timer(100_000, 10),
        random(1_000),
        random(2_700),
        random(6_600),
        burn(3_700, FEW),
        burn(13_300, FEW),
        burn(17_100, FEW),
    ];
    let anchors = Anchors { tick: Some(0), latency: Some(1), slack: Some(2) };
    Battery { always, more, anchors }
}
