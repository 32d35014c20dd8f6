//! Signals: while something is played the first asks it to stop and the second
//! ends at once; before and after, each does what it always does.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;
use signal_hook::flag;

/// Whether the person wants the run to stop.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    wanted: Arc<AtomicBool>,
    /// Whether nothing is played that could be stopped.
    idle: Arc<AtomicBool>,
}

/// While this lives, a signal asks the run to stop.
pub(crate) struct Playing<'a>(&'a Stop);

impl Stop {
    /// Listens for signals from now on, except for those that whoever started
    /// us has switched off, as nohup(1) does.
    pub(crate) fn on_signals() -> Self {
        let wanted = Arc::new(AtomicBool::new(false));
        let idle = Arc::new(AtomicBool::new(true));
        let ignored = ignored();
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let signal = signal.as_raw();
            if ignored & (1 << (signal - 1)) != 0 {
                continue;
            }
            // In this order: the first signal finds the flag down and raises
            // it, the second finds it up. Where the system refuses, Ctrl-C
            // does what it always does.
            let _ =
                flag::register_conditional_default(signal, Arc::clone(&idle));
            let end = 128 + signal;
            let _ = flag::register_conditional_shutdown(
                signal,
                end,
                Arc::clone(&wanted),
            );
            let _ = flag::register(signal, Arc::clone(&wanted));
        }
        Self { wanted, idle }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Says that something is played until the answer is dropped.
    pub(crate) fn playing(&self) -> Playing<'_> {
        self.idle.store(false, Ordering::Relaxed);
        Playing(self)
    }
}

impl Drop for Playing<'_> {
    fn drop(&mut self) {
        self.0.idle.store(true, Ordering::Relaxed);
    }
}

/// Lets a file that grows beyond its limit be an error of the write, instead
/// of a signal that ends the program without a word.
pub(crate) fn survive_long_files() {
    let heard = Arc::new(AtomicBool::new(false));
    let _ = flag::register(Signal::XFSZ.as_raw(), heard);
}

/// The signals that this process ignores, a bit for each from 1 on, as
/// proc_pid_status(5) tells them; none where that cannot be read.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
