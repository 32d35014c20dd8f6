//! How long a thread runs before its equal gets the CPU, for people.

use super::cells::{length, plain, text};
use super::spread;
use super::words::{count, duration};
use super::{Block, Cell, Chart, Column, Document, Section, Table};
use crate::lab::quantum::{QuantumFigures, Row};
use crate::machine::MissingKind;

/// All rows with a picture, and what they mean.
#[must_use]
pub fn document(figures: &QuantumFigures) -> Document {
    let stolen = super::sleep::stolen(&figures.stolen_ns);
    let title = "How long a thread runs before its equal gets the CPU";
    Document {
        title: title.to_owned(),
        sections: vec![section("quantum", "", figures)],
        footnotes: stolen.into_iter().collect(),
        ..Document::default()
    }
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &QuantumFigures) -> Section {
    let mut section = Section::new(id, title);
    section.push(Block::Table(table(&figures.rows)));
    section.blocks.extend(picture(figures).map(Block::Chart));
    section.push(Block::Facts(settings(figures)));
    let tick = figures.tick_ns.value().map(|tick| *tick as i64);
    let rows = figures.rows.iter();
    let said = rows.filter_map(|row| sentence(row, tick)).map(Block::Text);
    section.blocks.extend(said);
    section
}

fn table(rows: &[Row]) -> Table {
    let numbers = ["turns"].into_iter().chain(spread::HEADINGS);
    let numbers = numbers.chain(["disturbed"]);
    let cells = |row: &Row| {
        let mut cells = vec![
            Cell::from(row.priority.clone()),
            Cell::from(count(row.ran.count)),
        ];
        cells.extend(spread::cells(&row.ran));
        cells.push(Cell::from(format!("{} times", count(row.disturbances))));
        cells
    };
    Table {
        caption: rows.first().map_or_else(String::new, caption),
        columns: [Column::words("priority")]
            .into_iter()
            .chain(numbers.map(Column::numbers))
            .collect(),
        rows: rows.iter().map(cells).collect(),
    }
}

/// What is the same in each row.
fn caption(row: &Row) -> String {
    let threads = format!("{} equal threads", row.competitors);
    match row.cpu.value() {
        Some(cpu) => format!("{threads} on CPU {cpu}"),
        None => threads,
    }
}

fn picture(figures: &QuantumFigures) -> Option<Chart> {
    let with_turns = |row: &&Row| row.ran.count > 0;
    let row = figures.rows.iter().find(with_turns)?;
    let title = format!("Turns at priority {}", row.priority);
    let tick = figures.tick_ns.value().map(|tick| ("tick", *tick as i64));
    spread::distribution(title, "ran for", &row.ran, tick)
}

/// What the kernel says, to hold the turns against.
fn settings(figures: &QuantumFigures) -> Vec<(String, Cell)> {
    let mut facts = vec![("tick".to_owned(), length(&figures.tick_ns))];
    if let Some(own) = figures.scheduler.value() {
        facts.extend([
            ("slice, fair".to_owned(), length(&own.base_slice_ns)),
            ("slice, round robin".to_owned(), length(&own.round_robin_ns)),
            ("pre-emption".to_owned(), text(&own.preemption)),
        ]);
    }
    // What this system does not have is not held against anything.
    let absent = |cell: &Cell| matches!(cell, Cell::Missing(it) if it.kind == MissingKind::Absent);
    facts.retain(|(_, cell)| !absent(cell));
    facts
}

fn sentence(row: &Row, tick: Option<i64>) -> Option<String> {
    let priority = &row.priority;
    let Some(half) = row.ran.p50_ns.value() else {
        let run_out = row.policy.value()?.starts_with("SCHED_FIFO");
        return run_out.then(|| {
            format!(
                "At priority {priority} a thread keeps the CPU from its \
                 equals until it waits: SCHED_FIFO has no quantum."
            )
        });
    };
    let with = tick.and_then(|tick| with_others(row, *half, tick));
    let ticks = tick.map_or_else(String::new, |tick| ticks(*half, tick));
    let ticks = with.unwrap_or(ticks);
    Some(format!(
        "At priority {priority} a thread runs for {}{ticks} before its equal \
         gets the CPU.",
        duration(*half)
    ))
}

