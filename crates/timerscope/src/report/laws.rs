//! What every renderer promises of every document.

use proptest::prelude::*;

use super::text::{TextStyle, render};
use super::{
    Align, Block, Cell, Chart, Column, Curve, Document, Headline, Mark,
    Section, Table, Tone,
};
use crate::machine::{Missing, MissingKind};

/// What is in a document.
#[derive(Clone, Copy)]
struct Kind {
    /// A pattern for its texts.
    word: &'static str,
    /// Whether it has times and counts that nobody will see.
    absurd: bool,
}

/// Texts of any letters, and times of any length.
const ANY: Kind = Kind { word: ".{0,40}", absurd: true };
/// Texts of words that fit any terminal.
const SHORT: Kind =
    Kind { word: "[a-z]{1,9}( [a-z]{1,9}){0,6}", absurd: false };
/// Texts of one word that does not always fit.
const LONG: Kind = Kind { word: "[a-z]{1,30}", absurd: true };

/// Documents with any content of a kind.
fn documents(kind: Kind) -> impl Strategy<Value = Document> {
    let word = kind.word;
    let section = (word, word, prop::collection::vec(block(kind), 0..5))
        .prop_map(|(id, title, blocks)| Section { id, title, blocks });
    let tone =
        prop::sample::select(vec![Tone::Neutral, Tone::Good, Tone::Attention]);
    let headline = (word, prop::option::of(word), tone)
        .prop_map(|(finding, action, tone)| Headline { finding, action, tone });
    (
        word,
        prop::option::of(headline),
        prop::collection::vec(section, 0..3),
        prop::collection::vec(word, 0..3),
    )
        .prop_map(|(title, headline, sections, footnotes)| Document {
            banner: None,
            title,
            headline,
            sections,
            footnotes,
        })
}

fn block(kind: Kind) -> impl Strategy<Value = Block> {
    let word = kind.word;
    prop_oneof![
        word.prop_map(Block::Text),
        word.prop_map(Block::Advice),
        word.prop_map(Block::Warning),
        prop::collection::vec((word, cell(kind)), 0..4).prop_map(Block::Facts),
        table(kind).prop_map(Block::Table),
        chart(kind).prop_map(Block::Chart),
    ]
}

fn cell(kind: Kind) -> impl Strategy<Value = Cell> {
    let word = kind.word;
    let kind = prop::sample::select(vec![
        MissingKind::Absent,
        MissingKind::Refused,
        MissingKind::Failed,
        MissingKind::Unknown,
    ]);
    prop_oneof![
        word.prop_map(Cell::Text),
        Just(Cell::Empty),
        (kind, word, prop::option::of(word)).prop_map(|(kind, why, hint)| {
            Cell::Missing(Missing { kind, why, hint })
        }),
    ]
}

fn table(kind: Kind) -> impl Strategy<Value = Table> {
    let word = kind.word;
    let align = prop::sample::select(vec![Align::Left, Align::Right]);
    let column =
        (word, align).prop_map(|(title, align)| Column { title, align });
    // Rows of any length: a table that is not as it should be must not panic.
    let row = prop::collection::vec(cell(kind), 0..9);
    (
        word,
        prop::collection::vec(column, 0..9),
        prop::collection::vec(row, 0..4),
    )
        .prop_map(|(caption, columns, rows)| Table {
            caption,
            columns,
            rows,
        })
}

/// A time: what is often met, or anything at all.
fn ns(kind: Kind) -> BoxedStrategy<i64> {
    let met = prop_oneof![-1_000_i64..100_000_000, Just(0)];
    if kind.absurd {
        return prop_oneof![any::<i64>(), met].boxed();
    }
    met.boxed()
}

fn count(kind: Kind) -> impl Strategy<Value = u64> {
    0..=if kind.absurd { u64::MAX } else { 1_000_000_000 }
}

