//! What each task of a workload is to a machine: its actions, its level, the
//! CPUs it may use; or why the machine cannot play it.

use super::costs::ns;
use super::levels::level;
use super::program::{Program, counted, lay_flat};
use crate::machine::{
    AskError, Phase, Priority, Process, Task, WaitKind, Workload,
};
use crate::sim::spec::{Kernel, Spec};

/// The programs of a workload's tasks, in the order of its processes.
pub(super) fn programs<'a>(
    spec: &'a Spec,
    workload: &'a Workload,
) -> Result<Vec<Program<'a>>, AskError> {
    let own = |process: &'a Process| {
        process.tasks.iter().map(move |task| (process, task))
    };
    let all = workload.processes.iter().flat_map(own);
    all.map(|(process, task)| program(spec, workload, process, task)).collect()
}

fn program<'a>(
    spec: &'a Spec,
    workload: &'a Workload,
    process: &'a Process,
    task: &'a Task,
) -> Result<Program<'a>, AskError> {
    let layout = lay_flat(workload, task);
    let (counted, counts) = counted(task);
    let standing =
        level(spec.kernel, process.class, task.priority).map_err(|why| {
            let what = format!("cannot run task `{}`", task.name);
            AskError::absent(what, why)
                .or_try("take `below`, `normal`, `above` or `realtime`")
        })?;
    admit_waits(spec, task)?;
    Ok(Program {
        ops: layout.ops,
        random_phase: task.phase == Phase::Random,
        frames: layout.frames,
        counted,
        counts,
        cpus: cpus_of(spec, task)?,
        slack: slack_of(spec, task),
        base: standing.level,
        weight: standing.weight,
        takes_turns: standing.takes_turns,
    })
}

/// Lateness that a task's waits are allowed (L-1). Its own counts only where
/// it would have some without asking.
fn slack_of(spec: &Spec, task: &Task) -> i64 {
    let default = default_slack(spec, task.priority);
    match task.slack {
        Some(slack) if slack.ns() > 0 && default > 0 => ns(slack),
        _ => default,
    }
}

/// The slack a task of this priority has when it says nothing.
fn default_slack(spec: &Spec, priority: Priority) -> i64 {
    let real_time = matches!(
        priority,
        Priority::Fifo(_) | Priority::RoundRobin(_) | Priority::Realtime
    );
    let none = real_time || spec.kernel != Kernel::Linux;
    if none { 0 } else { ns(spec.constants.slack) }
}

/// Refuses waits that this machine does not have.
fn admit_waits(spec: &Spec, task: &Task) -> Result<(), AskError> {
    for step in task.steps() {
        let Some(how) = step.action.wait_kind() else { continue };
        if !spec.has(how) {
            let what = format!("cannot play task `{}`", task.name);
            let why = format!("{how} is not a call of {}", spec.name);
            let known = WaitKind::all().filter(|how| spec.has(*how));
            let names: Vec<_> = known.map(WaitKind::name).collect();
            return Err(AskError::absent(what, why).or_try(names.join(", ")));
        }
    }
    Ok(())
}

/// Bit n: it may run on CPU n.
fn cpus_of(spec: &Spec, task: &Task) -> Result<u128, AskError> {
    let cpus = spec.constants.cpus.clamp(1, 128);
    let all = if cpus >= 128 { u128::MAX } else { (1 << cpus) - 1 };
    if task.cpus.is_empty() {
        return Ok(all);
    }
    let wrong = task.cpus.iter().find(|cpu| **cpu >= cpus);
    if let Some(cpu) = wrong {
        let what = format!("cannot run task `{}`", task.name);
        let why =
            format!("`{}` has no CPU {cpu}: it has {cpus}, from 0", spec.name);
        return Err(AskError::wrong(what, why)
            .or_try(format!("a CPU from 0 to {}", cpus - 1)));
    }
    Ok(task.cpus.iter().fold(0, |bits, cpu| bits | 1 << cpu))
}
