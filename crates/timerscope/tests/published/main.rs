//! The simulated machines against the tables that people have published.
//!
//! Each block is a table: what a source says, by which criterion a machine
//! is held to it, and how to run it. A row that the rules do not explain is
//! said to be one, and its test fails when it begins to fit by accident.

mod clocks;
mod cost;
mod linux;
mod machines;
mod openbsd;
mod openbsd_table;
mod play;
mod requests;
mod row;
mod sleeptest;
mod sweeps;
mod switching;
