//! What a person is told, before anyone decides how it looks.

use crate::machine::Missing;

/// A whole answer for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What has to be known before anything else: that the machine is
    /// imagined.
    pub banner: Option<String>,
    /// What it is about: `This machine's timer`.
    pub title: String,
    /// The one thing to take away.
    pub headline: Option<Headline>,
    /// Its sections, in reading order.
    pub sections: Vec<Section>,
    /// Small print: what was not measured, and what measuring cost.
    pub footnotes: Vec<String>,
}

/// One finding with one action, or the news that nothing needs fixing.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// What was found, in one sentence.
    pub finding: String,
    /// What to do about it, in one sentence.
    pub action: Option<String>,
    /// How it is to be taken.
    pub tone: Tone,
}

/// How a sentence is to be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As news.
    #[default]
    Neutral,
    /// As good news: nothing needs fixing.
    Good,
    /// As something to act on.
    Attention,
}

/// One part of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// A word for links: `waits`.
    pub id: String,
    /// Its title; empty for none.
    pub title: String,
    /// What it says, in order.
    pub blocks: Vec<Block>,
}

/// One piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// What the figures mean, as prose.
    Text(String),
    /// What to do, as prose.
    Advice(String),
    /// What the reader should know before believing the figures.
    Warning(String),
    /// Labelled values, one a line.
    Facts(Vec<(String, Cell)>),
    /// Rows and columns.
    Table(Table),
    /// A picture.
    Chart(Chart),
    /// Text to be shown as it is, in a fixed-width font.
    Verbatim(String),
}

/// Rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows, in one line; empty for none.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its heading, with the unit where all cells share one.
    pub title: String,
    /// Where its cells stand.
    pub align: Align,
}

/// Where a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// As it is.
    Text(String),
    /// Not there, and why.
    Missing(Missing),
    /// Left empty on purpose.
    Empty,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// How often each duration was seen.
    Histogram {
        /// What it shows.
        title: String,
        /// What is counted along the axis: `woke after`.
        axis: String,
        /// Durations in nanoseconds with their counts, in order: the figures
        /// themselves, not bins. May be negative (early).
        values: Vec<(i64, u64)>,
        /// Lines worth drawing: what was asked, the median, ticks.
        marks: Vec<Mark>,
    },
    /// One quantity against another, both in nanoseconds, on logarithmic
    /// axes.
    Curves {
        /// What it shows.
        title: String,
        /// What runs along the horizontal axis: `asked`.
        across: String,
        /// What runs along the vertical axis: `got, median`.
        up: String,
        /// The curves.
        curves: Vec<Curve>,
    },
    /// A bar for each name, in nanoseconds, on a logarithmic axis where the
    /// longest is more than thirty times the shortest.
    Bars {
        /// What it shows.
        title: String,
        /// What the length means: `lateness, median`.
        axis: String,
        /// Name, length, and end of the thin line that shows the spread.
        bars: Vec<(String, i64, Option<i64>)>,
    },
}

/// A line across a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its label: `asked`.
    pub label: String,
    /// Where it stands, in nanoseconds.
    pub at: i64,
}

/// One curve of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points (across, up) in nanoseconds.
    pub points: Vec<(i64, i64)>,
}

impl Section {
    /// An empty section.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new() }
    }

    /// Adds a block.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }
}

impl Table {
    /// A table without a caption, columns of words before columns of numbers:
    /// the form for other programs.
    pub fn plain(
        words: &[&'static str],
        numbers: impl IntoIterator<Item = &'static str>,
        rows: Vec<Vec<Cell>>,
    ) -> Self {
        let words = words.iter().map(|title| Column::words(*title));
        let numbers = numbers.into_iter().map(Column::numbers);
        let columns = words.chain(numbers).collect();
        Self { caption: String::new(), columns, rows }
    }
}

impl Column {
    /// A column of words.
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>) -> Self {
        Self { title: title.into(), align: Align::Right }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}
