//! One quantity against another, on logarithmic axes.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::Axis;
use super::chart::Drawn;
use super::ink::{self, Ink};
use super::labels::short;
use super::svg::{self, Area, DrawError, LETTERS, WIDTH};
use super::ticks;
use crate::report::{Curve, words};

const LEFT: i32 = 92;
const RIGHT: i32 = 24;
const PLOT: i32 = 320;
const BELOW: i32 = 52;
const ROW: i32 = LETTERS as i32 + 8;
/// Curves with more points are drawn without a dot on each.
const DOTS: usize = 40;
/// A curve of more points is thinned: the picture has no more columns.
const POINTS: usize = 600;
/// More curves cannot be told apart.
const CURVES: usize = 12;
/// A curve as it is drawn: points above zero only.
struct Line<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
}

/// The axes: their least and greatest values.
struct Plan<'a> {
    lines: Vec<Line<'a>>,
    across: (f64, f64),
    up: (f64, f64),
    legend: Vec<(i32, i32, String)>,
    top: i32,
}

/// Draws the picture; nothing if no point is above zero.
pub(super) fn draw(
    across: &str,
    up: &str,
    curves: &[Curve],
) -> Result<Option<Drawn>, DrawError> {
    let lines: Vec<_> =
        curves.iter().take(CURVES).filter_map(visible).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    let plan = Plan::new(lines, across);
    let height = (plan.top + PLOT + BELOW) as u32;
    let shapes = svg::draw(height, |root| plan.paint(root, across, up))?;
    Ok(Some(Drawn { width: WIDTH, height, shapes }))
}

/// The points that a logarithmic axis has room for.
fn visible(curve: &Curve) -> Option<Line<'_>> {
    let above = |point: &&(i64, i64)| point.0 > 0 && point.1 > 0;
    let points: Vec<_> = curve.points.iter().filter(above).collect();
    let every = points.len().div_ceil(POINTS).max(1);
    let points = points.into_iter().step_by(every);
    let points = points.map(|(x, y)| (*x as f64, *y as f64));
    let points: Vec<_> = points.collect();
    (!points.is_empty()).then_some(Line { name: &curve.name, points })
}

impl<'a> Plan<'a> {
    fn new(lines: Vec<Line<'a>>, name: &str) -> Self {
        let points = lines.iter().flat_map(|line| &line.points);
        let across = range(points.clone().map(|point| point.0));
        let up = range(points.map(|point| point.1));
        let mut plan = Self { lines, across, up, legend: Vec::new(), top: 0 };
        plan.place_legend(&format!("equal to {}", short(name, 40)));
        plan
    }

    /// Puts the names into rows above the picture.
    fn place_legend(&mut self, equal: &str) {
        let names = self.lines.iter().map(|line| short(line.name, 40));
        let (mut x, mut row) = (LEFT, 0);
        let mut legend = Vec::new();
        for name in names.chain([equal.to_owned()]) {
            let width = 36 + svg::text_width(&name) + 20;
            if x + width > WIDTH as i32 && x > LEFT {
                (x, row) = (LEFT, row + 1);
            }
            legend.push((x, row * ROW + ROW / 2, name));
            x += width;
        }
        self.legend = legend;
        self.top = (row + 1) * ROW + 10;
    }

