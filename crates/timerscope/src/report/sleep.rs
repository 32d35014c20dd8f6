//! How late waits end, for people.

use super::cells::{fine, plain, span, time};
use super::long_ones::long_ones;
use super::meaning::{advice, meaning};
use super::words::{count, fine_duration};
use super::{
    Block, Cell, Chart, Column, Curve, Document, Mark, Section, Table,
};
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
    section.blocks.extend(lists(rows));
    section.blocks.extend(meaning(figures).into_iter().map(Block::Text));
    section.blocks.extend(advice(figures).map(Block::Advice));
    section
}

/// A sweep as a picture with what it means; the rows themselves would fill
/// the page.
#[must_use]
pub fn curves_section(
    id: &str,
    title: &str,
    figures: &SleepFigures,
) -> Section {
    let mut section = Section::new(id, title);
    section.push(Block::Text(format!("{}.", caption(&figures.rows))));
    section.blocks.extend(picture(&figures.rows).map(Block::Chart));
    section.blocks.extend(meaning(figures).into_iter().map(Block::Text));
    section
}

/// One line for each row, every time with its unit.
fn table(rows: &[Row]) -> Table {
    let columns = [
        "asked",
        "waits",
        "min",
        "mean",
        "half within",
        "99 % within",
        "max",
        "std-dev",
        "late, half",
    ];
    let words = [Column::words("wait")];
    let columns = columns.map(Column::numbers);
    Table {
        caption: caption(rows),
        columns: words.into_iter().chain(columns).collect(),
        rows: rows.iter().map(line).collect(),
    }
}

fn line(row: &Row) -> Vec<Cell> {
    vec![
        Cell::from(row.wait.name()),
        Cell::from(span(row.span_ns)),
        Cell::from(counts(row)),
        time(&row.min_ns),
        fine(&row.mean_ns),
        time(&row.p50_ns),
        time(&row.p99_ns),
        time(&row.max_ns),
        fine(&row.stddev_ns),
        time(&row.lateness_p50_ns),
    ]
}

fn counts(row: &Row) -> String {
    let mut text = count(row.count);
    for (number, word) in
        [(row.early, "early"), (row.interrupted, "interrupted")]
    {
        if number > 0 {
            text = format!("{text} ({} {word})", count(number));
        }
    }
    text
}

/// The conditions, which are the same for all rows of an experiment.
fn caption(rows: &[Row]) -> String {
    let Some(row) = rows.first() else { return String::new() };
    let own = &row.conditions;
    let policy = own.policy.value().map_or("", String::as_str);
    let slack = own
        .slack_ns
        .value()
        .map_or_else(|| "unknown".to_owned(), |ns| span(*ns));
    let cpu = own
        .cpu
        .value()
        .map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"));
    format!(
        "{policy} (priority {}), timer slack {slack}, {cpu}, phase {}, \
         load {}",
        own.priority,
        word(own.phase),
        own.load
    )
    .trim_start()
    .to_owned()
}

fn word(phase: crate::machine::Phase) -> &'static str {
    match phase {
        crate::machine::Phase::Sync => "in step",
        crate::machine::Phase::Random => "random",
    }
}

/// One row: its distribution; several spans: what each got; several waits:
/// how late each was.
fn picture(rows: &[Row]) -> Option<Chart> {
    match rows {
        [] => None,
        [row] => distribution(row),
        [first, ..] if rows.iter().all(|row| row.span_ns == first.span_ns) => {
            Some(lateness(rows))
        }
        _ => Some(curves(rows)),
    }
}

fn distribution(row: &Row) -> Option<Chart> {
    let median = *row.p50_ns.value()?;
    let mark = |label: &str, at| Mark { label: label.to_owned(), at };
    Some(Chart::Histogram {
        title: format!("{} of {}", row.wait, span(row.span_ns)),
        axis: "took".to_owned(),
        values: row.took.pairs().to_vec(),
        marks: vec![mark("asked", row.span_ns as i64), mark("half", median)],
    })
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
        let Some(median) = row.p50_ns.value() else { continue };
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
        title: "What spans get".to_owned(),
        across: "asked".to_owned(),
        up: "took, half within".to_owned(),
        curves,
    }
}

fn lists(rows: &[Row]) -> Vec<Block> {
    let list = |row: &Row| {
        let what = format!("{} of {}", row.wait, span(row.span_ns));
        long_ones(&what, &row.over)
    };
    rows.iter().filter_map(list).collect()
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

fn stolen(stolen: &Known<u64>) -> Option<String> {
    let stolen = stolen.value().filter(|stolen| **stolen > 0)?;
    Some(format!(
        "The host took {} of CPU time from this guest meanwhile.",
        span(*stolen)
    ))
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(rows: &[Row]) -> Table {
    let names = [
        "span_ns",
        "count",
        "early",
        "interrupted",
        "min_ns",
        "mean_ns",
        "max_ns",
        "stddev_ns",
        "p50_ns",
        "p90_ns",
        "p99_ns",
        "p999_ns",
        "lateness_p50_ns",
        "lateness_p99_ns",
        "slack_ns",
        "policy",
        "priority",
        "cpu",
        "load",
        "interval_ns",
    ];
    let words = [Column::words("wait")];
    let cells = |row: &Row| {
        let own = &row.conditions;
        let number = |number: u64| Cell::Text(number.to_string());
        vec![
            Cell::from(WaitKind::name(row.wait)),
            number(row.span_ns),
            number(row.count),
            number(row.early),
            number(row.interrupted),
            plain(&row.min_ns),
            plain(&row.mean_ns),
            plain(&row.max_ns),
            plain(&row.stddev_ns),
            plain(&row.p50_ns),
            plain(&row.p90_ns),
            plain(&row.p99_ns),
            plain(&row.p999_ns),
            plain(&row.lateness_p50_ns),
            plain(&row.lateness_p99_ns),
            plain(&own.slack_ns),
            plain(&own.policy),
            Cell::Text(own.priority.clone()),
            plain(&own.cpu),
            Cell::Text(own.load.to_string()),
            plain(&own.interval_ns),
        ]
    };
    Table {
        caption: String::new(),
        columns: words.into_iter().chain(names.map(Column::numbers)).collect(),
        rows: rows.iter().map(cells).collect(),
    }
}
