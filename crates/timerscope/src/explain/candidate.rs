//! Which machines are asked what they would have shown.

use crate::machine::WaitKind;
use crate::sim::Spec;
use crate::sim::catalogue::{CATALOGUE, opened};
use crate::sim::rules::{Expiry, Looks};
use crate::sim::spec::Kernel;

/// A machine whose rules may be those in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name: one of the catalogue, with a changed rule after a comma if
    /// it is a rival.
    pub rule: String,
    /// The machine of the catalogue whose rival it is.
    pub rival_of: Option<String>,
    pub(super) spec: Spec,
}

/// Every machine of the catalogue.
#[must_use]
pub fn known() -> Vec<Candidate> {
    let names = CATALOGUE.iter().map(|row| row.0);
    let own = names.filter_map(|name| candidate(name.to_owned(), None));
    own.collect()
}

/// The same machines with one rule of timers exchanged for each of its
/// rivals; none that is among them already.
///
/// They are what the tests have to tell a machine from before it is certain:
/// a rule that could as well be another was not tested.
pub(super) fn rivals(of: &[Candidate]) -> Vec<Candidate> {
    let mut rivals: Vec<Candidate> = Vec::new();
    let own = of.iter().filter(|own| own.rival_of.is_none());
    let all = ABOUT
        .into_iter()
        .flat_map(|key| own.clone().flat_map(move |own| own.exchanged(key)));
    for rival in all {
        let mut known = of.iter().chain(&rivals);
        if !known.any(|one| one.is_twin_of(&rival)) {
            rivals.push(rival);
        }
    }
    rivals
}

fn candidate(rule: String, rival_of: Option<String>) -> Option<Candidate> {
    let spec = opened(&rule).ok()?;
    Some(Candidate { rule, rival_of, spec })
}

impl Candidate {
    /// Whether no wait tells the two apart. Kernels differ in more than these
    /// rules: slack is Linux' own.
    fn is_twin_of(&self, other: &Self) -> bool {
        self.spec.kernel == other.spec.kernel && self.timing() == other.timing()
    }

    /// Its plainest wait.
    pub(super) fn plainest(&self) -> WaitKind {
        match self.spec.kernel {
            Kernel::Windows => WaitKind::Sleep,
            Kernel::Linux | Kernel::Openbsd => WaitKind::Nanosleep,
        }
    }

    /// Whether it has this wait.
    pub(super) fn has(&self, wait: WaitKind) -> bool {
        self.spec.has(wait)
    }

    /// The same with each other word for one of its rules of timers.
    fn exchanged(&self, key: &'static str) -> Vec<Self> {
        if !matters(&self.spec, key) {
            return Vec::new();
        }
        let chosen = self.spec.rules.chosen(self.spec.kernel).into_iter();
        let words = chosen
            .filter(|own| own.key == key)
            .flat_map(|own| own.rivals)
            .map(|(word, _)| word);
        // `rule` is how a person types it.
        let key = if key == "looks" { "rule" } else { key };
        let typed = |word: &str| {
            format!("{},{}={word}", self.rule, key.replace('_', "-"))
        };
        words
            .filter_map(|word| candidate(typed(word), Some(self.rule.clone())))
            .collect()
    }

    /// Its rules of timers, those that the tests are about: each choice with
    /// the word chosen.
    pub(super) fn timing(&self) -> Vec<(&'static str, &'static str)> {
        timing(&self.spec)
    }
}

/// Whether two machines have the same rules of timers, as far as the tests
/// are about them and can be made on both.
#[must_use]
pub fn same_rules(one: &Spec, other: &Spec) -> bool {
    let windows = |spec: &Spec| spec.kernel == Kernel::Windows;
    windows(one) == windows(other) && timing(one) == timing(other)
}

fn timing(spec: &Spec) -> Vec<(&'static str, &'static str)> {
    let chosen = spec.rules.chosen(spec.kernel).into_iter();
    let about = chosen.filter(|own| matters(spec, own.key));
    about.map(|own| (own.key, own.word)).collect()
}

/// Whether a machine's waits depend on a choice.
pub(super) fn matters(spec: &Spec, key: &str) -> bool {
    let rules = &spec.rules;
    ABOUT.contains(&key)
        && match key {
            // Where no timer waits for a tick, none is rounded up to one.
            "rounding" => rules.expiry == Expiry::AtTick,
            // An absolute grid has no interrupts to be early or late by.
            "noise" => rules.looks != Looks::H4,
            _ => true,
        }
}

/// The choices that the tests are about, the one with the most words last.
/// `change` is not among them: nothing
/// published tells its two words apart, nor do these tests.
pub(super) const ABOUT: [&str; 7] = [
    "expiry",
    "noise",
    "window",
    "deadline",
    "rounding",
    "cpu_timers",
    "looks",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_is_a_candidate_and_no_rival_is_one_again() {
        let (own, rivals) = (known(), rivals(&known()));
        assert_eq!(own.len(), CATALOGUE.len());
        for name in ["windows-10-2004,rule=h2", "linux-6,cpu-timers=ticks"] {
            assert!(rivals.iter().any(|rival| rival.rule == name), "{name}");
        }
        for rival in &rivals {
            let twins =
                own.iter().chain(&rivals).filter(|one| one.is_twin_of(rival));
            assert_eq!(twins.count(), 1, "{}", rival.rule);
        }
    }
}
