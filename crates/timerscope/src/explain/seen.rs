//! What one probe showed.

use super::Probe;
use crate::lab;
use crate::lab::play::missing;
use crate::machine::{
    Action, AskError, Cut, Ended, Facts, Known, Listener, Machine, Missing,
    Sample, Saved,
};

/// What one probe showed: how long its waits took, in CPU time where that is
/// what they count, and the interval in force as the system told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How long each wait took, in ns, in rising order.
    pub took: Vec<i64>,
    /// The interval in force before the first wait and after the last, in ns,
    /// where the system tells it.
    pub interval_ns: Option<(u64, u64)>,
}

/// Fewer waits than this say nothing.
const FEWEST: usize = 10;

impl Seen {
    /// What a run of `probe` showed.
    pub(super) fn of(probe: &Probe, saved: &Saved) -> Known<Self> {
        let cast = saved.workload.cast();
        let steps = cast.first().map(|role| role.task.steps());
        let steps = steps.unwrap_or_default();
        let place = |is: &dyn Fn(&Action) -> bool, from: usize| {
            let rest = steps.iter().enumerate().skip(from);
            rest.into_iter().find(|(_, own)| is(own.action)).map(|own| own.0)
        };
        let waits = |action: &Action| matches!(action, Action::Wait { keep, .. } if keep.samples());
        let asks =
            |action: &Action| matches!(action, Action::AskInterval { .. });
        let samples = |step: usize| {
            let track = saved.recording.track(0, step as u16);
            let samples = track.map_or(&[][..], |track| &track.samples[..]);
            samples.iter().filter(|sample| sample.counts())
        };
        let waited = place(&waits, 0);
        // Beside others a timer of CPU time takes longer by the clock, but not
        // in what it counts.
        let counts = probe.how.counts_cpu_time()
            && waited.into_iter().flat_map(samples).all(|own| own.value > 0);
        let of =
            if counts { |own: &Sample| own.value } else { Sample::took_ns };
        let mut took: Vec<i64> =
            waited.into_iter().flat_map(samples).map(of).collect();
        took.sort_unstable();
        let answer = |from| {
            let step = place(&asks, from)?;
            samples(step).next_back().map(|sample| sample.value.max(0) as u64)
        };
        let interval_ns = answer(0).zip(answer(waited.unwrap_or(0)));
        if took.len() < FEWEST.min(probe.count as usize) {
            let why = "too few waits ended before the test was over";
            return Missing::unknown(why).into();
        }
        Known::Value(Self { took, interval_ns })
    }

    /// The interval in force throughout; `None` where nobody tells it, or it
    /// changed meanwhile.
    #[must_use]
    pub fn interval(&self) -> Option<u64> {
        let (before, after) = self.interval_ns?;
        alike(before, after).then_some(before)
    }

    /// Whether somebody else changed the interval meanwhile.
    pub(super) fn moved(&self) -> bool {
        self.interval_ns.is_some_and(|(before, after)| !alike(before, after))
    }

    /// The value that a share `q` of all waits did not exceed.
    #[must_use]
    pub fn quantile(&self, q: f64) -> i64 {
        crate::stats::quantile(&self.took, q).unwrap_or_default()
    }
}

/// Whether two intervals are one: hardware rounds by some percent.
pub(super) fn alike(one: u64, other: u64) -> bool {
    one.abs_diff(other) * 20 <= one.max(other)
}

/// One machine that is asked, until somebody stops it.
pub(super) struct Asked<'a> {
    pub(super) machine: &'a mut dyn Machine,
    pub(super) facts: &'a Facts,
    pub(super) also: &'a mut dyn Listener,
    /// Whether the listener said stop.
    pub(super) stopped: bool,
}

impl Asked<'_> {
    /// Plays a probe; what the machine does not have or refuses is missing.
    pub(super) fn play(
        &mut self,
        probe: &Probe,
    ) -> Result<Known<Seen>, AskError> {
        let saved = self.run(probe.workload())?;
        Ok(saved.and_then(|saved| Seen::of(probe, &saved)))
    }

    /// Plays a workload likewise.
    pub(super) fn run(
        &mut self,
        workload: crate::machine::Workload,
    ) -> Result<Known<Saved>, AskError> {
        if self.stopped {
            let why = "it was stopped before it came to this";
            return Ok(Missing::unknown(why).or_try("let it finish").into());
        }
        match lab::play(self.machine, self.facts, workload, self.also) {
            Ok(saved) => {
                let by = |by: &Cut| matches!(by, Cut::Listener);
                if let Ended::Cut { by: cut, .. } = &saved.ending.ended {
                    self.stopped |= by(cut);
                }
                Ok(Known::Value(saved))
            }
            Err(error) => missing(&error).map(Known::Missing).ok_or(error),
        }
    }
}
