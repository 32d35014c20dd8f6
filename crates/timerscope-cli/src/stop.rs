//! Ctrl-C: the first asks the run to stop, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the person wants the run to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens for signals from now on.
    pub(crate) fn on_signals() -> Self {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and raises
            // it, the second finds it up. Where the system refuses, Ctrl-C
            // does what it always does.
            let end = 128 + signal;
            let _ = flag::register_conditional_shutdown(
                signal,
                end,
                Arc::clone(&stop.0),
            );
            let _ = flag::register(signal, Arc::clone(&stop.0));
        }
        stop
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
