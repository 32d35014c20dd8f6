//! A bar for each name.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::Axis;
use super::chart::Drawn;
use super::ink::Ink;
use super::labels::short;
use super::svg::{self, Area, DrawError, WIDTH};
use super::ticks;
use crate::report::bars::Scale;
use crate::report::words;

const RIGHT: i32 = 16;
const TOP: i32 = 6;
const BELOW: i32 = 52;
const BAR: i32 = 30;
/// Letters of a name in the picture.
const NAME: usize = 32;
/// Bars in the picture; the figures below it have them all.
const BARS: usize = 40;
/// Name, length, and end of the spread.
type Bar = (String, i64, Option<i64>);

/// Draws the picture; nothing if there are no bars.
pub(super) fn draw(
    axis: &str,
    bars: &[Bar],
) -> Result<Option<Drawn>, DrawError> {
    let bars = &bars[..bars.len().min(BARS)];
    if bars.is_empty() {
        return Ok(None);
    }
    let height = (TOP + BAR * bars.len() as i32 + BELOW) as u32;
    let shapes = svg::draw(height, |root| paint(root, axis, bars))?;
    Ok(Some(Drawn { width: WIDTH, height, shapes }))
}

/// One sentence that names the shortest and the longest.
pub(super) fn says(axis: &str, bars: &[Bar]) -> String {
    let shortest = bars.iter().min_by_key(|bar| bar.1);
    let longest = bars.iter().max_by_key(|bar| bar.1);
    let (Some(shortest), Some(longest)) = (shortest, longest) else {
        return "No values.".to_owned();
    };
    let bar = |bar: &Bar| format!("{} {}", bar.0, words::duration(bar.1));
    format!("{axis}: least {}, most {}.", bar(shortest), bar(longest))
}

fn paint(root: &Area<'_>, axis: &str, bars: &[Bar]) -> Result<(), DrawError> {
    let names: Vec<_> = bars.iter().map(|bar| short(&bar.0, NAME)).collect();
    let left = names.iter().map(|name| svg::text_width(name)).max();
    let left = left.unwrap_or(0) + 20;
    let scale = Scale::new(bars);
    let places = axis_ticks(scale);
    let beyond = beyond(bars, left);
    let rows = bars.len() as f64;
    let mut chart = ChartBuilder::on(root)
        .margin_top(TOP)
        .margin_right(RIGHT)
        .x_label_area_size(BELOW)
        .y_label_area_size(left)
        .build_cartesian_2d(
            Axis::linear(0.0, beyond, places),
            Axis::linear(0.0, rows, Vec::new()),
        )?;
    let note = if scale.logarithmic { ", logarithmic" } else { "" };
    let letters = svg::letters(Ink::Text, HPos::Center, VPos::Top);
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .max_light_lines(0)
        .axis_style(Ink::Axis.line(1))
        .bold_line_style(Ink::Grid.line(1))
        .label_style(letters.clone())
        .axis_desc_style(letters)
        .x_desc(format!("{}{note}", short(axis, 60)))
        .x_label_formatter(&|at| words::duration(at_place(scale, *at)))
        .draw()?;
    for (index, bar) in bars.iter().enumerate() {
        let middle = TOP + BAR * index as i32 + BAR / 2;
        let x = |ns: f64| {
            let share = scale.position(ns).clamp(0.0, 1.0);
            chart.backend_coord(&(share, 0.0)).0
        };
        let name = svg::letters(Ink::Text, HPos::Right, VPos::Center);
        svg::write(root, &names[index], (left - 8, middle), name)?;
        let zero = x(if scale.logarithmic { scale.low } else { 0.0 });
        paint_bar(root, bar, middle, [zero, x(bar.1 as f64)], x)?;
    }
    Ok(())
}

fn paint_bar(
    root: &Area<'_>,
    bar: &Bar,
    middle: i32,
    ends: [i32; 2],
    x: impl Fn(f64) -> i32,
) -> Result<(), DrawError> {
    let corners = [
        (ends[0].min(ends[1]), middle - 9),
        (ends[0].max(ends[1]), middle + 9),
    ];
    root.draw(&Rectangle::new(corners, Ink::Bar.filled()))?;
    let mut far = corners[1].0;
    if let Some(spread) = bar.2 {
        let end = x(spread as f64);
        svg::line(root, (ends[1], middle), (end, middle), Ink::Mark.line(2))?;
        let cap = ((end, middle - 5), (end, middle + 5));
        svg::line(root, cap.0, cap.1, Ink::Mark.line(2))?;
        far = far.max(end);
    }
    let says = svg::letters(Ink::Text, HPos::Left, VPos::Center);
    svg::write(root, &label(bar), (far + 8, middle), says)
}

/// Both numbers: one alone, behind the line, would be taken for its end.
fn label(bar: &Bar) -> String {
    let length = words::duration(bar.1);
    match bar.2 {
        Some(spread) => format!("{length} to {}", words::duration(spread)),
        None => length,
    }
}

/// How far the axis goes on behind the longest bar, for its numbers.
fn beyond(bars: &[Bar], left: i32) -> f64 {
    let labels = bars.iter().map(|bar| svg::text_width(&label(bar)));
    let label = f64::from(labels.max().unwrap_or(0) + 12);
    let room = f64::from(WIDTH as i32 - left - RIGHT);
    room / (room - label).max(room / 3.0)
}

/// Places of round times along the axis.
fn axis_ticks(scale: Scale) -> Vec<f64> {
    let ticks = if scale.logarithmic {
        ticks::logarithmic(scale.low, scale.high)
    } else {
        let (_, ticks) = ticks::linear(scale.low as i64, scale.high as i64, 6);
        ticks.iter().map(|at| *at as f64).collect()
    };
    ticks.iter().map(|at| scale.position(*at)).collect()
}

/// The length in nanoseconds that stands at a place on the axis.
fn at_place(scale: Scale, place: f64) -> i64 {
    if scale.logarithmic {
        let ratio = (scale.high / scale.low).powf(place);
        return (scale.low * ratio).round() as i64;
    }
    (scale.low + (scale.high - scale.low) * place).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    // The median stood at the far end of the thin line, which is 99 %.
    #[test]
    fn a_bar_with_a_spread_says_both_numbers() {
        let bar = ("a".to_owned(), 61_000, Some(133_000));
        assert_eq!(label(&bar), "61 us to 133 us");
        let drawn = draw("late", &[bar]).unwrap().unwrap();
        assert!(drawn.shapes.contains("61 us to 133 us"));
    }

    #[test]
    fn a_place_on_the_axis_leads_back_to_its_length() {
        let bar = |ns| (String::new(), ns, None);
        for bars in [[bar(-40), bar(300)], [bar(100), bar(100_000)]] {
            let scale = Scale::new(&bars);
            for ns in [100, 250, 300] {
                assert_eq!(at_place(scale, scale.position(ns as f64)), ns);
            }
        }
    }
}
