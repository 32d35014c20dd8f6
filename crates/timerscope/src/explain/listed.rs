//! What a list of waits tells, without the machine it comes from.

use super::battery::{Anchors, Battery};
use super::candidate::Candidate;
use super::fitted::Shown;
use super::judge::Case;
use super::told::{Asking, told};
use super::{Explained, Probe, Seen, Verdict};
use crate::machine::{Known, Missing, Span, System, WaitKind};

/// One list of waits, and what is known about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// How long each took, in ns.
    pub took: Vec<i64>,
    /// By which call; not known of bare numbers.
    pub how: Option<WaitKind>,
    /// How long was asked.
    pub span: Span,
    /// The interval that the waiting process requested; `None` if it is not
    /// known whether it did.
    pub own: Option<Option<Span>>,
    /// The interval in force, where it was told.
    pub interval_ns: Option<u64>,
    /// The thread's slack, where one was asked for.
    pub slack: Option<Span>,
}

/// Intervals that somebody may have held when nobody wrote it down.
const HELD_MS: [u64; 17] = [
    0, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000,
    10_000, 11_000, 12_000, 13_000, 14_000, 15_000,
];
/// Rates of ticks that kernels are built with.
const HZ: [u64; 4] = [100, 250, 300, 1000];
/// Waits that are compared: more tell no more about a rule.
const MOST: usize = 2_000;

/// Finds out which of `candidates` could have made these waits, whatever the
/// circumstances were that the lists do not tell.
///
/// One list tells little, and never that a rule is certain.
#[must_use]
pub fn explain_list(lists: &[Listed], candidates: &[Candidate]) -> Explained {
    let probes: Vec<Probe> = lists.iter().map(Listed::probe).collect();
    let seen: Vec<Seen> = lists.iter().map(Listed::seen).collect();
    let nothing = Shown::default();
    let mut cases = Vec::new();
    for candidate in candidates {
        let mut case = Case::new(candidate, &nothing);
        for (list, seen) in lists.iter().zip(&seen) {
            let circumstances = list.circumstances(candidate);
            case.judge_any(&circumstances, seen);
        }
        cases.push(case);
    }
    let anchors = Anchors { tick: None, latency: None, slack: None };
    let battery = Battery { always: Vec::new(), more: Vec::new(), anchors };
    let seen = seen.into_iter().map(Known::Value).collect();
    let shown = nothing;
    let asking = Asking { cases, tests: probes, seen, battery, shown };
    without_the_machine(told(&asking))
}

/// What can be said of a machine that was not asked.
fn without_the_machine(mut told: Explained) -> Explained {
    if told.verdict == Verdict::Certain {
        told.verdict = Verdict::Likely;
    }
    told.because.push(
        "A list of waits tells little: not whether others requested an \
         interval, nor what the same machine does with another span, a \
         request or a hidden window. Whatever of that is not written down \
         was tried in all its forms."
            .to_owned(),
    );
    told.next_test = Known::Value(
        "`timerscope explain` on the machine itself, which asks all of that"
            .to_owned(),
    );
    let why = "a list of waits does not show it";
    told.tick_ns = Missing::unknown(why).into();
    told.taken_by_others = Missing::unknown(why).into();
    told.held_before_ns = Missing::unknown(why).into();
    told
}

impl Listed {
    fn seen(&self) -> Seen {
        let mut took = self.took.clone();
        took.truncate(MOST);
        took.sort_unstable();
        Seen { took, interval_ns: self.interval_ns.map(|ns| (ns, ns)) }
    }

    /// As which question they are told.
    fn probe(&self) -> Probe {
        self.asked(self.how.unwrap_or(WaitKind::ThreadSleep), None)
    }

    fn asked(&self, how: WaitKind, own: Option<Span>) -> Probe {
        let count = self.took.len().clamp(20, 100) as u64;
        let own = self.own.unwrap_or(own);
        Probe { own, slack: self.slack, ..Probe::of(how, self.span, count) }
    }

    /// A candidate in all circumstances that may have been.
    fn circumstances(&self, candidate: &Candidate) -> Vec<(Probe, Shown)> {
        let plain = candidate.plainest();
        let how = self.how.unwrap_or(plain);
        if how.system() != System::Any && !candidate.has(how) {
            return Vec::new();
        }
        if plain != WaitKind::Sleep {
            let rate = |hz| (self.asked(how, None), Shown::of_tick(hz));
            return HZ.map(rate).to_vec();
        }
        let held = match self.interval_ns {
            Some(told) => vec![told],
            None => HELD_MS.map(|us| us * 1_000).to_vec(),
        };
        let asks = [None, Some(Span::from_ms(1))];
        let asks = if self.own.is_some() { &asks[..1] } else { &asks[..] };
        let all = held.into_iter().flat_map(|held| {
            asks.iter().map(move |own| {
                (self.asked(how, *own), Shown::of_interval(held))
            })
        });
        all.collect()
    }
}
