//! How often each duration was seen.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::Axis;
use super::chart::Drawn;
use super::ink::Ink;
use super::labels::{self, Placed};
use super::svg::{self, Area, DrawError, LETTERS, WIDTH};
use super::ticks;
use crate::report::Mark;
use crate::report::bins::{Bins, Ordered, Tail};
use crate::report::ticks::{decimals, unit};
use crate::report::words::{self, TimeUnit};

/// Room for the name of the upright axis and its ticks, beside the counts.
const NAME: i32 = 40;
const RIGHT: i32 = WIDTH as i32 - 30;
const PLOT: i32 = 210;
const BELOW: i32 = 52;
/// Pixels for what was folded into a tail.
const TAIL: i32 = 140;
const ROW: i32 = LETTERS as i32 + 6;
/// Bins between the tails.
const BINS: usize = 60;
/// With fewer bins there is empty room beside them: one alone is no picture.
const FEW: i128 = 13;

/// Everything the picture needs to know before it is drawn.
struct Plan {
    bins: Bins,
    unit: TimeUnit,
    /// The ends of the axis, in nanoseconds.
    low: i64,
    high: i64,
    /// The columns of pixels between which it runs.
    from: i32,
    to: i32,
    /// The columns of pixels that the upright axis takes.
    left: i32,
    top: i32,
    most: u64,
    labels: Vec<Placed>,
    /// Where lines are drawn for marks.
    lines: Vec<i32>,
}

/// Draws the picture; nothing if there are no values.
pub(super) fn draw(
    axis: &str,
    values: &[(i64, u64)],
    marks: &[Mark],
) -> Result<Option<Drawn>, DrawError> {
    let Some(values) = Ordered::new(values) else { return Ok(None) };
    let plan = Plan::new(&values, marks);
    let height = (plan.top + PLOT + BELOW) as u32;
    let shapes = svg::draw(height, |root| plan.paint(root, axis))?;
    Ok(Some(Drawn { width: WIDTH, height, shapes }))
}

/// One sentence with the figures that matter.
pub(super) fn says(
    axis: &str,
    values: &[(i64, u64)],
    marks: &[Mark],
) -> String {
    let Some(values) = Ordered::new(values) else {
        return "No values.".to_owned();
    };
    let marks = marks.iter();
    let marks = marks.map(|it| format!(", {} {}", it.label, time(it.at)));
    format!(
        "{axis}: {} values from {} to {}, half of them up to {}{}.",
        words::count(values.total),
        time(values.first()),
        time(values.last()),
        time(values.nth((values.total - 1) / 2)),
        marks.collect::<String>(),
    )
}

fn time(ns: i64) -> String {
    words::duration(ns)
}

/// The ends of the axis: of the bins, or farther where they are few. On the
/// side of a tail the axis ends where the tail begins.
fn ends(bins: &Bins) -> (i64, i64) {
    let few = (FEW - bins.counts.len() as i128).max(0) / 2;
    let room = |tail: Option<Tail>| {
        let room = if tail.is_some() { 0 } else { few * bins.width };
        i64::try_from(room).unwrap_or(i64::MAX)
    };
    let low = bins.edge(0).saturating_sub(room(bins.under));
    let high = bins.end().saturating_add(room(bins.over));
    (low, high)
}

impl Plan {
    fn new(values: &Ordered, marks: &[Mark]) -> Self {
        let places: Vec<_> = marks.iter().map(|mark| mark.at).collect();
        let bins = Bins::new(values, &places, BINS);
        let room = |tail: Option<Tail>| if tail.is_some() { TAIL } else { 0 };
        let tails = [bins.under, bins.over];
        let counts = bins.counts.iter().copied();
        let counts = counts.chain(tails.iter().flatten().map(|it| it.count));
        let most = counts.max().unwrap_or(1).max(1);
        let left = NAME + svg::text_width(&words::count(most));
        let (low, high) = ends(&bins);
        let mut plan = Self {
            most,
            unit: unit(low, high),
            low,
            high,
            left,
            from: left + room(bins.under),
            to: RIGHT - room(bins.over),
            bins,
            top: 10,
            labels: Vec::new(),
            lines: Vec::new(),
        };
        plan.place(marks);
        plan
    }

    /// Finds places for the labels of marks; those out of sight get an arrow.
    fn place(&mut self, marks: &[Mark]) {
        let mut wanted = Vec::new();
        for mark in marks {
            let label = labels::short(&mark.label, 40);
            let label = format!("{label} {}", time(mark.at));
            if (self.low..=self.high).contains(&mark.at) {
                let x = self.x(mark.at);
                self.lines.push(x);
                wanted.push((x, label));
            } else if mark.at < self.low {
                wanted.push((NAME, format!("\u{2190} {label}")));
            } else {
                wanted.push((RIGHT, format!("{label} \u{2192}")));
            }
        }
        self.labels = labels::place(wanted, NAME, RIGHT);
        self.top += labels::rows(&self.labels) as i32 * ROW;
    }

