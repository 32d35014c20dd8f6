//! What clocks show and cost, for people.

use super::cells::{cell, fine, length, plain, text};
use super::words::{fine_duration, significant};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::Load;
use crate::lab::clocks::{ClockFigure, ClockFigures};

/// All clocks, and what they mean.
#[must_use]
pub fn document(figures: &ClockFigures) -> Document {
    Document {
        title: "What clocks show and cost".to_owned(),
        sections: vec![section("clocks", "", figures)],
        ..Document::default()
    }
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &ClockFigures) -> Section {
    let mut section = Section::new(id, title);
    section.push(Block::Table(table(figures)));
    section.blocks.extend(meaning(&figures.clocks).map(Block::Text));
    section
}

fn table(figures: &ClockFigures) -> Table {
    let load = match figures.load {
        Load::None => "with no load of ours",
        _ => "beside a load on the same CPU",
    };
    let row = |clock: &ClockFigure| {
        vec![
            Cell::Text(clock.name.clone()),
            length(&clock.nominal_step_ns),
            fine(&clock.observed_step_ns),
            fine(&clock.cost_ns),
            cell(&clock.cost_cycles, |cycles| significant(*cycles, 3)),
            text(&clock.via),
        ]
    };
    Table {
        caption: format!("Read {load}"),
        columns: vec![
            Column::words("clock"),
            Column::numbers("claims a step of"),
            Column::numbers("shows one of"),
            Column::numbers("a reading costs"),
            Column::numbers("cycles"),
            Column::words("read in"),
        ],
        rows: figures.clocks.iter().map(row).collect(),
    }
}

/// Which clock to take, and which not to take lightly.
fn meaning(clocks: &[ClockFigure]) -> Option<String> {
    let cost = |clock: &&ClockFigure| clock.cost_ns.value().copied();
    // A coarse clock is cheap because it is read off the last tick.
    let precise = clocks.iter().filter(|clock| {
        clock.observed_step_ns.value().is_some_and(|step| *step < 100_000.0)
            && clock.name != "tsc"
    });
    let by_cost = |one: &&ClockFigure, other: &&ClockFigure| {
        cost(one)
            .unwrap_or(f64::MAX)
            .total_cmp(&cost(other).unwrap_or(f64::MAX))
    };
    let cheapest = precise.clone().min_by(by_cost)?;
    // Of equals the one that is never set.
    let nearly = cost(&cheapest)? * 1.1;
    let steady = precise.clone().find(|clock| clock.name == "monotonic");
    let cheapest = steady
        .filter(|clock| cost(clock).is_some_and(|cost| cost <= nearly))
        .unwrap_or(cheapest);
    let known = clocks.iter().filter(|clock| cost(clock).is_some());
    let dearest = known.max_by(by_cost)?;
    Some(format!(
        "The cheapest clock that is finer than 100 us is {} ({} a reading); \
         the dearest is {} ({}).",
        cheapest.name,
        fine_duration(cost(&cheapest)?),
        dearest.name,
        fine_duration(cost(&dearest)?),
    ))
}

/// The clocks for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(figures: &ClockFigures) -> Table {
    let row = |clock: &ClockFigure| {
        vec![
            Cell::Text(clock.name.clone()),
            plain(&clock.nominal_step_ns),
            plain(&clock.observed_step_ns),
            plain(&clock.cost_ns),
            plain(&clock.cost_cycles),
            plain(&clock.via),
        ]
    };
    let names = [
        "name",
        "nominal_step_ns",
        "observed_step_ns",
        "cost_ns",
        "cost_cycles",
        "via",
    ];
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: figures.clocks.iter().map(row).collect(),
    }
}
