//! The machines that are built in, each a table of rules and constants.
//!
//! They are written as a person would write a machine of their own; `like`
//! takes over what another one has.

mod change;
mod opened;
#[cfg(test)]
mod tests;
mod written;

pub use opened::{CATALOGUE, MachineError, opened, read};
