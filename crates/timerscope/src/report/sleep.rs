//! How late waits end, for people.

use super::cells::{plain, span};
use super::long_ones::long_ones;
use super::meaning::{advice, meaning};
use super::rows_table::{shared, table};
use super::spread;
use super::words::fine_duration;
use super::{Block, Cell, Chart, Column, Curve, Document, Section, Table};
use crate::lab::Ruler;
use crate::lab::sleep::{Row, SleepFigures};
use crate::machine::{Known, WaitKind};

/// All rows with a picture, what they mean and what to do.
#[must_use]
pub fn document(figures: &SleepFigures) -> Document {
    let mut document = Document {
        title: "How late waits end".to_owned(),
        sections: vec![section("waits", "", figures)],
        ..Document::default()
    };
    document.footnotes.extend(ruler(&figures.ruler));
    document.footnotes.extend(stolen(&figures.stolen_ns));
    document
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &SleepFigures) -> Section {
    let mut section = Section::new(id, title);
    let rows = &figures.rows;
    section.push(Block::Table(table(rows)));
    section.blocks.extend(picture(rows).map(Block::Chart));
    section.blocks.extend(rows.iter().filter_map(list));
    section.blocks.extend(meaning(figures).into_iter().map(Block::Text));
    section.blocks.extend(advice(figures).map(Block::Advice));
    section
}

/// The picture and its meaning alone, for many rows among other things.
#[must_use]
pub fn picture_section(
    id: &str,
    title: &str,
    figures: &SleepFigures,
) -> Section {
    let mut section = Section::new(id, title);
    section.blocks.extend(picture(&figures.rows).map(Block::Chart));
    section.blocks.extend(meaning(figures).into_iter().map(Block::Text));
    section
}

/// One row: its distribution; several spans: what each got; several waits:
/// how late each was.
fn picture(rows: &[Row]) -> Option<Chart> {
    match rows {
        [] => None,
        [row] => distribution(row),
        _ if shared(rows, |row| row.span_ns).is_some() => Some(lateness(rows)),
        _ => Some(curves(rows)),
    }
}

/// How often each duration of a row was seen.
pub(super) fn distribution(row: &Row) -> Option<Chart> {
    let title = format!("{} of {}", row.wait, span(row.span_ns));
    let asked = ("asked", row.span_ns as i64);
    spread::distribution(title, "took", &row.took, Some(asked))
}

fn lateness(rows: &[Row]) -> Chart {
    let bar = |row: &Row| {
        let median = *row.lateness_p50_ns.value()?;
        let far = row.lateness_p99_ns.value().copied();
        Some((row.wait.name().to_owned(), median, far))
    };
    Chart::Bars {
        title: format!("Lateness of {}", span(rows[0].span_ns)),
        axis: "half end within, line: 99 %".to_owned(),
        bars: rows.iter().filter_map(bar).collect(),
    }
}

fn curves(rows: &[Row]) -> Chart {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows {
        let Some(median) = row.took.p50_ns.value() else { continue };
        let point = (row.span_ns as i64, *median);
        let name = row.wait.name();
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves
                .push(Curve { name: name.to_owned(), points: vec![point] }),
        }
    }
    for curve in &mut curves {
        curve.points.sort_unstable();
    }
    Chart::Curves {
        title: "Asked and got, on logarithmic axes".to_owned(),
        across: "asked".to_owned(),
        up: "took, half within".to_owned(),
        curves,
    }
}

fn list(row: &Row) -> Option<Block> {
    let title = format!("{} of {}", row.wait, span(row.span_ns));
    long_ones(&title, &row.over)
}

/// What measuring cost, as small print.
#[must_use]
pub fn ruler(ruler: &Known<Ruler>) -> Option<String> {
    let ruler = ruler.value()?;
    let cost = ruler.cost_ns.value()?;
    let action = ruler.action_ns.value()?;
    Some(format!(
        "Each time is from just before the call to just after it, by {}; one \
         reading costs {}, one recorded action {} beyond the call. None of \
         that was subtracted.",
        ruler.clock,
        fine_duration(*cost),
        fine_duration(*action)
    ))
}

pub(super) fn stolen(stolen: &Known<u64>) -> Option<String> {
    let stolen = stolen.value().filter(|stolen| **stolen > 0)?;
    Some(format!(
        "The host took {} of CPU time from this guest meanwhile.",
        span(*stolen)
    ))
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(rows: &[Row]) -> Table {
    let names = ["span_ns", "count", "early", "interrupted"]
        .into_iter()
        .chain(spread::CSV_HEADINGS)
        .chain([
            "lateness_p50_ns",
            "lateness_p99_ns",
            "slack_ns",
            "policy",
            "priority",
            "cpu",
            "load",
            "interval_ns",
        ]);
    let words = [Column::words("wait")];
    let cells = |row: &Row| {
        let own = &row.conditions;
        let number = |number: u64| Cell::Text(number.to_string());
        let mut cells = vec![
            Cell::from(WaitKind::name(row.wait)),
            number(row.span_ns),
            number(row.took.count),
            number(row.early),
            number(row.interrupted),
        ];
        cells.extend(spread::csv_cells(&row.took));
        cells.extend([
            plain(&row.lateness_p50_ns),
            plain(&row.lateness_p99_ns),
            plain(&own.slack_ns),
            plain(&own.policy),
            Cell::Text(own.priority.clone()),
            plain(&own.cpu),
            Cell::Text(own.load.to_string()),
            plain(&own.interval_ns),
        ]);
        cells
    };
    Table {
        caption: String::new(),
        columns: words.into_iter().chain(names.map(Column::numbers)).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}
