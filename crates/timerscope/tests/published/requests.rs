//! Requests that come, go and die with their process.

use timerscope::machine::{
    Action, Cue, Happening, Process, Span, Task, WaitKind,
};

use crate::machines::{requester, sleeper, workload};
use crate::play::play;
use crate::row::{Row, hold};

/// A sleeps; B raises to 2 ms after 1 s, C asks 4 ms after 2 s, B dies
/// after 3 s.
#[test]
fn wake_ups_follow_the_requests_that_live() {
    let later = |name: &str, s: u64, ms: u64| {
        let mut process = requester(Span::from_ms(ms));
        name.clone_into(&mut process.name);
        let delay = Action::wait(WaitKind::Sleep, Span::from_s(s));
        process.tasks[0].actions.insert(0, delay);
        process
    };
    let mut b = later("b", 1, 2);
    b.script.push(Cue { at: Span::from_s(3), what: Happening::Kill });
    let all = vec![sleeper(4, vec![]), b, later("c", 2, 4)];
    let played = play("windows-10-1909", 1, &workload(all));
    let track = played.seen.track(0, 1).expect("it is kept");
    let in_second = |s: i64| {
        // The half second in the middle, twice.
        let from = s * 1_000_000_000 + 250_000_000;
        let inside = track
            .samples
            .iter()
            .filter(|one| (from..from + 500_000_000).contains(&one.ended));
        inside.count() as f64 * 2.0
    };
    let rows = [64.0, 500.0, 500.0, 250.0].iter().zip(0..);
    let rows: Vec<Row> = rows
        .map(|(rate, s)| {
            Row::within(format!("second {s}"), *rate, in_second(s), 1.0)
        })
        .collect();
    hold("wake-ups a second", &rows);
}

#[test]
fn a_quantum_ends_at_a_tick() {
    let rows: Vec<Row> = [
        ("windows-7", 31.25),
        ("windows-server-2008-vm,steal-ppm=0", 187.5),
        ("windows-7,interval=1ms", 32.0),
        ("windows-7,quantum=10ms,interval=1ms", 10.0),
        ("windows-7,quantum=10ms,interval=8ms", 16.0),
    ]
    .iter()
    .map(|(machine, ms)| {
        let runs = Action::Runs {
            gap: Span::from_ms(1),
            until: timerscope::machine::Until::Count(40),
            keep: timerscope::machine::Keep::Everything,
        };
        let task =
            Task { copies: 2, cpus: vec![0], ..Task::new("runs", vec![runs]) };
        let process = Process::new("equals", vec![task]);
        let played = play(machine, 1, &workload(vec![process]));
        let all = played.took_us(0, 0);
        let model = crate::play::median(&all) / 1e3;
        Row::within(*machine, *ms, model, 1.0)
    })
    .collect();
    hold("how long a thread runs beside an equal", &rows);
}
