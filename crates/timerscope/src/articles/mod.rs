//! What people have published about timers, row by row, and what a simulated
//! machine makes of the same question.
//!
//! Each table is data (`data/*.toml`): what a source says, by which criterion
//! a machine is held to it, and what plays it: a workload of the folder
//! `workloads/articles`, a machine, a seed. One engine plays them all:
//!
//! ```text
//! rows() -> Row -> Play --played--> figures -> Answer: does it fit?
//! ```
//!
//! A row that the rules do not explain says so, and why; it is shown like any
//! other.

mod answer;
mod criterion;
mod data;
mod figure;
mod play;
mod reckon;
mod row;

#[cfg(test)]
mod tests;

pub use answer::{Answer, answers};
pub use criterion::Criterion;
pub use data::{ARTICLES, WORKLOADS, rows};
pub use figure::{By, Figure, Kind};
pub use play::{Play, Played, plays};
pub use row::{Published, Row};
