//! What is drawn, as markup for the page.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ink::{self, Ink};

/// The width of every chart, in its own pixels; the page scales it.
pub(super) const WIDTH: u32 = 720;

/// The size of letters, in pixels of the chart.
pub(super) const LETTERS: u32 = 14;

/// plotters divides sizes of letters by this when it writes them.
const LETTER_SCALE: f64 = 1.24;

/// Where charts are drawn.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Why drawing failed; in memory it does not, short of an absurd size.
pub(super) type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// Draws a picture of a height and gives what belongs into its `<svg>`.
pub(super) fn draw(
    height: u32,
    paint: impl FnOnce(&Area<'_>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let mut raw = String::new();
    let root = SVGBackend::with_string(&mut raw, (WIDTH, height));
    let root = root.into_drawing_area();
    paint(&root)?;
    root.present()?;
    drop(root);
    Ok(tidy(&raw))
}

/// Letters of a chart, with the corner or side they hang from.
pub(super) fn letters(ink: Ink, h: HPos, v: VPos) -> TextStyle<'static> {
    let size = f64::from(LETTERS) * LETTER_SCALE;
    ("sans-serif", size).into_font().color(&ink.colour()).pos(Pos::new(h, v))
}

/// Writes text where a pixel is.
pub(super) fn write(
    root: &Area<'_>,
    text: &str,
    at: (i32, i32),
    style: TextStyle<'static>,
) -> Result<(), DrawError> {
    root.draw(&Text::new(text.to_owned(), at, style))
}

/// Draws a line between pixels.
pub(super) fn line(
    root: &Area<'_>,
    from: (i32, i32),
    to: (i32, i32),
    style: ShapeStyle,
) -> Result<(), DrawError> {
    root.draw(&PathElement::new([from, to], style))
}

/// The columns of pixels a text is likely to take.
pub(super) fn text_width(text: &str) -> i32 {
    let letters = textwrap::core::display_width(text) as f64;
    // Mean width of letters and digits in common sans-serif fonts, in em.
    (letters * f64::from(LETTERS) * 0.56).ceil() as i32
}

/// Takes what surrounds the shapes away, and gives each its ink's class.
///
/// Letters in a picture cannot be mistaken for markup: the backend escapes
/// quotes and angles.
fn tidy(raw: &str) -> String {
    let start = raw.find('>').map_or(0, |at| at + 1);
    let end = raw.rfind("</svg>").unwrap_or(raw.len());
    let mut text = raw[start..end].replace('\n', "");
    let dull = [
        " opacity=\"1\"",
        " stroke=\"none\"",
        " stroke-width=\"1\"",
        " font-family=\"sans-serif\"",
    ];
    let mut size = String::new();
    // Writing into a string cannot fail.
    let _ = write!(size, " font-size=\"{LETTERS}\"");
    for dull in dull.iter().copied().chain([size.as_str()]) {
        text = text.replace(dull, "");
    }
    for ink in ink::ALL {
        let RGBColor(red, green, blue) = ink.colour();
        let code = format!("#{red:02X}{green:02X}{blue:02X}");
        let class = ink.class();
        let fill = (format!("fill=\"{code}\""), format!("class=\"f-{class}\""));
        let line =
            (format!("stroke=\"{code}\""), format!("class=\"l-{class}\""));
        for (from, to) in [fill, line] {
            text = text.replace(&from, &to);
        }
    }
    text
}
