//! The command line is held to its contract, as a person types it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod articles;
mod costs;
mod differences;
mod endings;
mod errors;
mod explains;
mod saves;
mod simulated;
mod timelines;
mod turns;
mod typed;
mod workloads;
