//! What the tasks of a run saw, kept.

use std::collections::BTreeMap;

use super::tally::Tally;
use super::{Batch, Keep, Listener, Note, Outcome, Sample, Verdict, Workload};

/// The listener that keeps.
///
/// Each action keeps as much as its [`Keep`] says. Samples are kept whole up
/// to a limit; from there on a histogram takes all of them, those already
/// there included, so that no count is lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub(super) tracks: BTreeMap<(u32, u16), Track>,
    started: BTreeMap<u32, (u32, u32)>,
    raw_limit: usize,
}

/// What one action of one running task saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What was to be kept.
    pub keep: Keep,
    /// Samples by outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 5],
    /// Whole samples, oldest first; the first ones only where there were more
    /// than the limit.
    pub samples: Vec<Sample>,
    /// Whole samples that took longer than the threshold, oldest first; the
    /// first ones only where there were more than the limit.
    pub over: Vec<Sample>,
    /// How many samples took longer than the threshold.
    pub over_count: u64,
    /// How long the counted ones took, once they are too many to keep whole.
    pub(super) took: Tally,
    /// How late the counted ones were, likewise.
    pub(super) lateness: Tally,
    pub(super) overflowed: bool,
}

impl Recording {
    /// Whole samples kept of each action, unless told otherwise: 48 MB.
    pub const RAW_LIMIT: usize = 1_000_000;

    /// An empty recording of `workload`.
    #[must_use]
    pub fn new(workload: &Workload) -> Self {
        Self::with_raw_limit(workload, Self::RAW_LIMIT)
    }

    /// The same, keeping at most `raw_limit` whole samples of each action.
    #[must_use]
    pub fn with_raw_limit(workload: &Workload, raw_limit: usize) -> Self {
        let mut tracks = BTreeMap::new();
        for (role, cast) in (0..).zip(workload.cast()) {
            for (number, step) in (0..).zip(cast.task.steps()) {
                let keep = step.action.keep();
                if keep.samples() {
                    tracks.insert((role, number), Track::new(keep));
                }
            }
        }
        Self { tracks, started: BTreeMap::new(), raw_limit }
    }

    /// What action `step` of role `role` saw; `None` if it keeps nothing.
    #[must_use]
    pub fn track(&self, role: u32, step: u16) -> Option<&Track> {
        self.tracks.get(&(role, step))
    }

    /// Every track with its role and step.
    pub fn tracks(&self) -> impl Iterator<Item = (u32, u16, &Track)> {
        self.tracks.iter().map(|((role, step), track)| (*role, *step, track))
    }

    /// The process and thread of a role, once it has started.
    #[must_use]
    pub fn ids(&self, role: u32) -> Option<(u32, u32)> {
        self.started.get(&role).copied()
    }

    /// How many samples were heard, of all tracks together.
    #[must_use]
    pub fn heard(&self) -> u64 {
        self.tracks.values().map(Track::count).sum()
    }
}

impl Listener for Recording {
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
        for note in batch.notes {
            if let Note::Started { role, pid, tid } = note {
                self.started.insert(*role, (*pid, *tid));
            }
        }
        for sample in batch.samples {
            let key = (sample.role, sample.step);
            if let Some(track) = self.tracks.get_mut(&key) {
                track.add(sample, self.raw_limit);
            }
        }
        Verdict::Continue
    }
}

impl Track {
    pub(super) fn new(keep: Keep) -> Self {
        Self {
            keep,
            outcomes: [0; 5],
            samples: Vec::new(),
            over: Vec::new(),
            over_count: 0,
            took: Tally::default(),
            lateness: Tally::default(),
            overflowed: false,
        }
    }

    /// How many samples were heard.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// How many samples ended like this.
    #[must_use]
    pub fn ended(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    /// Whether every counted sample is there whole.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.keep == Keep::Everything && !self.overflowed
    }

    /// How long the samples that count took, as (nanoseconds, how many):
    /// exact where [`Track::is_whole`], else to three digits.
    #[must_use]
    pub fn took(&self) -> Vec<(i64, u64)> {
        self.pairs(&self.took, Sample::took_ns)
    }

    /// How late the samples that count were, likewise.
    #[must_use]
    pub fn lateness(&self) -> Vec<(i64, u64)> {
        self.pairs(&self.lateness, Sample::lateness_ns)
    }

    fn pairs(
        &self,
        tally: &Tally,
        of: impl Fn(&Sample) -> i64,
    ) -> Vec<(i64, u64)> {
        if !self.is_whole() {
            return tally.pairs();
        }
        let counted = self.samples.iter().filter(|sample| sample.counts());
        let mut values: Vec<i64> = counted.map(of).collect();
        values.sort_unstable();
        let equal = values.chunk_by(|a, b| a == b);
        equal.map(|run| (run[0], run.len() as u64)).collect()
    }