fn chart(kind: Kind) -> impl Strategy<Value = Chart> {
    let word = kind.word;
    let mark = (word, ns(kind)).prop_map(|(label, at)| Mark { label, at });
    let points = prop::collection::vec((ns(kind), ns(kind)), 0..6);
    let curve =
        (word, points).prop_map(|(name, points)| Curve { name, points });
    let bar = (word, ns(kind), prop::option::of(ns(kind)));
    prop_oneof![
        (
            word,
            word,
            prop::collection::vec((ns(kind), count(kind)), 0..20),
            prop::collection::vec(mark, 0..4)
        )
            .prop_map(|(title, axis, values, marks)| {
                Chart::Histogram { title, axis, values, marks }
            }),
        (word, word, word, prop::collection::vec(curve, 0..4)).prop_map(
            |(title, across, up, curves)| {
                Chart::Curves { title, across, up, curves }
            }
        ),
        (word, word, prop::collection::vec(bar, 0..6))
            .prop_map(|(title, axis, bars)| Chart::Bars { title, axis, bars }),
    ]
}

fn style() -> impl Strategy<Value = TextStyle> {
    let width = prop::option::of(prop_oneof![0_usize..140, any::<usize>()]);
    (width, any::<bool>(), any::<bool>())
        .prop_map(|(width, colour, ascii)| TextStyle { width, colour, ascii })
}

proptest! {
    #[test]
    fn any_document_becomes_text(
        document in documents(ANY),
        style in style(),
    ) {
        let text = render(&document, style);
        prop_assert!(!style.ascii || text.is_ascii());
        let escapes = text.contains('\u{1b}');
        prop_assert!(style.colour || !escapes);
    }

    #[cfg(feature = "html")]
    #[test]
    fn any_document_becomes_a_page(document in documents(ANY)) {
        let page = super::html::render(&document);
        prop_assert!(page.trim_end().ends_with("</html>"));
        prop_assert!(!page.contains("NaN") && !page.contains("inf\""));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_where_all_words_fit(
        document in documents(SHORT),
        width in 60_usize..120,
    ) {
        let style = TextStyle { width: Some(width), ..TextStyle::default() };
        for line in render(&document, style).lines() {
            let wide = textwrap::core::display_width(line);
            prop_assert!(wide <= width, "{} > {}: {}", wide, width, line);
        }
    }

    #[test]
    fn no_word_is_lost_at_any_width(
        document in documents(LONG),
        style in style(),
    ) {
        let style = TextStyle { colour: false, ..style };
        let text = render(&document, style);
        for word in words(&document) {
            prop_assert!(text.contains(&word), "`{}` in:\n{}", word, text);
        }
    }
}

/// The words a reader must find: of tables, only those in a column.
fn words(document: &Document) -> Vec<String> {
    let mut words = vec![document.title.clone()];
    if let Some(headline) = &document.headline {
        words.push(headline.finding.clone());
        words.extend(headline.action.clone());
    }
    for section in &document.sections {
        words.push(section.title.clone());
        section.blocks.iter().for_each(|it| block_words(it, &mut words));
    }
    words.extend(document.footnotes.clone());
    words
}

fn block_words(block: &Block, words: &mut Vec<String>) {
    match block {
        Block::Text(text)
        | Block::Advice(text)
        | Block::Warning(text)
        | Block::Verbatim(text) => words.push(text.clone()),
        Block::Facts(facts) => {
            for (label, cell) in facts {
                words.push(label.clone());
                cell_words(cell, words);
            }
        }
        Block::Table(table) => {
            words.push(table.caption.clone());
            for row in &table.rows {
                let cells = row.iter().take(table.columns.len());
                cells.for_each(|cell| cell_words(cell, words));
            }
        }
        Block::Chart(Chart::Histogram { title, axis: _, marks, .. }) => {
            words.push(title.clone());
            words.extend(marks.iter().map(|mark| mark.label.clone()));
        }
        Block::Chart(Chart::Curves { title, up, .. }) => {
            words.extend([title.clone(), up.clone()]);
        }
        Block::Chart(Chart::Bars { title, axis, bars }) => {
            words.extend([title.clone(), axis.clone()]);
            words.extend(bars.iter().map(|bar| bar.0.clone()));
        }
    }
}

fn cell_words(cell: &Cell, words: &mut Vec<String>) {
    match cell {
        Cell::Text(text) => words.push(text.clone()),
        Cell::Missing(missing) => {
            words.push(missing.why.clone());
            words.extend(missing.hint.clone());
        }
        Cell::Empty => {}
    }
}
