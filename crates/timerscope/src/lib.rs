//! The pure part of timerscope: what a timer experiment is, and what its
//! numbers mean.
//!
//! Nothing here reads a clock, makes a system call or sleeps. A
//! [`Machine`](machine::Machine) does that: the computer we run on (crate
//! `timerscope-native`) or a simulated one. Between an experiment and its
//! figures stands data only:
//!
//! ```text
//! experiment --workload--> machine --samples--> experiment --figures--> report
//! ```
//!
//! Start with [`machine`], then one file of [`lab`].
#![forbid(unsafe_code)]

pub mod articles;
pub mod explain;
pub mod lab;
pub mod machine;
pub mod report;
pub mod sim;
pub mod stats;
pub mod trace;
