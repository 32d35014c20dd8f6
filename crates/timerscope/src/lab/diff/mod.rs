//! Two runs side by side: what about them differs, and whether their figures
//! do.
//!
//! Each run becomes a [`Side`], from a recording or from a JSON answer; the
//! two need not be of the same kind. [`diff()`] compares the facts, pairs the
//! rows by what was done, and judges each figure. Values in the order of time
//! are compared best; a histogram less well, because nobody can say any more
//! how much its values depended on each other; a figure alone not at all.

mod answered;
mod facts;
mod figures;
mod judge;
mod pairs;
mod read;
mod recorded;
mod side;

#[cfg(test)]
mod tests;

pub use facts::Fact;
pub use figures::{Change, DiffFigures, Differ, Subject, Verdict, diff};
pub use read::SideError;
pub use side::{Kind, Measure, Row, Side, Values};
