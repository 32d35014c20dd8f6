//! What is the same: P11, P16.

use proptest::prelude::*;
use timerscope::machine::Happening;

use crate::machines::{Named, any_machine, machine, quiet};
use crate::played::{config, play};
use crate::workloads::{HAPPENINGS, any_script};

/// Everything but hiding.
const UNHIDDEN: [Happening; 8] = [
    Happening::Show,
    Happening::Foreground,
    Happening::Background,
    Happening::Battery,
    Happening::Mains,
    Happening::Suspend,
    Happening::Resume,
    Happening::Kill,
];

proptest! {
    #![proptest_config(config())]

    /// P11: Windows 11 with the global key does the same as version 1909 of
    /// Windows 10 in any script that hides nothing.
    #[test]
    fn the_key_brings_back_1909(
        script in any_script(&UNHIDDEN),
        seed: u64,
    ) {
        let (key, old) =
            (machine("windows-11-global"), machine("windows-10-1909"));
        let (with_key, before) = (script.on(&key), script.on(&old));
        let with_key = play(&key, seed, &with_key);
        prop_assert_eq!(with_key, play(&old, seed, &before));
    }

    /// P16: the same seed gives the same trace, samples and digest.
    #[test]
    fn the_same_seed_gives_the_same_run(
        Named(spec) in any_machine(|_| true),
        script in any_script(&HAPPENINGS),
        seed: u64,
    ) {
        let workload = script.on(&spec);
        let run = play(&spec, seed, &workload);
        prop_assert!(run.ending.digest.is_some());
        prop_assert_eq!(run, play(&spec, seed, &workload));
    }

    /// P16: without chance, different seeds give the same run.
    #[test]
    fn without_chance_every_seed_gives_the_same_run(
        Named(spec) in any_machine(|_| true),
        script in any_script(&HAPPENINGS),
        one: u64,
        other: u64,
    ) {
        let spec = quiet(spec);
        let workload = script.on(&spec);
        let run = play(&spec, one, &workload);
        prop_assert_eq!(run, play(&spec, other, &workload));
    }
}
