//! The closed vocabulary of what can be played.
//!
//! A workload has no variables, no conditions, no arithmetic, no printing and
//! no statistics. [`Workload`] holds [`Process`]es, those hold [`Task`]s,
//! those do [`Action`]s one after another.

use serde::{Deserialize, Serialize};

use super::defaults::{is_default, is_one, one};
use super::{Action, Priority, Span};

/// What is to be played.
///
/// ```
/// use timerscope::machine::{Action, Process, Span, Task, WaitKind, Workload};
///
/// let sleep = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
/// let task = Task::new("sleeper", vec![Action::repeat(100, vec![sleep])]);
/// let workload = Workload::new(vec![Process::new("app", vec![task])]);
/// assert!(workload.faults().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Workload {
    /// Which version of this vocabulary it is written in:
    /// [`super::WORKLOAD_SCHEMA`].
    pub schema: String,
    /// What it is about, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Where random phases come from.
    #[serde(default)]
    pub seed: u64,
    /// When the run ends, done or not.
    #[serde(default = "default_limit")]
    pub limit: Span,
    /// Names of auto-reset events that all tasks share: a set event lets one
    /// waiter through, and stays set until one comes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Its processes.
    #[serde(default, rename = "process")]
    pub processes: Vec<Process>,
}

/// One process of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Process {
    /// Its name, unique in the workload.
    pub name: String,
    /// How many of it run.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub copies: u32,
    /// Its priority class.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class: Class,
    /// Whether it is there for the others only: the run is complete when
    /// they are, and this process is ended then. A load is such a one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub background: bool,
    /// Its tasks.
    #[serde(default, rename = "task")]
    pub tasks: Vec<Task>,
    /// What happens to it, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<Cue>,
}

/// One thread of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Task {
    /// Its name, unique in its process.
    pub name: String,
    /// How many of it run.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub copies: u32,
    /// CPUs it may run on; empty means any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u32>,
    /// Its priority.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: Priority,
    /// Its timer slack; none given means the system's default. Zero is legal
    /// and means what the system makes of it (on Linux: the default again).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<Span>,
    /// When its waits begin within a tick.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase: Phase,
    /// What it does, once, one after another.
    pub actions: Vec<Action>,
}

/// Something that happens to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Cue {
    /// When, since the common start.
    pub at: Span,
    /// What.
    pub what: Happening,
}

/// What can happen to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Happening {
    /// Its window appears.
    Show,
    /// Its window is minimised or fully covered.
    Hide,
    /// The person turns to it.
    Foreground,
    /// The person turns away from it.
    Background,
    /// The machine goes on battery.
    Battery,
    /// The machine goes on mains.
    Mains,
    /// It is stopped by another program.
    Suspend,
    /// It is let go on.
    Resume,
    /// It is killed.
    Kill,
}

/// A process's priority class.
///
/// Windows has these. On Linux they set where the tasks' [`Priority`] counts
/// from: nice 19, 10, what the player was started as, -5, -10, and `realtime`
/// is SCHED_FIFO 50.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the class whose name it bears")]
pub enum Class {
    Idle,
    Below,
    #[default]
    Normal,
    Above,
    High,
    Realtime,
}

/// When a task's waits begin within a tick.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Each begins right after the action before it: in step with the tick.
    #[default]
    Sync,
    /// Each begins after the task has spun for a random share of a tick
    /// (of 16 ms where the machine has no tick).
    Random,
}

impl Workload {
    /// A workload of these processes with everything else at its default.
    #[must_use]
    pub fn new(processes: Vec<Process>) -> Self {
        Self {
            schema: super::WORKLOAD_SCHEMA.to_owned(),
            title: String::new(),
            seed: 0,
            limit: default_limit(),
            events: Vec::new(),
            processes,
        }
    }
}

impl Process {
    /// A process of these tasks with everything else at its default.
    #[must_use]
    pub fn new(name: impl Into<String>, tasks: Vec<Task>) -> Self {
        Self {
            name: name.into(),
            copies: 1,
            class: Class::Normal,
            background: false,
            tasks,
            script: Vec::new(),
        }
    }
}

impl Task {
    /// A task of these actions with everything else at its default.
    #[must_use]
    pub fn new(name: impl Into<String>, actions: Vec<Action>) -> Self {
        Self {
            name: name.into(),
            copies: 1,
            cpus: Vec::new(),
            priority: Priority::Normal,
            slack: None,
            phase: Phase::Sync,
            actions,
        }
    }
}

fn default_limit() -> Span {
    Span::from_s(60)
}
