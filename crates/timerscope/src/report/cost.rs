//! What a raised tick costs, for people.

use super::cells::{cell, fine, span};
use super::power;
use super::words::{percent, significant};
use super::{Block, Cell, Column, Document, Headline, Section, Table, Tone};
use crate::lab::cost::{Basis, By, CostFigures, CostVerdict, Window};
use crate::machine::{Facts, Known};

/// Both verdicts, the work and the power, and where they come from.
#[must_use]
pub fn document(facts: &Facts, figures: &CostFigures) -> Document {
    let mut sections = vec![work(figures)];
    if is_series(figures) {
        sections.push(series(&figures.series));
    }
    sections.push(power::section(facts, figures));
    Document {
        banner: None,
        title: "What a raised tick costs".to_owned(),
        headline: Some(headline(figures)),
        sections,
        footnotes: [Some(meaning(figures)), shared(figures)]
            .into_iter()
            .flatten()
            .collect(),
    }
}

/// The same in short, as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &CostFigures) -> Section {
    let mut section = Section::new(id, title);
    let headline = headline(figures);
    section.push(Block::Text(headline.finding));
    section.blocks.extend(work(figures).blocks);
    section.push(Block::Text(power::watts(figures)));
    let notes = [Some(meaning(figures)), shared(figures)];
    section.blocks.extend(notes.into_iter().flatten().map(Block::Text));
    section
}

/// A series has no interval, and says so by having no pairs.
fn is_series(figures: &CostFigures) -> bool {
    figures.pairs == 0
}

fn headline(figures: &CostFigures) -> Headline {
    let ticks = ticks(figures);
    let loss = figures.loss_percent.value().copied().unwrap_or(f64::NAN);
    let range = range(figures);
    let finding = match figures.verdict {
        _ if figures.raised_by.was_there() => format!(
            "The tick came {} times in a second already, so what that costs \
             cannot be told here.",
            ticks.trim_end_matches(" ticks in a second")
        ),
        CostVerdict::Costs => format!(
            "{ticks} cost a busy CPU {} of its work{range}.",
            share(loss)
        ),
        CostVerdict::NoneShown => {
            format!("{ticks} cost no work that shows at this length{range}.")
        }
        CostVerdict::CannotTell if is_series(figures) => format!(
            "With {ticks} a CPU did {} {} work than before and after; whether \
             the tick did that cannot be told from one long raise.",
            share(loss.abs()),
            if loss < 0.0 { "more" } else { "less" }
        ),
        CostVerdict::CannotTell => {
            format!("What {ticks} cost cannot be told from this run{range}.")
        }
    };
    let action = match figures.verdict {
        _ if figures.raised_by.was_there() => {
            Some("Run it where nobody holds a fine interval.".to_owned())
        }
        CostVerdict::Costs => None,
        _ if is_series(figures) => {
            Some("Leave out --series: blocks in random order tell.".to_owned())
        }
        _ => longer(figures),
    };
    Headline { finding, action, tone: Tone::Neutral }
}

fn ticks(figures: &CostFigures) -> String {
    let raise = &figures.raised_by;
    let per_s = raise.ticks_per_s.value().unwrap_or(&raise.asked_per_s);
    let ticks = significant(per_s.round(), 4);
    let before = figures.baseline_interval_ns.value();
    match (raise.by, before) {
        (By::Request, Some(before)) if !raise.was_there() => {
            let before = 1e9 / (*before).max(1) as f64;
            let before = significant(before.round(), 4);
            format!("{ticks} ticks in a second instead of {before}")
        }
        _ if wakes_at_ticks(figures) => format!(
            "{ticks} wake-ups in a second, each at a tick that comes anyway,"
        ),
        _ => format!("{ticks} ticks in a second"),
    }
}

/// Whether whoever raises the tick only wakes at those that come anyway, and
/// adds none to them.
fn wakes_at_ticks(figures: &CostFigures) -> bool {
    figures.raised_by.by == By::Waiter
        && figures.baseline_interval_ns.value().is_some()
}

fn range(figures: &CostFigures) -> String {
    let ends = figures.loss_low_percent.value();
    match ends.zip(figures.loss_high_percent.value()) {
        // Where there is no chance, there is none in the figures either.
        Some((low, high)) if high - low < 1e-6 => {
            format!(" (the same in each of {} pairs)", figures.pairs)
        }
        Some((low, high)) => format!(
            " (95 % sure: between {} and {} %)",
            significant(*low, 2),
            significant(*high, 2)
        ),
        None => String::new(),
    }
}

/// How long a run would have to be to show a loss of 1 %.
fn longer(figures: &CostFigures) -> Option<String> {
    let seconds = figures.seconds_for_one_percent.value()?;
    let span = figures.series.last()?.to_ns as f64 / 1e9;
    Some(if *seconds <= span {
        "A loss of 1 % would have shown.".to_owned()
    } else {
        format!("Run {} s to see 1 %.", significant(seconds.ceil(), 2))
    })
}

fn millions(per_s: f64) -> String {
    significant(per_s / 1e6, 4)
}

fn share(percents: f64) -> String {
    format!("{} %", significant(percents, 2))
}

