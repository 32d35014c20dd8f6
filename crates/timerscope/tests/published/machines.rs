//! Workloads that several tables share.

use timerscope::machine::{
    Action, ClockKind, Keep, Meanwhile, Process, Span, Task, Until, WaitKind,
    Workload,
};

use crate::play::{Played, mean, play, wait};

/// A process that requests an interval and holds it.
pub(crate) fn requester(interval: Span) -> Process {
    let hold = Action::Wait {
        how: WaitKind::Sleep,
        span: Span::from_s(1000),
        meanwhile: Meanwhile::Block,
        keep: Keep::Nothing,
    };
    let task = Task::new("holder", vec![Action::Request(interval), hold]);
    Process { background: true, ..Process::new("requester", vec![task]) }
}

/// Sleeps of 1 ms for so long, in a process of its own.
pub(crate) fn sleeper(seconds: u64, first: Vec<Action>) -> Process {
    let sleep = wait(WaitKind::Sleep, Span::from_ms(1), Meanwhile::Block);
    let sleeps = Action::Repeat {
        until: Until::Span(Span::from_s(seconds)),
        keep: Keep::Nothing,
        body: vec![sleep],
    };
    let mut actions = first;
    actions.push(sleeps);
    Process::new("sleeper", vec![Task::new("sleeps", actions)])
}

/// Reads the clock of timeGetTime until it has changed so often.
pub(crate) fn stepper(changes: u64) -> Process {
    let steps = Action::Steps {
        clock: ClockKind::TimeGetTime,
        changes,
        keep: Keep::Everything,
    };
    Process::new("stepper", vec![Task::new("steps", vec![steps])])
}

/// A workload of these processes, long enough for a sweep.
pub(crate) fn workload(processes: Vec<Process>) -> Workload {
    Workload { limit: Span::from_s(120), ..Workload::new(processes) }
}

/// Sleep(1) while another process requests `interval`, in milliseconds.
pub(crate) fn silent_ms(machine: &str, interval: Span) -> Vec<f64> {
    let all = vec![requester(interval), sleeper(20, vec![])];
    let played = play(machine, 1, &workload(all));
    settled_ms(&played, 1, 1)
}

/// What a step took, in milliseconds, without the first that fell in with
/// no tick yet.
pub(crate) fn settled_ms(played: &Played, role: u32, step: u16) -> Vec<f64> {
    let all = played.took_us(role, step);
    all[2.min(all.len() - 1)..].iter().map(|us| us / 1e3).collect()
}

/// The mean of [`silent_ms`].
pub(crate) fn silent_mean(machine: &str, interval: Span) -> f64 {
    mean(&silent_ms(machine, interval))
}
