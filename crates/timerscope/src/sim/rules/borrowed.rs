//! What a rule of one system's articles claims on another system.

use super::{Expiry, IdleTick, Rule, Status};
use crate::sim::spec::Kernel;

/// How an idle CPU skips its ticks on Linux.
const STOPPED: Rule = Rule {
    id: "L-4",
    says: "An idle CPU stops its tick, unless a timer of its own is due within `kept-ticks` ticks.",
    status: Status::Measured,
    source: "Linux kernel/time/tick-sched.c; what is near enough is fitted",
    falsified_by: "ticks on an idle CPU without timers, or none on one whose timer is due in a tick",
};

/// A rule as it is told of a kernel. The articles speak of one system each;
/// elsewhere a rule has the system's own source, or is taken over and
/// invented there.
pub(crate) fn told(kernel: Kernel, rule: &Rule) -> Rule {
    let is = |other: &Rule| rule.id == other.id;
    if kernel == Kernel::Linux && is(IdleTick::Skipped.rule()) {
        return STOPPED;
    }
    let Some(source) = own_source(kernel, rule) else {
        return taken_over(kernel, rule);
    };
    Rule { source, status: Status::Measured, ..*rule }
}

/// The source that a rule has on a kernel besides its own articles.
fn own_source(kernel: Kernel, rule: &Rule) -> Option<&'static str> {
    let is = |other: &Rule| rule.id == other.id;
    let ticks = is(IdleTick::Always.rule());
    let at_tick = is(Expiry::AtTick.rule());
    Some(match kernel {
        Kernel::Openbsd if at_tick => {
            "OpenBSD kern_timeout.c, timeout_hardclock_update"
        }
        Kernel::Openbsd if ticks => "OpenBSD kern_clock.c",
        Kernel::Linux if at_tick => {
            "Linux kernel/time/hrtimer.c, with highres=off"
        }
        Kernel::Linux if ticks => "Linux, with nohz=off",
        _ => return None,
    })
}

fn taken_over(kernel: Kernel, rule: &Rule) -> Rule {
    let windows = rule.id.starts_with("W-");
    match kernel {
        Kernel::Openbsd | Kernel::Linux if windows => Rule {
            status: Status::Invented,
            source: "taken over from Windows: no article is about it here",
            ..*rule
        },
        _ => *rule,
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::catalogue::{CATALOGUE, opened};
    use crate::sim::rules::{Rule, Status};

    /// Every rule that can be told, of any machine.
    fn all() -> Vec<Rule> {
        let specs = CATALOGUE.iter().map(|row| opened(row.0).unwrap());
        specs
            .flat_map(|spec| {
                let chosen = spec.rules.chosen(spec.kernel);
                let rivals = chosen.into_iter().flat_map(|own| own.rivals);
                let rivals: Vec<Rule> = rivals.map(|rival| rival.1).collect();
                [spec.rules_in_force(), rivals].concat()
            })
            .collect()
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
    }

    #[test]
    fn one_id_says_one_thing() {
        let mut said = std::collections::BTreeMap::new();
        for rule in all() {
            let first = *said.entry(rule.id).or_insert(rule.says);
            assert_eq!(first, rule.says, "{}", rule.id);
        }
    }

    #[test]
    fn what_is_fitted_to_windows_is_not_told_as_fitted_elsewhere() {
        for name in ["openbsd-6.9", "linux-6", "linux-lowres"] {
            for rule in opened(name).unwrap().rules_in_force() {
                let fitted = rule.status == Status::Fitted;
                assert!(
                    !fitted || !rule.id.starts_with("W-"),
                    "{name}: {} {}",
                    rule.id,
                    rule.source
                );
            }
        }
    }
}
