//! How fast the simulator is: tasks that sleep 0.9 to 1.1 ms and do nothing
//! else, with the full rules and the digest on.
//!
//! `cargo run --release -p timerscope --example sim_speed [RUNS]` prints the
//! median of some runs, in million wake-ups a second of real time.

use std::time::Instant;

use timerscope::lab::play::Silent;
use timerscope::machine::{
    Action, Keep, Machine, Meanwhile, Process, Span, Task, Until, WaitKind,
    Workload,
};
use timerscope::sim::{Sim, catalogue::opened};

/// A machine whose calls and interrupts take no time, as the toy models of
/// other simulators have it.
const FREE: &str = "system-call=0ns,switch=0ns,record=0ns,idle-exit=0ns,\
                    short-idle-exit=0ns,tick-cost=0ns,cross-wake=0ns";

/// Wake-ups that a run should have: long enough to be timed.
const WAKE_UPS: u64 = 3_000_000;

fn main() {
    let runs = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let runs: usize = runs.unwrap_or(3);
    let cases = [
        ("linux-6", 1, 0, 1),
        ("linux-6", 1_000, 0, 1),
        ("linux-6", 10_000, 0, 1),
        ("linux-6", 100_000, 0, 1),
        ("linux-6", 1_000_000, 0, 1),
        ("linux-6", 10_000, 82, 8),
        ("windows-10-2004,interval=1ms", 10_000, 0, 1),
    ];
    println!(
        "{:<30} {:>9} {:>5} {:>5} {:>9}",
        "machine", "tasks", "work", "CPUs", "M/s"
    );
    for (machine, tasks, rounds, cpus) in cases {
        let mut speeds: Vec<f64> =
            (0..runs).map(|_| speed(machine, tasks, rounds, cpus)).collect();
        speeds.sort_by(f64::total_cmp);
        let median = speeds[speeds.len() / 2];
        println!(
            "{machine:<30} {tasks:>9} {rounds:>5} {cpus:>5} {median:>9.2}"
        );
    }
}

/// Million wake-ups in a second of real time.
fn speed(machine: &str, tasks: u64, rounds: u64, cpus: u32) -> f64 {
    let spec = opened(&format!("{machine},cpus={cpus},{FREE}")).expect("known");
    let workload = sleepers(tasks, rounds);
    let mut sim = Sim::new(spec, 1);
    #[expect(clippy::disallowed_methods, reason = "this times the simulator")]
    let began = Instant::now();
    let ending = sim.play(&workload, &mut Silent).expect("played");
    let took = began.elapsed().as_secs_f64();
    let woken = ending.meters.after.wakeups.value().copied().unwrap_or(0);
    woken as f64 / took / 1e6
}

/// Spans are spread evenly over 0.9 to 1.1 ms.
fn sleepers(tasks: u64, rounds: u64) -> Workload {
    let kinds = tasks.min(1_000);
    let task = |kind: u64| {
        let span = Span::from_ns(900_000 + kind * 200_000 / kinds.max(2));
        let (how, keep) = (WaitKind::ThreadSleep, Keep::Nothing);
        let meanwhile = Meanwhile::Block;
        let wait = Action::Wait { how, span, meanwhile, keep };
        let work = Action::Work { iterations: rounds, keep };
        let body = if rounds > 0 { vec![wait, work] } else { vec![wait] };
        let until = Until::Forever;
        let mut task = Task::new(
            format!("t{kind}"),
            vec![Action::Repeat { until, keep, body }],
        );
        task.copies = (tasks / kinds) as u32;
        task
    };
    let mut process = Process::new("sleepers", (0..kinds).map(task).collect());
    process.background = false;
    let mut workload = Workload::new(vec![process]);
    let ms = (WAKE_UPS / tasks).clamp(3, 10_000);
    workload.limit = Span::from_ms(ms);
    workload
}
