//! How late waits end: SleepTest, timer.c and cyclictest are each one
//! [`Sleep`].

mod ask;
mod expect;
mod figures;
mod grids;
mod row;
mod sweep;

#[cfg(test)]
mod tests;

pub use super::conditions::Conditions;
pub use super::spread::{Mode, Spread};
pub use ask::{Hold, Sleep};
pub use expect::{expected, plainest};
pub use figures::{SleepFigures, figures};
pub use grids::{GridFigure, WaitGrid};
pub use row::{Row, rows};
pub use sweep::{Sweep, SweepError};
