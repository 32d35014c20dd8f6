//! Under which conditions a task was measured; no lateness is readable
//! without.

use serde::Serialize;

use crate::lab::Load;
use crate::lab::ruler::counted;
use crate::machine::{
    Action, Facts, Known, Missing, Phase, Priority, Role, Saved, Task, WaitKind,
};

/// What else decides how late a task runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conditions {
    /// The thread's timer slack.
    pub slack_ns: Known<u64>,
    /// Whether the system applies it to what was measured.
    pub slack_applies: bool,
    /// The scheduling policy, by the system's name.
    pub policy: Known<String>,
    /// The priority, as it was asked for.
    pub priority: String,
    /// The CPU it was tied to.
    pub cpu: Known<u32>,
    /// When its waits began within a tick.
    pub phase: Phase,
    /// How the load beside it stood to it.
    pub load: Load,
    /// The clock interrupt interval in force.
    pub interval_ns: Known<u64>,
    /// The interval that it requested itself.
    pub held_ns: Known<u64>,
    /// Whether this system may end such a wait before its time.
    pub may_end_early: bool,
    /// Whether a process of this system can request an interval.
    #[serde(skip)]
    pub can_request: bool,
}

impl Conditions {
    /// Those that were asked for in a run that was not played, and why not.
    pub(super) fn unplayed(
        priority: Priority,
        load: Load,
        missing: &Missing,
    ) -> Self {
        Self {
            slack_ns: missing.clone().into(),
            slack_applies: false,
            policy: missing.clone().into(),
            priority: priority.to_string(),
            cpu: missing.clone().into(),
            phase: Phase::Sync,
            load,
            interval_ns: missing.clone().into(),
            held_ns: missing.clone().into(),
            may_end_early: false,
            can_request: false,
        }
    }
}

/// Under which conditions role `number` was measured, in waits by `how` if
/// it was in those.
pub(super) fn conditions(
    saved: &Saved,
    number: u32,
    role: &Role<'_>,
    how: Option<WaitKind>,
) -> Conditions {
    let (facts, task) = (&saved.facts, role.task);
    let fact = facts.waits.iter().find(|fact| Some(fact.name) == how);
    let processes = &saved.workload.processes;
    let load = processes.iter().find(|process| process.background);
    let between = |load| Load::between(role.process, task, load);
    let ran = saved.ending.roles.get(number as usize);
    let untold = || Missing::unknown("the task did not tell").into();
    Conditions {
        slack_ns: ran.map_or_else(untold, |ran| ran.slack_ns.clone()),
        slack_applies: fact.is_some_and(|fact| fact.slack_applies),
        policy: ran.map_or_else(
            || Missing::unknown("the task did not tell").into(),
            |ran| ran.policy.clone().map(|policy| name(&policy)),
        ),
        priority: task.priority.to_string(),
        cpu: match task.cpus[..] {
            [cpu] => Known::Value(cpu),
            _ => Missing::unknown("it was not tied to one CPU")
                .or_try("--cpu 0")
                .into(),
        },
        phase: task.phase,
        load: load.map_or(Load::None, between),
        interval_ns: facts.interval.current_ns.clone(),
        held_ns: held(facts, task),
        may_end_early: fact.is_some_and(|fact| fact.may_end_early),
        can_request: facts.interval.can_be_requested(),
    }
}

/// The interval that a task requests.
fn held(facts: &Facts, task: &Task) -> Known<u64> {
    if !facts.interval.can_be_requested() {
        let why = "no process can request an interval here";
        return Missing::absent(why).into();
    }
    let steps = task.steps();
    let asked = steps.iter().find_map(|step| match step.action {
        Action::Request(span) => Some(span.ns()),
        _ => None,
    });
    let none = || Missing::absent("it requested none").or_try("--hold 1ms");
    asked.map_or_else(|| none().into(), Known::Value)
}

/// The interval in force when `step` of a role was done: the last answer
/// before it, else what the machine said at first.
pub(super) fn interval_ns(saved: &Saved, role: u32, step: u16) -> Known<u64> {
    let cast = saved.workload.cast();
    let steps = cast.get(role as usize).map(|role| role.task.steps());
    let steps = steps.unwrap_or_default();
    let told = (0..step).zip(&steps).filter(|(_, own)| {
        matches!(own.action, Action::Request(_) | Action::AskInterval { .. })
    });
    let answer = |(number, _)| {
        let answers = counted(saved, role, number);
        answers.last().map(|answer| answer.value as u64)
    };
    let last = told.rev().find_map(answer);
    last.map_or_else(|| saved.facts.interval.current_ns.clone(), Known::Value)
}

/// The policy alone: `SCHED_OTHER` of `SCHED_OTHER, nice 0`.
fn name(policy: &str) -> String {
    policy.split(',').next().unwrap_or(policy).to_owned()
}
