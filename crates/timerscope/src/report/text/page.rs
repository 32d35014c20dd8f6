//! The whole document, from its headline to its footnotes.

use textwrap::core::display_width;

use super::blocks;
use super::paint::{Look, TextStyle};
use super::{clean, prose};
use crate::report::{Document, Headline, Section, Tone};

/// No terminal is wider; a greater width is taken as this.
const WIDEST: usize = 10_000;

/// Renders a document for a terminal or a pipe.
///
/// Nothing is left out at any width: tables that do not fit are told row by
/// row, and words that do not fit stand alone on their line.
#[must_use]
pub fn render(document: &Document, style: TextStyle) -> String {
    let width = style.width.map(|width| width.min(WIDEST));
    let style = TextStyle { width, ..style };
    let mut parts = Vec::new();
    parts.extend(document.banner.as_ref().map(|it| banner(it, style)));
    parts.extend(document.headline.as_ref().map(|it| headline(it, style)));
    if !document.title.is_empty() {
        parts.push(title(&document.title, style));
    }
    for section in &document.sections {
        parts.extend(rendered_section(section, style));
    }
    if !document.footnotes.is_empty() {
        let notes = document.footnotes.iter();
        let notes = notes.flat_map(|note| prose::hang("* ", note, style));
        parts.push(notes.collect());
    }
    finish(&parts, style)
}

/// Parts with one empty line between them.
fn finish(parts: &[Vec<String>], style: TextStyle) -> String {
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for line in part {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    if style.ascii { clean::ascii(&text) } else { text }
}

fn banner(text: &str, style: TextStyle) -> Vec<String> {
    let look = Look::Lead(Tone::Attention);
    prose::labelled("SIMULATED: ", look, text, style)
}

fn title(text: &str, style: TextStyle) -> Vec<String> {
    let lines = prose::wrap(text, style);
    lines.iter().map(|line| style.paint(Look::Title, line)).collect()
}

fn headline(headline: &Headline, style: TextStyle) -> Vec<String> {
    let lead = match headline.tone {
        Tone::Neutral => "",
        Tone::Good => "Good: ",
        Tone::Attention => "Attention: ",
    };
    let look = Look::Lead(headline.tone);
    let mut lines = prose::labelled(lead, look, &headline.finding, style);
    if let Some(action) = &headline.action {
        lines.extend(blocks::advice(action, style));
    }
    lines
}

fn rendered_section(section: &Section, style: TextStyle) -> Vec<Vec<String>> {
    let mut parts = Vec::new();
    if !section.title.is_empty() {
        let mut lines = title(&section.title, style);
        let width = prose::wrap(&section.title, style)
            .iter()
            .map(|line| display_width(line))
            .max();
        lines.push(style.rule(width.unwrap_or(0)));
        parts.push(lines);
    }
    let blocks = section.blocks.iter();
    parts.extend(blocks.map(|block| blocks::block(block, style)));
    parts
}
