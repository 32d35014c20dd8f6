//! What a comparison of two runs came to.

use serde::Serialize;
use serde_json::Value;

use super::judge::Judge;
use super::pairs::{differs, pairs};
use super::{Kind, Measure, Side};
use crate::machine::Known;

/// The chance of claiming any difference where there is none, all figures of
/// a comparison taken together.
pub(super) const DOUBT: f64 = 0.05;

/// What a comparison of two runs came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiffFigures {
    /// The first run.
    pub before: Subject,
    /// The second run.
    pub after: Subject,
    /// What about the runs and their machines differs; the workload first.
    pub differs: Vec<Differ>,
    /// What could not be looked at in one of the runs.
    pub untold: Vec<String>,
    /// Each figure of the rows that both have.
    pub changes: Vec<Change>,
    /// Rows that only the first run has.
    pub only_before: Vec<String>,
    /// Rows that only the second run has.
    pub only_after: Vec<String>,
    /// The chance of claiming any difference where there is none.
    pub doubt: f64,
    /// Among how many figures it was shared.
    pub shared_by: usize,
    /// How many runs a side, at least, so that any figure can be told; told
    /// where a side has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs_needed: Option<u64>,
}

/// One of the two runs, or of the two groups of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subject {
    /// What it is called: the name or file that was given.
    pub name: String,
    /// The name or file of each run.
    pub runs: Vec<String>,
    /// What it was read from.
    pub kind: Kind,
    /// The command that wrote it, or the title of what was played.
    pub about: String,
    /// Its machine's system.
    pub system: String,
}

/// A fact that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differ {
    /// Its name, as the path to it in an answer.
    pub what: String,
    /// What the first run tells.
    pub before: Known<Value>,
    /// What the second run tells.
    pub after: Known<Value>,
}

/// One figure of both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Row and figure: `sleep/sleeper: wait nanosleep 1 ms, lateness p50`.
    pub what: String,
    /// The row alone.
    pub row: String,
    /// The figure alone: `p50`.
    pub figure: String,
    /// What is compared of the row.
    pub measure: Measure,
    /// In ns, or a rate in a second.
    pub before: f64,
    /// The same of the second run.
    pub after: f64,
    /// `before` once more with its unit, if it is a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_ns: Option<f64>,
    /// `after` once more with its unit, if it is a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_ns: Option<f64>,
    /// The least that the true difference may be, in the unit of the figure.
    pub low: Known<f64>,
    /// The most that it may be.
    pub high: Known<f64>,
    /// What it comes to.
    pub verdict: Verdict,
    /// How sure, all figures taken together, from 0 to 1, that the difference
    /// is more than matters; if `same`, that it is not.
    pub confidence: Known<f64>,
    /// Why nothing can be told, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Conditions of the row in which the runs differ: the figures are then
    /// not of like and like, whatever the verdict.
    pub unlike: Vec<String>,
}

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It became better: nearer to the due time, shorter, or more often.
    Better,
    /// It became worse.
    Worse,
    /// No difference that matters is possible.
    Same,
    /// The values do not say.
    CannotTell,
}

/// Compares two runs, each with the name that it is called by.
#[must_use]
pub fn diff(
    (before_name, before): (&str, &Side),
    (after_name, after): (&str, &Side),
) -> DiffFigures {
    let runs = [before_name, after_name].map(|name| vec![name.to_owned()]);
    let [old, new] = &runs;
    compared((before_name, old, before), (after_name, new, after))
}

/// Compares several runs with several others, each with the name that it is
/// called by.
///
/// Each figure of each run is one number, and a verdict rests on how these
/// lie among each other; with too few of them there is none, and it is said
/// how many it takes.
#[must_use]
pub fn diff_runs(
    before: &[(String, Side)],
    after: &[(String, Side)],
) -> DiffFigures {
    if let ([(old_name, old)], [(new_name, new)]) = (before, after) {
        return diff((old_name, old), (new_name, new));
    }
    let merged = |runs: &[(String, Side)]| {
        let (names, sides): (Vec<String>, Vec<Side>) =
            runs.iter().cloned().unzip();
        (names, Side::of_runs(&sides))
    };
    let ((old, before), (new, after)) = (merged(before), merged(after));
    compared(("before", &old, &before), ("after", &new, &after))
}

fn compared(
    (before_name, old_runs, before): (&str, &[String], &Side),
    (after_name, new_runs, after): (&str, &[String], &Side),
) -> DiffFigures {
    let pairs = pairs(before, after);
    let (differs, untold) = differs(before, after, &pairs.both);
    let step_ns = before.step_ns.max(after.step_ns);
    let several = old_runs.len() > 1 || new_runs.len() > 1;
    let judge = Judge::new(&pairs.both, step_ns);
    let changes = pairs.both.iter().flat_map(|pair| judge.changes(pair));
    DiffFigures {
        before: Subject::of(before_name, old_runs, before),
        after: Subject::of(after_name, new_runs, after),
        differs,
        untold,
        changes: changes.collect(),
        only_before: pairs.only_before,
        only_after: pairs.only_after,
        doubt: DOUBT,
        shared_by: judge.shared_by(),
        runs_needed: judge.runs_needed().filter(|_| several),
    }
}

impl DiffFigures {
    /// The changes with this verdict, in the order of the rows.
    pub fn judged(&self, verdict: Verdict) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |own| own.verdict == verdict)
    }
}

impl Subject {
    fn of(name: &str, runs: &[String], side: &Side) -> Self {
        Self {
            name: name.to_owned(),
            runs: runs.to_vec(),
            kind: side.kind,
            about: side.about.clone(),
            system: side.system.clone(),
        }
    }
}
