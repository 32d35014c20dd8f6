//! What a Linux machine says about its timer without being measured.
//!
//! Everything that stands in a file is read below a [`Root`]; `/` is this
//! machine, and any other folder is a recorded one, so that the /proc and
//! /sys of somebody else's machine can be looked at, and tested with, like
//! our own. What only a system call can tell (the thread's slack, the
//! resolution of a clock) is unknown below a recorded root.
//!
//! ```
//! use timerscope_native::linux::facts::{Root, facts};
//!
//! let facts = facts(&Root::real());
//! assert!(facts.system.starts_with("Linux"));
//! ```
//!
//! Start with `survey.rs`, which says which file answers what.

mod battery;
mod clock_source;
mod clocks;
mod config;
mod counters;
mod cpu;
mod cpus;
mod energy;
mod footprint;
mod frequency;
mod guest;
mod hardware;
mod idle;
mod interrupts;
mod latency;
mod reason;
mod release;
mod root;
mod scheduler;
mod signature;
mod stat;
mod steering;
mod supply;
mod survey;
mod thread;
mod tick;
mod timer_list;
mod via;
mod waits;

pub use counters::counters;
pub use footprint::{Footprint, footprint};
pub use root::Root;
pub use survey::facts;
