//! The knob of a system's timer, turned from end to end.
//!
//! On Linux the knob is timer slack: how late a thread lets its waits end. It
//! moves the waits that end by high-resolution timers, and none of those that
//! are bound to the tick. On Windows it is a process's request for an
//! interval, and the question is what it does to a process that made none:
//! `change_interval` and `measure_interval` of the article "Windows Timer
//! Resolution: The Great Rule Change", in one.

mod ask;
mod figures;
mod knob;
mod spoiled;
#[cfg(test)]
mod tests;

pub use ask::Sweep;
pub use figures::{Row, SweepFigures, figures};
pub use knob::Knob;
