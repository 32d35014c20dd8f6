//! Which rules a machine follows, and which could stand in their place.

use super::always::{LINUX, OPENBSD, WINDOWS};
use super::piece::{Rule, Status};
use super::{Expiry, IdleTick, Looks, Sharing};
use crate::sim::spec::{Choices, Kernel, Spec};

/// A choice that matters on a machine, and what else could be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rivals {
    /// How it is selected, `remainder` in `remainder=keep`.
    pub key: &'static str,
    /// Each word with its rule, and whether it is the one in force.
    pub words: Vec<(&'static str, Rule, bool)>,
}

impl Spec {
    /// The rules in force on it: first those that are choices, then those
    /// that every machine of its kernel follows.
    #[must_use]
    pub fn rules_in_force(&self) -> Vec<Rule> {
        let chosen = choices(&self.rules)
            .into_iter()
            .filter(|choice| choice.matters(self))
            .map(|choice| told(self.kernel, choice.chosen()));
        let always: &[Rule] = match self.kernel {
            Kernel::Windows => &WINDOWS,
            Kernel::Openbsd => &OPENBSD,
            Kernel::Linux => &LINUX,
        };
        let steals = self.constants.steal_ppm > 0;
        let always = always.iter().filter(|rule| rule.id != "W-S10" || steals);
        let mut all: Vec<Rule> = Vec::new();
        for rule in chosen.chain(always.copied()) {
            if !all.iter().any(|own| own.id == rule.id) {
                all.push(rule);
            }
        }
        all
    }

    /// The choices that matter on it and have rivals there.
    #[must_use]
    pub fn rivals(&self) -> Vec<Rivals> {
        choices(&self.rules)
            .into_iter()
            .filter(|choice| choice.matters(self))
            .map(|choice| {
                let words = choice.words.iter().map(|(word, rule, own)| {
                    (*word, told(self.kernel, *rule), *own)
                });
                Rivals { key: choice.key, words: words.collect() }
            })
            .collect()
    }
}

/// One choice with all of its words.
struct Choice {
    key: &'static str,
    words: Vec<(&'static str, Rule, bool)>,
}

macro_rules! choices {
    ($rules:expr, $($field:ident = $key:literal),+ $(,)?) => {
        vec![$(Choice {
            key: $key,
            words: words(&$rules.$field),
        }),+]
    };
}

/// What every choice can do.
trait Chosen: Copy + PartialEq + 'static {
    fn every() -> &'static [(Self, &'static str)];
    fn told(self) -> Rule;
}

macro_rules! chosen {
    ($($name:ident),+) => {
        $(impl Chosen for super::$name {
            fn every() -> &'static [(Self, &'static str)] {
                Self::ALL
            }
            fn told(self) -> Rule {
                *self.rule()
            }
        })+
    };
}

chosen!(
    Expiry, Deadline, Looks, Noise, Window, Change, Rounding, CpuTimers,
    Sharing, Preemption, Charge, Boost, Spent, Remainder, IdleTick
);

fn words<T: Chosen>(own: &T) -> Vec<(&'static str, Rule, bool)> {
    let all = T::every().iter();
    all.map(|(value, word)| (*word, value.told(), value == own)).collect()
}

fn choices(rules: &Choices) -> Vec<Choice> {
    choices!(
        rules,
        expiry = "expiry",
        deadline = "deadline",
        looks = "looks",
        noise = "noise",
        window = "window",
        change = "change",
        rounding = "rounding",
        cpu_timers = "cpu-timers",
        sharing = "sharing",
        preemption = "preemption",
        charge = "charge",
        boost = "boost",
        spent = "spent",
        remainder = "remainder",
        idle_tick = "idle-tick",
    )
}

impl Choice {
    fn chosen(&self) -> Rule {
        let own = self.words.iter().find(|word| word.2);
        own.map_or(self.words[0].1, |word| word.1)
    }

