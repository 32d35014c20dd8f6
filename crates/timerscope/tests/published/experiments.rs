//! What an experiment plays is what a row of its kind plays.

use timerscope::articles::WORKLOADS;
use timerscope::lab::quantum::Quantum;
use timerscope::lab::switch::{Switch, Variant};
use timerscope::machine::{AskError, Facts, Machine, Priority, Span, Workload};
use timerscope::sim::{Sim, catalogue};

fn facts() -> Facts {
    let spec = catalogue::opened("windows-7").unwrap();
    Sim::new(spec, 1).facts().unwrap()
}

fn same(name: &str, written: Vec<Result<Workload, AskError>>) {
    let text = WORKLOADS.iter().find(|own| own.0 == name).unwrap().1;
    let played = Workload::from_toml(text).unwrap();
    let written: Vec<Workload> =
        written.into_iter().map(Result::unwrap).collect();
    assert_eq!(written, [played], "{name}");
}

#[test]
fn switch_hands_over_the_turn_as_switch_perf_does() {
    use Variant::{SetThenWait, SignalAndWait};
    for (name, variant) in [
        ("switch-perf-one-call-1", (SignalAndWait, 1)),
        ("switch-perf-one-call-2", (SignalAndWait, 2)),
        ("switch-perf-two-calls-1", (SetThenWait, 1)),
        ("switch-perf-two-calls-2", (SetThenWait, 2)),
    ] {
        let switch = Switch {
            variants: vec![variant],
            priority: Priority::Realtime,
            ..Switch::all(1, Span::from_s(1))
        };
        same(name, switch.workloads(&facts()));
    }
}

#[test]
fn quantum_lets_two_equals_spin() {
    let quantum = Quantum::pair(Span::from_s(2));
    same("quantum", quantum.workloads(&facts()));
}
