//! A value, or the reason why there is none.

use serde::{Deserialize, Serialize};

/// A value that may be missing, with the reason.
///
/// Absent, refused, failed and unknown are four answers, and none of them is
/// zero. In JSON answers a missing value is `null` and its reason stands in
/// the list `missing` (see `report::answer`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Known<T> {
    /// It is known.
    #[serde(rename = "$known")]
    Value(T),
    /// It is not, and why.
    #[serde(rename = "$missing")]
    Missing(Missing),
}

/// Why a value is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Which of the four answers this is.
    pub kind: MissingKind,
    /// One sentence for a person, without a full stop.
    pub why: String,
    /// What would make it known, if anything would.
    #[serde(rename = "try")]
    pub hint: Option<String>,
}

/// The four ways of not knowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingKind {
    /// This system does not have such a thing.
    Absent,
    /// It exists, but we may not look.
    Refused,
    /// We looked, and the looking broke.
    Failed,
    /// Nobody can tell from what is here.
    Unknown,
}

impl Missing {
    /// This system does not have it.
    #[must_use]
    pub fn absent(why: impl Into<String>) -> Self {
        Self { kind: MissingKind::Absent, why: why.into(), hint: None }
    }

    /// It may not be looked at.
    #[must_use]
    pub fn refused(why: impl Into<String>) -> Self {
        Self { kind: MissingKind::Refused, why: why.into(), hint: None }
    }

    /// Looking at it broke.
    #[must_use]
    pub fn failed(why: impl Into<String>) -> Self {
        Self { kind: MissingKind::Failed, why: why.into(), hint: None }
    }

    /// It cannot be told from what is here.
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Self {
        Self { kind: MissingKind::Unknown, why: why.into(), hint: None }
    }

    /// Adds what a person can do about it.
    #[must_use]
    pub fn or_try(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl<T> Known<T> {
    /// The value, if it is known.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing(_) => None,
        }
    }

    /// The reason, if it is missing.
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Self::Value(_) => None,
            Self::Missing(missing) => Some(missing),
        }
    }

    /// Applies `f` to a known value; a reason stays what it is.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Known<U> {
        self.and_then(|value| Known::Value(f(value)))
    }

    /// Applies `f` to a known value; a reason stays what it is.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Known<U>) -> Known<U> {
        match self {
            Self::Value(value) => f(value),
            Self::Missing(missing) => Known::Missing(missing),
        }
    }

    /// The same, holding references.
    pub fn as_ref(&self) -> Known<&T> {
        match self {
            Self::Value(value) => Known::Value(value),
            Self::Missing(missing) => Known::Missing(missing.clone()),
        }
    }
}

impl<T> From<Result<T, Missing>> for Known<T> {
    fn from(result: Result<T, Missing>) -> Self {
        result.map_or_else(Self::Missing, Self::Value)
    }
}

impl<T> From<Missing> for Known<T> {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}