    /// Whether anything on that machine looks at it.
    fn matters(&self, spec: &Spec) -> bool {
        let windows = spec.kernel == Kernel::Windows;
        let ticks = spec.rules.expiry == Expiry::AtTick;
        let levels = spec.rules.sharing == Sharing::Levels;
        match self.key {
            "looks" | "window" | "change" => windows,
            "noise" => windows && spec.rules.looks != Looks::Everyone,
            "deadline" => ticks,
            "rounding" => !windows && ticks,
            "cpu-timers" => !windows,
            "charge" | "boost" | "spent" | "remainder" => levels,
            _ => true,
        }
    }
}

/// A rule as it is told of a kernel: the articles speak of one system each,
/// and what is taken over elsewhere has another claim.
fn told(kernel: Kernel, rule: Rule) -> Rule {
    let expiry = *Expiry::AtTick.rule();
    match kernel {
        Kernel::Openbsd if rule.id == expiry.id => OPENBSD[0],
        Kernel::Openbsd if rule.id.starts_with("W-S8") => Rule {
            status: Status::Measured,
            source: "OpenBSD kern_clock.c",
            ..rule
        },
        Kernel::Openbsd if rule.id.starts_with("W-S") => Rule {
            status: Status::Invented,
            source: "taken over from Windows: no article is about it",
            ..rule
        },
        Kernel::Linux if rule == *IdleTick::Skipped.rule() => Rule {
            id: "L-4",
            says: "An idle CPU has no tick; a busy one has.",
            source: "Linux kernel/time/tick-sched.c",
            ..rule
        },
        Kernel::Linux if rule == *IdleTick::Always.rule() => {
            Rule { id: "L-4.always", source: "Linux with nohz=off", ..rule }
        }
        Kernel::Linux if rule.id == expiry.id => Rule {
            id: "L-1.lowres",
            source: "Linux kernel/time/hrtimer.c, with highres=off",
            ..rule
        },
        Kernel::Linux if rule.id.starts_with("W-") => Rule {
            status: Status::Invented,
            source: "taken over from Windows, simplified",
            ..rule
        },
        _ => rule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::catalogue::{CATALOGUE, opened};

    fn ids(name: &str) -> Vec<&'static str> {
        let spec = opened(name).unwrap();
        spec.rules_in_force().iter().map(|rule| rule.id).collect()
    }

    #[test]
    fn only_what_matters_on_a_machine_is_told_of_it() {
        let linux = ids("linux-6");
        assert!(!linux.iter().any(|id| id.starts_with("W-T")), "{linux:?}");
        assert!(linux.contains(&"L-4") && linux.contains(&"L-1"));
        let seven = ids("windows-7");
        assert!(!seven.iter().any(|id| id.starts_with("OB")), "{seven:?}");
        assert!(!seven.contains(&"W-S10") && !seven.contains(&"W-T8.off"));
        assert!(ids("windows-server-2008-vm").contains(&"W-S10"));
        let keys: Vec<&str> = opened("windows-7")
            .unwrap()
            .rivals()
            .iter()
            .map(|own| own.key)
            .collect();
        assert!(!keys.contains(&"rounding"), "{keys:?}");
    }

    /// Every rule that can be told, of any machine.
    fn all() -> Vec<Rule> {
        let mut all = Vec::new();
        for (name, _) in CATALOGUE {
            let spec = opened(name).unwrap();
            all.extend(spec.rules_in_force());
            for rivals in spec.rivals() {
                all.extend(rivals.words.iter().map(|word| word.1));
            }
        }
        all
    }

    #[test]
    fn every_rule_of_the_model_is_found() {
        let all = all();
        let model = (1..=9)
            .map(|n| format!("W-T{n}"))
            .chain((0..=10).map(|n| format!("W-S{n}")))
            .chain((1..=8).map(|n| format!("OB-{n}")))
            .chain((1..=6).map(|n| format!("L-{n}")));
        for id in model {
            assert!(all.iter().any(|rule| rule.id == id), "{id}");
        }
        for rule in all {
            assert!(!rule.says.is_empty() && !rule.source.is_empty());
            assert!(!rule.falsified_by.is_empty(), "{}", rule.id);
        }
    }

    #[test]
    fn one_id_says_one_thing() {
        let mut said = std::collections::BTreeMap::new();
        for rule in all() {
            let first = *said.entry(rule.id).or_insert(rule.says);
            assert_eq!(first, rule.says, "{}", rule.id);
        }
    }
}
