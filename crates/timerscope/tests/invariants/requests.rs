//! Which interval is in force: P7, P8.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use timerscope::machine::{
    Action, Cue, Happening, Outcome, Process, Span, Workload,
};
use timerscope::sim::Spec;
use timerscope::sim::rules::Window;
use timerscope::trace::{Event, What};

use crate::machines::{
    Named, any_interval_us, any_machine, machine, ns, windows, with_interval,
};
use crate::played::{Played, config, play};
use crate::workloads::{HAPPENINGS, any_script, lone, sleep, workload};

/// What all processes have requested, by the events alone.
struct Requests<'a> {
    spec: &'a Spec,
    /// The process of each role.
    players: Vec<u32>,
    left: BTreeMap<u32, usize>,
    live: BTreeMap<u32, Vec<i64>>,
    hidden: BTreeMap<u32, bool>,
    force: i64,
}

impl<'a> Requests<'a> {
    fn new(spec: &'a Spec, workload: &Workload) -> Self {
        let players: Vec<u32> =
            workload.cast().iter().map(|role| role.player).collect();
        let mut left = BTreeMap::new();
        for own in &players {
            *left.entry(*own).or_insert(0) += 1;
        }
        let (live, hidden) = (BTreeMap::new(), BTreeMap::new());
        let force = ns(spec.constants.coarsest);
        Self { spec, players, left, live, hidden, force }
    }

    /// W-T1: each request within what the hardware has, on its grid.
    fn granted(&self, asked: i64) -> i64 {
        let c = &self.spec.constants;
        let (finest, coarsest) = (ns(c.finest), ns(c.coarsest));
        if asked >= coarsest {
            return coarsest;
        }
        let asked = i128::from(asked.max(finest)) * 1000;
        // No hardware has an interval of nothing.
        let grid = i128::from(c.interval_grid_ps.max(1));
        ((asked / grid).max(1) * grid / 1000) as i64
    }

    fn expected(&self) -> i64 {
        let ignored = self.spec.rules.window == Window::Ignored;
        let seen = |player: &u32| {
            ignored || !self.hidden.get(player).copied().unwrap_or(false)
        };
        let c = &self.spec.constants;
        let live = self.live.iter().filter(|(player, _)| seen(player));
        let asked = live.flat_map(|(_, own)| own.iter().copied());
        let other = c.interval.map(ns);
        let least = asked.chain(other).map(|own| self.granted(own)).min();
        least.unwrap_or(ns(c.coarsest))
    }

    /// Takes an event in; what is wrong with it, if anything.
    fn see(&mut self, event: &Event) -> Result<(), String> {
        match event.what {
            What::Requested { player, interval_ns } => {
                self.live.entry(player).or_default().push(interval_ns);
            }
            What::Withdrew { player, interval_ns, held } => {
                let own = self.live.entry(player).or_default();
                let place = own.iter().position(|one| *one == interval_ns);
                if place.is_some() != held {
                    return Err(format!("{event:?}, of {own:?}"));
                }
                place.map(|place| own.remove(place));
            }
            What::Happened { player, what: Happening::Kill } => {
                self.live.remove(&player);
            }
            What::Happened { player, what: Happening::Hide } => {
                self.hidden.insert(player, true);
            }
            What::Happened { player, what: Happening::Show } => {
                self.hidden.insert(player, false);
            }
            What::Ended { role } => {
                let player = self.players[role as usize];
                let left = self.left.get_mut(&player).unwrap();
                *left -= 1;
                if *left == 0 {
                    self.live.remove(&player);
                }
            }
            What::Interval { interval_ns } => self.force = interval_ns,
            _ => {}
        }
        Ok(())
    }
}

/// Whether after all events of each moment the right interval is in force.
fn settled(
    spec: &Spec,
    workload: &Workload,
    run: &Played,
) -> Result<(), String> {
    let mut requests = Requests::new(spec, workload);
    for moment in run.events.chunk_by(|one, other| one.at == other.at) {
        for event in moment {
            requests.see(event)?;
        }
        let (force, expected) = (requests.force, requests.expected());
        if force != expected {
            let at = moment[0].at;
            return Err(format!("{force} in force at {at}, not {expected}"));
        }
    }
    Ok(())
}

/// How a process ends that has requested.
#[derive(Clone, Debug)]
enum End {
    /// It withdraws all, in this order.
    Withdraws(Vec<u64>),
    /// It just ends.
    Exits,
    /// It is killed after so many microseconds.
    Killed(u64),
}

