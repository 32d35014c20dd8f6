//! Every way to let time pass, one file per mechanism.
//!
//! Each is prepared once per action (descriptors, timers, signal masks), so
//! that what is measured is the call alone.

mod call;
mod condition;
mod descriptors;
mod polls;
mod signals;
mod sleeps;
mod uring;

pub(crate) use call::{Call, prepare};
pub(crate) use signals::{Woken, block_timer_signals};
