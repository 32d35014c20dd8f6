//! Known and missing values as cells.

use super::Cell;
use super::words::{duration, fine_duration};
use crate::machine::Known;

/// A value as `write` says it, or why it is missing.
pub(super) fn cell<T>(known: &Known<T>, write: impl Fn(&T) -> String) -> Cell {
    match known {
        Known::Value(value) => Cell::Text(write(value)),
        Known::Missing(missing) => Cell::Missing(missing.clone()),
    }
}

pub(super) fn text(known: &Known<String>) -> Cell {
    cell(known, Clone::clone)
}

pub(super) fn yes(known: &Known<bool>, yes: &str, no: &str) -> Cell {
    cell(known, |value| if *value { yes } else { no }.to_owned())
}

pub(super) fn time(known: &Known<i64>) -> Cell {
    cell(known, |ns| duration(*ns))
}

pub(super) fn length(known: &Known<u64>) -> Cell {
    cell(known, |ns| span(*ns))
}

pub(super) fn fine(known: &Known<f64>) -> Cell {
    cell(known, |ns| fine_duration(*ns))
}

/// A length of time that is never negative.
pub(super) fn span(ns: u64) -> String {
    duration(i64::try_from(ns).unwrap_or(i64::MAX))
}

/// A value for a program: as it is, or left empty where it is missing.
pub(super) fn plain<T: ToString>(known: &Known<T>) -> Cell {
    cell(known, ToString::to_string)
}
