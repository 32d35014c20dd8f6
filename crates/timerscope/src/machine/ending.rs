//! How a run ended, and what the machine's counters said around it.

use serde::{Deserialize, Serialize};

use super::{Battery, Known};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Whether it was completed.
    pub ended: Ended,
    /// From the common start to the end.
    pub lasted_ns: u64,
    /// What became of each role, in the order of the cast.
    pub roles: Vec<RoleEnding>,
    /// The machine's counters around the run.
    pub meters: Meters,
    /// What the reader of the figures should know.
    pub warnings: Vec<Warning>,
    /// The closing digest of a simulated run: the same for the same machine,
    /// seed and workload on every system. A real run has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// Whether a run was completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Every task finished its actions.
    Complete,
    /// It was cut, by whom and when.
    Cut {
        /// By whom.
        by: Cut,
        /// When, in nanoseconds since the common start.
        at_ns: u64,
    },
}

/// Who cut a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// The listener said stop.
    Listener,
    /// The workload's limit was reached.
    Limit,
    /// A player died: which process of the workload, and how.
    Player {
        /// The workload's name for the process.
        process: String,
        /// How it died: `killed by signal 9`.
        how: String,
        /// Whether somebody else killed it, or it broke by itself.
        killed: bool,
    },
}

/// What became of one role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleEnding {
    /// The policy and priority it ran with, in words.
    pub policy: Known<String>,
    /// The timer slack it ran with.
    pub slack_ns: Known<u64>,
    /// CPU time it used.
    pub cpu_ns: Known<u64>,
    /// How often it gave up its CPU to wait.
    pub switches: Known<u64>,
    /// Its process, where there is one.
    pub pid: Option<u32>,
    /// Its thread, where there is one.
    pub tid: Option<u32>,
    /// Whether it did all its actions.
    pub finished: bool,
    /// How many times each step was done, in the order of the steps; `None`
    /// for a step that keeps nothing.
    pub counts: Vec<Option<u64>>,
    /// Samples that were made but could not be told in time. They are in
    /// `counts`; none of their times is.
    pub lost: u64,
    /// How often the task paused between two actions because its samples came
    /// faster than they could be told.
    pub pauses: u64,
}

/// The machine's counters before and after a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meters {
    /// Just before the common start.
    pub before: Counters,
    /// Just after the end.
    pub after: Counters,
}

/// Counters of the whole machine since it started, each a value or why not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Time the host took from this guest, over all CPUs.
    pub stolen_ns: Known<u64>,
    /// Times a CPU was given to another task.
    pub switches: Known<u64>,
    /// Wake-ups of tasks.
    pub wakeups: Known<u64>,
    /// Times a CPU left an idle state.
    pub idle_wakeups: Known<u64>,
    /// Timer interrupts.
    pub ticks: Known<u64>,
    /// Time CPUs were busy.
    pub busy_ns: Known<u64>,
    /// Energy of all packages.
    pub energy_uj: Known<u64>,
    /// What the batteries that feed the machine give.
    #[serde(default = "super::battery::untold")]
    pub battery: Known<Battery>,
}

impl Meters {
    /// What `counter` went up by during the run.
    ///
    /// A counter that went backward (it wrapped, or was reset) is unknown.
    pub fn delta(
        &self,
        counter: impl Fn(&Counters) -> &Known<u64>,
    ) -> Known<u64> {
        let before = counter(&self.before).as_ref();
        let after = counter(&self.after).as_ref();
        before.and_then(|before| {
            after.and_then(|after| match after.checked_sub(*before) {
                Some(delta) => Known::Value(delta),
                None => super::Missing::unknown(
                    "the counter went backward during the run",
                )
                .into(),
            })
        })
    }
}

/// Something the reader of the figures should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A word that programs can match: `stolen-time`.
    pub code: String,
    /// What was seen, what it may mean, what to try.
    pub text: String,
}

impl Warning {
    /// A warning under `code`.
    pub fn new(code: impl Into<String>, text: impl Into<String>) -> Self {
        Self { code: code.into(), text: text.into() }
    }
}
