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
//!   which multiple a span gets.
//!
//! The room leans on [`crate::machine`] for its units only. Nothing here
//! draws random numbers: the same values give the same answer.

mod binomial;
mod counted;
#[cfg(test)]
mod draws;
mod grid;
#[cfg(test)]
mod grid_tests;
mod histogram;
mod lattice;
mod law;
mod modes;
mod moments;
mod quantile;

pub use counted::Counted;
pub use grid::Grid;
pub use histogram::{Bin, Histogram, Scale};
pub use law::Law;
pub use modes::{Mode, modes};
pub use moments::Moments;
pub use quantile::{Quantiles, quantile, quantile_interval};
