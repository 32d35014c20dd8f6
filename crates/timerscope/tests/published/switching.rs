//! switch_perf: two real-time threads that wake each other.

use timerscope::machine::{
    Action, Class, Ending, Keep, Priority, Process, Span, Task, Until, Workload,
};

use crate::play::play;
use crate::row::{Row, hold};

fn await_one(event: &str) -> Action {
    Action::Await { event: event.into(), timeout: None, keep: Keep::Nothing }
}

fn turn(at_once: bool, set: &str, awaited: &str) -> Vec<Action> {
    if !at_once {
        return vec![Action::Set(set.into()), await_one(awaited)];
    }
    let (set, awaited) = (set.into(), awaited.into());
    vec![Action::SetAwait { set, awaited, timeout: None, keep: Keep::Nothing }]
}

fn for_a_second(keep: Keep, body: Vec<Action>) -> Action {
    Action::Repeat { until: Until::Span(Span::from_s(1)), keep, body }
}

/// Two threads for a second; the second counts its round trips.
fn switch_perf(at_once: bool, cpus: u32) -> Workload {
    let first = for_a_second(Keep::Nothing, turn(at_once, "two", "one"));
    let mut body = turn(at_once, "one", "two");
    body.push(Action::Read {
        clock: timerscope::machine::ClockKind::Tsc,
        times: 1,
        keep: Keep::Count,
    });
    let second = for_a_second(Keep::Count, body);
    let one = Task {
        cpus: vec![0],
        priority: Priority::Above,
        ..Task::new("one", vec![first])
    };
    let two = Task {
        cpus: vec![cpus - 1],
        priority: Priority::Above,
        ..Task::new("two", vec![await_one("two"), second])
    };
    let process = Process {
        class: Class::Realtime,
        ..Process::new("switch_perf", vec![one, two])
    };
    let events = vec!["one".into(), "two".into()];
    Workload { events, ..Workload::new(vec![process]) }
}

/// Counted round trips: those of the reading that ends each.
fn round_trips(ending: &Ending) -> f64 {
    let counts = ending.roles[1].counts.iter().flatten();
    counts.max().copied().unwrap_or(0) as f64
}

fn per_second(machine: &str, at_once: bool, cpus: u32) -> f64 {
    round_trips(&play(machine, 1, &switch_perf(at_once, cpus)).ending)
}

/// The second machine of the thread is faster by one factor in everything.
const SECOND: &str = "windows-7,system-call=559ns,switch=671ns";

#[test]
fn round_trips_are_as_many_as_published() {
    let first = "windows-7,tick-cost=0ns";
    let second = format!("{SECOND},tick-cost=0ns");
    let at = per_second;
    let rows = [
        Row::within(
            "SignalObjectAndWait, one CPU",
            320e3,
            at(first, true, 1),
            2.0,
        ),
        Row::within(
            "SetEvent + Wait, one CPU",
            220e3,
            at(first, false, 1),
            2.0,
        ),
        Row::within(
            "SignalObjectAndWait, two CPUs",
            80e3,
            at(first, true, 2),
            2.0,
        ),
        Row::within(
            "SetEvent + Wait, two CPUs",
            90e3,
            at(first, false, 2),
            25.0,
        ),
        Row::within(
            "second machine, SignalObjectAndWait",
            420e3,
            at(&second, true, 1),
            10.0,
        ),
        Row::within(
            "second machine, SetEvent + Wait",
            270e3,
            at(&second, false, 1),
            10.0,
        ),
    ];
    hold("switch_perf, round trips a second", &rows);
}

// Switches that waited for a tick would be some hundreds a second.
#[test]
fn no_switch_waits_for_a_tick() {
    let coarse = per_second("windows-7,tick-cost=0ns", true, 1);
    let fine = per_second("windows-7,tick-cost=0ns,interval=1ms", true, 1);
    assert!((coarse - fine).abs() < coarse * 0.001, "{coarse} {fine}");
}
