//! Runs as a file: who ran what, and what was seen. A run is one line, and
//! what a command played one after another is as many lines.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::recording::Track;
use super::{Ending, Facts, Outcome, Recording, Sample, Workload};

/// The version of the file format.
const SCHEMA: &str = "timerscope-recording/1";

/// The longest file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 30;

/// A run with everything needed to read it elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The machine it ran on.
    pub facts: Facts,
    /// What was played.
    pub workload: Workload,
    /// What was seen.
    pub recording: Recording,
    /// How it ended.
    pub ending: Ending,
}

/// Why a file is not a recording, or could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It is longer than one gibibyte.
    #[error("longer than {LONGEST_FILE} bytes")]
    TooLong,
    /// It is not written as a recording is.
    #[error("not a recording")]
    Syntax(#[source] serde_json::Error),
    /// It is a recording of another version.
    #[error("recordings of version `{0}` are not known; `{SCHEMA}` is")]
    Schema(String),
    /// Its parts contradict each other.
    #[error("a damaged recording: {0}")]
    Damaged(String),
    /// It is not one recording but so many.
    #[error("{0} recordings, where one is expected")]
    Several(usize),
    /// Reading or writing failed.
    #[error("cannot read or write it")]
    Io(#[from] std::io::Error),
}

impl From<serde_json::Error> for RecordingError {
    /// Tells a disk that is full from a text that is wrong.
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() { Self::Io(error.into()) } else { Self::Syntax(error) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    schema: String,
    facts: Facts,
    workload: Workload,
    ending: Ending,
    tracks: Vec<TrackForm>,
}

/// One track: whole samples as rows of six numbers, histograms as pairs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrackForm {
    role: u32,
    step: u16,
    outcomes: [u64; 5],
    /// number, outcome (place in [`Outcome::ALL`]), began, due, ended, value
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    samples: Vec<(u64, u8, i64, i64, i64, i64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    over: Vec<(u64, u8, i64, i64, i64, i64)>,
    #[serde(default)]
    over_count: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    took: Vec<(i64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lateness: Vec<(i64, u64)>,
    #[serde(default)]
    overflowed: bool,
}

impl Saved {
    /// Writes it, as one line of JSON; others may follow it in a file.
    ///
    /// # Errors
    ///
    /// When `to` cannot be written.
    pub fn write(&self, mut to: impl Write) -> Result<(), RecordingError> {
        let tracks = self.recording.tracks();
        let form = Form {
            schema: SCHEMA.to_owned(),
            facts: self.facts.clone(),
            workload: self.workload.clone(),
            ending: self.ending.clone(),
            tracks: tracks
                .map(|(role, step, track)| track_form(role, step, track))
                .collect(),
        };
        serde_json::to_writer(&mut to, &form)?;
        to.write_all(b"\n")?;
        to.flush()?;
        Ok(())
    }

    /// Reads what [`Saved::write`] wrote once.
    ///
    /// # Errors
    ///
    /// When `from` cannot be read, or is not one sound recording.
    pub fn read(from: impl Read) -> Result<Self, RecordingError> {
        let mut runs = Self::read_all(from)?;
        match (runs.pop(), runs.len()) {
            (Some(only), 0) => Ok(only),
            (_, more) => Err(RecordingError::Several(more + 1)),
        }
    }

    /// Reads what [`Saved::write`] wrote, once or several times: one run at
    /// least, in the order of the file.
    ///
    /// # Errors
    ///
    /// When `from` cannot be read, or one of its recordings is not sound.
    pub fn read_all(from: impl Read) -> Result<Vec<Self>, RecordingError> {
        let mut text = Vec::new();
        from.take(LONGEST_FILE + 1).read_to_end(&mut text)?;
        if text.len() as u64 > LONGEST_FILE {
            return Err(RecordingError::TooLong);
        }
        let forms = serde_json::Deserializer::from_slice(&text).into_iter();
        let runs: Result<Vec<Self>, RecordingError> =
            forms.map(|form| Self::of_form(form?)).collect();
        let runs = runs?;
        if runs.is_empty() {
            return Err(RecordingError::Damaged("it is empty".to_owned()));
        }
        Ok(runs)
    }

    fn of_form(form: Form) -> Result<Self, RecordingError> {
        if form.schema != SCHEMA {
            let schema = form.schema.chars().take(60).collect();
            return Err(RecordingError::Schema(schema));
        }
        let damaged = |why: String| RecordingError::Damaged(why);
        if let Some(fault) = form.workload.faults().first() {
            return Err(damaged(fault.to_string()));
        }
        let mut recording = Recording::new(&form.workload);
        for track in form.tracks {
            let key = (track.role, track.step);
            let slot = recording.tracks.get_mut(&key).ok_or_else(|| {
                damaged(format!("its workload has no track {key:?}"))
            })?;
            fill(slot, track).map_err(damaged)?;
        }
        let Form { facts, workload, ending, .. } = form;
        Ok(Self { facts, workload, recording, ending })
    }
}

fn track_form(role: u32, step: u16, track: &Track) -> TrackForm {
    TrackForm {
        role,
        step,
        outcomes: track.outcomes,
        samples: track.samples.iter().map(row).collect(),
        over: track.over.iter().map(row).collect(),
        over_count: track.over_count,
        took: track.took.pairs(),
        lateness: track.lateness.pairs(),
        overflowed: track.overflowed,
    }
}

fn row(sample: &Sample) -> (u64, u8, i64, i64, i64, i64) {
    let Sample { number, outcome, began, due, ended, value, .. } = *sample;
    (number, outcome as u8, began, due, ended, value)
}

fn fill(track: &mut Track, form: TrackForm) -> Result<(), String> {
    let sample = |row: (u64, u8, i64, i64, i64, i64)| {
        let (number, outcome, began, due, ended, value) = row;
        let outcome = Outcome::ALL
            .get(usize::from(outcome))
            .ok_or_else(|| format!("there is no outcome {outcome}"))?;
        let (role, step) = (form.role, form.step);
        let outcome = *outcome;
        Ok(Sample { role, step, outcome, number, began, due, ended, value })
    };
    track.samples =
        form.samples.into_iter().map(sample).collect::<Result<_, String>>()?;
    track.over =
        form.over.into_iter().map(sample).collect::<Result<_, String>>()?;
    track.over_count = form.over_count;
    track.overflowed = form.overflowed;
    track.outcomes = form.outcomes;
    let mut counted: u64 = 0;
    for (value, times) in form.took {
        track.took.record(value, times);
        counted = counted.saturating_add(times);
    }
    let mut late: u64 = 0;
    for (value, times) in form.lateness {
        track.lateness.record(value, times);
        late = late.saturating_add(times);
    }
    let sum = |numbers: &[u64]| {
        numbers.iter().try_fold(0_u64, |sum, number| sum.checked_add(*number))
    };
    let heard = sum(&track.outcomes).ok_or("its counts overflow")?;
    let met = track.outcomes[0].saturating_add(track.outcomes[1]);
    let whole = track.samples.len() as u64;
    let sound = if track.is_whole() {
        whole == heard
    } else {
        counted == met && late == met
    };
    if sound { Ok(()) } else { Err("its counts do not add up".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A recording is written by one version and read by another, by other
    // people, after mail and disks: nothing in it may make the reader panic.
    #[test]
    fn damaged_recordings_are_refused_and_do_not_panic() {
        for text in [
            "",
            "{}",
            "[]",
            "null",
            "{\"schema\":\"timerscope-recording/1\"}",
            "{\"schema\": 1}",
        ] {
            assert!(Saved::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