    /// The column of pixels for a time within the bins.
    fn x(&self, ns: i64) -> i32 {
        let (low, high) = (self.low as f64, self.high as f64);
        let share = (ns as f64 - low) / (high - low).max(1.0);
        self.from + (share * f64::from(self.to - self.from)).round() as i32
    }

    fn paint(&self, root: &Area<'_>, axis: &str) -> Result<(), DrawError> {
        let (low, high) = (self.low, self.high);
        let (step, along) = ticks::linear(low, high, 7);
        let decimals = decimals(step, self.unit);
        let along = along.iter().map(|at| *at as f64).collect::<Vec<_>>();
        let most = i64::try_from(self.most).unwrap_or(i64::MAX);
        let (_, up) = ticks::linear(0, most, 4);
        let up = up.iter().map(|at| *at as f64).collect::<Vec<_>>();
        let mut chart = ChartBuilder::on(root)
            .margin_top(self.top)
            .margin_right(WIDTH as i32 - self.to)
            .margin_left(self.from - self.left)
            .x_label_area_size(BELOW)
            .y_label_area_size(self.left)
            .build_cartesian_2d(
                Axis::linear(low as f64, high as f64, along),
                Axis::linear(0.0, self.most as f64 * 1.04, up),
            )?;
        let letters = svg::letters(Ink::Text, HPos::Center, VPos::Top);
        let axis = labels::short(axis, 60);
        let unit = self.unit;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(0)
            .axis_style(Ink::Axis.line(1))
            .bold_line_style(Ink::Grid.line(1))
            .label_style(letters.clone())
            .axis_desc_style(letters)
            .x_desc(format!("{axis} ({})", unit.symbol()))
            .y_desc("count")
            .x_label_formatter(&|at| unit.number(*at as i64, decimals))
            .y_label_formatter(&|at| words::count(*at as u64))
            .draw()?;
        let filled = self.bins.counts.iter().enumerate();
        let filled = filled.filter(|(_, count)| **count > 0);
        chart.draw_series(filled.map(|(index, count)| {
            let (from, to) = (self.bins.edge(index), self.bins.edge(index + 1));
            let corners = [(from as f64, 0.0), (to as f64, *count as f64)];
            let mut bar = Rectangle::new(corners, Ink::Bar.filled());
            bar.set_margin(0, 0, 0, 1);
            bar
        }))?;
        self.paint_tails(root)?;
        self.paint_marks(root)
    }

    /// Draws what was folded away, beside the axis it does not belong to.
    fn paint_tails(&self, root: &Area<'_>) -> Result<(), DrawError> {
        if let Some(tail) = self.bins.under {
            let says = format!("below {}", time(self.bins.edge(0)));
            let far = format!("least {}", time(tail.extreme));
            self.paint_tail(root, tail, TAIL / 2, &[says, far])?;
        }
        if let Some(tail) = self.bins.over {
            let says = format!("from {} on", time(self.bins.end()));
            let far = format!("most {}", time(tail.extreme));
            self.paint_tail(root, tail, RIGHT - TAIL / 2, &[says, far])?;
        }
        Ok(())
    }

    fn paint_tail(
        &self,
        root: &Area<'_>,
        tail: Tail,
        x: i32,
        says: &[String; 2],
    ) -> Result<(), DrawError> {
        let share = tail.count as f64 / (self.most as f64 * 1.04);
        let base = self.top + PLOT;
        let top = base - ((share * f64::from(PLOT)).round() as i32).max(1);
        let corners = [(x - 12, top), (x + 12, base)];
        root.draw(&Rectangle::new(corners, Ink::Tail.filled()))?;
        let (from, to) = (x - TAIL / 2 + 10, x + TAIL / 2 - 2);
        svg::line(root, (from, base), (to, base), Ink::Axis.line(1))?;
        let above = svg::letters(Ink::Text, HPos::Center, VPos::Bottom);
        svg::write(root, &words::count(tail.count), (x, top - 2), above)?;
        for (row, text) in says.iter().enumerate() {
            let at = (x, base + 9 + row as i32 * ROW);
            let below = svg::letters(Ink::Text, HPos::Center, VPos::Top);
            svg::write(root, text, at, below)?;
        }
        Ok(())
    }

    /// Draws all lines before any text, which is then read above them.
    fn paint_marks(&self, root: &Area<'_>) -> Result<(), DrawError> {
        let bottom = |label: &Placed| self.top - 6 - label.row as i32 * ROW;
        for label in &self.labels {
            if self.lines.contains(&label.at) {
                let top = (label.at, bottom(label) - LETTERS as i32);
                let foot = (label.at, self.top + PLOT);
                svg::line(root, top, foot, Ink::Mark.line(1))?;
            }
        }
        for label in &self.labels {
            let style = svg::letters(Ink::Mark, HPos::Left, VPos::Bottom);
            svg::write(root, &label.text, (label.from, bottom(label)), style)?;
        }
        Ok(())
    }
}
