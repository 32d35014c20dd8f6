//! What a comparison comes to, in one sentence.

use super::diff::{amount, certain, fact_name, percent, words};
use super::{Headline, Tone};
use crate::lab::diff::{Change, DiffFigures, Verdict};

/// The most telling figure, or that there is none.
pub(super) fn headline(figures: &DiffFigures) -> Headline {
    let count = |verdict| figures.judged(verdict).count();
    let (worse, better) = (count(Verdict::Worse), count(Verdict::Better));
    let after = &figures.after.name;
    let (finding, tone) = match (worse, better) {
        (0, 0) => (nothing(figures), Tone::Neutral),
        (0, _) => (
            format!("{after} is better: {}", most(figures, Verdict::Better)),
            Tone::Good,
        ),
        (_, 0) => (
            format!("{after} is worse: {}", most(figures, Verdict::Worse)),
            Tone::Attention,
        ),
        _ => (
            format!(
                "{after} is worse in {}, better in {}; worst: {}",
                figures_of(worse),
                figures_of(better),
                most(figures, Verdict::Worse)
            ),
            Tone::Attention,
        ),
    };
    let like = cause(figures).unwrap_or_default();
    let action = more_runs(figures);
    Headline { finding: format!("{finding}{like}."), action, tone }
}

/// What to do where the runs are too few to say anything.
fn more_runs(figures: &DiffFigures) -> Option<String> {
    let needed = figures.runs_needed?;
    let untold = |own: &Change| own.low.value().is_none();
    (!figures.changes.is_empty() && figures.changes.iter().all(untold))
        .then(|| format!("Save {needed} runs or more a side: fewer cannot show a difference, however large."))
}

/// The change of this verdict that is largest for its figure.
fn most(figures: &DiffFigures, verdict: Verdict) -> String {
    let share = |own: &Change| {
        let share = (own.after - own.before) / own.before.abs();
        if share.is_finite() { share.abs() } else { 0.0 }
    };
    // Of equals the first, which `max_by` would take last.
    let mut all: Vec<&Change> = figures.judged(verdict).collect();
    all.reverse();
    let all = all.into_iter();
    let Some(most) = all.max_by(|one, two| share(one).total_cmp(&share(two)))
    else {
        return String::new();
    };
    let relative = match share(most) {
        0.0 => String::new(),
        _ => percent((most.after - most.before) / most.before.abs()) + ", ",
    };
    let sure = most.confidence.value().copied().unwrap_or(0.0);
    format!(
        "{}, {} {} -> {} ({relative}certain at {})",
        most.row,
        most.figure_name(),
        amount(most.measure, most.before),
        amount(most.measure, most.after),
        certain(sure)
    )
}

fn nothing(figures: &DiffFigures) -> String {
    let count = |verdict| figures.judged(verdict).count();
    let differs = match figures.differs.len() {
        0 => "no fact that is told differs".to_owned(),
        1 => "one fact differs".to_owned(),
        facts => format!("{facts} facts differ"),
    };
    if figures.changes.is_empty() {
        let what = match figures.only_before.len() + figures.only_after.len() {
            0 => "",
            _ => "The runs have no row in common, and ",
        };
        let sentence = format!("{what}{differs}");
        let mut letters = sentence.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        return first.into_iter().chain(letters).collect();
    }
    format!(
        "No difference shown: {} the same, {} cannot be told; {differs}",
        figures_of(count(Verdict::Same)),
        count(Verdict::CannotTell),
    )
}

fn figures_of(count: usize) -> String {
    if count == 1 { "1 figure".to_owned() } else { format!("{count} figures") }
}

/// What about the workload or the runs differs, if anything does: it may well
/// be the cause.
fn cause(figures: &DiffFigures) -> Option<String> {
    let find =
        |of: &str| figures.differs.iter().find(|own| own.what.starts_with(of));
    let first = find("workload.").or_else(|| find("run."))?;
    let value = |told: &crate::machine::Known<serde_json::Value>| {
        let value = told.value().map(|value| words(&first.what, value));
        value.unwrap_or_else(|| "unknown".to_owned())
    };
    let asked = first.what.starts_with("workload.");
    let unlike = if asked { "the runs are not alike" } else { "meanwhile" };
    Some(format!(
        "; {unlike}: {} {}, then {}",
        fact_name(&first.what),
        value(&first.before),
        value(&first.after)
    ))
}
