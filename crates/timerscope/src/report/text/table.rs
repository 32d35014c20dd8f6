//! Rows and columns, aligned where they fit and told one by one where not.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};
use textwrap::core::display_width;

use super::blocks::cell;
use super::paint::{Look, TextStyle};
use super::{clean, prose};
use crate::report::notes::Notes;
use crate::report::{Align, Cell, Table};

/// Columns of space between two columns.
const GAP: usize = 2;

/// A table whose cells are text.
struct Plain {
    heads: Vec<String>,
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

/// A table, line by line.
pub(super) fn table(
    table: &Table,
    notes: &mut Notes,
    style: TextStyle,
) -> Vec<String> {
    let mut lines = Vec::new();
    if !table.caption.is_empty() {
        let caption = prose::wrap(&table.caption, style);
        let caption = caption.iter().map(|it| style.paint(Look::Title, it));
        lines.extend(caption);
    }
    let plain = Plain::new(table, notes);
    if plain.heads.is_empty() {
        return lines;
    }
    let fits = |width| style.width.is_none_or(|room| width <= room);
    if fits(plain.width(&plain.least_widths())) {
        lines.extend(plain.columns(style));
    } else {
        lines.extend(plain.records(style));
    }
    if plain.rows.is_empty() {
        lines.push("none".to_owned());
    }
    lines
}

impl Plain {
    fn new(table: &Table, notes: &mut Notes) -> Self {
        let count = table.columns.len();
        let mut plain = |row: &Vec<Cell>| {
            let empty = Cell::Empty;
            let cells = (0..count).map(|at| row.get(at).unwrap_or(&empty));
            cells.map(|it| cell(it, notes)).collect()
        };
        let columns = table.columns.iter();
        Self {
            rows: table.rows.iter().map(&mut plain).collect(),
            heads: columns.clone().map(|it| clean::line(&it.title)).collect(),
            aligns: columns.map(|it| it.align).collect(),
        }
    }

    /// The width of the whole table where its columns are so wide.
    fn width(&self, columns: &[usize]) -> usize {
        columns.iter().sum::<usize>() + GAP * (self.heads.len() - 1)
    }

    /// The least width of each column: no word and no number is broken.
    fn least_widths(&self) -> Vec<usize> {
        (0..self.heads.len()).map(|at| self.least_width(at)).collect()
    }

    fn least_width(&self, at: usize) -> usize {
        let cells = self.rows.iter().map(|row| &row[at]);
        let widest = match self.aligns[at] {
            Align::Right => cells.map(|cell| display_width(cell)).max(),
            Align::Left => cells.map(|cell| longest_word(cell)).max(),
        };
        widest.unwrap_or(0).max(longest_word(&self.heads[at])).max(1)
    }

    /// The table in columns, its headings above a thin line.
    fn columns(&self, style: TextStyle) -> Vec<String> {
        let mut table = self.comfy(style);
        table.set_content_arrangement(ContentArrangement::Disabled);
        if let Some(width) = style.width {
            let width = width.min(usize::from(u16::MAX));
            table.set_width(width as u16);
            table.set_content_arrangement(ContentArrangement::Dynamic);
        }
        let mut lines: Vec<String> =
            table.lines().map(|line| line.trim_end().to_owned()).collect();
        let rule = lines.iter().position(|line| is_rule(line));
        for line in lines.iter_mut().take(rule.map_or(0, |at| at + 1)) {
            if style.ascii {
                *line = line.replace('\u{2500}', "-");
            }
            *line = style.paint(Look::Faint, line);
        }
        lines
    }

    fn comfy(&self, style: TextStyle) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.style_mut().header_separator.fill = Some('\u{2500}');
        table.set_header(self.heads.clone());
        table.add_rows(self.rows.clone());
        let last = self.heads.len() - 1;
        for (at, least) in self.least_widths().into_iter().enumerate() {
            let gap = if at == last { 0 } else { GAP as u16 };
            let Some(column) = table.column_mut(at) else { continue };
            column.set_padding((0, gap));
            column.set_cell_alignment(match self.aligns[at] {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
            if style.width.is_some() {
                let least = least.min(usize::from(u16::MAX)) as u16 + gap;
                let least = Width::Fixed(least);
                column.set_constraint(ColumnConstraint::LowerBoundary(least));
            }
        }
        table
    }

    /// Each row as labelled values, for widths that no table fits.
    fn records(&self, style: TextStyle) -> Vec<String> {
        let label = self.heads.iter().map(|head| display_width(head)).max();
        let most = style.width.map_or(usize::MAX, |width| width / 2);
        let column = label.unwrap_or(0).min(most);
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                lines.push(String::new());
            }
            let cells = self.heads.iter().zip(row);
            for (head, cell) in cells.filter(|(_, cell)| !cell.is_empty()) {
                lines.extend(record(head, cell, column, style));
            }
        }
        lines
    }
}

fn record(
    head: &str,
    cell: &str,
    column: usize,
    style: TextStyle,
) -> Vec<String> {
    let mut lines =
        prose::wrap(head, TextStyle { width: Some(column), ..style });
    let fits = lines.last().is_some_and(|it| display_width(it) <= column);
    let last = if fits { lines.pop() } else { None };
    let label = prose::left(&last.unwrap_or_default(), column) + "  ";
    for line in &mut lines {
        *line = style.paint(Look::Faint, line);
    }
    lines.extend(prose::labelled(&label, Look::Faint, cell, style));
    lines
}

/// The width of the longest word.
pub(super) fn longest_word(text: &str) -> usize {
    text.split(' ').map(display_width).max().unwrap_or(0)
}

/// Whether a line is nothing but the rule under the headings.
fn is_rule(line: &str) -> bool {
    line.contains('\u{2500}') && line.chars().all(|c| c == '\u{2500}')
}
