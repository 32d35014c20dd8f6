//! Where a measured thread runs, how urgent it is, and for how long.

use clap::Args;
use timerscope::machine::{AskError, Priority, Span};

/// Where a measured thread runs, and how urgent it is.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceArgs {
    /// The CPU to run on
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<u32>,
    /// normal, above, below, realtime, fifo:N, rr:N, nice:N, batch, idle
    #[arg(long, value_name = "PRIORITY", default_value = "normal")]
    pub(crate) priority: Priority,
}

/// Refuses a time that is too short to tell anything, or too long to wait for.
pub(super) fn check_time(
    what: &str,
    time: Span,
    shortest: Span,
    longest: Span,
) -> Result<(), AskError> {
    if (shortest..=longest).contains(&time) {
        return Ok(());
    }
    let what = format!("cannot {what} for {time}");
    let why = format!("it takes from {shortest} to {longest}");
    Err(AskError::wrong(what, why).or_try("--for 5s"))
}
