//! timerscope's real machines: everything that asks an operating system.
//!
//! [`Native`] is the computer we run on. It plays a workload in *player
//! processes*, never in the caller's own: see [`serve_player`].
//!
//! All `unsafe` of the project is here, in the folders named after systems.

#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(target_os = "linux")]
mod native;
#[cfg(target_os = "linux")]
mod player;
#[cfg(target_os = "linux")]
mod stage;
#[cfg(target_os = "linux")]
mod wire;

#[cfg(target_os = "linux")]
pub use linux::facts::{Footprint, footprint};
#[cfg(target_os = "linux")]
pub use native::Native;
#[cfg(target_os = "linux")]
pub use player::serve_player;

/// The system half: each system supplies these modules under these names.
///
/// * `clock`: `now`, the steady clock; `read`, any clock
/// * `event`: waiting on, and waking, a word of shared memory
/// * `memory`: words shared between processes
/// * `process`: ends of processes
/// * `thread`: CPU, priority, slack of the calling thread; kicks
/// * `waits`: one way to let time pass for each name
#[cfg(target_os = "linux")]
use linux as sys;
