//! How late waits end: SleepTest, timer.c and cyclictest are each one
//! [`Sleep`].

mod ask;
mod conditions;
mod expect;
mod figures;
mod grids;
mod row;
mod sweep;

#[cfg(test)]
mod tests;

pub use ask::{Hold, Sleep};
pub use conditions::Conditions;
pub use expect::expected;
pub use figures::{SleepFigures, figures};
pub use grids::{GridFigure, WaitGrid};
pub(in crate::lab) use row::modes;
pub use row::{Mode, Row, rows};
pub use sweep::{Sweep, SweepError};
