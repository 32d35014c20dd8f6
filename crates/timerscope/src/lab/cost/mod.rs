//! What a raised tick costs: work on a busy machine, energy on an idle one.
//!
//! "Raised" is what the system has for it. Where processes request an
//! interval, it is one that does, and holds it. Linux has no such requests, so
//! there it is a waiter on the worker's CPU, a process of its own that wakes a
//! thousand times a second, or as often as asked.

mod ask;
mod figures;
mod idle;
mod power;
mod raise;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod ticking;
mod windows;

pub use ask::Cost;
pub(in crate::lab) use ask::precise_wait;
pub use figures::{CostFigures, CostVerdict, figures};
pub use idle::{Idle, idle};
pub use power::{Constant, Fleet, Meter, Power, fleet, warning};
pub use raise::{By, Raise, unraised};
pub use windows::{Basis, Window};