fn work(figures: &CostFigures) -> Section {
    let mut section = Section::new("work", "Work on a busy CPU");
    let per_s = |known: &Known<f64>| {
        cell(known, |per_s| format!("{} million rounds/s", millions(*per_s)))
    };
    let loss = match range(figures) {
        none if none.is_empty() => cell(&figures.loss_percent, |p| share(*p)),
        range => cell(&figures.loss_percent, |p| share(*p) + &range),
    };
    let (what, each) = match figures.raised_by.by {
        By::Request => ("the tick", "for each tick more"),
        By::Waiter if wakes_at_ticks(figures) => {
            ("the wake-ups", "for each wake-up")
        }
        By::Waiter => ("the tick", "for each tick"),
    };
    let mut facts = vec![
        (format!("without {what}"), per_s(&figures.baseline_per_s)),
        (format!("with {what}"), per_s(&figures.raised_per_s)),
        ("lost".to_owned(), loss),
        (each.to_owned(), fine(&figures.per_tick_ns)),
    ];
    if !is_series(figures) {
        let pairs = Cell::Text(figures.pairs.to_string());
        facts.push(("pairs of blocks".to_owned(), pairs));
    }
    section.push(Block::Facts(facts));
    section
}

fn series(windows: &[Window]) -> Section {
    let mut section = Section::new("series", "Second by second");
    let best = windows.iter().map(|one| one.per_s).fold(0.0, f64::max);
    let lost = |window: &Window| 1.0 - window.per_s / best.max(1.0);
    let most = windows.iter().map(lost).fold(0.0, f64::max);
    let row = |window: &Window| {
        let length = (lost(window) / most.max(1e-9) * 40.0).round() as usize;
        vec![
            Cell::Text(format!("{:.0}", window.from_ns as f64 / 1e9)),
            Cell::from(if window.raised { "raised" } else { "" }),
            Cell::Text(millions(window.per_s)),
            Cell::Text("#".repeat(length)),
        ]
    };
    section.push(Block::Table(Table {
        caption: format!(
            "Bars: how far below the best, up to {}",
            percent(most)
        ),
        columns: vec![
            Column::numbers("second"),
            Column::words("tick"),
            Column::numbers("million rounds/s"),
            Column::words("lost"),
        ],
        rows: windows.iter().map(row).collect(),
    }));
    section
}

fn meaning(figures: &CostFigures) -> String {
    match figures.raised_by.by {
        By::Waiter => waiting(figures),
        By::Request => requesting(figures),
    }
}

fn requesting(figures: &CostFigures) -> String {
    let time = |known: &Known<u64>| {
        known.value().map_or_else(|| "unknown".to_owned(), |ns| span(*ns))
    };
    format!(
        "Raised means here: a process of its own requests an interval of {} \
         and holds it; {} was granted, and {} was in force before. A round \
         adds up 1024 integers.",
        span((1e9 / figures.raised_by.asked_per_s).round() as u64),
        time(&figures.raised_by.granted_ns),
        time(&figures.baseline_interval_ns)
    )
}

fn waiting(figures: &CostFigures) -> String {
    let cpu = match figures.raised_by.cpu.value() {
        Some(cpu) => format!("CPU {cpu}"),
        None => "the worker's CPU".to_owned(),
    };
    format!(
        "Raised means here: a process of its own waits on {cpu}, beside the \
         work, and asks to wake {} times in a second. A round adds up 1024 integers.",
        significant(figures.raised_by.asked_per_s, 4)
    )
}

/// That others had the CPU, and what was done about it.
fn shared(figures: &CostFigures) -> Option<String> {
    let share = figures.others_share.value()?;
    (figures.counted_by == Basis::CpuTime).then(|| {
        format!(
            "Others had {} of that CPU, so work is counted by the CPU time of \
             worker and ticker together, not by the clock on the wall. What \
             the kernel charges to no task is left out of that.",
            percent(*share)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::cost::Cost;
    use crate::lab::cost::ticking::{ALONE, Ticking, asked, played};
    use crate::machine::Span;
    use crate::report::text::{TextStyle, render};

    fn text(cost: Cost, meters: bool) -> String {
        let figures =
            played(cost, &mut Ticking { slows: 0.1, meters, ..ALONE });
        let facts = crate::lab::scripted::facts();
        let text = render(&document(&facts, &figures), TextStyle::default());
        let text = text.replace(crate::report::words::GROUP, "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_loss_is_told_with_how_sure_it_is_and_a_model_as_a_model() {
        let text = text(asked(), false);
        for part in [
            "1000 ticks in a second cost a busy CPU 4.8 % of its work (95 % \
             sure",
            "for each tick 48",
            "nor a battery that feeds the machine: 0.32 W more",
            "On 33000000 machines that is 10.6 MW",
            "asks to wake 1000 times in a second",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn where_none_shows_it_is_said_what_would_have_shown() {
        let never = Cost { period: Span::from_s(10), ..asked() };
        let text = text(never, true);
        assert!(text.contains("cost no work that shows"), "{text}");
        assert!(text.contains("A loss of 1 % would have shown"), "{text}");
        assert!(text.contains("as its energy counters say"), "{text}");
    }

    #[test]
    fn a_series_is_drawn_and_claims_nothing() {
        let time = Span::from_s(41);
        let text = text(Cost { series: true, time, ..asked() }, false);
        assert!(text.contains("cannot be told from one long raise"), "{text}");
        let raised = [" raised 9.", " raised 8."];
        let raised = raised.map(|row| text.matches(row).count());
        assert_eq!(raised.iter().sum::<usize>(), 20, "{text}");
        assert!(text.contains("########"), "{text}");
    }
}
