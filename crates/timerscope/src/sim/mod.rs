//! Imagined machines: virtual time, and rules written down.

// Until the loop that owns time draws from it, only tests do.
#[cfg_attr(
    not(test),
    expect(dead_code, unused_imports, reason = "the loop comes next")
)]
mod queue;
