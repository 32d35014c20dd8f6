//! The published tables for people: each number beside the model's.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::words::significant;
use super::{Block, Cell, Column, Document, Section, Table, cells};
use crate::articles::Answer;
use crate::machine::Known;

/// The rows that were asked for, those of one table beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArticlesFigures {
    /// Each with what the machine made of it.
    pub rows: Vec<Answer>,
}

/// One block for each table, then how many rows fit and which do not.
#[must_use]
pub fn document(figures: &ArticlesFigures) -> Document {
    let by_article =
        |one: &Answer, other: &Answer| one.article == other.article;
    let mut sections: Vec<Section> =
        figures.rows.chunk_by(by_article).map(article).collect();
    sections.push(summary(&figures.rows));
    Document {
        title: "What was published, and what the simulated machines make of it"
            .to_owned(),
        sections,
        footnotes: vec![STATUSES.to_owned()],
        ..Document::default()
    }
}

const STATUSES: &str = "fitted: the machine was made so that the row comes \
    out; predicted: it was not; measured: the row is a constant of the \
    machine; invented: something in the question is a guess. No model's \
    number here was measured.";

fn article(rows: &[Answer]) -> Section {
    let name = rows.first().map(|row| row.article.clone());
    let name = name.unwrap_or_default();
    let mut section = Section::new(&name, &name);
    let source = rows.first().map(|row| row.source.clone());
    section.push(Block::Text(source.unwrap_or_default()));
    for rows in rows.chunk_by(|one, other| one.table == other.table) {
        section.push(Block::Table(table(rows)));
        section.push(Block::Facts(legend(rows)));
    }
    section
}

fn table(rows: &[Answer]) -> Table {
    let line = |row: &Answer| {
        vec![
            Cell::Text(row.row.clone()),
            number(&row.published),
            number(&row.model),
            Cell::Text(row.unit.clone()),
            Cell::Text(fits(row).to_owned()),
            Cell::Text(row.status.clone()),
        ]
    };
    Table {
        caption: rows.first().map(|row| row.table.clone()).unwrap_or_default(),
        columns: vec![
            Column::words("row"),
            Column::numbers("published"),
            Column::numbers("model"),
            Column::words("unit"),
            Column::words("fits"),
            Column::words("status"),
        ],
        rows: rows.iter().map(line).collect(),
    }
}

/// A number; where there is none, only that: the reason is told elsewhere.
fn number(known: &Known<f64>) -> Cell {
    let text = known.value().map(|value| significant(*value, 6));
    Cell::Text(text.unwrap_or_else(|| "-".to_owned()))
}

fn fits(row: &Answer) -> &'static str {
    match row.fits.value() {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "-",
    }
}

/// By which criteria, what else is to be known, and what to type.
fn legend(rows: &[Answer]) -> Vec<(String, Cell)> {
    let words = |row: &'_ Answer| {
        row.published.missing().map(|missing| missing.why.clone())
    };
    let parts = [
        ("fits if", said(rows, |row| Some(row.criterion.clone()))),
        ("published -", said(rows, words)),
        ("note", said(rows, |row| Some(row.note.clone()))),
        ("type", typed(rows)),
    ];
    let told = parts.into_iter().filter(|(_, text)| !text.is_empty());
    told.map(|(label, text)| (label.to_owned(), Cell::Text(text))).collect()
}

/// What rows say, each text once; one that a single row of several says,
/// with the row.
fn said(rows: &[Answer], of: impl Fn(&Answer) -> Option<String>) -> String {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows {
        let Some(text) = of(row).filter(|text| !text.is_empty()) else {
            continue;
        };
        match all.iter_mut().find(|own| own.0 == text) {
            Some(own) => own.1.push(&row.row),
            None => all.push((text, vec![&row.row])),
        }
    }
    let alone = |own: &[&str]| own.len() == 1 && rows.len() > 1;
    let part = |(text, own): (String, Vec<&str>)| match own.first() {
        Some(row) if alone(&own) => format!("{row}: {text}"),
        _ => text,
    };
    all.into_iter().map(part).collect::<Vec<_>>().join("; ")
}

/// The first row's command, and how many others there are.
fn typed(rows: &[Answer]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let Answer { command, runs, .. } = first;
    let others: BTreeSet<&str> =
        rows.iter().map(|row| row.command.as_str()).collect();
    let mut text = command.clone();
    if *runs > 1 {
        let _ = write!(text, " (the model's is the mean of {runs} seeds)");
    }
    if others.len() > 1 {
        let _ = write!(text, " (--csv has all {})", others.len());
    }
    text
}

fn summary(rows: &[Answer]) -> Section {
    let of = |fits| {
        let own = rows.iter().filter(|row| row.fits.value() == Some(&fits));
        own.count()
    };
    let (fit, miss) = (of(true), of(false));
    let open = rows.len() - fit - miss;
    let mut section = Section::new("summary", "Together");
    section.push(Block::Text(format!(
        "{fit} of {} rows fit, {miss} do not, and {open} have nothing to hold \
         them to.",
        rows.len()
    )));
    let missed = misses(rows).into_iter().map(|Misses { table, rows, why }| {
        let rows = rows.join("; ");
        Block::Text(format!("No: {table} - {rows}. {why}."))
    });
    missed.for_each(|block| section.push(block));
    section
}

/// Rows of one table that do not fit for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Misses<'a> {
    /// The table.
    pub table: &'a str,
    /// The rows.
    pub rows: Vec<&'a str>,
    /// Why they do not fit.
    pub why: &'a str,
}

/// The rows that do not fit, those together that have one reason.
#[must_use]
pub fn misses(rows: &[Answer]) -> Vec<Misses<'_>> {
    let mut all: Vec<Misses<'_>> = Vec::new();
    for row in rows.iter().filter(|row| row.fits.value() == Some(&false)) {
        let alike = all
            .iter_mut()
            .find(|own| own.table == row.table && own.why == row.why);
        match alike {
            Some(own) => own.rows.push(&row.row),
            None => all.push(Misses {
                table: &row.table,
                rows: vec![&row.row],
                why: &row.why,
            }),
        }
    }
    all
}

/// The rows for other programs.
#[must_use]
pub fn csv_table(figures: &ArticlesFigures) -> Table {
    let names = [
        "article",
        "table",
        "row",
        "command",
        "seed",
        "runs",
        "digest",
        "unit",
        "published",
        "model",
        "criterion",
        "status",
        "fits",
        "why",
        "note",
    ];
    let line = |row: &Answer| {
        let text = |text: &String| Cell::Text(text.clone());
        let count = |count: u64| Cell::Text(count.to_string());
        vec![
            text(&row.article),
            text(&row.table),
            text(&row.row),
            text(&row.command),
            count(row.seed),
            count(row.runs),
            text(&row.digest),
            text(&row.unit),
            cells::plain(&row.published),
            cells::plain(&row.model),
            text(&row.criterion),
            text(&row.status),
            cells::plain(&row.fits),
            text(&row.why),
            text(&row.note),
        ]
    };
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: figures.rows.iter().map(line).collect(),
    }
}
