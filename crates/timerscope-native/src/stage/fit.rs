//! Whether a workload fits this system, before anything is started.

use timerscope::machine::{Action, AskError, System, Task, WaitKind, Workload};

use crate::sys::signal_wait::SignalWait;
use crate::sys::thread;

/// What this crate plays on here.
const HERE: System = System::Linux;
/// Threads that one run may have.
const MOST_THREADS: usize = 4_096;
/// Actions of all of them together, each with a count in shared memory.
const MOST_PLAYED: usize = 65_536;

/// Refuses a workload that this system cannot play.
pub(crate) fn fit(workload: &Workload) -> Result<(), AskError> {
    if let Some(fault) = workload.faults().first() {
        return Err(AskError::wrong("a wrong workload", fault.to_string())
            .or_try(fault.hint.clone()));
    }
    size(workload)?;
    let cpus = thread::allowed_cpus();
    for process in &workload.processes {
        for task in &process.tasks {
            cpus_exist(task, &cpus)?;
            for step in task.steps() {
                on_this_system(task, step.action)?;
            }
        }
    }
    Ok(())
}

/// A simulated machine plays more than threads and shared memory allow here.
fn size(workload: &Workload) -> Result<(), AskError> {
    let cast = workload.cast();
    let (roles, played) = (
        cast.len(),
        cast.iter().map(|role| role.task.steps().len()).sum::<usize>(),
    );
    let (many, most, what) = if roles > MOST_THREADS {
        (roles, MOST_THREADS, "running tasks, each a thread")
    } else if played > MOST_PLAYED {
        (played, MOST_PLAYED, "actions of all running tasks")
    } else {
        return Ok(());
    };
    let why = format!("it has {many} {what}");
    Err(AskError::wrong("too big a workload", why)
        .or_try(format!("at most {most}, copies counted")))
}

fn cpus_exist(task: &Task, allowed: &[u32]) -> Result<(), AskError> {
    let missing = task.cpus.iter().find(|cpu| !allowed.contains(cpu));
    let Some(cpu) = missing else { return Ok(()) };
    let what = format!("cannot run task `{}` on CPU {cpu}", task.name);
    let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
    let why = "there is no such CPU, or this process may not use it";
    Err(AskError::wrong(what, why)
        .or_try(format!("one of the CPUs {}", list.join(", "))))
}

fn on_this_system(task: &Task, action: &Action) -> Result<(), AskError> {
    if let Action::SetAwait { .. } = action {
        return SignalWait::probe();
    }
    let Some(how) = action.wait_kind() else { return Ok(()) };
    if how.is_on(HERE) {
        return Ok(());
    }
    let what = format!("cannot play task `{}`", task.name);
    let why = format!("{how} is not a call of this system");
    let names: Vec<_> = WaitKind::of(HERE).map(WaitKind::name).collect();
    Err(AskError::absent(what, why).or_try(names.join(", ")))
}
