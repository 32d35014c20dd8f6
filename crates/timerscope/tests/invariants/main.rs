//! The invariants of simulated machines, over random workloads.
//!
//! Each test's first doc line states one invariant with its number. A run
//! tries 2,000 cases of each, or as many as `PROPTEST_CASES` says. A case
//! that failed once is kept in `proptest-regressions` and tried first.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod actions;
mod clocks;
mod costs;
mod disturbed;
mod energy;
mod itimers;
mod levels;
mod linux;
mod machines;
mod passes;
mod played;
mod requests;
mod same;
mod sharing;
mod shifted;
mod silent;
mod standing;
mod turns;
mod waits;
mod windows;
mod workloads;
