//! Why a machine did not do what was asked.

use serde::{Deserialize, Serialize};

/// A refusal to start, in three parts a person can use.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error,
)]
#[error("{what}: {why}")]
pub struct AskError {
    /// Whose fault it is, which decides the exit code.
    pub kind: AskErrorKind,
    /// What failed, as a fragment: `cannot run task `sleeper` on CPU 7`.
    pub what: String,
    /// Why, as a fragment without a full stop.
    pub why: String,
    /// What it is about, line by line, where that takes more than a fragment:
    /// the places in a text that are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What to try instead, if anything helps.
    #[serde(rename = "try")]
    pub hint: Option<String>,
}

/// Whose fault an [`AskError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskErrorKind {
    /// The question was wrong.
    Wrong,
    /// The system refused, or failed while being asked.
    Refused,
    /// This system does not have what was asked for.
    Absent,
    /// Ours: a broken promise inside timerscope.
    Bug,
}

impl AskError {
    fn new(kind: AskErrorKind, what: String, why: String) -> Self {
        Self { kind, what, why, lines: Vec::new(), hint: None }
    }

    /// The question was wrong.
    pub fn wrong(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(AskErrorKind::Wrong, what.into(), why.into())
    }

    /// The system refused.
    pub fn refused(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(AskErrorKind::Refused, what.into(), why.into())
    }

    /// This system does not have it.
    pub fn absent(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(AskErrorKind::Absent, what.into(), why.into())
    }

    /// Our own fault.
    pub fn bug(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(AskErrorKind::Bug, what.into(), why.into())
    }

    /// Adds the lines it is about.
    #[must_use]
    pub fn with_lines(mut self, lines: Vec<String>) -> Self {
        self.lines = lines;
        self
    }

    /// Adds what a person can try.
    #[must_use]
    pub fn or_try(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
