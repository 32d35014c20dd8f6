//! Which test would decide between those that are left.

use super::Probe;
use super::Seen;
use super::battery::Battery;
use super::candidate::ABOUT;
use super::compare::Unlike;
use super::fitted::{Shown, predict};
use super::judge::{Case, blur};
use super::words::{range, time};
use crate::sim::Spec;
use crate::sim::spec::Chosen;

/// Two predictions that are less unlike than this are no test.
const TELLING: f64 = 0.6;

/// The probe that parts the most pairs of candidates that are left; `None` if
/// none parts any.
pub(super) fn most_telling(
    cases: &[Case<'_>],
    probes: &[Probe],
) -> Option<usize> {
    let left = leaders(cases.iter().filter(|case| !case.is_out()));
    let specs: Vec<&[Spec]> = left.iter().map(|case| &case.specs[..]).collect();
    let parted = |probe: &Probe| parted(&specs, probe);
    let best = probes.iter().map(parted).enumerate();
    let best = best.filter(|(_, pairs)| *pairs > 0);
    // Of equals the first.
    best.rev().max_by_key(|(_, pairs)| *pairs).map(|(place, _)| place)
}

/// One candidate of each set of rules of timers.
fn leaders<'a, 'c: 'a>(
    cases: impl Iterator<Item = &'a Case<'c>>,
) -> Vec<&'a Case<'c>> {
    let mut leaders: Vec<&Case<'_>> = Vec::new();
    for case in cases {
        let own = case.candidate.timing();
        if leaders.iter().all(|other| other.candidate.timing() != own) {
            leaders.push(case);
        }
    }
    leaders
}

fn parted(specs: &[&[Spec]], probe: &Probe) -> usize {
    if specs.len() < 2 {
        return 0;
    }
    let shown: Vec<Vec<Option<Seen>>> = specs
        .iter()
        .map(|own| own.iter().map(|spec| predict(spec, probe)).collect())
        .collect();
    let mut pairs = 0;
    for (place, one) in shown.iter().enumerate() {
        for (own, other) in specs.iter().zip(&shown).skip(place + 1) {
            let spec = own.first();
            let apart = spec.is_some_and(|spec| apart(one, other, probe, spec));
            pairs += usize::from(apart);
        }
    }
    pairs
}

/// Whether two candidates would show different things, whatever their
/// constants are.
fn apart(
    one: &[Option<Seen>],
    other: &[Option<Seen>],
    probe: &Probe,
    spec: &Spec,
) -> bool {
    let differ = |one: &Option<Seen>, other: &Option<Seen>| {
        let Some((one, other)) = one.as_ref().zip(other.as_ref()) else {
            return false;
        };
        let blur = blur(probe, one.interval(), spec);
        Unlike::of(one, other, blur).either() >= TELLING
    };
    !one.is_empty()
        && !other.is_empty()
        && one.iter().all(|one| other.iter().all(|other| differ(one, other)))
}

