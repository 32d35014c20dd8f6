//! What a check says.

use std::fmt;

/// A broken rule: where, what, and what to do about it.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) what: String,
    pub(crate) cure: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, what, cure } = self;
        write!(out, "{path}:{line}: {what}\n  {cure}")
    }
}
