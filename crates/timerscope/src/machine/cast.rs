//! Who plays in a workload, and the numbers their samples bear.

use super::{Action, Process, Task, Workload};

/// One running task: one copy of one task in one copy of one process.
#[derive(Clone, Copy, Debug)]
pub struct Role<'a> {
    /// The process it belongs to.
    pub process: &'a Process,
    /// Which copy of that process, from 0.
    pub process_copy: u32,
    /// The task it plays.
    pub task: &'a Task,
    /// Which copy of that task, from 0.
    pub task_copy: u32,
    /// Its process among all running processes of the workload, from 0.
    pub player: u32,
}

/// One action of a task with its place in it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The action.
    pub action: &'a Action,
    /// How many loops it stands in.
    pub depth: u16,
}

impl Workload {
    /// Every running task, in the order of their numbers
    /// ([`super::Sample::role`]).
    ///
    /// Call it on a workload without faults only: copies are not bounded here.
    #[must_use]
    pub fn cast(&self) -> Vec<Role<'_>> {
        let mut cast = Vec::new();
        let mut player = 0;
        for process in &self.processes {
            for process_copy in 0..process.copies {
                for task in &process.tasks {
                    let role = |task_copy| Role {
                        process,
                        process_copy,
                        task,
                        task_copy,
                        player,
                    };
                    cast.extend((0..task.copies).map(role));
                }
                player += 1;
            }
        }
        cast
    }
}

impl Task {
    /// Every action, a loop before its body, in the order of their numbers
    /// ([`super::Sample::step`]).
    #[must_use]
    pub fn steps(&self) -> Vec<Step<'_>> {
        fn add<'a>(actions: &'a [Action], depth: u16, to: &mut Vec<Step<'a>>) {
            for action in actions {
                to.push(Step { action, depth });
                add(action.body(), depth + 1, to);
            }
        }
        let mut steps = Vec::new();
        add(&self.actions, 0, &mut steps);
        steps
    }
}

impl Role<'_> {
    /// Its name for people: `app/sleeper`, with `#2` for a second copy.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.process_name(), self.task_name())
    }

    /// The name of its process for people: `app`, or `app#2`.
    #[must_use]
    pub fn process_name(&self) -> String {
        let copy = copy(self.process.copies, self.process_copy);
        format!("{}{copy}", self.process.name)
    }

    /// Its name within its process for people: `sleeper`, or `sleeper#2`.
    #[must_use]
    pub fn task_name(&self) -> String {
        let copy = copy(self.task.copies, self.task_copy);
        format!("{}{copy}", self.task.name)
    }
}

fn copy(of: u32, number: u32) -> String {
    if of > 1 { format!("#{}", number + 1) } else { String::new() }
}
