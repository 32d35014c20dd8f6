//! How values are written for people: never without their unit.

mod amount;
mod time;

pub use amount::{bytes, count, hertz, percent, ppm, rate, significant};
pub use time::{TimeUnit, duration, fine_duration};

/// Between groups of three digits: a narrow space at which no line breaks.
pub const GROUP: char = '\u{202f}';
