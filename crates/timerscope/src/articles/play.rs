//! What is played, once for all rows that want it.

use std::collections::{BTreeMap, BTreeSet};

use super::data::workload;
use super::{Figure, Row};
use crate::machine::{AskError, Ending, Recording, Workload};
use crate::sim::{Sim, catalogue};
use crate::trace::What;

/// A workload on a machine with a seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Play {
    /// The machine, as typed after `--on`.
    pub on: String,
    /// The workload, by its name in `workloads/articles`.
    pub workload: String,
    /// The seed.
    pub seed: u64,
}

/// What a play gave: its digest, and the figures that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The digest of the run.
    pub digest: String,
    /// The figure of each row that wanted one, by the row's place; else what
    /// is lacking.
    pub figures: BTreeMap<usize, Result<f64, String>>,
}

/// A run with all that figures are made of.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) workload: Workload,
    pub(super) recording: Recording,
    pub(super) ending: Ending,
    /// When an interval came into force, and which, in nanoseconds.
    pub(super) intervals: Vec<(i64, i64)>,
}

impl Run {
    /// How long it lasted.
    pub(super) fn seconds(&self) -> f64 {
        self.ending.lasted_ns as f64 / 1e9
    }
}

/// Every play that rows want, each once.
#[must_use]
pub fn plays(rows: &[Row]) -> BTreeSet<Play> {
    rows.iter().flat_map(|row| row.plays().chain(row.plays_less())).collect()
}

impl Play {
    /// Plays it, and makes the figures of those rows that want it.
    ///
    /// # Errors
    ///
    /// When there is no such machine or workload, or the one cannot play the
    /// other.
    pub fn play(&self, rows: &[Row]) -> Result<Played, AskError> {
        let run = self.run()?;
        let wants = |row: &Row| {
            row.plays().chain(row.plays_less()).any(|play| play == *self)
        };
        let figure = |row: &Row| Figure::of(&row.figure, &run, &row.unit);
        let figures = rows.iter().enumerate().filter(|(_, row)| wants(row));
        Ok(Played {
            figures: figures.map(|(at, row)| (at, figure(row))).collect(),
            digest: run.ending.digest.clone().unwrap_or_default(),
        })
    }

    fn run(&self) -> Result<Run, AskError> {
        let workload = workload(&self.workload)?;
        let spec = catalogue::opened(&self.on).map_err(|error| {
            let what = format!("cannot ask machine `{}`", self.on);
            AskError::wrong(what, error.why).or_try(error.hint)
        })?;
        let mut recording = Recording::new(&workload);
        let mut intervals = Vec::new();
        let ending = Sim::new(spec, self.seed).play_watched(
            &workload,
            &mut recording,
            &mut |event| {
                if let What::Interval { interval_ns } = event.what {
                    intervals.push((event.at, interval_ns));
                }
            },
        )?;
        Ok(Run { workload, recording, ending, intervals })
    }
}
