//! How often each duration was seen, as rows of a small picture.

use textwrap::core::display_width;

use super::paint::{Look, TextStyle};
use super::{clean, prose};
use crate::report::Mark;
use crate::report::bins::{Bins, Ordered};
use crate::report::ticks;
use crate::report::words;

/// Rows between the tails.
const ROWS: usize = 12;

/// Columns of the longest bar where there is room.
const BAR: usize = 40;

/// The shortest longest bar.
const SHORT_BAR: usize = 8;

/// So many empty rows in a row are told in one.
const EMPTY_RUN: usize = 3;

/// One row of the picture.
struct Row {
    label: String,
    count: u64,
    /// What stands behind the bar.
    aside: String,
}

/// The picture with its title, line by line.
pub(super) fn picture(
    title: &str,
    axis: &str,
    values: &[(i64, u64)],
    marks: &[Mark],
    style: TextStyle,
) -> Vec<String> {
    let mut lines = super::curves::heading(title, style);
    let Some(values) = Ordered::new(values) else {
        lines.push("no values".to_owned());
        lines.extend(legend(marks, style));
        return lines;
    };
    let bins = Bins::new(&values, &[], ROWS);
    let rows = rows(&bins, marks);
    lines.extend(drawn(&clean::line(axis), &rows, style));
    lines.extend(legend(marks, style));
    lines
}

/// All rows from the lower tail to the upper.
fn rows(bins: &Bins, marks: &[Mark]) -> Vec<Row> {
    let unit = ticks::unit(bins.edge(0), bins.end());
    let decimals = ticks::decimals(bins.width, unit);
    let time = |ns| unit.number(ns, decimals);
    let mut rows = Vec::new();
    if let Some(tail) = bins.under {
        rows.push(Row {
            label: format!("below {} {}", time(bins.edge(0)), unit.symbol()),
            count: tail.count,
            aside: format!("(least {})", words::duration(tail.extreme)),
        });
    }
    for (index, count) in bins.counts.iter().enumerate() {
        let (from, to) = (time(bins.edge(index)), time(bins.edge(index + 1)));
        let label = if bins.width == 1 {
            format!("{from} {}", unit.symbol())
        } else {
            format!("{from} to {to} {}", unit.symbol())
        };
        let aside = marks_in(bins, index, marks);
        rows.push(Row { label, count: *count, aside });
    }
    if let Some(tail) = bins.over {
        rows.push(Row {
            label: format!("{} {} or more", time(bins.end()), unit.symbol()),
            count: tail.count,
            aside: format!("(most {})", words::duration(tail.extreme)),
        });
    }
    rows
}

/// The names of the marks in a bin.
fn marks_in(bins: &Bins, index: usize, marks: &[Mark]) -> String {
    let marks = marks.iter().filter(|mark| bins.bin_of(mark.at) == Some(index));
    let labels: Vec<_> = marks.map(|mark| clean::line(&mark.label)).collect();
    if labels.is_empty() {
        return String::new();
    }
    format!("<- {}", labels.join(", "))
}

/// Rows under their heading, with bars in the room that is left.
fn drawn(axis: &str, rows: &[Row], style: TextStyle) -> Vec<String> {
    let width = |text: &str| display_width(text);
    let labels = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
    let label = labels.max(width(axis).min(labels + 8));
    let counts = rows.iter().map(|row| width(&words::count(row.count))).max();
    let count = counts.unwrap_or(0).max("count".len());
    let asides = rows.iter().map(|row| width(&row.aside)).max().unwrap_or(0);
    let used = label + 2 + count + 2;
    let room = style.width.map_or(BAR, |room| {
        let room = room.saturating_sub(used);
        let beside = room.saturating_sub(asides + 1);
        if beside >= SHORT_BAR { beside } else { room }.min(BAR)
    });
    let most = rows.iter().map(|row| row.count).max().unwrap_or(1).max(1);
    let mut lines = head(axis, label, count, style);
    let mut at = 0;
    while at < rows.len() {
        let empty = empty_run(&rows[at..]);
        if empty >= EMPTY_RUN {
            let dots = prose::right("...", label);
            lines.push(style.paint(Look::Faint, &dots));
            at += empty;
            continue;
        }
        let row = &rows[at];
        let share = row.count as f64 / most as f64;
        let line = format!(
            "{}  {}  {}",
            prose::right(&row.label, label),
            prose::right(&words::count(row.count), count),
            style.bar(share, room),
        );
        let bar = (share * room as f64).ceil() as usize;
        let fits = |room| used + bar + 1 + width(&row.aside) <= room;
        if row.aside.is_empty() {
            lines.push(line);
        } else if style.width.is_none_or(fits) {
            lines.push(format!("{line} {}", row.aside));
        } else {
            lines.push(line);
            lines.extend(prose::hang(&" ".repeat(4), &row.aside, style));
        }
        at += 1;
    }
    lines
}

/// How many rows at the beginning have nothing to say.
fn empty_run(rows: &[Row]) -> usize {
    let empty = |row: &&Row| row.count == 0 && row.aside.is_empty();
    rows.iter().take_while(empty).count()
}

fn head(
    axis: &str,
    label: usize,
    count: usize,
    style: TextStyle,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut axis = axis.to_owned();
    if display_width(&axis) > label {
        lines.extend(prose::wrap(&axis, style));
        axis.clear();
    }
    let axis = prose::right(&axis, label);
    lines.push(format!("{axis}  {}", prose::right("count", count)));
    lines.iter().map(|line| style.paint(Look::Faint, line)).collect()
}

/// Where each mark stands, in figures.
fn legend(marks: &[Mark], style: TextStyle) -> Vec<String> {
    if marks.is_empty() {
        return Vec::new();
    }
    let marks = marks
        .iter()
        .map(|mark| format!("{} {}", mark.label, words::duration(mark.at)));
    prose::wrap(&marks.collect::<Vec<_>>().join(", "), style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The counts that a reader sees in a picture.
    fn counts(picture: &[String]) -> Vec<u64> {
        let row = |line: &String| {
            let mut parts = line.split("  ").filter(|it| !it.is_empty());
            parts.nth(1)?.replace(words::GROUP, "").trim().parse().ok()
        };
        picture.iter().filter_map(row).collect()
    }

    proptest! {
        #[test]
        fn the_counts_shown_are_all_there_are(
            values in prop::collection::vec(any::<(i64, u32)>(), 0..60),
            near in prop::collection::vec((0_i64..1_000_000, 0_u32..99), 0..60),
        ) {
            let values: Vec<_> = values
                .into_iter()
                .take(2)
                .chain(near)
                .map(|(value, count)| (value, u64::from(count)))
                .collect();
            let total: u64 = values.iter().map(|value| value.1).sum();
            let style = TextStyle { width: Some(80), ..TextStyle::default() };
            let picture = picture("", "woke", &values, &[], style);
            prop_assert_eq!(counts(&picture).iter().sum::<u64>(), total);
        }
    }

    #[test]
    fn the_row_of_a_mark_names_it() {
        let mark = Mark { label: "median".into(), at: 15 };
        let style = TextStyle { ascii: true, ..TextStyle::default() };
        let values = [(10, 1), (15, 4), (90, 1)];
        let picture = picture("", "woke after", &values, &[mark], style);
        let marked = picture.iter().find(|line| line.contains("<- median"));
        assert!(marked.unwrap().contains("10 to 20 ns"));
        assert_eq!(picture.last().unwrap(), "median 15 ns");
    }
}
