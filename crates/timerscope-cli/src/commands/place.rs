//! Where a measured thread runs, how urgent it is, beside what, and for how
//! long.

use clap::Args;
use timerscope::lab::Load;
use timerscope::machine::{AskError, Priority, Span, UnknownName};

/// Where a measured thread runs, and how urgent it is.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceArgs {
    /// The CPU to run on
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<u32>,
    /// normal, above, below, realtime, fifo:N, rr:N, nice:N, batch, idle
    #[arg(
        long,
        value_name = "PRIORITY",
        default_value = "normal",
        value_parser = priority
    )]
    pub(crate) priority: Priority,
}

/// What computes beside a measured thread.
#[derive(Args, Clone, Debug)]
pub(crate) struct LoadArgs {
    /// A load on its CPU, by how its priority stands: none, below, same,
    /// above
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub(crate) load: Load,
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

/// Reads a priority; what is said of a wrong one names only what is here.
pub(super) fn priority(text: &str) -> Result<Priority, String> {
    text.parse().map_err(|mut error: UnknownName| {
        error.known.retain(|form| cfg!(windows) || !form.starts_with("level"));
        error.to_string()
    })
}
