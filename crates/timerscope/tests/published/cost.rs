//! "Megawatts wasted": what 1000 ticks a second cost.

use timerscope::machine::{
    Action, Counters, Keep, Known, Process, Span, Task, Until,
};

use crate::machines::workload;
use crate::play::{Played, play};
use crate::row::{Row, hold};

const SECONDS: u64 = 10;

fn value(counter: &Known<u64>) -> f64 {
    match counter {
        Known::Value(value) => *value as f64,
        Known::Missing(_) => panic!("a simulated machine counts everything"),
    }
}

fn used(played: &Played, of: impl Fn(&Counters) -> &Known<u64>) -> f64 {
    value(&played.ending.meters.delta(of))
}

/// Rounds of work a second.
fn rounds(machine: &str) -> f64 {
    let work = Action::Work { iterations: 1, keep: Keep::Count };
    let all = Action::Repeat {
        until: Until::Span(Span::from_s(1)),
        keep: Keep::Nothing,
        body: vec![work],
    };
    let process = Process::new("work", vec![Task::new("work", vec![all])]);
    let played = play(machine, 1, &workload(vec![process]));
    played.ending.roles[0].counts[1].unwrap_or(0) as f64
}

#[test]
fn a_fine_interval_takes_the_published_share_of_the_cpu() {
    let coarse = rounds("windows-7");
    let fine = rounds("windows-7,interval=1ms");
    let loss = 100.0 * (coarse - fine) / coarse;
    let rows = [
        Row::within("rounds a second at 64 Hz", 4.1067e6, coarse, 1.0),
        Row::within("rounds a second at 1 kHz", 3.9202e6, fine, 1.0),
        Row::within("loss, percent", 4.54, loss, 1.0),
    ];
    hold("throughput", &rows);
}

/// An idle machine whose only program waits; one of its loops sleeps 1 ms.
fn watts(machine: &str) -> f64 {
    let sleeper = crate::machines::sleeper(SECONDS, vec![]);
    let played = play(machine, 1, &workload(vec![sleeper]));
    let busy = used(&played, |all| &all.busy_ns) * 8e6 / 1e15 * 1e6;
    (used(&played, |all| &all.energy_uj) - busy) / 1e6 / SECONDS as f64
}

#[test]
fn more_wake_ups_cost_the_published_power() {
    let machine = "windows-7,cpus=1";
    let extra = watts("windows-7,cpus=1,interval=1ms") - watts(machine);
    hold(
        "power",
        &[
            Row::within("watts for 936 wake-ups a second", 0.3, extra, 2.0),
            Row::within("megawatts of 33 million", 10.0, extra * 33.0, 5.0),
        ],
    );
}
