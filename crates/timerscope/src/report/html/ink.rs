//! The colours of a chart, as the style sheet names them.
//!
//! plotters writes each colour into each shape. A page that is read by day,
//! by night and on paper needs names instead: each ink is drawn in a colour
//! of its own, which `svg` then replaces by the ink's class.

use plotters::style::{Color, RGBColor, ShapeStyle};

/// What a line or an area of a chart is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Letters.
    Text,
    /// Axes.
    Axis,
    /// Lines of the grid.
    Grid,
    /// Bars of a histogram and of names.
    Bar,
    /// What was folded into a tail.
    Tail,
    /// Lines that mark a value, and the spread of a bar.
    Mark,
    /// The line of equal values, in dashes.
    Equal,
    /// One of the curves, counted from 0; they repeat after [`CURVES`].
    Curve(usize),
}

/// How many curves have a colour of their own.
pub(super) const CURVES: usize = 6;

/// Every ink there is.
pub(super) const ALL: [Ink; 13] = [
    Ink::Text,
    Ink::Axis,
    Ink::Grid,
    Ink::Bar,
    Ink::Tail,
    Ink::Mark,
    Ink::Equal,
    Ink::Curve(0),
    Ink::Curve(1),
    Ink::Curve(2),
    Ink::Curve(3),
    Ink::Curve(4),
    Ink::Curve(5),
];

impl Ink {
    /// The name in the style sheet.
    pub(super) fn class(self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Axis => "axis".to_owned(),
            Self::Grid => "grid".to_owned(),
            Self::Bar => "bar".to_owned(),
            Self::Tail => "tail".to_owned(),
            Self::Mark => "mark".to_owned(),
            Self::Equal => "equal".to_owned(),
            Self::Curve(index) => format!("curve{}", index % CURVES),
        }
    }

    /// The colour that stands for it until `svg` knows better.
    pub(super) const fn colour(self) -> RGBColor {
        let code = match self {
            Self::Text => 1,
            Self::Axis => 2,
            Self::Grid => 3,
            Self::Bar => 4,
            Self::Tail => 5,
            Self::Mark => 6,
            Self::Equal => 7,
            Self::Curve(index) => 16 + (index % CURVES) as u8,
        };
        RGBColor(0xfa, 0xce, code)
    }

    /// Filled with it.
    pub(super) fn filled(self) -> ShapeStyle {
        self.colour().filled()
    }

    /// Drawn with it, so many pixels thick.
    pub(super) fn line(self, width: u32) -> ShapeStyle {
        self.colour().stroke_width(width)
    }
}
