//! Experiments, one each: `workload()` writes what is to be played,
//! `figures()` turns what was seen into numbers.
//!
//! Between the two stands a machine; [`play()`] is the whole bridge. Figures
//! come from a [`Saved`](crate::machine::Saved) run alone, so they can be had
//! again from a file, elsewhere, later.

pub mod clocks;
pub mod cost;
pub mod drift;
pub mod frames;
pub mod headline;
pub mod load;
pub mod play;
pub mod ruler;
pub mod run;
pub mod sleep;
pub mod survey;
pub mod sweep;

#[cfg(test)]
pub(crate) mod scripted;

pub use load::Load;
pub use play::play;
pub use ruler::Ruler;
