//! Experiments, one each: `workload()` writes what is to be played,
//! `figures()` turns what was seen into numbers.
//!
//! Between the two stands a machine; [`play()`] is the whole bridge. Figures
//! come from a [`Saved`](crate::machine::Saved) run alone, so they can be had
//! again from a file, elsewhere, later.

pub mod clocks;
pub mod conditions;
pub mod cost;
pub mod diff;
pub mod drift;
pub mod frames;
pub mod headline;
pub mod intervals;
pub mod load;
mod places;
pub mod play;
pub mod quantum;
pub mod ruler;
pub mod run;
pub mod sleep;
pub mod spread;
pub mod survey;
pub mod sweep;
pub mod switch;
pub mod wake;

#[cfg(test)]
pub(crate) mod scripted;

pub use load::Load;
pub use play::{play, play_all};
pub use ruler::Ruler;
