//! Under which conditions a task was measured; no lateness is readable
//! without.

use serde::Serialize;

use crate::lab::Load;
use crate::machine::{Known, Missing, Phase, Priority, Role, Saved, WaitKind};

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
    }
}

/// The policy alone: `SCHED_OTHER` of `SCHED_OTHER, nice 0`.
fn name(policy: &str) -> String {
    policy.split(',').next().unwrap_or(policy).to_owned()
}
