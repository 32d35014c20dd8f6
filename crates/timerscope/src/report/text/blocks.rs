//! Each kind of block as lines of text.

use textwrap::core::display_width;

use super::paint::{Look, TextStyle};
use super::{bars, clean, curves, histogram, prose, table};
use crate::report::notes::{self, Notes};
use crate::report::{Block, Cell, Chart, Tone};

/// One block, line by line.
pub(super) fn block(block: &Block, style: TextStyle) -> Vec<String> {
    match block {
        Block::Text(text) => prose::wrap(text, style),
        Block::Advice(text) => advice(text, style),
        Block::Warning(text) => {
            let look = Look::Lead(Tone::Attention);
            prose::labelled("Warning: ", look, text, style)
        }
        Block::Facts(facts) => facts_block(facts, style),
        Block::Table(it) => {
            let mut notes = Notes::default();
            let mut lines = table::table(it, &mut notes, style);
            lines.extend(reasons(&notes, style));
            lines
        }
        Block::Chart(chart) => picture(chart, style),
        Block::Verbatim(text) => clean::lines(text).collect(),
    }
}

/// What to do, as prose.
pub(super) fn advice(text: &str, style: TextStyle) -> Vec<String> {
    prose::labelled("What to do: ", Look::Lead(Tone::Neutral), text, style)
}

/// A chart as a small picture.
pub(in crate::report) fn picture(
    chart: &Chart,
    style: TextStyle,
) -> Vec<String> {
    match chart {
        Chart::Histogram { title, axis, values, marks } => {
            histogram::picture(title, axis, values, marks, style)
        }
        Chart::Curves { title, across, up, curves } => {
            curves::picture(title, across, up, curves, style)
        }
        Chart::Bars { title, axis, bars } => {
            bars::picture(title, axis, bars, style)
        }
    }
}

/// The text of a cell; what is missing gets the number of its reason.
pub(super) fn cell(cell: &Cell, notes: &mut Notes) -> String {
    match cell {
        Cell::Text(text) => clean::line(text),
        Cell::Missing(missing) => {
            let number = notes.number(missing);
            format!("{} [{number}]", notes::word(missing.kind))
        }
        Cell::Empty => String::new(),
    }
}

/// The reasons for what is missing in a block.
fn reasons(notes: &Notes, style: TextStyle) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, missing) in notes.all().iter().enumerate() {
        let label = format!("  [{}] ", index + 1);
        let text = notes::sentence(missing);
        lines.extend(prose::labelled(&label, Look::Faint, &text, style));
    }
    lines
}

/// Labels and values; a label that leaves no room stands above its value.
fn facts_block(facts: &[(String, Cell)], style: TextStyle) -> Vec<String> {
    let mut notes = Notes::default();
    let labels = facts.iter().map(|(label, _)| clean::line(label));
    let labels: Vec<_> = labels.collect();
    let widest = labels.iter().map(|label| display_width(label)).max();
    let most = style.width.map_or(usize::MAX, |width| width / 5 * 2);
    let column = widest.unwrap_or(0).min(most);
    let mut lines = Vec::new();
    for (label, (_, value)) in labels.iter().zip(facts) {
        let value = cell(value, &mut notes);
        let before = if display_width(label) > column {
            lines.extend(prose::wrap(label, style));
            String::new()
        } else {
            label.clone()
        };
        let before = format!("{}  ", prose::left(&before, column));
        lines.extend(prose::hang(&before, &value, style));
    }
    lines.extend(reasons(&notes, style));
    lines
}
