//! What happened when, on tracks that a viewer can show.
//!
//! A [`Timeline`] is drawn from what a witness saw ([`Drawing`]) or from what
//! the tasks saw themselves ([`Timeline::of_recording`]).

mod cpu_line;
mod detail;
mod drawing;
mod lane;
mod model;
mod names;
mod process_line;
mod recording;
mod task_line;
#[cfg(test)]
pub(crate) mod tests;

pub use detail::{Detail, Value};
pub use drawing::Drawing;
pub use model::{Count, Instant, Kind, Slice, Timeline, Track};
pub use names::Name;