    fn add(&mut self, sample: &Sample, raw_limit: usize) {
        self.outcomes[sample.outcome as usize] += 1;
        if let Keep::Over(threshold) = self.keep
            && sample.counts()
            && sample.took_ns().unsigned_abs() > threshold.ns()
        {
            self.over_count += 1;
            if self.over.len() < raw_limit {
                self.over.push(*sample);
            }
        }
        if self.keep == Keep::Everything {
            if self.samples.len() < raw_limit {
                return self.samples.push(*sample);
            }
            self.overflow();
        }
        self.tally(sample);
    }

    /// Moves on from whole samples to histograms.
    fn overflow(&mut self) {
        if !self.overflowed {
            self.overflowed = true;
            for sample in std::mem::take(&mut self.samples) {
                self.tally(&sample);
                self.samples.push(sample);
            }
        }
    }

    fn tally(&mut self, sample: &Sample) {
        if sample.counts() {
            self.took.record(sample.took_ns(), 1);
            self.lateness.record(sample.lateness_ns(), 1);
        }
    }
}

impl Outcome {
    /// Every outcome, in order.
    pub const ALL: [Self; 5] = [
        Self::Met,
        Self::TimedOut,
        Self::Interrupted,
        Self::Absent,
        Self::Refused,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Action, Process, Span, Task, WaitKind};

    fn workload(keep: Keep) -> Workload {
        let wait = Action::Wait {
            how: WaitKind::Nanosleep,
            span: Span::from_ms(1),
            meanwhile: crate::machine::Meanwhile::Block,
            keep,
        };
        let task = Task::new("sleeper", vec![Action::repeat(9, vec![wait])]);
        Workload::new(vec![Process::new("app", vec![task])])
    }

    fn sample(number: u64, took: i64, outcome: Outcome) -> Sample {
        let began = number as i64 * 2_000_000;
        Sample {
            role: 0,
            step: 1,
            outcome,
            number,
            began,
            due: began + 1_000_000,
            ended: began + took,
            value: 0,
        }
    }

    fn hear(recording: &mut Recording, samples: &[Sample]) {
        recording.hear(&Batch { at: 0, samples, notes: &[] });
    }

    #[test]
    fn no_count_is_lost_past_the_raw_limit() {
        let workload = workload(Keep::Everything);
        let mut recording = Recording::with_raw_limit(&workload, 3);
        let took = |n: i64| 1_000_000 + n * 100;
        let all: Vec<_> =
            (0..10).map(|n| sample(n, took(n as i64), Outcome::Met)).collect();
        hear(&mut recording, &all);
        let track = recording.track(0, 1).unwrap();
        assert_eq!(track.samples.len(), 3);
        assert!(!track.is_whole());
        let counted: u64 = track.took().iter().map(|pair| pair.1).sum();
        assert_eq!((track.count(), counted), (10, 10));
    }

    // An interrupted wait once stood in the distribution as a short one.
    #[test]
    fn interrupted_waits_are_counted_but_not_measured() {
        let workload = workload(Keep::Histogram);
        let mut recording = Recording::new(&workload);
        let samples = [
            sample(0, 1_050_000, Outcome::Met),
            sample(1, 3_000, Outcome::Interrupted),
        ];
        hear(&mut recording, &samples);
        let track = recording.track(0, 1).unwrap();
        assert_eq!(track.ended(Outcome::Interrupted), 1);
        assert_eq!(track.took().iter().map(|pair| pair.1).sum::<u64>(), 1);
    }

    #[test]
    fn early_wakes_stay_early_in_a_histogram() {
        let workload = workload(Keep::Histogram);
        let mut recording = Recording::new(&workload);
        hear(&mut recording, &[sample(0, 900_000, Outcome::Met)]);
        let lateness = recording.track(0, 1).unwrap().lateness();
        assert_eq!(lateness, [(-100_000, 1)]);
    }

    #[test]
    fn over_keeps_those_over_the_threshold_whole() {
        let workload = workload(Keep::Over(Span::from_us(1_500)));
        let mut recording = Recording::new(&workload);
        let samples = [
            sample(0, 1_050_000, Outcome::Met),
            sample(1, 1_600_000, Outcome::Met),
        ];
        hear(&mut recording, &samples);
        let track = recording.track(0, 1).unwrap();
        assert_eq!((track.over.len(), track.over[0].number), (1, 1));
        assert_eq!(track.took().iter().map(|pair| pair.1).sum::<u64>(), 2);
    }
}
