//! What a witness of a machine sees: events, whoever saw them.

mod event;

pub use event::{Event, Left, What};
