//! A document as the template wants it.

use std::collections::BTreeSet;

use super::chart::{self, ChartView};
use super::runs::{Run, runs};
use crate::report::notes::{self, Notes};
use crate::report::{Align, Block, Cell, Section, Table};

/// A cell of so many letters is kept on one line.
const SHORT: usize = 28;

/// A section with the name that links to it.
pub(super) struct SectionView<'a> {
    pub(super) id: String,
    pub(super) title: &'a str,
    pub(super) blocks: Vec<BlockView<'a>>,
}

/// A block, ready to be written.
pub(super) enum BlockView<'a> {
    Text(Vec<Vec<Run>>),
    Advice(Vec<Run>),
    Warning(Vec<Run>),
    Facts(Vec<(&'a str, CellView)>, NotesView),
    Table(TableView<'a>),
    Chart(ChartView),
    Verbatim(&'a str),
}

pub(super) struct TableView<'a> {
    pub(super) caption: &'a str,
    pub(super) heads: Vec<(&'a str, &'static str)>,
    pub(super) rows: Vec<Vec<CellView>>,
    pub(super) notes: NotesView,
}

/// A cell; what is missing has the link to its reason.
pub(super) struct CellView {
    pub(super) text: String,
    pub(super) note: Option<(usize, String)>,
    /// Where it stands: `words` or `number`.
    pub(super) class: &'static str,
    /// Whether it names its row.
    pub(super) names: bool,
    /// Whether it is too short to be broken.
    pub(super) short: bool,
}

/// Reasons with the names that cells link to.
pub(super) struct NotesView(pub(super) Vec<(String, Vec<Run>)>);

/// All sections, each with a name of its own.
pub(super) fn sections(sections: &[Section]) -> Vec<SectionView<'_>> {
    let mut taken = BTreeSet::new();
    let mut block = 0;
    let mut views = Vec::new();
    for section in sections {
        let mut id = word(&section.id);
        if id.is_empty() || !taken.insert(id.clone()) {
            id = format!("section-{}", views.len() + 1);
            taken.insert(id.clone());
        }
        let blocks = section.blocks.iter().map(|it| {
            block += 1;
            view(it, block)
        });
        let blocks = blocks.collect();
        views.push(SectionView { id, title: &section.title, blocks });
    }
    views
}

/// A word that links can bear.
fn word(id: &str) -> String {
    let bears = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    id.chars().filter(bears).collect()
}

fn view(block: &Block, number: usize) -> BlockView<'_> {
    match block {
        Block::Text(text) => BlockView::Text(paragraphs(text)),
        Block::Advice(text) => BlockView::Advice(runs(text)),
        Block::Warning(text) => BlockView::Warning(runs(text)),
        Block::Facts(facts) => facts_view(facts, number),
        Block::Table(table) => BlockView::Table(table_view(table, number)),
        Block::Chart(chart) => BlockView::Chart(chart::view(chart)),
        Block::Verbatim(text) => BlockView::Verbatim(text),
    }
}

fn paragraphs(text: &str) -> Vec<Vec<Run>> {
    text.lines().filter(|line| !line.trim().is_empty()).map(runs).collect()
}

fn facts_view(facts: &[(String, Cell)], number: usize) -> BlockView<'_> {
    let mut notes = Notes::default();
    let facts = facts.iter().map(|(label, value)| {
        (label.as_str(), cell(value, &mut notes, number, Align::Left, false))
    });
    let facts = facts.collect();
    BlockView::Facts(facts, reasons(&notes, number))
}

fn table_view(table: &Table, number: usize) -> TableView<'_> {
    let mut notes = Notes::default();
    let columns = &table.columns;
    let mut row = |row: &Vec<Cell>| {
        let empty = Cell::Empty;
        let cells = columns.iter().enumerate().map(|(at, column)| {
            let names = at == 0 && column.align == Align::Left;
            let value = row.get(at).unwrap_or(&empty);
            cell(value, &mut notes, number, column.align, names)
        });
        cells.collect()
    };
    let rows = table.rows.iter().map(&mut row).collect();
    let heads = columns.iter();
    let heads = heads.map(|it| (it.title.as_str(), class(it.align)));
    TableView {
        caption: &table.caption,
        heads: heads.collect(),
        rows,
        notes: reasons(&notes, number),
    }
}

fn cell(
    cell: &Cell,
    notes: &mut Notes,
    block: usize,
    align: Align,
    names: bool,
) -> CellView {
    let (text, note) = match cell {
        Cell::Text(text) => (text.clone(), None),
        Cell::Empty => (String::new(), None),
        Cell::Missing(missing) => {
            let number = notes.number(missing);
            let link = (number, link(block, number));
            (notes::word(missing.kind).to_owned(), Some(link))
        }
    };
    let short = text.chars().count() <= SHORT;
    CellView { text, note, class: class(align), names, short }
}

fn reasons(notes: &Notes, block: usize) -> NotesView {
    let all = notes.all().iter().enumerate();
    let all =
        all.map(|(at, it)| (link(block, at + 1), runs(&notes::sentence(it))));
    NotesView(all.collect())
}

fn link(block: usize, number: usize) -> String {
    format!("why-{block}-{number}")
}

const fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "words",
        Align::Right => "number",
    }
}
