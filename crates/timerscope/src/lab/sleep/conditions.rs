//! Under which conditions a wait was made; no lateness is readable without.

use serde::Serialize;

use crate::lab::Load;
use crate::machine::{
    Class, Known, Missing, Phase, Priority, Role, Saved, Span, WaitKind,
};

/// What else decides how late a wait ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conditions {
    /// The thread's timer slack.
    pub slack_ns: Known<u64>,
    /// Whether the system applies it to this wait.
    pub slack_applies: bool,
    /// The scheduling policy, by the system's name.
    pub policy: Known<String>,
    /// The priority, as it was asked for.
    pub priority: String,
    /// The CPU it was tied to.
    pub cpu: Known<u32>,
    /// When it began within a tick.
    pub phase: Phase,
    /// How the load beside it stood to it.
    pub load: Load,
    /// The clock interrupt interval in force.
    pub interval_ns: Known<u64>,
}

pub(super) fn conditions(
    saved: &Saved,
    role: &Role<'_>,
    how: WaitKind,
) -> Conditions {
    let (facts, task) = (&saved.facts, role.task);
    let fact = facts.waits.iter().find(|fact| fact.name == how);
    let policy = policy(role.process.class, task.priority);
    let realtime = matches!(policy, "SCHED_FIFO" | "SCHED_RR");
    let own = task.slack.filter(|slack| *slack > Span::ZERO);
    let slack_ns = match own {
        // The kernel gives real-time threads none and ignores what they ask.
        _ if realtime => Known::Value(0),
        Some(slack) => Known::Value(slack.ns()),
        None => facts.timer_slack_ns.clone(),
    };
    let processes = &saved.workload.processes;
    let load = processes.iter().find(|process| process.background);
    let between = |load| Load::between(role.process, task, load);
    Conditions {
        slack_ns,
        slack_applies: fact.is_some_and(|fact| fact.slack_applies),
        policy: if facts.system.starts_with("Linux") {
            Known::Value(policy.to_owned())
        } else {
            Missing::absent("this system's priorities have no policy").into()
        },
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

/// The Linux policy that plays a priority of a class.
fn policy(class: Class, priority: Priority) -> &'static str {
    let realtime = class == Class::Realtime;
    match priority {
        Priority::Realtime | Priority::Fifo(_) => "SCHED_FIFO",
        Priority::RoundRobin(_) => "SCHED_RR",
        Priority::Batch => "SCHED_BATCH",
        Priority::Idle => "SCHED_IDLE",
        Priority::Below | Priority::Normal | Priority::Above if realtime => {
            "SCHED_FIFO"
        }
        _ => "SCHED_OTHER",
    }
}
