//! Which machines are asked what they would have shown.

use crate::sim::Spec;
use crate::sim::catalogue::{CATALOGUE, opened};

/// A machine whose rules may be those in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name: one of the catalogue, with a changed rule after a comma if
    /// it is a rival.
    pub rule: String,
    /// The machine of the catalogue whose rival it is.
    pub rival_of: Option<&'static str>,
    pub(super) spec: Spec,
}

/// Rules that nobody has published, or that published figures contradict, and
/// which the tests can tell from those of the machine before the comma.
const RIVALS: [(&str, &str); 14] = [
    ("windows-10-2004", "rule=h1"),
    ("windows-10-2004", "rule=h2"),
    ("windows-10-2004", "rule=h3"),
    ("windows-10-2004", "rule=h4"),
    ("windows-10-2004", "noise=off"),
    ("windows-11", "rule=h1"),
    ("windows-11", "rule=h2"),
    ("windows-11", "rule=h3"),
    ("windows-11", "rule=h4"),
    ("windows-11", "noise=off"),
    ("linux-lowres", "deadline=whole-ticks"),
    ("linux-6", "cpu-timers=ticks"),
    ("openbsd-7.0", "deadline=now"),
    ("openbsd-7.0", "cpu-timers=one-more"),
];

/// Every candidate: the machines of the catalogue, then their rivals.
#[must_use]
pub fn known() -> Vec<Candidate> {
    let own = CATALOGUE.iter().map(|(name, _)| (*name, None));
    let rivals = RIVALS.iter().map(|(name, rule)| (*name, Some(*rule)));
    own.chain(rivals).filter_map(|(name, rule)| candidate(name, rule)).collect()
}

fn candidate(name: &'static str, change: Option<&str>) -> Option<Candidate> {
    let rule = match change {
        Some(change) => format!("{name},{change}"),
        None => name.to_owned(),
    };
    let spec = opened(&rule).ok()?;
    Some(Candidate { rule, rival_of: change.map(|_| name), spec })
}

impl Candidate {
    /// Whether its rules of timers are those of `spec`, as far as the tests
    /// are about them.
    #[must_use]
    pub fn same_rules(&self, spec: &Spec) -> bool {
        self.spec.kernel == spec.kernel && self.timing() == timing(spec)
    }

    /// Its rules of timers, those that the tests are about: each choice with
    /// the word chosen.
    pub(super) fn timing(&self) -> Vec<(&'static str, &'static str)> {
        timing(&self.spec)
    }
}

fn timing(spec: &Spec) -> Vec<(&'static str, &'static str)> {
    let chosen = spec.rules.chosen(spec.kernel).into_iter();
    let about = chosen.filter(|own| ABOUT.contains(&own.key));
    about.map(|own| (own.key, own.word)).collect()
}

/// The choices that the tests are about. `change` is not among them: nothing
/// published tells its two words apart, nor do these tests.
pub(super) const ABOUT: [&str; 7] = [
    "expiry",
    "deadline",
    "looks",
    "noise",
    "window",
    "rounding",
    "cpu_timers",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_and_every_rival_is_a_candidate() {
        let all = known();
        assert_eq!(all.len(), CATALOGUE.len() + RIVALS.len());
        for candidate in &all {
            let own = candidate.timing();
            let base = candidate.rival_of.and_then(|name| {
                all.iter().find(|other| other.rule == name)
            });
            let differs = base.is_none_or(|base| base.timing() != own);
            assert!(differs, "{} is no rival", candidate.rule);
        }
    }
}
