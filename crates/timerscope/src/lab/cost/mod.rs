//! What a raised tick costs: work on a busy machine, energy on an idle one.
//!
//! "Raised" is what the system has for it. Linux has no requests for an
//! interval, so it is a waiter on the worker's CPU, a process of its own that
//! wakes a thousand times a second, or as often as asked.

mod ask;
mod figures;
mod idle;
mod power;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod ticking;
mod windows;

pub use ask::Cost;
pub(in crate::lab) use ask::precise_wait;
pub use figures::{CostFigures, CostVerdict, Raise, figures};
pub use idle::{Idle, idle};
pub use power::{Constant, Fleet, Meter, Power, fleet, warning};
pub use windows::{Basis, Window};
