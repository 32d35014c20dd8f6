//! A chart for the page: its picture, and its figures in words.

use super::svg::DrawError;
use super::{bars, curves, histogram};
use crate::report::Chart;
use crate::report::text::{TextStyle, picture};

/// What the page shows of a chart.
pub(super) struct ChartView {
    pub(super) title: String,
    /// What the picture shows, for those who cannot see it.
    pub(super) says: String,
    /// The inner part of an `<svg>`; nothing if there is nothing to draw.
    pub(super) drawn: Option<Drawn>,
    /// The same in letters, with every figure.
    pub(super) figures: String,
}

/// A picture and its size.
pub(super) struct Drawn {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) shapes: String,
}

/// Columns of the figures below a chart.
const FIGURES: usize = 76;

/// Draws a chart. One that cannot be drawn is shown by its figures alone.
pub(super) fn view(chart: &Chart) -> ChartView {
    let (title, drawn): (_, Result<_, DrawError>) = match chart {
        Chart::Histogram { title, axis, values, marks } => {
            (title, histogram::draw(axis, values, marks))
        }
        Chart::Curves { title, across, up, curves } => {
            (title, curves::draw(across, up, curves))
        }
        Chart::Bars { title, axis, bars } => (title, bars::draw(axis, bars)),
    };
    let style = TextStyle { width: Some(FIGURES), ..TextStyle::default() };
    let figures = picture(&untitled(chart), style);
    ChartView {
        title: title.clone(),
        says: says(chart),
        drawn: drawn.ok().flatten(),
        figures: figures.join("\n"),
    }
}

/// The same chart without its title, which stands above it already.
fn untitled(chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    let (Chart::Histogram { title, .. }
    | Chart::Curves { title, .. }
    | Chart::Bars { title, .. }) = &mut chart;
    title.clear();
    chart
}

/// One sentence about what the picture shows.
fn says(chart: &Chart) -> String {
    match chart {
        Chart::Histogram { axis, values, marks, .. } => {
            histogram::says(axis, values, marks)
        }
        Chart::Curves { across, up, curves, .. } => {
            let names = curves.iter().map(|curve| curve.name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            format!("{up} against {across}, logarithmic, for: {names}.")
        }
        Chart::Bars { axis, bars, .. } => bars::says(axis, bars),
    }
}
