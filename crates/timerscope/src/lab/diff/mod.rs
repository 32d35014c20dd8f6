//! Two runs side by side: what about them differs, and whether their figures
//! do.
//!
//! Each run becomes a [`Side`], from a recording or from a JSON answer; the
//! two need not be of the same kind. [`diff()`] compares the facts, pairs the
//! rows by what was done, and judges each figure. Values in the order of time
//! are compared best; a histogram less well, because nobody can say any more
//! how much its values depended on each other; a figure alone not at all.
//! [`diff_runs()`] compares several runs with several others, each figure of
//! each run as one number.

mod answered;
mod facts;
mod figures;
mod groups;
mod judge;
mod pairs;
mod read;
mod recorded;
mod several;
mod side;

#[cfg(test)]
mod groups_tests;
#[cfg(test)]
mod tests;

pub use facts::Fact;
pub use figures::{
    Change, DiffFigures, Differ, Subject, Verdict, diff, diff_runs,
};
pub use read::SideError;
pub use several::PerRun;
pub use side::{Kind, Measure, Row, Side, Values};
