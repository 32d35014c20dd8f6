//! How samples reach whoever asked for them.

use super::Sample;

/// Hears what the tasks of a run saw, while it runs.
///
/// Called by the coordinator, never from a measured task, at most ten times a
/// second and at least twice, with or without new samples.
pub trait Listener {
    /// Takes one batch, and says whether the run shall go on.
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict;
}

/// What was seen since the last batch.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Nanoseconds since the common start.
    pub at: i64,
    /// New samples; those of one role are in the order they were made.
    pub samples: &'a [Sample],
    /// What is worth telling besides.
    pub notes: &'a [Note],
}

/// Something a run has to tell besides samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A role now runs as this process and thread.
    Started {
        /// The role.
        role: u32,
        /// Its process.
        pid: u32,
        /// Its thread.
        tid: u32,
    },
    /// A role has finished its actions.
    Finished {
        /// The role.
        role: u32,
    },
}

/// Whether the run shall go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Continue,
    /// Stop every task, tell what was seen so far, and end.
    Stop,
}
