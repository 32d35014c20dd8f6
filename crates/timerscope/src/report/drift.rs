//! How clocks run against each other, for people.

use super::cells::cell;
use super::words::{count, duration, significant};
use super::{Block, Cell, Column, Section, Table};
use crate::lab::drift::{Course, DriftFigures, Pair};
use crate::machine::{Facts, Known};

/// Every clock against the steady one, backward steps, and who steers.
#[must_use]
pub fn section(facts: &Facts, figures: &DriftFigures) -> Section {
    let mut section = Section::new("drift", "How clocks run");
    section.push(Block::Table(table(figures)));
    section.push(Block::Text(backward(figures)));
    section.push(Block::Text(
        "A hundred parts in a million (0.01 %) are 8.64 s a day.".to_owned(),
    ));
    section.push(Block::Text(steering(facts)));
    section
}

fn table(figures: &DriftFigures) -> Table {
    let steady = &figures.steady;
    let row = |course: &Course| {
        let ppm = against(figures, &course.name);
        vec![
            Cell::Text(course.name.clone()),
            ppm.map_or(Cell::Empty, |ppm| cell(&ppm, |ppm| signed(*ppm))),
            Cell::Text(count(course.readings)),
            Cell::Text(count(course.backward_within_cpu)),
            Cell::Text(count(course.backward_across_cpus)),
        ]
    };
    Table {
        caption: format!(
            "Watched for {} on {} CPUs",
            duration(figures.watched_ns as i64),
            figures.cpus.len()
        ),
        columns: vec![
            Column::words("clock"),
            Column::numbers(format!("against {steady}, ppm")),
            Column::numbers("readings"),
            Column::numbers("backward within a CPU"),
            Column::numbers("across CPUs"),
        ],
        rows: figures.courses.iter().map(row).collect(),
    }
}

/// How much faster than the steady clock; nothing for that one itself.
fn against(figures: &DriftFigures, name: &str) -> Option<Known<f64>> {
    let steady = &figures.steady;
    let is = |pair: &&Pair| {
        [&pair.clock, &pair.against].contains(&&name.to_owned())
            && [&pair.clock, &pair.against].contains(&steady)
    };
    if name == steady {
        return None;
    }
    let pair = figures.drift.iter().find(is)?;
    let turned = pair.against == name;
    Some(pair.ppm.clone().map(|ppm| if turned { -ppm } else { ppm }))
}

fn signed(ppm: f64) -> String {
    let sign = if ppm < 0.0 { "-" } else { "+" };
    if ppm.abs() < 0.001 {
        return "0".to_owned();
    }
    format!("{sign}{}", significant(ppm.abs(), 3))
}

fn backward(figures: &DriftFigures) -> String {
    let back = |course: &&Course| {
        course.backward_within_cpu + course.backward_across_cpus > 0
    };
    let names: Vec<&str> = figures
        .courses
        .iter()
        .filter(back)
        .map(|course| course.name.as_str())
        .collect();
    if names.is_empty() {
        return "No clock ran backward, within a CPU or from one to another."
            .to_owned();
    }
    format!(
        "These ran backward: {}. A program that takes the difference of two \
         readings may get a negative one.",
        names.join(", ")
    )
}

/// What the system says it does to its clocks (adjtimex).
fn steering(facts: &Facts) -> String {
    let kept = match facts.synchronised.value() {
        Some(true) => "The system says that its wall clock is kept right",
        Some(false) => "Nobody keeps the wall clock right: it runs free",
        None => "Whether anybody keeps the wall clock right is not known",
    };
    match facts.rate_error_ppm.value() {
        Some(ppm) if *ppm == 0.0 => format!(
            "{kept}, and the rate of its clocks is not changed.{}",
            steered(facts, "Steering would change")
        ),
        Some(ppm) => format!(
            "{kept}; the rate is changed by {} ppm ({} a day).{}",
            signed(*ppm),
            duration((ppm * 86_400.0 * 1e3) as i64),
            steered(facts, "That changes")
        ),
        None => format!("{kept}."),
    }
}

/// The clocks that go faster or slower when the wall clock is steered.
const STEERED: [&str; 5] =
    ["realtime", "gettimeofday", "tai", "monotonic", "boottime"];

/// Which clocks of this machine steering changes, and which it leaves alone.
fn steered(facts: &Facts, changes: &str) -> String {
    let has = |name: &&str| facts.clocks.iter().any(|own| own.name == **name);
    let names: Vec<&str> = STEERED.into_iter().filter(has).collect();
    if names.is_empty() {
        return String::new();
    }
    let raw =
        if has(&"monotonic-raw") { ", but not monotonic-raw" } else { "" };
    let names = names.join(", ");
    format!(" {changes} {names}, and every wait with them{raw}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_sign_and_three_digits() {
        assert_eq!(signed(-12.3456), "-12.3");
        assert_eq!(signed(0.25), "+0.25");
        assert_eq!(signed(0.0), "0");
    }
}