    fn paint(
        &self,
        root: &Area<'_>,
        across: &str,
        up: &str,
    ) -> Result<(), DrawError> {
        let ((left, right), (low, high)) = (self.across, self.up);
        let mut chart = ChartBuilder::on(root)
            .margin_top(self.top)
            .margin_right(RIGHT)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(
                Axis::logarithmic(left, right, ticks::logarithmic(left, right)),
                Axis::logarithmic(low, high, ticks::logarithmic(low, high)),
            )?;
        let letters = svg::letters(Ink::Text, HPos::Center, VPos::Top);
        chart
            .configure_mesh()
            .max_light_lines(0)
            .axis_style(Ink::Axis.line(1))
            .bold_line_style(Ink::Grid.line(1))
            .label_style(letters.clone())
            .axis_desc_style(letters)
            .x_desc(short(across, 60))
            .y_desc(short(up, 36))
            .x_label_formatter(&|at| words::duration(at.round() as i64))
            .y_label_formatter(&|at| words::duration(at.round() as i64))
            .draw()?;
        let (from, to) = (left.max(low), right.min(high));
        if from < to {
            let ends = [(from, from), (to, to)];
            chart.draw_series(LineSeries::new(ends, Ink::Equal.line(1)))?;
        }
        for (index, line) in self.lines.iter().enumerate() {
            let points = line.points.iter().copied();
            let style = Ink::Curve(index).line(thickness(index));
            chart.draw_series(LineSeries::new(points, style))?;
        }
        for (index, line) in self.lines.iter().enumerate() {
            if line.points.len() > DOTS {
                continue;
            }
            for point in &line.points {
                mark(root, index, chart.backend_coord(point))?;
            }
        }
        self.paint_legend(root)
    }

    fn paint_legend(&self, root: &Area<'_>) -> Result<(), DrawError> {
        for (index, (x, y, name)) in self.legend.iter().enumerate() {
            let style = svg::letters(Ink::Text, HPos::Left, VPos::Center);
            svg::write(root, name, (x + 36, *y), style)?;
            if index == self.lines.len() {
                let ends = ((*x, *y), (x + 28, *y));
                svg::line(root, ends.0, ends.1, Ink::Equal.line(1))?;
                continue;
            }
            let ink = Ink::Curve(index);
            let style = ink.line(thickness(index));
            svg::line(root, (*x, *y), (x + 28, *y), style)?;
            mark(root, index, (x + 14, *y))?;
        }
        Ok(())
    }
}

/// The first of a colour is the thicker, and the style sheet draws all but
/// the first in dashes: where curves lie on each other, both are seen.
fn thickness(index: usize) -> u32 {
    if index.is_multiple_of(ink::CURVES) { 3 } else { 2 }
}

/// Marks a point of a curve, each curve in its own way: those that are drawn
/// later leave those below them to be seen.
fn mark(
    root: &Area<'_>,
    index: usize,
    at: (i32, i32),
) -> Result<(), DrawError> {
    let ink = Ink::Curve(index);
    // Hollow for the second curve of a colour.
    let full = if index < ink::CURVES { ink.filled() } else { ink.line(1) };
    let by = |x: i32, y: i32| (at.0 + x, at.1 + y);
    match index % ink::CURVES {
        0 => root.draw(&Circle::new(at, 3, full)),
        1 => root.draw(&Rectangle::new([by(-5, -5), by(5, 5)], ink.line(2))),
        2 => root.draw(&TriangleMarker::new(at, 8, full)),
        3 => root.draw(&Cross::new(at, 5, ink.line(2))),
        4 => root.draw(&Circle::new(at, 7, ink.line(2))),
        _ => {
            let corners = vec![by(0, -4), by(4, 0), by(0, 4), by(-4, 0)];
            root.draw(&Polygon::new(corners, full))
        }
    }
}

/// The least and the greatest, with some room around.
fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(0.0, f64::max);
    (low / 1.4, high * 1.4)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Of two equal curves only the later was seen.
    #[test]
    fn no_two_curves_are_drawn_alike() {
        let points = vec![(1_000, 2_000), (2_000, 3_000)];
        let curve = |name: usize| Curve {
            name: format!("curve {name}"),
            points: points.clone(),
        };
        let curves: Vec<Curve> = (0..ink::CURVES).map(curve).collect();
        let drawn = draw("asked", "got", &curves).unwrap().unwrap();
        let css = include_str!("../../../templates/page.css");
        for index in 0..ink::CURVES {
            let dashed = format!(".l-curve{index} {{ stroke-dasharray:");
            assert_eq!(css.contains(&dashed), index > 0, "{dashed}");
        }
        // Each kind of mark is there for each point, and in the legend.
        let marks = ["<circle", "<rect", "<polygon"];
        for mark in marks {
            assert!(drawn.shapes.matches(mark).count() >= 3, "{mark}");
        }
    }
}
