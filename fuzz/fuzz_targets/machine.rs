//! No text and no changes make the reader of machines panic; what it accepts
//! reads back as it is written, and plays a workload to an end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use timerscope::machine::{Machine, Recording, Workload};
use timerscope::sim::{Limits, Sim, catalogue};

/// A bit of everything; both kinds of calls, what is absent is told so.
const WORKLOADS: [&str; 3] = [
    include_str!("../../crates/timerscope/tests/standard/windows.toml"),
    include_str!("../../crates/timerscope/tests/standard/openbsd.toml"),
    include_str!("../../crates/timerscope/tests/standard/linux.toml"),
];

// The first line: a machine of the catalogue to begin with, or nothing, and
// changes after a comma; the rest: the text of a machine.
fuzz_target!(|input: &str| {
    let (first, text) = input.split_once('\n').unwrap_or((input, ""));
    let spec = if text.is_empty() {
        catalogue::opened(first)
    } else {
        catalogue::read(text, first)
    };
    let Ok(spec) = spec else { return };
    let again = catalogue::read(&spec.written(), "");
    assert_eq!(again.as_ref(), Ok(&spec));
    let limits = Limits { tasks: 100, events: 20_000, at_once: 2_000 };
    let mut machine = Sim::new(spec, 1).with_limits(limits);
    machine.facts().unwrap();
    for text in WORKLOADS {
        let workload = Workload::from_toml(text).unwrap();
        let _ = machine.play(&workload, &mut Recording::new(&workload));
    }
});
