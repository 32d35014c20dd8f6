//! What the coordinator and its players share: one file of memory.
//!
//! The workload goes to a player by pipe; everything else passes through
//! words of shared memory, so that it survives a player's death. Both sides
//! work the same [`Layout`] out from the workload.

mod layout;
mod ring;
mod shared;

pub(crate) use layout::Layout;
pub(crate) use ring::Writer;
pub(crate) use shared::{Command, Mark, RoleState, RoleWords, Shared};

use serde::{Deserialize, Serialize};

/// The first line a player is told by pipe; the workload follows, the same
/// bytes for every player.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Assignment {
    /// Which running process of the workload this player is.
    pub(crate) player: u32,
    /// The process number of the coordinator.
    pub(crate) coordinator: u32,
}
