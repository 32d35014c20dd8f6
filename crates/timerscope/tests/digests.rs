//! The standard run on every machine of the catalogue: its digest is checked
//! in, so that no change of the simulator goes unseen.
//!
//! After a change that is meant, `UPDATE=1 cargo test -p timerscope --test
//! digests` writes the digests anew; the commit then says why they moved.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test keeps a file")]

use std::fmt::Write as _;
use std::path::Path;

use timerscope::machine::{
    ClockKind, Ended, Machine, Outcome, Recording, Workload,
};
use timerscope::sim::catalogue::{CATALOGUE, opened, read};
use timerscope::sim::spec::Kernel;
use timerscope::sim::{Sim, Spec};

const SEED: u64 = 1;

/// The standard run in the calls of a machine's system.
fn standard(spec: &Spec) -> Workload {
    let text = match spec.kernel {
        Kernel::Windows => include_str!("standard/windows.toml"),
        Kernel::Openbsd => include_str!("standard/openbsd.toml"),
        Kernel::Linux => include_str!("standard/linux.toml"),
    };
    Workload::from_toml(text).unwrap()
}

fn digest(machine: &mut Sim) -> String {
    let workload = standard(machine.spec());
    let mut recording = Recording::new(&workload);
    let ending = machine.play(&workload, &mut recording).unwrap();
    ending.digest.unwrap()
}

fn fresh(name: &str) -> Sim {
    Sim::new(opened(name).unwrap(), SEED)
}

#[test]
fn the_standard_run_of_every_machine_is_as_it_was() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/standard/digests.txt");
    let mut now = String::new();
    for (name, _) in CATALOGUE {
        let _ = writeln!(now, "{name} {}", digest(&mut fresh(name)));
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        now, before,
        "if this is meant: UPDATE=1 cargo test -p timerscope --test digests"
    );
}

#[test]
fn the_standard_run_is_complete_and_does_a_bit_of_everything() {
    for (name, _) in CATALOGUE {
        let mut machine = fresh(name);
        let workload = standard(machine.spec());
        let mut recording = Recording::new(&workload);
        let ending = machine.play(&workload, &mut recording).unwrap();
        assert_eq!(ending.ended, Ended::Complete, "{name}");
        let met = |outcome| {
            recording.tracks().map(|own| own.2.ended(outcome)).sum::<u64>()
        };
        assert!(met(Outcome::Met) > 500, "{name}: {}", met(Outcome::Met));
        // Requests are absent elsewhere, the precise clock before Windows 8.
        let precise = ClockKind::SystemTimePrecise;
        let all = machine.spec().clocks.iter().any(|own| own.name == precise);
        assert_eq!(met(Outcome::Absent) == 0, all, "{name}");
    }
}

#[test]
fn a_machine_written_out_whole_plays_the_same() {
    for (name, _) in CATALOGUE {
        let spec = read(&opened(name).unwrap().written(), "").unwrap();
        let own = digest(&mut Sim::new(spec, SEED));
        assert_eq!(own, digest(&mut fresh(name)), "{name}");
    }
}

// Each run of one machine has chance of its own, so only a fresh machine
// repeats the first; where nothing is left to chance, every run does.
#[test]
fn a_fresh_machine_repeats_the_runs_of_another_one_by_one() {
    for (name, _) in CATALOGUE {
        let (mut one, mut other) = (fresh(name), fresh(name));
        let first = [digest(&mut one), digest(&mut one)];
        let again = [digest(&mut other), digest(&mut other)];
        assert_eq!(first, again, "{name}");
        let c = &one.spec().constants;
        let chance = c.steal_ppm
            + c.late_tick_ppm
            + c.moves_per_1000s
            + c.taken_per_1000s;
        if chance > 0 {
            assert_ne!(first[0], first[1], "{name}");
        }
    }
    let mut seven = fresh("windows-7");
    assert_eq!(digest(&mut seven), digest(&mut seven));
}
