//! What became of each role, read from the words it left.

use std::sync::atomic::Ordering::Acquire;

use timerscope::machine::{
    Action, Keep, Known, Missing, RoleEnding, Warning, Workload,
};

use crate::sys::thread::policy_words;
use crate::wire::{Mark, RoleState, RoleWords, Shared};

/// What became of each role, in the order of the cast.
pub(crate) fn roles(workload: &Workload, shared: &Shared) -> Vec<RoleEnding> {
    let cast = workload.cast();
    let ending = |(number, role): (usize, &timerscope::machine::Role<'_>)| {
        let words = shared.role(number);
        let counts = words.counts().iter().zip(role.task.steps());
        RoleEnding {
            policy: known(words, Mark::Policy).and_then(|code| {
                policy_words(code).ok_or_else(not_told).into()
            }),
            slack_ns: known(words, Mark::SlackNs),
            cpu_ns: at_end(words, Mark::CpuNs),
            switches: at_end(words, Mark::Switches),
            pid: number_of(words, Mark::Pid),
            tid: number_of(words, Mark::Tid),
            finished: words.state() == RoleState::Finished,
            counts: counts
                .map(|(count, step)| {
                    let kept = step.action.keep() != Keep::Nothing;
                    kept.then(|| count.load(Acquire))
                })
                .collect(),
            lost: words.get(Mark::Lost),
            pauses: words.get(Mark::Pauses),
        }
    };
    cast.iter().enumerate().map(ending).collect()
}

fn number_of(words: RoleWords<'_>, mark: Mark) -> Option<u32> {
    u32::try_from(words.get(mark)).ok().filter(|number| *number != 0)
}

fn not_told() -> Missing {
    Missing::unknown("the task ended before it could tell")
}

fn known(words: RoleWords<'_>, mark: Mark) -> Known<u64> {
    match (words.state(), words.get(mark)) {
        (RoleState::Absent, _) | (_, u64::MAX) => not_told().into(),
        (_, value) => Known::Value(value),
    }
}

/// A mark that is left at the very end only.
fn at_end(words: RoleWords<'_>, mark: Mark) -> Known<u64> {
    match (words.state(), words.get(mark)) {
        (RoleState::Absent | RoleState::Ready, _) | (_, u64::MAX) => {
            not_told().into()
        }
        (_, value) => Known::Value(value),
    }
}

/// What the reader of the figures should know.
pub(crate) fn warnings(
    workload: &Workload,
    roles: &[RoleEnding],
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let asks = workload.cast().iter().any(|role| {
        let asks = |action: &Action| {
            matches!(
                action,
                Action::Request(_)
                    | Action::Withdraw(_)
                    | Action::AskInterval { .. }
            )
        };
        role.task.steps().iter().any(|step| asks(step.action))
    });
    if asks {
        let text = "this system has no requests for an interval: they were \
                    recorded as absent and the run went on";
        warnings.push(Warning::new("request-absent", text));
    }
    let pauses: u64 = roles.iter().map(|role| role.pauses).sum();
    if pauses > 0 {
        let text = format!(
            "tasks paused {pauses} times between two actions until their \
             samples had been told: keep less, or play fewer tasks"
        );
        warnings.push(Warning::new("samples-delayed", text));
    }
    let lost: u64 = roles.iter().map(|role| role.lost).sum();
    if lost > 0 {
        let text = format!(
            "{lost} samples came too fast to be told; they are counted, their \
             times are not: keep less, or play fewer tasks"
        );
        warnings.push(Warning::new("samples-lost", text));
    }
    warnings
}
