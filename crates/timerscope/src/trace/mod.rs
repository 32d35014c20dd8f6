//! What a witness of a machine sees: events, whoever saw them, and timelines
//! drawn from them.

mod event;
pub mod timeline;

pub use event::{Event, Left, What};
pub use timeline::{Drawing, Timeline};
