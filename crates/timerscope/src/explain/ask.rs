//! Asks a machine, and the models what they would have shown.

use super::battery::Battery;
use super::candidate::{Candidate, rivals};
use super::fitted::Shown;
use super::judge::Case;
use super::next::most_telling;
use super::seen::Asked;
use super::taken::taken;
use super::told::{Asking, told};
use super::{Explained, Probe, Seen};
use crate::machine::{AskError, Facts, Known, Listener, Machine, Missing};

/// The most tests beyond those that are always made.
const MORE: usize = 6;

/// Finds out which of `candidates`, or of the same with one rule exchanged,
/// has the rules that are in force on `machine`, from what its waits take.
///
/// Plays some ten to fifteen workloads, on a real machine for some seconds
/// each at most. `also` hears them and may stop it.
///
/// # Errors
///
/// When the machine has neither of the waits that are asked, or played
/// nothing.
pub fn explain(
    machine: &mut dyn Machine,
    facts: &Facts,
    candidates: &[Candidate],
    also: &mut dyn Listener,
) -> Result<Explained, AskError> {
    let mut battery = Battery::of(facts)?;
    let mut asked = Asked { machine, facts, also, stopped: false };
    let mut tests = Vec::new();
    let mut seen = Vec::new();
    let before = taken(&mut asked)?;
    for probe in &battery.always {
        seen.push(asked.play(probe)?);
        tests.push(probe.clone());
    }
    if let Some(why) = nothing(&seen) {
        let what = "cannot find out which rule is in force";
        return Err(AskError::refused(what, why.why.clone()));
    }
    let taken = before.max(taken(&mut asked)?);
    let shown = Shown::of(facts, &battery, &seen, taken);
    let rivals = rivals(candidates);
    let all = candidates.iter().chain(&rivals);
    let mut cases: Vec<Case<'_>> =
        all.map(|own| Case::new(own, &shown)).collect();
    for (probe, seen) in tests.iter().zip(&seen) {
        judge(&mut cases, probe, seen);
    }
    for _ in 0..MORE {
        let Some(place) = most_telling(&cases, &battery.more) else { break };
        let probe = battery.more.remove(place);
        let own = asked.play(&probe)?;
        judge(&mut cases, &probe, &own);
        tests.push(probe);
        seen.push(own);
    }
    Ok(told(&Asking { cases, tests, seen, battery, shown }))
}

fn judge(cases: &mut [Case<'_>], probe: &Probe, seen: &Known<Seen>) {
    for case in cases {
        case.judge(probe, seen.value());
    }
}

/// Why there is nothing to judge by, if there is nothing.
fn nothing(seen: &[Known<Seen>]) -> Option<&Missing> {
    let all = seen.iter().all(|own| own.value().is_none());
    let why = seen.iter().find_map(Known::missing);
    why.filter(|_| all)
}