#[derive(Clone, Debug)]
struct Requester {
    asked_us: Vec<u64>,
    end: End,
}

fn any_requester() -> impl Strategy<Value = Requester> {
    let asked = prop::collection::vec(any_interval_us(), 1..5);
    asked.prop_flat_map(|asked_us| {
        let order = Just(asked_us.clone()).prop_shuffle();
        let end = prop_oneof![
            order.prop_map(End::Withdraws),
            Just(End::Exits),
            (0..15_000_u64).prop_map(End::Killed),
        ];
        end.prop_map(move |end| Requester { asked_us: asked_us.clone(), end })
    })
}

impl Requester {
    fn on(&self, spec: &Spec, number: u32) -> Process {
        let us = |us: &u64| Span::from_us(*us);
        let mut body: Vec<Action> = Vec::new();
        for asked in &self.asked_us {
            body.extend([Action::Request(us(asked)), sleep(spec, 1)]);
        }
        if let End::Withdraws(order) = &self.end {
            for own in order {
                body.extend([Action::Withdraw(us(own)), sleep(spec, 2)]);
            }
        }
        let mut own = lone(&format!("own-{number}"), number % 4, body);
        if let End::Killed(at) = self.end {
            let (at, what) = (Span::from_us(at), Happening::Kill);
            own.script = vec![Cue { at, what }];
        }
        own
    }
}

proptest! {
    #![proptest_config(config())]

    /// P7: the interval is the least of the honoured requests within what the
    /// hardware has, so that one more never raises it and one less never
    /// lowers it.
    #[test]
    fn the_interval_is_the_least_that_is_honoured(
        Named(spec) in any_machine(windows),
        interval_us in prop::option::of(any_interval_us()),
        grid_ps in select(vec![0, 100_000_000, 488_281_250, 499_200_000]),
        script in any_script(&HAPPENINGS),
        seed: u64,
    ) {
        let mut spec = match interval_us {
            Some(us) => with_interval(spec, us),
            None => spec,
        };
        // A grid coarser than the finest interval is no machine.
        let finest_ps = spec.constants.finest.ns() * 1000;
        spec.constants.interval_grid_ps = grid_ps.min(finest_ps);
        let workload = script.on(&spec);
        let run = play(&spec, seed, &workload);
        prop_assert_eq!(settled(&spec, &workload, &run), Ok(()));
    }

    /// P8: once all requests are returned, or all requesters gone, in any
    /// order, the default interval is in force.
    #[test]
    fn what_is_returned_in_any_order_leaves_the_default(
        Named(spec) in any_machine(windows),
        requesters in prop::collection::vec(any_requester(), 1..4),
    ) {
        let own = (0..).zip(&requesters);
        let mut all: Vec<Process> =
            own.map(|(number, own)| own.on(&spec, number)).collect();
        let last = vec![sleep(&spec, 2_000)];
        all.push(lone("last", 3, last));
        let run = play(&spec, 1, &workload(all, 3_000));
        let default = ns(spec.constants.coarsest);
        let ended = run.events.iter().filter(|event| {
            matches!(event.what, What::Ended { .. })
        });
        prop_assert_eq!(ended.count(), requesters.len() + 1);
        prop_assert_eq!(run.intervals().last().unwrap().1, default);
    }

    /// P8: a withdrawal without a request is refused and changes nothing.
    #[test]
    fn a_withdrawal_without_a_request_is_refused(
        asked_us in any_interval_us(),
        other_us in any_interval_us(),
    ) {
        prop_assume!(asked_us != other_us);
        let spec = machine("windows-10-2004");
        let us = Span::from_us;
        let body = vec![
            Action::Request(us(asked_us)),
            Action::Withdraw(us(other_us)),
            Action::Withdraw(us(asked_us)),
            Action::Withdraw(us(asked_us)),
        ];
        let own = lone("own", 0, body);
        let run = play(&spec, 1, &workload(vec![own], 100));
        let outcomes: Vec<Outcome> =
            run.samples.iter().map(|sample| sample.outcome).collect();
        let (met, refused) = (Outcome::Met, Outcome::Refused);
        prop_assert_eq!(outcomes, [met, refused, met, refused]);
        let granted = us(asked_us.max(500)).ns() as i64;
        let default = ns(spec.constants.coarsest);
        let told: Vec<i64> =
            run.intervals().iter().map(|own| own.1).collect();
        let expected = if granted < default {
            vec![default, granted, default]
        } else {
            vec![default]
        };
        prop_assert_eq!(told, expected);
    }
}
