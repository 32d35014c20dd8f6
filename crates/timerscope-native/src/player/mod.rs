//! A player process: plays one process of a workload, each task a thread.
//!
//! The main thread is the timekeeper: it watches the time for loops that may
//! not read a clock, and ends calls that outlast their time.

mod agenda;
mod events;
mod main;
mod perform;
mod program;
mod rings;
mod role;
mod runs;
mod timekeeper;

pub use main::serve_player;
pub(crate) use main::{PLAYER_ARGUMENT, PLAYER_VARIABLE};
