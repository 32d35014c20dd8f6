//! Which rows and facts of two runs belong together.

use std::collections::{BTreeMap, BTreeSet};

use super::{Differ, Fact, Row, Side, Values};
use crate::machine::Missing;

/// One row as both runs have it.
pub(super) struct Pair<'a> {
    pub(super) before: &'a Row,
    pub(super) after: &'a Row,
    /// Conditions in which they differ.
    pub(super) unlike: Vec<Differ>,
}

/// The rows of two runs.
pub(super) struct Pairs<'a> {
    pub(super) both: Vec<Pair<'a>>,
    pub(super) only_before: Vec<String>,
    pub(super) only_after: Vec<String>,
}

/// What a person should hear of first, by how the names begin.
const FIRST: [&str; 14] = [
    "frequency_governor",
    "system",
    "name",
    "emulated_by",
    "virtual_machine",
    "clock_source.current",
    "timer_slack_ns",
    "policy",
    "tick_hz",
    "high_resolution_timers",
    "run.",
    "cpus",
    "idle_states",
    "on_battery",
];

/// Pairs rows by what was done, where both have something to compare.
pub(super) fn pairs<'a>(before: &'a Side, after: &'a Side) -> Pairs<'a> {
    let by_name: BTreeMap<&str, &Row> =
        seen(after).map(|row| (row.what.as_str(), row)).collect();
    let pair = |row: &'a Row| {
        let after = *by_name.get(row.what.as_str())?;
        let alike = is_alone(row) == is_alone(after);
        let unlike = unlike(&row.conditions, &after.conditions);
        alike.then_some(Pair { before: row, after, unlike })
    };
    let both: Vec<Pair<'_>> = seen(before).filter_map(pair).collect();
    let paired: BTreeSet<&str> =
        both.iter().map(|pair| pair.before.what.as_str()).collect();
    let others = |side: &Side| {
        let others = seen(side).map(|row| row.what.clone());
        others.filter(|what| !paired.contains(what.as_str())).collect()
    };
    let (only_before, only_after) = (others(before), others(after));
    Pairs { both, only_before, only_after }
}

/// Rows of which something was seen; where every wait was refused, there is
/// nothing.
fn seen(side: &Side) -> impl Iterator<Item = &Row> {
    side.rows.iter().filter(|row| row.values.count() != Some(0))
}

fn is_alone(row: &Row) -> bool {
    matches!(row.values, Values::Alone(_))
}

/// Conditions that both tell and that differ.
fn unlike(before: &[Fact], after: &[Fact]) -> Vec<Differ> {
    let other = |fact: &Fact| after.iter().find(|own| own.what == fact.what);
    let both = before.iter().filter_map(|fact| Some((fact, other(fact)?)));
    both.filter(|(one, two)| {
        !one.is_untold() && !two.is_untold() && !one.agrees(two)
    })
    .map(|(one, two)| Differ {
        what: one.what.clone(),
        before: one.summed_up(),
        after: two.summed_up(),
    })
    .collect()
}

/// What differs, the workload first, and what one of the runs could not look
/// at.
pub(super) fn differs(
    before: &Side,
    after: &Side,
    pairs: &[Pair<'_>],
) -> (Vec<Differ>, Vec<String>) {
    let mut workload: Vec<Differ> = Vec::new();
    for differ in pairs.iter().flat_map(|pair| &pair.unlike) {
        let what = format!("workload.{}", differ.what);
        let differ = Differ { what, ..differ.clone() };
        if !workload.contains(&differ) {
            workload.push(differ);
        }
    }
    let (old, new) = (by_name(before), by_name(after));
    let mut names: Vec<&str> = old.keys().chain(new.keys()).copied().collect();
    names.sort_by_key(|name| (rank(name), *name));
    names.dedup();
    let mut facts = Vec::new();
    let mut untold = Vec::new();
    for what in names {
        let known = |told: &BTreeMap<&str, &Fact>, side: &Side| {
            let absent = || absent(what, side);
            told.get(what).map(|own| (*own).clone()).or_else(absent)
        };
        let (Some(one), Some(two)) = (known(&old, before), known(&new, after))
        else {
            continue;
        };
        if one.is_untold() || two.is_untold() {
            if one.is_untold() != two.is_untold() {
                untold.push(what.to_owned());
            }
        } else if !one.agrees(&two) {
            let what = what.to_owned();
            let (before, after) = (one.summed_up(), two.summed_up());
            facts.push(Differ { what, before, after });
        }
    }
    workload.extend(facts);
    (workload, untold)
}

fn by_name(side: &Side) -> BTreeMap<&str, &Fact> {
    side.facts.iter().map(|fact| (fact.what.as_str(), fact)).collect()
}

/// A fact that is not there, on a side that tells all it has. How a run went
/// is told by recordings only.
fn absent(what: &str, side: &Side) -> Option<Fact> {
    let told = side.all_facts && !what.starts_with("run.");
    let missing = || Missing::absent("there is no such thing").into();
    told.then(|| Fact::new(what, missing()))
}

fn rank(name: &str) -> usize {
    let place = FIRST.iter().position(|first| name.starts_with(first));
    place.unwrap_or(FIRST.len())
}
