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
    let taken = steady
        .filter(|clock| cost(clock).is_some_and(|cost| cost <= nearly))
        .unwrap_or(cheapest);
    let price = |clock: &ClockFigure| {
        cost(&clock).map(fine_duration).unwrap_or_default()
    };
    let known = clocks.iter().filter(|clock| cost(clock).is_some());
    let counter = known.clone().find(|clock| {
        clock.name == "tsc" && cost(clock) < cost(&taken).map(|own| own * 0.9)
    });
    let but = counter.map_or_else(String::new, |tsc| {
        format!(" but tsc ({}), which counts cycles", price(tsc))
    });
    let dearest = known.max_by(by_cost)?;
    Some(format!(
        "Take {} ({} a reading): of the clocks finer than 100 us none is \
         clearly cheaper{but}; the dearest is {} ({}).",
        taken.name,
        price(taken),
        dearest.name,
        price(dearest),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Known;

    fn clock(name: &str, step_ns: f64, cost_ns: f64) -> ClockFigure {
        let missing = || crate::machine::Missing::unknown("not asked");
        ClockFigure {
            name: name.to_owned(),
            system_name: name.to_owned(),
            nominal_step_ns: missing().into(),
            observed_step_ns: Known::Value(step_ns),
            cost_ns: Known::Value(cost_ns),
            cost_cycles: missing().into(),
            via: missing().into(),
        }
    }

    // Monotonic was called the cheapest while realtime was, by a hair, and
    // the counter, by half.
    #[test]
    fn no_clock_is_called_the_cheapest_that_is_not() {
        let clocks = [
            clock("realtime", 100.0, 15.4),
            clock("monotonic", 100.0, 15.8),
            clock("monotonic-coarse", 4e6, 5.0),
            clock("tsc", 1.0, 7.3),
            clock("process-cpu", 100.0, 200.0),
        ];
        let said = meaning(&clocks).unwrap();
        let expected = "Take monotonic (15.8 ns a reading): of the clocks \
                        finer than 100 us none is clearly cheaper but tsc \
                        (7.3 ns), which counts cycles; the dearest is \
                        process-cpu (200 ns).";
        assert_eq!(said, expected);
        let said = meaning(&clocks[..3]).unwrap();
        assert!(!said.contains("tsc"), "{said}");
    }
}
