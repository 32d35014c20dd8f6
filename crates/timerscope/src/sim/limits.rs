//! How much a run may take.

use crate::machine::{AskError, Workload};

/// How much a run may take: more is an error, not an endless wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tasks.
    pub tasks: u64,
    /// Rounds of the loop in one run; each handles what is due at a time.
    pub events: u64,
    /// Steps at one point of time.
    pub at_once: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tasks: 2_000_000, events: 2_000_000_000, at_once: 50_000_000 }
    }
}

impl Limits {
    /// Whether a workload is too big to begin with.
    ///
    /// # Errors
    ///
    /// When it has more tasks than allowed.
    pub(super) fn admit(&self, workload: &Workload) -> Result<(), AskError> {
        let tasks: u64 = workload
            .processes
            .iter()
            .map(|process| {
                let own: u64 =
                    process.tasks.iter().map(|t| u64::from(t.copies)).sum();
                own.saturating_mul(u64::from(process.copies))
            })
            .fold(0, u64::saturating_add);
        if tasks <= self.tasks {
            return Ok(());
        }
        let why = format!("it has {tasks} tasks; the most is {}", self.tasks);
        Err(AskError::wrong("cannot simulate the workload", why)
            .or_try("fewer copies"))
    }

    /// Which limit is passed, in words.
    pub(super) fn exceeded(&self, events: u64, at_once: u64) -> String {
        if at_once > self.at_once {
            return format!(
                "the run was ended: {at_once} steps took no time at all; a loop without end does nothing that takes any"
            );
        }
        format!(
            "the run was ended after {events} events; a shorter limit or fewer tasks need fewer"
        )
    }
}
