//! Slices one after another or one within another.

use super::Slice;

/// Slices that come in the order they begin, of which any two are nested or
/// apart: a viewer cannot show others on one line.
#[derive(Debug, Default)]
pub(super) struct Lane {
    slices: Vec<Slice>,
    /// When those that the next one may be in end, the innermost last.
    open: Vec<i64>,
}

impl Lane {
    /// Adds a slice if it fits, and says whether it did.
    pub(super) fn add(&mut self, slice: Slice) -> bool {
        let begun =
            self.slices.last().is_none_or(|last| last.begin <= slice.begin);
        while self.open.last().is_some_and(|end| *end <= slice.begin) {
            self.open.pop();
        }
        let within = self.open.last().is_none_or(|end| slice.end <= *end);
        let fits = begun && within && slice.begin <= slice.end;
        if fits {
            self.open.push(slice.end);
            self.slices.push(slice);
        }
        fits
    }

    pub(super) fn into_slices(self) -> Vec<Slice> {
        self.slices
    }
}
