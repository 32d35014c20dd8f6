//! Each row with what the machine made of it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::criterion::Pair;
use super::{Play, Played, Published, Row};
use crate::machine::{Known, Missing};

/// One row with what the machine made of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The article.
    pub article: String,
    /// The table.
    pub table: String,
    /// The row.
    pub row: String,
    /// The command that plays its first run.
    pub command: String,
    /// The seed of that.
    pub seed: u64,
    /// Over how many seeds the model's figure is the mean.
    pub runs: u64,
    /// The digest of the first run, as the command tells it.
    pub digest: String,
    /// The unit of the two numbers.
    pub unit: String,
    /// What the source says; where that is no number, its words are the
    /// reason.
    pub published: Known<f64>,
    /// What the machine shows.
    pub model: Known<f64>,
    /// When the two agree, in words.
    pub criterion: String,
    /// `fitted`, `predicted`, `measured` or `invented`.
    pub status: String,
    /// Whether they do.
    pub fits: Known<bool>,
    /// Why they do not, where that is known; empty else.
    pub why: String,
    /// What else the reader should know.
    pub note: String,
    /// Who published it.
    pub source: String,
    /// Whether it fits or misses as the row itself says.
    #[serde(skip)]
    pub as_said: bool,
}

/// The answer to each row, in their order; a play that is not in `played` is
/// one that failed.
#[must_use]
pub fn answers(rows: &[Row], played: &BTreeMap<Play, Played>) -> Vec<Answer> {
    let answer = |(at, row)| answer(at, row, played);
    rows.iter().enumerate().map(answer).collect()
}

fn answer(at: usize, row: &Row, played: &BTreeMap<Play, Played>) -> Answer {
    let runs = each_run(at, row, played);
    let model: Known<f64> = match &runs {
        Ok(runs) => mean(runs).ok_or(Missing::failed("no run")).into(),
        Err(lacking) => Missing::failed(lacking).into(),
    };
    let fits = fits(row, &model, &runs.unwrap_or_default());
    let digest = row.plays().next().and_then(|play| played.get(&play));
    let fitting = *fits.value().unwrap_or(&true);
    Answer {
        article: row.article.clone(),
        table: row.table.clone(),
        row: row.row.clone(),
        command: row.command(),
        seed: row.seed,
        runs: row.runs,
        digest: digest.map(|own| own.digest.clone()).unwrap_or_default(),
        unit: row.unit.clone(),
        published: published(&row.published),
        as_said: model.value().is_some() && fitting == row.misses.is_none(),
        model,
        criterion: row.criterion.words(&row.unit),
        status: row.status.name().to_owned(),
        fits,
        why: row.misses.clone().unwrap_or_default(),
        note: row.note.clone().unwrap_or_default(),
        source: row.source.clone(),
    }
}

fn fits(row: &Row, model: &Known<f64>, runs: &[f64]) -> Known<bool> {
    let Some(middle) = model.value() else {
        return Missing::failed("the machine showed nothing").into();
    };
    let pair = Pair {
        published: row.published.number(),
        sd: row.sd,
        model: *middle,
        apart: apart(runs),
    };
    let nothing =
        || Missing::unknown("the source gives no number to hold it to");
    row.criterion.is_met(&pair).ok_or_else(nothing).into()
}

/// The figure of each run, less that of the other machine where one is taken
/// off; else what is lacking.
fn each_run(
    at: usize,
    row: &Row,
    played: &BTreeMap<Play, Played>,
) -> Result<Vec<f64>, String> {
    let figure = |play: Play| {
        let lacking = || format!("the run on {} failed", play.on);
        let played = played.get(&play).ok_or_else(lacking)?;
        played.figures.get(&at).cloned().ok_or_else(lacking)?
    };
    let own: Result<Vec<f64>, String> = row.plays().map(figure).collect();
    let less: Result<Vec<f64>, String> = row.plays_less().map(figure).collect();
    let less = less?.into_iter().chain(std::iter::repeat(0.0));
    Ok(own?.into_iter().zip(less).map(|(own, less)| own - less).collect())
}

fn published(published: &Published) -> Known<f64> {
    match published {
        Published::Number(number) => Known::Value(*number),
        Published::Words(words) => Missing::unknown(words).into(),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (count > 0.0).then(|| values.iter().sum::<f64>() / count)
}

/// How far runs lie apart: their standard deviation.
fn apart(runs: &[f64]) -> f64 {
    let middle = mean(runs).unwrap_or_default();
    let squares: Vec<f64> =
        runs.iter().map(|run| (run - middle).powi(2)).collect();
    mean(&squares).unwrap_or_default().sqrt()
}
