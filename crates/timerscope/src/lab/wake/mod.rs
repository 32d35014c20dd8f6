//! From setting an event to its waiter running: SleepTest's `-test-wait`, and
//! the test its readers proposed.

mod ask;
mod figures;
mod setter;
#[cfg(test)]
mod tests;

pub use ask::Wake;
pub use figures::{Row, WakeFigures, figures};
pub use setter::Setter;
