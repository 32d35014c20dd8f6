//! A bar for each name.

use textwrap::core::display_width;

use super::paint::{Look, TextStyle};
use super::{clean, curves, prose};
use crate::report::bars::Scale;
use crate::report::words;

/// Columns of the longest bar where there is room.
const BAR: usize = 32;

/// The shortest longest bar.
const SHORT_BAR: usize = 8;

/// The bars with their title, line by line.
pub(super) fn picture(
    title: &str,
    axis: &str,
    bars: &[(String, i64, Option<i64>)],
    style: TextStyle,
) -> Vec<String> {
    let mut lines = curves::heading(title, style);
    let scale = Scale::new(bars);
    let note = if scale.logarithmic { " (logarithmic)" } else { "" };
    let axis = prose::wrap(&format!("{axis}{note}"), style);
    lines.extend(axis.iter().map(|line| style.paint(Look::Faint, line)));
    let names: Vec<_> = bars.iter().map(|it| clean::line(&it.0)).collect();
    let values: Vec<_> = bars.iter().map(|it| words::duration(it.1)).collect();
    let value = widest(values.iter());
    let most = style.width.map_or(usize::MAX, |width| width / 5 * 2);
    let name = widest(names.iter()).min(most);
    let ends: Vec<_> = bars.iter().map(|it| spread(it.2)).collect();
    let used = name + 2 + value + 2;
    let room = style.width.map_or(BAR, |width| {
        width.saturating_sub(used + widest(ends.iter()) + 1).min(BAR)
    });
    for (index, bar) in bars.iter().enumerate() {
        let mut label = names[index].clone();
        if display_width(&label) > name {
            lines.extend(prose::wrap(&label, style));
            label.clear();
        }
        let mut line = format!(
            "{}  {}",
            prose::left(&label, name),
            prose::right(&values[index], value)
        );
        if room >= SHORT_BAR {
            let drawn = style.bar(scale.share(bar.1), room);
            let drawn_width = columns(&drawn);
            let gap = " ".repeat(room.saturating_sub(drawn_width));
            line = format!("{line}  {drawn}{gap}");
        }
        lines.push(format!("{line} {}", ends[index]));
    }
    lines
}

/// The far end of the spread, in words.
fn spread(end: Option<i64>) -> String {
    end.map_or(String::new(), |end| format!("to {}", words::duration(end)))
}

fn widest<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(|text| display_width(text)).max().unwrap_or(0)
}

/// The columns a bar takes, whatever its colour.
fn columns(bar: &str) -> usize {
    bar.chars().filter(|c| *c == '#' || !c.is_ascii()).count()
}