/// What would decide between the candidates that fit, in a sentence, or
/// between the only one and the next best, where another process held an
/// interval; `None` if nothing would.
pub(super) fn next_test(
    cases: &[Case<'_>],
    battery: &Battery,
    shown: &Shown,
) -> Option<String> {
    let fits: Vec<&Case<'_>> =
        cases.iter().filter(|case| case.fits()).collect();
    let (first, rest) = fits.split_first()?;
    let another =
        |case: &&&Case<'_>| case.candidate.timing() != first.candidate.timing();
    let Some(other) = rest.iter().find(another) else {
        return match rest.first() {
            Some(same) => by_other_rules(first, same),
            None => next_best(first, cases, battery, shown),
        };
    };
    by_a_probe(first, other, &battery.more)
        .or_else(|| left_alone(first, other, battery, shown))
        .or_else(|| by_other_rules(first, other))
}

/// What would tell the only one that fits from the one that fitted longest,
/// without whoever held an interval.
fn next_best(
    only: &Case<'_>,
    cases: &[Case<'_>],
    battery: &Battery,
    shown: &Shown,
) -> Option<String> {
    let others = cases
        .iter()
        .filter(|case| !case.fits() && case.candidate.rival_of.is_none());
    let best = others.max_by(|one, other| {
        let later = one.worst_at.cmp(&other.worst_at);
        later.then(other.worst.total_cmp(&one.worst))
    });
    left_alone(only, best?, battery, shown)
}

fn by_a_probe(
    one: &Case<'_>,
    other: &Case<'_>,
    probes: &[Probe],
) -> Option<String> {
    let specs = [&one.specs[..], &other.specs[..]];
    let probe = probes.iter().find(|probe| parted(&specs, probe) > 0)?;
    let would = would(one, other, &one.specs, &other.specs, probe)?;
    let asked = match probe.command() {
        Some(command) => format!("`{command}` ({})", probe.says()),
        None => probe.says(),
    };
    Some(format!("{asked}: {would}"))
}

/// The tests again without whoever held an interval.
fn left_alone(
    one: &Case<'_>,
    other: &Case<'_>,
    battery: &Battery,
    shown: &Shown,
) -> Option<String> {
    let held = shown.held_by_another()?;
    let alone = shown.left_alone();
    let (own, others) = (alone.fit(one.candidate), alone.fit(other.candidate));
    let specs = [&own[..], &others[..]];
    let all = battery.always.iter().chain(&battery.more);
    let probe = all.into_iter().find(|probe| parted(&specs, probe) > 0)?;
    let would = would(one, other, &own, &others, probe)?;
    Some(format!(
        "end whoever holds an interval of {} (`timerscope info` lists \
         requests), then `timerscope explain` again: {}, and {would}",
        time(held as i64),
        probe.says()
    ))
}

/// What two candidates would show.
fn would(
    one: &Case<'_>,
    other: &Case<'_>,
    own: &[Spec],
    others: &[Spec],
    probe: &Probe,
) -> Option<String> {
    let shows = |specs: &[Spec]| {
        let seen = predict(specs.first()?, probe)?;
        Some(range(seen.quantile(0.1), seen.quantile(0.9)))
    };
    Some(format!(
        "{} would show {}, {} {}",
        one.candidate.rule,
        shows(own)?,
        other.candidate.rule,
        shows(others)?
    ))
}

/// What tells two machines apart whose waits do not: their other rules, else
/// their constants.
fn by_other_rules(one: &Case<'_>, other: &Case<'_>) -> Option<String> {
    let chosen = |case: &Case<'_>| {
        let spec = &case.candidate.spec;
        spec.rules.chosen(spec.kernel)
    };
    let (own, others) = (chosen(one), chosen(other));
    let differs = |own: &&Chosen| {
        let same = others.iter().find(|other| other.key == own.key);
        same.is_some_and(|other| other.word != own.word)
    };
    let (name, other_name) = (&one.candidate.rule, &other.candidate.rule);
    let Some(own) = own.iter().find(differs) else {
        let command = "`timerscope clocks` and `timerscope quantum`";
        return Some(format!(
            "{command}: {name} and {other_name} have the same rules, and \
             differ in constants alone"
        ));
    };
    let theirs = others.iter().find(|other| other.key == own.key)?;
    Some(format!(
        "`{}`: no wait tells {name} from {other_name}, which differ in {}; \
         {} speaks against {name}, {} against {other_name}",
        command(own.key),
        own.key.replace('_', " "),
        own.rule.falsified_by,
        theirs.rule.falsified_by
    ))
}

/// The command that shows most of a choice which waits do not show.
fn command(key: &str) -> &'static str {
    match key {
        "idle_tick" => "timerscope cost",
        "charge" | "sharing" => "timerscope quantum",
        "preemption" => "timerscope switch",
        _ if ABOUT.contains(&key) => "timerscope sweep",
        _ => "timerscope sleep --cpu 0 --load same --min 1.5ms -n 20000",
    }
}
