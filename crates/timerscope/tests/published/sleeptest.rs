//! SleepTest: a sleeper or waiter and a load, pinned to one CPU.

use timerscope::machine::{
    Action, Class, Keep, Meanwhile, Priority, Process, Sample, Span, Task,
    Until, WaitKind, Workload,
};

use crate::play::{median, play};
use crate::row::{Row, hold};

/// Delays longer than SleepTest's own threshold.
const LISTED: Keep = Keep::Over(Span::from_us(1500));

fn load() -> Task {
    let until = Until::Forever;
    let work = Action::Work { iterations: 1000, keep: Keep::Nothing };
    let repeat =
        Action::Repeat { until, keep: Keep::Nothing, body: vec![work] };
    Task { cpus: vec![0], ..Task::new("load", vec![repeat]) }
}

/// The task, and the load of the same priority beside it.
fn beside_load(task: Task, class: Class) -> Vec<Process> {
    let load = Task { priority: task.priority, ..load() };
    let test = Process { class, ..Process::new("SleepTest", vec![task]) };
    let load = Process::new("load", vec![load]);
    vec![test, Process { class, background: true, ..load }]
}

/// Cases 1 to 4: so many sleeps of 1 ms beside the load.
fn sleeps(count: u64, keep: Keep, real_time: bool) -> Workload {
    let sleep = Action::Wait {
        how: WaitKind::Sleep,
        span: Span::from_ms(1),
        meanwhile: Meanwhile::Block,
        keep,
    };
    let mut task =
        Task::new("sleeps", vec![Action::repeat(count, vec![sleep])]);
    task.cpus = vec![0];
    if real_time {
        task.priority = Priority::Above;
    }
    let class = if real_time { Class::Realtime } else { Class::Normal };
    let all = beside_load(task, class);
    Workload { limit: Span::from_ms(count * 40), ..Workload::new(all) }
}

/// Case 5. The program sets its load's affinity twice and never that of
/// the thread that sets the events, so this one may run anywhere.
fn waits(seconds: u64) -> Workload {
    let waiter = vec![
        Action::Set("ready".into()),
        Action::Await { event: "go".into(), timeout: None, keep: LISTED },
    ];
    let generator = vec![
        Action::Await {
            event: "ready".into(),
            timeout: None,
            keep: Keep::Nothing,
        },
        Action::Set("go".into()),
    ];
    let forever = |body| Action::Repeat {
        until: Until::Forever,
        keep: Keep::Nothing,
        body,
    };
    let mut waiter = Task::new("waiter", vec![forever(waiter)]);
    waiter.cpus = vec![0];
    let generator = Task::new("generator", vec![forever(generator)]);
    let process = Process::new("SleepTest", vec![waiter, load(), generator]);
    Workload {
        limit: Span::from_s(seconds),
        events: vec!["ready".into(), "go".into()],
        ..Workload::new(vec![process])
    }
}

fn ms(sample: &Sample) -> f64 {
    sample.took_ns() as f64 / 1e6
}

/// Number and length of the long ones.
fn listed(machine: &str, workload: &Workload, step: u16) -> Vec<(u64, f64)> {
    let played = play(machine, 1, workload);
    let track = played.seen.track(0, step).expect("it is kept");
    track.over.iter().map(|one| (one.number, ms(one))).collect()
}

fn gaps(all: &[(u64, f64)]) -> Vec<f64> {
    let step = |pair: &[(u64, f64)]| (pair[1].0 - pair[0].0) as f64;
    all.windows(2).map(step).collect()
}

#[test]
fn a_sleeper_waits_one_quantum_when_its_own_is_used_up() {
    let all =
        listed("windows-7,interval=1ms", &sleeps(48_000, LISTED, false), 1);
    println!("case 1: {all:?}");
    let lengths: Vec<f64> = all.iter().map(|one| one.1).collect();
    let rows = [
        Row::within("length, ms", 32.0, median(&lengths), 1.0),
        Row::within("steps between them", 15_633.0, median(&gaps(&all)), 3.0),
    ];
    hold("case 1, the delays of a whole quantum", &rows);
}

#[test]
fn two_real_time_threads_take_turns() {
    let workload = sleeps(14, Keep::Everything, true);
    let played = play("windows-7,interval=1ms", 1, &workload);
    let all: Vec<f64> =
        played.took_us(0, 1)[1..].iter().map(|us| us / 1e3).collect();
    println!("case 4: {all:?}");
    hold("case 4", &[Row::within("sleep, ms", 31.98, median(&all), 1.0)]);
}

#[test]
fn waits_for_an_event_are_long_once_in_a_quantum_of_steps() {
    let all = listed("windows-7,interval=1ms", &waits(8), 2);
    println!("case 5: {:?}", &all[..all.len().min(30)]);
    let large: Vec<(u64, f64)> =
        all.iter().copied().filter(|one| one.1 > 25.0).collect();
    let lengths: Vec<f64> = large.iter().map(|one| one.1).collect();
    let first = large.iter().filter(|one| one.0 <= 355_197).count();
    let rows = [
        Row::within("length, ms", 31.51, median(&lengths), 3.2),
        Row::within("steps between them", 13_123.0, median(&gaps(&large)), 3.0),
        Row::within("over 25 ms in 355197 steps", 11.0, first as f64, 36.0)
            .misses("most grid points give one; W-S6.keep loses case 1"),
    ];
    hold("case 5, the large delays", &rows);
}

/// Case 3 prints each line, which takes some 1.15 ms of the tick.
#[test]
fn a_guest_sleeps_its_tick_less_the_time_of_printing() {
    let print = Action::Work { iterations: 4737, keep: Keep::Nothing };
    let mut workload = sleeps(13, Keep::Everything, false);
    let actions = &mut workload.processes[0].tasks[0].actions;
    let Action::Repeat { body, .. } = &mut actions[0] else { unreachable!() };
    body.push(print);
    let played = play("windows-server-2008-vm", 1, &workload);
    let all: Vec<f64> =
        played.took_us(0, 1).iter().map(|us| us / 1e3).collect();
    println!("case 3: {all:?}");
    hold("case 3", &[Row::within("sleep, ms", 14.58, median(&all), 5.0)]);
}

/// What the other setting of W-S6 does to case 1: no delay of 32 ms.
#[test]
fn keeping_the_rest_of_a_quantum_loses_case_1() {
    let machine = "windows-7,interval=1ms,remainder=keep";
    let all = listed(machine, &sleeps(48_000, LISTED, false), 1);
    let whole = all[1..].iter().filter(|one| one.1 > 31.0).count();
    let row =
        Row::within("whole quanta in 20046 steps", 2.0, whole as f64, 0.0)
            .misses("W-S6.keep; it is fitted to case 5 alone");
    hold("case 1 with remainder=keep", &[row]);
}
