//! The closed vocabulary of what can be played.
//!
//! A workload has no variables, no conditions, no arithmetic, no printing and
//! no statistics. [`Workload`] holds [`Process`]es, those hold [`Task`]s,
//! those do [`Action`]s one after another.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::name::{UnknownName, parsed};
use super::{ClockKind, Span, WaitKind};

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
/// from: nice 19, 10, 0, -5, -10, and `realtime` is SCHED_FIFO 50.
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

/// A task's priority.
///
/// `below`, `normal`, `above` are relative to the process's [`Class`]: on
/// Windows the thread levels lowest, normal, highest; on Linux five nice steps
/// (one level of SCHED_FIFO in the class `realtime`). The others are absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// Below its class.
    Below,
    /// That of its class.
    #[default]
    Normal,
    /// Above its class.
    Above,
    /// Real time at a middling level: SCHED_FIFO 50; Windows level 24.
    Realtime,
    /// Linux: SCHED_FIFO at this level, 1 to 99.
    Fifo(u8),
    /// Linux: SCHED_RR at this level, 1 to 99.
    RoundRobin(u8),
    /// Unix: this nice value, -20 to 19.
    Nice(i8),
    /// Linux: SCHED_BATCH.
    Batch,
    /// Linux: SCHED_IDLE; Windows: thread level idle.
    Idle,
    /// Windows: this level, 1 to 31.
    Level(u8),
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

/// One thing a task does.
///
/// The `value` of its samples is said with each; it is 0 where nothing is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Lets `span` pass, once, by one call.
    Wait {
        /// By which call.
        how: WaitKind,
        /// How long.
        span: Span,
        /// What the CPU does until the signal comes.
        #[serde(default, skip_serializing_if = "is_default")]
        meanwhile: Meanwhile,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Waits until a point of the enclosing `every`. A point that is past
    /// already is waited for all the same.
    WaitUntil {
        /// By which call; those that take no absolute time get the rest.
        how: WaitKind,
        /// Until when.
        point: Point,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Does `body` once a period; points are counted from when it begins.
    /// It does not wait: a body that ends early is begun again at once.
    Every {
        /// The period.
        period: Span,
        /// What happens to points that pass while the body runs.
        #[serde(default, skip_serializing_if = "is_default")]
        missed: Missed,
        /// When it is done.
        #[serde(default, skip_serializing_if = "is_default")]
        until: Until,
        /// What is done.
        body: Vec<Action>,
    },
    /// Does `body` again and again. `value`: how many times.
    Repeat {
        /// When it is done. A time is watched from outside: no clock is read
        /// in the loop.
        until: Until,
        /// What is kept of each whole repetition.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
        /// What is done.
        body: Vec<Action>,
    },
    /// Computes: `iterations` rounds of adding up 1024 integers.
    Work {
        /// How many rounds.
        iterations: u64,
        /// What is kept.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
    },
    /// Burns CPU reading the clock. `value`: how many times it was read.
    Spin {
        /// Until when; a count counts readings.
        until: Until,
        /// What is kept.
        #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
        keep: Keep,
    },
    /// Sets an event, stamping it just before the call.
    Set(String),
    /// Waits for an event; due at the setter's stamp.
    Await {
        /// Which event.
        event: String,
        /// How long at most; none means for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<Span>,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Sets one event and waits for another, as one call where the system has
    /// one.
    SetAwait {
        /// Which event is set.
        set: String,
        /// Which event is awaited.
        #[serde(rename = "await")]
        awaited: String,
        /// How long at most; none means for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<Span>,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Gives the CPU to an equal, if one is ready.
    Yield,
    /// Reads a clock. `value`: the last reading.
    Read {
        /// Which clock.
        clock: ClockKind,
        /// How many times, back to back.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        times: u64,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Reads a clock until it has changed `changes` times. `value`: the
    /// smallest change.
    Steps {
        /// Which clock.
        clock: ClockKind,
        /// How many changes.
        changes: u64,
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Asks for the interval in force. `value`: the answer in nanoseconds.
    AskInterval {
        /// What is kept.
        #[serde(default, skip_serializing_if = "is_default")]
        keep: Keep,
    },
    /// Requests an interval. `value`: what was granted, in nanoseconds.
    Request(Span),
    /// Withdraws one request.
    Withdraw(Span),
    /// Ends the task.
    End,
}

/// What the CPU does during a wait that ends by a signal.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Meanwhile {
    /// Something else.
    #[default]
    Block,
    /// The task computes until the signal comes.
    Burn,
}

/// What becomes of points that pass while an `every`'s body runs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// They are dropped: the next point is the next one to come.
    #[default]
    Skip,
    /// None is dropped: the body runs once for each.
    CatchUp,
}

/// When a loop is done.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Until {
    /// Never: the workload's limit ends it.
    #[default]
    Forever,
    /// After so many times.
    Count(u64),
    /// After so long.
    Span(Span),
    /// At a point of the enclosing `every`.
    Point(Point),
}

/// A point of the enclosing `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Point {
    /// Which point.
    pub at: PointBase,
    /// How long before it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub less: Span,
}

/// Which point of the enclosing `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointBase {
    /// The one this run of the body belongs to.
    Now,
    /// The one after it.
    Next,
}

/// What is kept of an action's samples. Each keeps what those before it keep.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// Nothing: no clock is read.
    Nothing,
    /// How many there were: no clock is read.
    Count,
    /// A histogram of how long each took and how late it was.
    Histogram,
    /// The histogram, and each that took longer than this.
    Over(Span),
    /// Every sample.
    #[default]
    Everything,
}

