//! Levels and boosts: P15.

use std::collections::BTreeSet;

use proptest::prelude::*;
use timerscope::sim::rules::Sharing;
use timerscope::trace::{Left, What};

use crate::machines::{Named, any_machine, quiet};
use crate::played::{Played, config, play};
use crate::workloads::{HAPPENINGS, any_script};

/// The level each role has without a boost.
pub(crate) fn bases(run: &Played) -> Vec<u8> {
    let base = |role: &timerscope::machine::RoleEnding| {
        let policy = role.policy.value().unwrap();
        let level = policy.strip_prefix("level ").unwrap();
        level.parse().unwrap()
    };
    run.ending.roles.iter().map(base).collect()
}

proptest! {
    #![proptest_config(config())]

    /// P15: real-time levels are never boosted, no boost goes above 15 or
    /// beyond what there is, and at the end of its turn a thread has its own
    /// level again.
    #[test]
    fn boosts_stay_within_their_bounds(
        Named(spec) in any_machine(|spec| spec.rules.sharing == Sharing::Levels),
        quantum_ms in 1..30_u64,
        script in any_script(&HAPPENINGS),
        seed: u64,
    ) {
        let mut spec = spec;
        spec.constants.quantum = timerscope::machine::Span::from_ms(quantum_ms);
        let run = play(&spec, seed, &script.on(&spec));
        let bases = bases(&run);
        let most = spec.constants.boost + spec.constants.event_boost;
        let mut turn_over = BTreeSet::new();
        for event in &run.events {
            let (role, level) = match event.what {
                What::Left { role, why } => {
                    if why == Left::TurnOver {
                        turn_over.insert(role);
                    }
                    continue;
                }
                What::Woke { role, level } => {
                    turn_over.remove(&role);
                    (role, level)
                }
                What::Ran { role, level } => {
                    let base = bases[role as usize];
                    if turn_over.remove(&role) {
                        prop_assert_eq!(level, base, "{:?}", event);
                    }
                    (role, level)
                }
                _ => continue,
            };
            let base = bases[role as usize];
            let top = if base >= 16 { base } else { (base + most).min(15) };
            prop_assert!((base..=top).contains(&level), "{event:?} {base}");
        }
    }

    /// P15: while nobody is in the foreground, nobody gets the foreground's
    /// boost.
    #[test]
    fn the_background_gets_no_boost_of_the_foreground(
        Named(spec) in any_machine(|spec| spec.rules.sharing == Sharing::Levels),
        script in any_script(&[timerscope::machine::Happening::Background]),
        seed: u64,
    ) {
        let spec = quiet(spec);
        let mut workload = script.on(&spec);
        for process in &mut workload.processes {
            process.script.truncate(1);
            process.script.iter_mut().for_each(|cue| cue.at = timerscope::machine::Span::default());
        }
        workload.processes.retain(|process| !process.script.is_empty());
        prop_assume!(!workload.processes.is_empty());
        let run = play(&spec, seed, &workload);
        let bases = bases(&run);
        for event in run.events.iter().filter(|event| event.at > 0) {
            if let What::Woke { role, level } = event.what {
                let base = bases[role as usize];
                let most = base + spec.constants.event_boost;
                prop_assert!(level <= most, "{event:?} {base}");
            }
        }
    }
}
