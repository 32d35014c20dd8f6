//! The numbers behind samples: integers in, sentences out.
//!
//! Every question starts from [`Counted`]: values in nanoseconds, each with
//! how often it was seen, made from single values or from a histogram's
//! pairs. From it come
//!
//! * [`Moments`]: mean and deviation, by a method that never cancels;
//! * [`Quantiles`] and [`quantile_interval`]: exact ranks, and how sure;
//! * [`Histogram`]: bins with edges a person can read;
//! * [`modes()`]: where the waits pile up;
//! * [`Grid`]: the step that all waits end on, and the [`Law`] that says
//!   which multiple a span gets;
//! * [`compare()`]: whether one run's figure differs from another's;
//! * [`Shift`]: whether one group of runs differs from another;
//! * [`Loss`]: what a treatment costs, from blocks in an order that
//!   [`alternate`] draws.
//!
//! The room leans on [`crate::machine`] for its units only. The same values
//! give the same answer, and the same seed the same order.

mod binomial;
mod blocks;
#[cfg(test)]
mod blocks_tests;
mod compare;
#[cfg(test)]
mod compare_tests;
mod counted;
#[cfg(test)]
mod draws;
mod estimate;
mod grid;
#[cfg(test)]
mod grid_tests;
mod histogram;
mod lattice;
mod law;
mod modes;
mod moments;
mod quantile;
mod runs;
mod serial;
mod shuffle;
mod student;

pub use blocks::{Block, Loss};
pub use compare::{
    Comparison, Terms, Verdict, compare, compare_at, compare_counted,
};
pub use counted::Counted;
pub use estimate::Figure;
pub use grid::Grid;
pub use histogram::{Bin, Histogram, Scale};
pub use law::Law;
pub use modes::{Mode, modes};
pub use moments::Moments;
pub use quantile::{Quantiles, quantile, quantile_interval};
pub use runs::{Shift, runs_needed};
pub use shuffle::alternate;
