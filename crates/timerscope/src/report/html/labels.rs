//! Labels above a chart that do not overlap.

use super::svg::text_width;

/// Space between two labels of one row, in pixels.
const GAP: i32 = 12;

/// Space between a label and its column, in pixels.
const BESIDE: i32 = 5;

/// A label with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// What it says.
    pub(super) text: String,
    /// The column of pixels it belongs to.
    pub(super) at: i32,
    /// Where its text begins.
    pub(super) from: i32,
    /// Its row, the lowest being 0.
    pub(super) row: usize,
}

/// Puts labels into as few rows as it takes, each beside its column and
/// within `left..right`.
///
/// A label stands to the right of its column where there is room, and the
/// leftmost of a crowd highest: so no column runs through another's text.
pub(super) fn place(
    mut labels: Vec<(i32, String)>,
    left: i32,
    right: i32,
) -> Vec<Placed> {
    labels.sort();
    let mut placed: Vec<Placed> = Vec::new();
    for (at, text) in labels.into_iter().rev() {
        let width = text_width(&text);
        let beside = at + BESIDE;
        let turned = at - BESIDE - width;
        let from = if beside + width <= right { beside } else { turned };
        let from = from.min(right - width).max(left);
        let label = Placed { text, at, from, row: 0 };
        // Above all others there is always room.
        let rows = 0..=placed.len();
        let row = rows.rev().take_while(|row| label.fits(*row, &placed));
        let row = row.last().unwrap_or(placed.len());
        placed.push(Placed { row, ..label });
    }
    placed
}

impl Placed {
    /// Whether it neither overlaps the others in a row, nor stands below a
    /// label whose column would run through it.
    fn fits(&self, row: usize, placed: &[Self]) -> bool {
        let end = self.from + text_width(&self.text) + GAP;
        placed.iter().all(|other| {
            let other_end = other.from + text_width(&other.text) + GAP;
            let apart = end <= other.from || other_end <= self.from;
            let crossed = (self.from..end).contains(&other.at);
            (other.row != row || apart) && (other.row < row || !crossed)
        })
    }
}

/// How many rows there are.
pub(super) fn rows(placed: &[Placed]) -> usize {
    placed.iter().map(|label| label.row + 1).max().unwrap_or(0)
}

/// At most so many letters of `text`, with an ellipsis where some are left
/// out. The whole text stands in the figures below the chart.
pub(super) fn short(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(letters - 1).collect();
    short.push('\u{2026}');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_of_close_marks_stand_above_each_other() {
        let labels = vec![(300, "median 15.6 ms".to_owned())];
        assert_eq!(rows(&place(labels.clone(), 0, 700)), 1);
        let more = [labels, vec![(305, "tick 15.63 ms".to_owned())]].concat();
        assert_eq!(rows(&place(more, 0, 700)), 2);
    }

    #[test]
    fn a_long_name_is_shortened_in_the_picture_only() {
        assert_eq!(short("abcdef", 6), "abcdef");
        assert_eq!(short("abcdefg", 6), "abcde\u{2026}");
    }

    proptest! {
        #[test]
        fn labels_never_overlap(at in prop::collection::vec(0..700, 0..20)) {
            let labels = at.iter().map(|at| (*at, "label".to_owned()));
            let placed = place(labels.collect(), 0, 700);
            for (index, one) in placed.iter().enumerate() {
                for other in &placed[index + 1..] {
                    let apart = (one.from - other.from).abs();
                    let clear = apart >= text_width("label");
                    prop_assert!(one.row != other.row || clear);
                }
            }
        }
    }
}
