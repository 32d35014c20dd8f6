//! Which deadline is next, among one or a million.
//!
//! A [`Queue`] gives back its entries by time, and those of one time in the
//! order in which they came. Where an entry waits:
//!
//! ```text
//! push --> wheel   by the digits of its time; append only, never sorted whole
//!            |     refill: the few that are next
//!          run     those few, sorted; an index moves through them
//! push --> front   a heap: what comes before the end of the run, and
//!                  everything while there is little of it
//! ```
//!
//! An entry goes down the wheel at most once for each digit, so what a push
//! and its pop cost does not grow with their number, however times are spread.

mod entry;
mod front;
mod lists;
mod pending;
mod wheel;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod patterns;
#[cfg(test)]
#[expect(clippy::float_arithmetic, reason = "it measures, and prints")]
mod speed;

pub(crate) use entry::Entry;
pub(crate) use pending::Queue;
