//! Imagined machines: any workload, in virtual time, bit for bit repeatable.
//!
//! A machine is a [`Spec`]: rules, which are small named pieces (`rules`), and
//! constants. [`Sim`] plays workloads on it. The loop in `kernel` owns time
//! and nothing else; it knows no machine by name.
#![deny(clippy::float_arithmetic)]

pub mod catalogue;
mod chance;
mod digest;
mod facts;
mod kernel;
mod limits;
mod queue;
pub mod rules;
mod simulated;
pub mod spec;

#[cfg(test)]
mod tests;

pub use digest::folded;
pub use limits::Limits;
pub use simulated::Sim;
pub use spec::Spec;
