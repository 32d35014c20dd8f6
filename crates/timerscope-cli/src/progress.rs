//! How far a run is, on stderr, where a person may be watching.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use timerscope::machine::Span;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a run is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    whole: Whole,
    heard: u64,
}

/// What the whole is that a run goes through.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whole {
    /// So many samples.
    Samples(u64),
    /// About so much time.
    Time(Span),
    /// Nobody knows.
    Unknown,
}

impl Progress {
    pub(crate) fn new(whole: Whole) -> Self {
        Self { bar: None, begun: Instant::now(), whole, heard: 0 }
    }

    /// Shows what is new, at most as often as a run tells batches.
    pub(crate) fn hear(&mut self, samples: usize) {
        self.heard = self.heard.saturating_add(samples as u64);
        let passed = self.begun.elapsed();
        if passed < PATIENCE || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| begin(self.whole));
        match self.whole {
            Whole::Samples(_) => bar.set_position(self.heard),
            Whole::Time(_) => bar.set_position(passed.as_millis() as u64),
            Whole::Unknown => {
                bar.set_message(format!("{} samples", self.heard));
                bar.tick();
            }
        }
    }
}

fn begin(whole: Whole) -> ProgressBar {
    let length = match whole {
        Whole::Samples(count) => Some(count),
        Whole::Time(span) => Some(span.ns() / 1_000_000),
        Whole::Unknown => None,
    };
    let Some(length) = length else { return ProgressBar::new_spinner() };
    let bar = ProgressBar::new(length.max(1));
    let form = "measuring {wide_bar} {percent:>3} %  {elapsed}";
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
