//! Linux: one file per mechanism.

pub(crate) mod clock;
pub(crate) mod event;
pub mod facts;
pub(crate) mod memory;
pub(crate) mod process;
pub(crate) mod signal_wait;
pub(crate) mod thread;
pub(crate) mod waits;
