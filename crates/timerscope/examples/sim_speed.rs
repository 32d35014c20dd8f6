//! How fast the simulator is: tasks that sleep 0.9 to 1.1 ms and do nothing
//! else, with the full rules and the digest on.
//!
//! `cargo run --release -p timerscope --example sim_speed [RUNS] [CASE]
//! [WAKE_UPS]` prints the median of some runs, in million wake-ups a second of
//! real time, and the digest that all of them share; of all cases or of one,
//! numbered from 0.

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

/// One row of the table.
struct Case {
    machine: &'static str,
    tasks: u64,
    /// Rounds of work after each sleep; 82 are some 20 us.
    rounds: u64,
    cpus: u32,
}

const CASES: [Case; 7] = [
    Case { machine: "linux-6", tasks: 1, rounds: 0, cpus: 1 },
    Case { machine: "linux-6", tasks: 1_000, rounds: 0, cpus: 1 },
    Case { machine: "linux-6", tasks: 10_000, rounds: 0, cpus: 1 },
    Case { machine: "linux-6", tasks: 100_000, rounds: 0, cpus: 1 },
    Case { machine: "linux-6", tasks: 1_000_000, rounds: 0, cpus: 1 },
    Case { machine: "linux-6", tasks: 10_000, rounds: 82, cpus: 8 },
    Case {
        machine: "windows-10-2004,interval=1ms",
        tasks: 10_000,
        rounds: 0,
        cpus: 1,
    },
];

fn main() {
    let argument = |place| std::env::args().nth(place)?.parse().ok();
    let runs = argument(1).unwrap_or(3);
    let only = argument(2);
    // Long enough to be timed.
    let wake_ups = argument(3).unwrap_or(3_000_000);
    println!(
        "{:>4} {:<29} {:>8} {:>5} {:>4} {:>8} {:>6}  digest",
        "case", "machine", "tasks", "work", "CPUs", "woken", "M/s"
    );
    for (number, case) in CASES.iter().enumerate() {
        if only.is_none_or(|only| only == number) {
            print_case(number, case, runs, wake_ups);
        }
    }
}

fn print_case(number: usize, case: &Case, runs: usize, wake_ups: usize) {
    let mut seen: Vec<Run> =
        (0..runs.max(1)).map(|_| run(case, wake_ups as u64)).collect();
    seen.sort_by(|one, other| one.speed.total_cmp(&other.speed));
    let Run { speed, woken, digest } = &seen[seen.len() / 2];
    assert!(seen.iter().all(|run| run.digest == *digest));
    let Case { machine, tasks, rounds, cpus } = case;
    println!(
        "{number:>4} {machine:<29} {tasks:>8} {rounds:>5} {cpus:>4} \
         {woken:>8} {speed:>6.2}  {digest}"
    );
}

/// What one run showed.
struct Run {
    /// Million wake-ups in a second of real time.
    speed: f64,
    woken: u64,
    digest: String,
}

fn run(case: &Case, wake_ups: u64) -> Run {
    let spec = opened(&format!("{},cpus={},{FREE}", case.machine, case.cpus))
        .expect("known");
    let workload = sleepers(case, wake_ups);
    let mut sim = Sim::new(spec, 1);
    #[expect(clippy::disallowed_methods, reason = "this times the simulator")]
    let began = Instant::now();
    let ending = sim.play(&workload, &mut Silent).expect("played");
    let took = began.elapsed().as_secs_f64();
    let woken = ending.meters.after.wakeups.value().copied().unwrap_or(0);
    let digest = ending.digest.expect("simulated");
    Run { speed: woken as f64 / took / 1e6, woken, digest }
}

/// Spans are spread evenly over 0.9 to 1.1 ms.
fn sleepers(case: &Case, wake_ups: u64) -> Workload {
    let kinds = case.tasks.min(1_000);
    let task = |kind: u64| {
        let span = Span::from_ns(900_000 + kind * 200_000 / kinds.max(2));
        let (how, keep) = (WaitKind::ThreadSleep, Keep::Nothing);
        let meanwhile = Meanwhile::Block;
        let wait = Action::Wait { how, span, meanwhile, keep };
        let work = Action::Work { iterations: case.rounds, keep };
        let body = if case.rounds > 0 { vec![wait, work] } else { vec![wait] };
        let until = Until::Forever;
        let mut task = Task::new(
            format!("t{kind}"),
            vec![Action::Repeat { until, keep, body }],
        );
        task.copies = (case.tasks / kinds) as u32;
        task
    };
    let mut process = Process::new("sleepers", (0..kinds).map(task).collect());
    process.background = false;
    let mut workload = Workload::new(vec![process]);
    let ms = (wake_ups / case.tasks).clamp(3, 10_000);
    workload.limit = Span::from_ms(ms);
    workload
}
