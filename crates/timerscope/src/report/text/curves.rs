//! Curves as a table of figures: one row for each point across.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::block;
use super::paint::{Look, TextStyle};
use super::prose;
use super::table::longest_word;
use crate::report::{Block, Cell, Column, Curve, Table, words};

/// Columns that a time takes: `-999.9 us`.
const FIGURE: usize = 9;

/// The figures with their title, line by line.
pub(super) fn picture(
    title: &str,
    across: &str,
    up: &str,
    curves: &[Curve],
    style: TextStyle,
) -> Vec<String> {
    let mut lines = heading(title, style);
    if !up.is_empty() {
        let up = prose::wrap(up, style);
        lines.extend(up.iter().map(|it| style.paint(Look::Faint, it)));
    }
    for (index, curves) in curves.chunks(beside(curves, style)).enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        let table = Block::Table(figures(across, curves));
        lines.extend(block(&table, style));
    }
    lines
}

/// How many curves stand beside each other.
fn beside(curves: &[Curve], style: TextStyle) -> usize {
    let names = curves.iter().map(|curve| longest_word(&curve.name));
    let column = names.max().unwrap_or(0).max(FIGURE) + 2;
    let room = style.width.unwrap_or(usize::MAX).saturating_sub(FIGURE);
    (room / column).max(1)
}

/// Curves beside each other: a row for each place across.
fn figures(across: &str, curves: &[Curve]) -> Table {
    let places: BTreeSet<i64> =
        curves.iter().flat_map(|it| &it.points).map(|point| point.0).collect();
    let mut columns = vec![Column::numbers(across)];
    columns.extend(curves.iter().map(|curve| Column::numbers(&*curve.name)));
    let heights: Vec<_> = curves.iter().map(heights).collect();
    let row = |at: &i64| {
        let mut row = vec![Cell::from(words::duration(*at))];
        row.extend(heights.iter().map(|it| cell(it.get(at))));
        row
    };
    let rows = places.iter().map(row).collect();
    Table { caption: String::new(), columns, rows }
}

/// The title of a picture.
pub(super) fn heading(title: &str, style: TextStyle) -> Vec<String> {
    if title.is_empty() {
        return Vec::new();
    }
    let lines = prose::wrap(title, style);
    lines.iter().map(|line| style.paint(Look::Title, line)).collect()
}

/// All heights of a curve at each place: usually one.
fn heights(curve: &Curve) -> BTreeMap<i64, Vec<String>> {
    let mut heights = BTreeMap::<_, Vec<_>>::new();
    for (across, up) in &curve.points {
        heights.entry(*across).or_default().push(words::duration(*up));
    }
    heights
}

fn cell(heights: Option<&Vec<String>>) -> Cell {
    heights.map_or(Cell::Empty, |heights| heights.join(", ").into())
}
