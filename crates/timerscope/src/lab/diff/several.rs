//! Several runs of the same as one side of a comparison.

use std::collections::BTreeMap;

use super::judge::{FEWEST, FIGURES};
use super::{Fact, Measure, Row, Side, Values};
use crate::stats::{Counted, Figure, Moments};

/// A figure of a row, with its number in each run that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct PerRun {
    /// Its name: `p50`.
    pub name: String,
    /// What it is a figure of.
    pub measure: Measure,
    /// In ns, a rate in a second or percent, in the order of the runs.
    pub at: Vec<f64>,
}

impl Side {
    /// Makes one side of several runs of the same: of each row remain its
    /// figures, a number for each run.
    ///
    /// A fact of which they tell different things is told with all of them.
    #[must_use]
    pub fn of_runs(runs: &[Self]) -> Self {
        let first = runs.first();
        let text = |of: fn(&Self) -> &String| first.map(of).cloned();
        let facts = runs.iter().map(|run| &run.facts[..]);
        Self {
            kind: first.map(|run| run.kind).unwrap_or_default(),
            about: text(|run| &run.about).unwrap_or_default(),
            system: text(|run| &run.system).unwrap_or_default(),
            all_facts: runs.iter().all(|run| run.all_facts),
            facts: agreed(facts),
            rows: rows(runs),
            step_ns: runs.iter().map(|run| run.step_ns).fold(0.0, f64::max),
        }
    }
}

/// Each fact once, with all that is told of it.
fn agreed<'a>(all: impl Iterator<Item = &'a [Fact]>) -> Vec<Fact> {
    let mut agreed: Vec<Fact> = Vec::new();
    let mut places = BTreeMap::<&str, usize>::new();
    for fact in all.flatten() {
        let Some(place) = places.get(fact.what.as_str()) else {
            places.insert(&fact.what, agreed.len());
            agreed.push(fact.clone());
            continue;
        };
        let own = &mut agreed[*place];
        if own.is_untold() {
            *own = fact.clone();
        } else if !fact.is_untold() && !own.agrees(fact) {
            own.others.push(fact.told.clone());
        }
    }
    agreed
}

/// Every row that any run has, in the order in which they first come.
fn rows(runs: &[Side]) -> Vec<Row> {
    let mut by_name = BTreeMap::<&str, Vec<&Row>>::new();
    let mut order: Vec<&str> = Vec::new();
    let seen = |row: &&Row| row.values.count() != Some(0);
    for row in runs.iter().flat_map(|run| &run.rows).filter(seen) {
        let like = by_name.entry(&row.what).or_default();
        if like.is_empty() {
            order.push(&row.what);
        }
        like.push(row);
    }
    order.into_iter().filter_map(|name| merged(&by_name[name])).collect()
}

fn merged(like: &[&Row]) -> Option<Row> {
    let first = like.first()?;
    let counts = like.iter().filter_map(|row| row.values.count());
    // Of a handful of values the middle one says all there is to say.
    let few = counts.min().is_some_and(|count| count < FEWEST);
    let mut figures: Vec<PerRun> = Vec::new();
    for (name, measure, at) in like.iter().flat_map(|row| numbers(row, few)) {
        let known = |own: &&mut PerRun| own.name == name;
        match figures.iter_mut().find(known) {
            Some(own) => own.at.push(at),
            None => figures.push(PerRun { name, measure, at: vec![at] }),
        }
    }
    Some(Row {
        what: first.what.clone(),
        conditions: agreed(like.iter().map(|row| &row.conditions[..])),
        measure: first.measure,
        values: Values::Runs(figures),
    })
}

/// The figures of one run's row.
fn numbers(row: &Row, few: bool) -> Vec<(String, Measure, f64)> {
    let counted: Counted = match &row.values {
        Values::InOrder(values) => values.iter().copied().collect(),
        Values::Counted(values, _) => values.clone(),
        Values::Alone(figures) => return figures.clone(),
        Values::Runs(_) => return Vec::new(),
    };
    let rate = row.measure == Measure::Rate;
    let number = |(name, figure): &(&str, Figure)| {
        let at = match figure {
            Figure::Quantile(q) => counted.quantile(*q)? as f64,
            Figure::Mean => Moments::of(&counted).mean()?,
        };
        let upper = !matches!(*name, "p50" | "mean");
        let told = *name == "p50" || !(few || rate && upper);
        told.then(|| ((*name).to_owned(), row.measure, at))
    };
    FIGURES.iter().filter_map(number).collect()
}
