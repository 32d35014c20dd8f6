//! One candidate before what was seen.

use super::candidate::Candidate;
use super::compare::{Unlike, by_chance};
use super::fitted::{Shown, predict};
use super::{Probe, Seen};
use crate::machine::{Phase, Span};
use crate::sim::Spec;

/// A candidate fits if no test shows more waits that cannot be its own than
/// chance alone makes, and this share besides, for disturbances.
pub(super) const FITS: f64 = 0.06;
/// It is out if any test shows so many more.
pub(super) const OUT: f64 = 0.16;
/// So many times as many waits are predicted as seen: they cost little.
const LONGER: u64 = 4;
/// Where others have a share of the CPU, so many times that share of waits end
/// late for it, and never more than the second. Invented.
const WAITS_FOR: f64 = 1.5;
const MOST_BY_OTHERS: f64 = 0.6;

/// One candidate before what was seen.
pub(super) struct Case<'a> {
    pub(super) candidate: &'a Candidate,
    /// The machine with the constants that were seen, over their range.
    pub(super) specs: Vec<Spec>,
    /// The share of the CPU that others had.
    taken: f64,
    /// The share of waits in its worst test so far that neither its rules nor
    /// chance explain, and which test that was.
    pub(super) worst: f64,
    pub(super) worst_at: Option<usize>,
    /// What it would have shown, test by test; empty once it was out.
    pub(super) shown: Vec<Option<Prediction>>,
}

/// What a candidate would have shown in a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prediction {
    /// From the tenth to the ninetieth percentile, over the range of its
    /// constants.
    pub(super) from_ns: i64,
    pub(super) to_ns: i64,
    pub(super) median_ns: i64,
    /// The interval that it would have had in force.
    pub(super) interval_ns: Option<u64>,
    /// The share of waits seen that neither it nor chance explains, at best.
    pub(super) odd: f64,
}

impl<'a> Case<'a> {
    pub(super) fn new(candidate: &'a Candidate, shown: &Shown) -> Self {
        let specs = shown.fit(candidate);
        Self {
            candidate,
            specs,
            taken: shown.taken,
            worst: 0.0,
            worst_at: None,
            shown: Vec::new(),
        }
    }

    pub(super) fn fits(&self) -> bool {
        self.worst <= FITS
    }

    pub(super) fn is_out(&self) -> bool {
        self.worst >= OUT
    }

    /// Holds what it would have shown against what was seen in the next test.
    pub(super) fn judge(&mut self, probe: &Probe, seen: Option<&Seen>) {
        let seen = seen.filter(|seen| !seen.moved() && !self.is_out());
        let Some(seen) = seen else { return self.shown.push(None) };
        let shown = self.prediction(&granted(probe, seen), seen);
        self.add(shown);
    }

    /// Holds a list of waits against what it would have shown in whichever of
    /// these circumstances comes nearest.
    pub(super) fn judge_any(
        &mut self,
        circumstances: &[(Probe, Shown)],
        seen: &Seen,
    ) {
        let mut best: Option<Prediction> = None;
        for (probe, shown) in circumstances {
            self.specs = shown.fit(self.candidate);
            let probe = granted(probe, seen);
            let Some(own) = self.prediction(&probe, seen) else { continue };
            let better = best.as_ref().is_none_or(|best| own.odd < best.odd);
            if better {
                best = Some(own);
            }
        }
        self.add(best);
    }

    /// Adds the next test; what it cannot play at all, it would not have
    /// shown.
    fn add(&mut self, shown: Option<Prediction>) {
        let odd = shown.as_ref().map_or(1.0, |shown| shown.odd);
        if odd > self.worst {
            (self.worst, self.worst_at) = (odd, Some(self.shown.len()));
        }
        self.shown.push(shown);
    }

    fn prediction(&self, probe: &Probe, seen: &Seen) -> Option<Prediction> {
        let mut best: Option<Prediction> = None;
        for spec in &self.specs {
            let longer = probe.longer(LONGER);
            let Some(would) = predict(spec, &longer) else { continue };
            let interval = seen.interval().or(would.interval());
            let blur = blur(probe, interval, spec);
            let own = Prediction {
                from_ns: would.quantile(0.1),
                to_ns: would.quantile(0.9),
                median_ns: would.quantile(0.5),
                interval_ns: would.interval(),
                odd: odd(probe, seen, &would, blur, self.taken),
            };
            best = Some(match best {
                None => own,
                Some(other) => other.with(own),
            });
        }
        best
    }
}

impl Prediction {
    /// The range of both, and the better of them.
    fn with(self, other: Self) -> Self {
        let from_ns = self.from_ns.min(other.from_ns);
        let to_ns = self.to_ns.max(other.to_ns);
        let best = if other.odd < self.odd { other } else { self };
        Self { from_ns, to_ns, ..best }
    }
}

/// The share of waits that neither the prediction, nor chance, nor others that
/// had the CPU explain.
fn odd(probe: &Probe, seen: &Seen, would: &Seen, blur: i64, taken: f64) -> f64 {
    let unlike = Unlike::of(seen, would, blur);
    // All of them is no matter of chance.
    if unlike.either() >= 1.0 {
        return 1.0;
    }
    // Who has to wait for the CPU is late; a tick that finds a process
    // running charges it for what others ran.
    let by_others = (taken * WAITS_FOR).min(MOST_BY_OTHERS);
    let early = if probe.how.counts_cpu_time() { by_others } else { 0.0 };
    let odd = (unlike.early - early).max(unlike.late - by_others);
    (odd - by_chance(seen, would)).max(0.0)
}

/// The probe with the interval that was granted, which hardware rounds, where
/// the request was granted at all.
fn granted(probe: &Probe, seen: &Seen) -> Probe {
    let Some(told) = seen.interval() else { return probe.clone() };
    let granted = |asked: Span| {
        let near = told <= asked.ns() && told * 2 > asked.ns();
        if near { Span::from_ns(told) } else { asked }
    };
    let (own, other) = (probe.own.map(granted), probe.other.map(granted));
    Probe { own, other, ..probe.clone() }
}

/// By how much a wait may be off without being another: by less than any rule
/// makes of it, by more than wake latency, work and rounding do.
pub(super) fn blur(probe: &Probe, interval: Option<u64>, spec: &Spec) -> i64 {
    let coarsest = spec.constants.coarsest.ns();
    if probe.asks() {
        let interval = interval.unwrap_or(coarsest) as i64;
        let random = probe.phase == Phase::Random;
        return interval / if random { 10 } else { 5 };
    }
    let tick = coarsest as i64 / 8;
    let slack = probe.slack.map(|slack| slack.ns() as i64 / 3);
    // A slack too short to be seen says nothing.
    slack.filter(|slack| *slack > 50_000).map_or(tick, |slack| slack.min(tick))
}
