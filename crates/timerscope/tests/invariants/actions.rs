//! Random actions, before it is known for which machine.

use proptest::prelude::*;
use proptest::sample::select;
use timerscope::machine::{
    Action, ClockKind, Keep, Meanwhile, Span, Until, WaitKind,
};
use timerscope::sim::Spec;

use crate::machines::any_interval_us;

/// An action whose choices are numbers, so that it fits any machine.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    Wait { how: usize, us: u64, burns: bool },
    Ring { how: usize, us: u64, again_us: u64, times: u64 },
    Work { us: u64 },
    Spin { us: u64 },
    Runs { us: u64 },
    Set { event: usize },
    Await { event: usize, us: u64 },
    SetAwait { event: usize, us: u64 },
    Yield,
    Read { clock: usize, times: u64 },
    Request { us: u64 },
    Withdraw { us: u64 },
    Repeat { times: u64, body: Vec<Raw> },
    For { us: u64, body: Vec<Raw> },
}

/// The events of every random workload.
pub(crate) const EVENTS: [&str; 2] = ["one", "two"];

fn any_span_us() -> impl Strategy<Value = u64> {
    prop_oneof![2 => 0..20_000_u64, 1 => (0..20_u64).prop_map(|ms| ms * 1000)]
}

fn simple() -> impl Strategy<Value = Raw> {
    let how = || 0..64_usize;
    let span = any_span_us;
    let asked = || {
        prop_oneof![
            2 => select(vec![1_000, 2_000]),
            1 => any_interval_us(),
        ]
    };
    prop_oneof![
        4 => (how(), span(), any::<bool>())
            .prop_map(|(how, us, burns)| Raw::Wait { how, us, burns }),
        1 => (how(), span(), 1..20_000_u64, 0..4_u64).prop_map(
            |(how, us, again_us, times)| Raw::Ring { how, us, again_us, times }
        ),
        3 => (0..9_000_u64).prop_map(|us| Raw::Work { us }),
        1 => (0..9_000_u64).prop_map(|us| Raw::Spin { us }),
        1 => (0..9_000_u64).prop_map(|us| Raw::Runs { us }),
        1 => (0..2_usize).prop_map(|event| Raw::Set { event }),
        1 => (0..2_usize, span())
            .prop_map(|(event, us)| Raw::Await { event, us }),
        1 => (0..2_usize, span())
            .prop_map(|(event, us)| Raw::SetAwait { event, us }),
        1 => Just(Raw::Yield),
        1 => (how(), 1..4_u64)
            .prop_map(|(clock, times)| Raw::Read { clock, times }),
        2 => asked().prop_map(|us| Raw::Request { us }),
        1 => asked().prop_map(|us| Raw::Withdraw { us }),
    ]
}

/// Any action.
pub(crate) fn any_raw() -> impl Strategy<Value = Raw> {
    let body = || prop::collection::vec(simple(), 1..4);
    prop_oneof![
        8 => simple(),
        1 => (0..4_u64, body())
            .prop_map(|(times, body)| Raw::Repeat { times, body }),
        1 => (0..20_000_u64, body())
            .prop_map(|(us, body)| Raw::For { us, body }),
    ]
}

impl Raw {
    /// The same without requests.
    pub(crate) fn silent(self) -> Self {
        let silent = |body: Vec<Self>| body.into_iter().map(Self::silent);
        match self {
            Self::Request { .. } | Self::Withdraw { .. } => Self::Yield,
            Self::Repeat { times, body } => {
                Self::Repeat { times, body: silent(body).collect() }
            }
            Self::For { us, body } => {
                Self::For { us, body: silent(body).collect() }
            }
            own => own,
        }
    }

    /// The action on a machine.
    pub(crate) fn on(&self, spec: &Spec) -> Action {
        let us = Span::from_us;
        let event = |number: usize| EVENTS[number % EVENTS.len()].to_owned();
        let keep = Keep::Everything;
        let until = |span| Until::Span(us(span));
        match self {
            Self::Wait { how, us, burns } => wait(spec, *how, *us, *burns),
            Self::Ring { how, us: span, again_us, times } => {
                let ringing = |own: &WaitKind| {
                    own.re_arms() && !own.is_interval_timer() && spec.has(*own)
                };
                match chosen(WaitKind::all().filter(ringing), *how) {
                    None => Action::Yield,
                    Some(how) => Action::Ring {
                        how,
                        span: us(*span),
                        again: us(*again_us),
                        times: *times,
                        meanwhile: Meanwhile::Block,
                        keep,
                    },
                }
            }
            Self::Work { us } => work(spec, *us),
            Self::Spin { us } => Action::Spin { until: until(*us), keep },
            Self::Runs { us: span } => {
                Action::Runs { gap: us(50), until: until(*span), keep }
            }
            Self::Set { event: own } => Action::Set(event(*own)),
            Self::Await { event: own, us: span } => Action::Await {
                event: event(*own),
                timeout: Some(us(*span)),
                keep,
            },
            Self::SetAwait { event: own, us: span } => Action::SetAwait {
                set: event(*own),
                awaited: event(*own + 1),
                timeout: Some(us(*span)),
                keep,
            },
            Self::Yield => Action::Yield,
            Self::Read { clock, times } => {
                let own = spec.clocks.iter().map(|clock| clock.name);
                let clock = chosen(own, *clock).unwrap_or(ClockKind::Tsc);
                Action::Read { clock, times: *times, keep }
            }
            Self::Request { us: span } => Action::Request(us(*span)),
            Self::Withdraw { us: span } => Action::Withdraw(us(*span)),
            Self::Repeat { times, body } => {
                Action::repeat(*times, all(body, spec))
            }
            Self::For { us, body } => Action::Repeat {
                until: until(*us),
                keep: Keep::Nothing,
                body: paced(all(body, spec), spec),
            },
        }
    }
}

/// The actions on a machine.
pub(crate) fn all(raw: &[Raw], spec: &Spec) -> Vec<Action> {
    raw.iter().map(|own| own.on(spec)).collect()
}

/// A body that takes some time whatever is in it, so that it may be repeated
/// for ever.
pub(crate) fn paced(mut body: Vec<Action>, spec: &Spec) -> Vec<Action> {
    body.push(wait(spec, 0, 300, false));
    body.push(work(spec, 20));
    body
}

/// Interval timers are left to tests of their own: a process has only one of
/// each kind.
fn wait(spec: &Spec, how: usize, us: u64, burns: bool) -> Action {
    let shared = |own: &WaitKind| own.is_interval_timer();
    let known = WaitKind::all().filter(|own| spec.has(*own) && !shared(own));
    let how = chosen(known, how).unwrap_or(WaitKind::ThreadSleep);
    let burns = burns && how.ends_by_signal();
    let meanwhile = if burns { Meanwhile::Burn } else { Meanwhile::Block };
    let keep = Keep::Everything;
    Action::Wait { how, span: Span::from_us(us), meanwhile, keep }
}

/// Work for about so long.
pub(crate) fn work(spec: &Spec, us: u64) -> Action {
    let iterations = us * 1_000_000 / spec.constants.work_ps.max(1);
    Action::Work { iterations, keep: Keep::Count }
}

fn chosen<T>(from: impl Iterator<Item = T>, number: usize) -> Option<T> {
    let mut all: Vec<T> = from.collect();
    if all.is_empty() {
        return None;
    }
    let place = number % all.len();
    Some(all.swap_remove(place))
}
