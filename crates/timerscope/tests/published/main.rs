//! The simulated machines against the tables that people have published.
//!
//! A row that the rules do not explain says so, and fails here when it begins
//! to fit by accident.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod as_said;
mod experiments;
mod moved;
mod page;
mod played;
