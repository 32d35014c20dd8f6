//! What a raised tick costs, for people.

use super::cells::{cell, fine};
use super::words::{percent, rate, significant};
use super::{Block, Cell, Column, Document, Headline, Section, Table, Tone};
use crate::lab::cost::{Basis, CostFigures, CostVerdict, Idle, Meter, Window};
use crate::machine::{Facts, Known};

/// A machine with so many busy CPUs is not idle. Invented.
const BUSY: f64 = 0.5;

/// Both verdicts, the work and the power, and where they come from.
#[must_use]
pub fn document(facts: &Facts, figures: &CostFigures) -> Document {
    let mut sections = vec![work(figures)];
    if is_series(figures) {
        sections.push(series(&figures.series));
    }
    sections.push(power(facts, figures));
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
    section.push(Block::Text(watts(figures)));
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
    format!("{} ticks in a second", significant(per_s.round(), 4))
}

fn range(figures: &CostFigures) -> String {
    let ends = figures.loss_low_percent.value();
    match ends.zip(figures.loss_high_percent.value()) {
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
    let mut facts = vec![
        ("without the tick".to_owned(), per_s(&figures.baseline_per_s)),
        ("with it".to_owned(), per_s(&figures.raised_per_s)),
        ("lost".to_owned(), loss),
        ("for each tick".to_owned(), fine(&figures.per_tick_ns)),
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

fn power(facts: &Facts, figures: &CostFigures) -> Section {
    let mut section = Section::new("power", "Power on an idle machine");
    section.push(Block::Table(idle(&figures.idle, &figures.idle_raised)));
    section.blocks.extend(already(facts, figures).map(Block::Warning));
    section.blocks.extend(not_idle(figures).map(Block::Warning));
    section.push(Block::Text(watts(figures)));
    if let Some(fleet) = figures.fleet.value() {
        section.push(Block::Text(format!(
            "On {} machines that is {} MW.",
            significant(fleet.machines, 3),
            significant(fleet.megawatts, 3)
        )));
    }
    section.push(Block::Text(
        "That is against a program that sleeps instead. Against one that \
         waits busily, which keeps a CPU from sleeping at all, a raised tick \
         saves energy: `timerscope frames` shows the CPU time of both."
            .to_owned(),
    ));
    section
}

fn idle(quiet: &Idle, raised: &Idle) -> Table {
    let row = |name: &str, idle: &Idle| {
        let per_s =
            |known: &Known<f64>| cell(known, |per_s| rate(per_s.round()));
        vec![
            Cell::from(name),
            per_s(&idle.timer_interrupts_per_s),
            per_s(&idle.idle_wakeups_per_s),
            cell(&idle.busy_cpus, |cpus| significant(*cpus, 2)),
            cell(machine_or_packages(idle), |watts| {
                format!("{} W", significant(*watts, 3))
            }),
        ]
    };
    Table {
        caption: "All CPUs together".to_owned(),
        columns: vec![
            Column::words("left alone"),
            Column::numbers("timer interrupts"),
            Column::numbers("idle wake-ups"),
            Column::numbers("busy CPUs"),
            Column::numbers("power"),
        ],
        rows: vec![row("by us", quiet), row("but for the ticker", raised)],
    }
}

/// The power that there is a meter for.
fn machine_or_packages(idle: &Idle) -> &Known<f64> {
    match (&idle.watts, &idle.battery_watts) {
        (Known::Missing(_), battery @ Known::Value(_)) => battery,
        (packages, _) => packages,
    }
}

/// Whether the baseline is as fine already as the tick that is to be raised.
fn already(facts: &Facts, figures: &CostFigures) -> Option<String> {
    let seen = *figures.idle.timer_interrupts_per_s.value()?;
    let tick = *facts.tick_hz.value()? as f64;
    // A busy CPU has the scheduler's tick anyway.
    let regular = tick * facts.cpus.len() as f64;
    let more = seen - regular;
    (more >= figures.raised_by.asked_per_s / 2.0).then(|| {
        format!(
            "Somebody else wakes this machine already: without our ticker \
             there were {} timer interrupts in a second, {} more than its \
             CPUs' own ticks. A loss may be smaller than on a quiet machine.",
            significant(seen.round(), 4),
            significant(more.round(), 4)
        )
    })
}

/// Whether others computed while the machine was left alone.
fn not_idle(figures: &CostFigures) -> Option<String> {
    let looks = [&figures.idle, &figures.idle_raised];
    let busy = looks.into_iter().filter_map(|look| look.busy_cpus.value());
    let busy = busy.copied().fold(0.0, f64::max);
    (busy >= BUSY).then(|| {
        format!(
            "This machine was not idle: others kept {} CPUs busy. The \
             interval of the loss is wider for that, and the power says \
             little.",
            significant(busy, 2)
        )
    })
}

fn watts(figures: &CostFigures) -> String {
    let power = &figures.power;
    let Some(watts) = power.extra_watts.value() else {
        return "What the tick adds is not known.".to_owned();
    };
    let watts = significant(*watts, 2);
    match power.constants.first() {
        None if power.meter == Some(Meter::Battery) => format!(
            "The ticker adds {watts} W to an idle machine, as the gauge of \
             its battery says."
        ),
        None => format!(
            "The ticker adds {watts} W to an idle machine, as its energy \
             counters say, each look once."
        ),
        Some(constant) => format!(
            "A model, as no energy counter can be read here, nor a battery \
             that feeds the machine: {watts} W more, \
             at {} uJ for each wake-up, a constant {}.",
            significant(constant.value, 3),
            constant.source
        ),
    }
}

fn meaning(figures: &CostFigures) -> String {
    let cpu = match figures.raised_by.cpu.value() {
        Some(cpu) => format!("CPU {cpu}"),
        None => "the worker's CPU".to_owned(),
    };
    format!(
        "Raised means here: a process of its own waits on {cpu}, beside the \
         work, and wakes {} times in a second. A round adds up 1024 integers.",
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
            "wakes 1000 times in a second",
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
