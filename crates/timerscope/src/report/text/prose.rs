//! Sentences within a width.

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::clean;
use super::paint::{Look, TextStyle};

/// The narrowest column that is still wrapped into.
const NARROWEST: usize = 10;

/// Sentences within the width, line by line.
pub(super) fn wrap(text: &str, style: TextStyle) -> Vec<String> {
    hang("", text, style)
}

/// Sentences behind a label, under which following lines do not run.
///
/// A label is not wrapped. Words that do not fit stand alone on their line:
/// they are not broken, so that paths and commands can be copied.
pub(super) fn hang(label: &str, text: &str, style: TextStyle) -> Vec<String> {
    let indent = display_width(label);
    let room = style.width.map_or(usize::MAX, |width| {
        width.saturating_sub(indent).max(NARROWEST)
    });
    let options = Options::new(room)
        .break_words(false)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let mut lines = Vec::new();
    for paragraph in clean::lines(text) {
        for line in textwrap::wrap(&paragraph, &options) {
            let before = if lines.is_empty() { "" } else { " " };
            let before =
                before.repeat(if lines.is_empty() { 0 } else { indent });
            lines.push(format!("{before}{line}"));
        }
    }
    match lines.first_mut() {
        Some(first) => first.insert_str(0, label),
        None => lines.push(label.to_owned()),
    }
    lines
}

/// Sentences behind a label that says what they are.
pub(super) fn labelled(
    label: &str,
    look: Look,
    text: &str,
    style: TextStyle,
) -> Vec<String> {
    let mut lines = hang(label, text, style);
    if let Some(first) = lines.first_mut() {
        let rest = first.split_off(label.len());
        *first = format!("{}{rest}", style.paint(look, label));
    }
    lines
}

/// `text`, filled up with spaces to `width` columns on its right.
pub(super) fn left(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(gap))
}

/// `text`, filled up with spaces to `width` columns on its left.
pub(super) fn right(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(display_width(text));
    format!("{}{text}", " ".repeat(gap))
}