impl Keep {
    /// Whether samples are made, and so clocks read.
    #[must_use]
    pub fn samples(self) -> bool {
        !matches!(self, Self::Nothing | Self::Count)
    }
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

impl Action {
    /// One blocking wait of which everything is kept.
    #[must_use]
    pub fn wait(how: WaitKind, span: Span) -> Self {
        let (meanwhile, keep) = (Meanwhile::Block, Keep::Everything);
        Self::Wait { how, span, meanwhile, keep }
    }

    /// `body`, so many times.
    #[must_use]
    pub fn repeat(count: u64, body: Vec<Self>) -> Self {
        Self::Repeat { until: Until::Count(count), keep: Keep::Nothing, body }
    }

    /// The actions inside it.
    #[must_use]
    pub fn body(&self) -> &[Self] {
        match self {
            Self::Every { body, .. } | Self::Repeat { body, .. } => body,
            _ => &[],
        }
    }

    /// What is kept of it.
    #[must_use]
    pub fn keep(&self) -> Keep {
        match self {
            Self::Wait { keep, .. }
            | Self::WaitUntil { keep, .. }
            | Self::Repeat { keep, .. }
            | Self::Work { keep, .. }
            | Self::Spin { keep, .. }
            | Self::Await { keep, .. }
            | Self::SetAwait { keep, .. }
            | Self::Read { keep, .. }
            | Self::Steps { keep, .. }
            | Self::AskInterval { keep } => *keep,
            Self::Request(_) | Self::Withdraw(_) => Keep::Everything,
            Self::Every { .. } | Self::Set(_) | Self::Yield | Self::End => {
                Keep::Nothing
            }
        }
    }

    /// Its name in TOML.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Wait { .. } => "wait",
            Self::WaitUntil { .. } => "wait-until",
            Self::Every { .. } => "every",
            Self::Repeat { .. } => "repeat",
            Self::Work { .. } => "work",
            Self::Spin { .. } => "spin",
            Self::Set(_) => "set",
            Self::Await { .. } => "await",
            Self::SetAwait { .. } => "set-await",
            Self::Yield => "yield",
            Self::Read { .. } => "read",
            Self::Steps { .. } => "steps",
            Self::AskInterval { .. } => "ask-interval",
            Self::Request(_) => "request",
            Self::Withdraw(_) => "withdraw",
            Self::End => "end",
        }
    }
}

/// Priorities that are one word.
const PRIORITIES: [(&str, Priority); 6] = [
    ("normal", Priority::Normal),
    ("above", Priority::Above),
    ("below", Priority::Below),
    ("realtime", Priority::Realtime),
    ("batch", Priority::Batch),
    ("idle", Priority::Idle),
];

/// What may be written for a priority, for error messages.
const PRIORITY_FORMS: [&str; 10] = [
    "normal",
    "above",
    "below",
    "realtime",
    "fifo:1..99",
    "rr:1..99",
    "nice:-20..19",
    "batch",
    "idle",
    "level:1..31",
];

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = PRIORITIES.iter().find(|(_, own)| own == self);
        let text = match (self, word) {
            (_, Some((word, _))) => (*word).to_owned(),
            (Self::Fifo(level), _) => format!("fifo:{level}"),
            (Self::RoundRobin(level), _) => format!("rr:{level}"),
            (Self::Nice(nice), _) => format!("nice:{nice}"),
            (Self::Level(level), _) => format!("level:{level}"),
            _ => unreachable!("every other priority is one word"),
        };
        f.pad(&text)
    }
}

impl FromStr for Priority {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName::new(text, "a priority", PRIORITY_FORMS);
        if let Some((_, own)) = PRIORITIES.iter().find(|row| row.0 == text) {
            return Ok(*own);
        }
        let (kind, level) = text.split_once(':').ok_or_else(unknown)?;
        let number: i8 = level.parse().map_err(|_| unknown())?;
        let positive = number.unsigned_abs();
        match (kind, number) {
            ("fifo", 1..=99) => Ok(Self::Fifo(positive)),
            ("rr", 1..=99) => Ok(Self::RoundRobin(positive)),
            ("nice", -20..=19) => Ok(Self::Nice(number)),
            ("level", 1..=31) => Ok(Self::Level(positive)),
            _ => Err(unknown()),
        }
    }
}

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        parsed(from, "a priority such as \"normal\" or \"fifo:50\"")
    }
}

fn default_limit() -> Span {
    Span::from_s(60)
}

fn nothing() -> Keep {
    Keep::Nothing
}

fn is_nothing(keep: &Keep) -> bool {
    *keep == Keep::Nothing
}

fn one<T: From<u8>>() -> T {
    T::from(1)
}

fn is_one<T: From<u8> + PartialEq>(count: &T) -> bool {
    *count == T::from(1)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_read_as_they_are_written() {
        for text in [
            "normal", "above", "below", "realtime", "fifo:1", "rr:99",
            "nice:-20", "batch", "idle", "level:31",
        ] {
            let priority: Priority = text.parse().unwrap();
            assert_eq!(priority.to_string(), text);
        }
        for text in ["fifo", "fifo:0", "fifo:100", "nice:20", "urgent", ""] {
            assert!(text.parse::<Priority>().is_err(), "{text}");
        }
    }
}