/// A quantum that goes on while the host or an interrupt has the CPU: whole
/// ticks only with what they took.
fn with_others(row: &Row, ran: i64, tick: i64) -> Option<String> {
    let lasted = *row.lasted_p50_ns.value()?;
    let with = ticks(lasted, tick);
    let told = with.starts_with(" =") && !ticks(ran, tick).starts_with(" =");
    told.then(|| {
        format!(", and {}{with} with what others took of it,", duration(lasted))
    })
}

/// How many ticks, as a whole number where it is within a twentieth of one.
fn ticks(ns: i64, tick: i64) -> String {
    let ticks = ns as f64 / tick.max(1) as f64;
    let whole = ticks.round();
    if whole >= 1.0 && (ticks - whole).abs() < 0.05 {
        let word = if whole > 1.0 { "ticks" } else { "tick" };
        return format!(" = {whole:.0} {word}");
    }
    format!(" ({ticks:.2} ticks)")
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(rows: &[Row]) -> Table {
    let numbers = ["competitors", "count"]
        .into_iter()
        .chain(spread::CSV_HEADINGS)
        .chain(["disturbances", "cpu", "interval_ns"]);
    let cells = |row: &Row| {
        let mut cells = vec![
            Cell::from(row.priority.clone()),
            plain(&row.policy),
            Cell::from(row.competitors.to_string()),
            Cell::from(row.ran.count.to_string()),
        ];
        cells.extend(spread::csv_cells(&row.ran));
        cells.extend([
            Cell::from(row.disturbances.to_string()),
            plain(&row.cpu),
            plain(&row.interval_ns),
        ]);
        cells
    };
    let rows = rows.iter().map(cells).collect();
    Table::plain(&["priority", "policy"], numbers, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::quantum::{Quantum, figures};
    use crate::lab::scripted::{Scripted, facts};
    use crate::machine::{Priority, Span};
    use crate::report::text::{TextStyle, render};

    #[test]
    fn a_quantum_is_told_in_ticks() {
        let priorities =
            vec![Priority::Normal, Priority::RoundRobin(1), Priority::Fifo(1)];
        let pair = Quantum::pair(Span::from_s(1));
        let quantum = Quantum { priorities, ..pair };
        let facts = facts();
        let machine = &mut Scripted::default();
        let workloads = quantum.workloads(&facts);
        let runs = play_all(machine, &facts, workloads, &mut Silent);
        let figures = figures(&quantum, &runs.unwrap());
        let text = render(&document(&figures), TextStyle::default());
        for said in [
            "At priority normal a thread runs for 4 ms = 1 tick before its",
            "At priority rr:1 a thread runs for 100 ms = 25 ticks before",
            "At priority fifo:1 a thread keeps the CPU",
            "no thread lost the CPU to an equal within 1 s",
        ] {
            assert!(text.contains(said), "{said}: {text}");
        }
    }

    // With threads and policy, which say little, the table was wider than a
    // page.
    #[test]
    fn the_table_fits_a_page() {
        let quantum = Quantum::pair(Span::from_s(1));
        let (facts, machine) = (facts(), &mut Scripted::default());
        let workloads = quantum.workloads(&facts);
        let runs = play_all(machine, &facts, workloads, &mut Silent);
        let figures = figures(&quantum, &runs.unwrap());
        let text = render(&document(&figures), TextStyle::default());
        assert!(text.contains("2 equal threads on CPU"), "{text}");
        let heading = text.lines().find(|own| own.starts_with("priority"));
        let width = heading.unwrap().chars().count();
        assert!(width <= 96, "{width}: {text}");
    }

    #[test]
    fn ticks_are_whole_only_where_they_nearly_are() {
        assert_eq!(ticks(4_010_000, 4_000_000), " = 1 tick");
        assert_eq!(ticks(99_900_000, 4_000_000), " = 25 ticks");
        assert_eq!(ticks(2_800_000, 4_000_000), " (0.70 ticks)");
    }
}
