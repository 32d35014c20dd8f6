//! What a raised tick adds to an idle machine's power, for people.

use super::cells::cell;
use super::words::{rate, significant};
use super::{Block, Cell, Column, Section, Table};
use crate::lab::cost::{By, CostFigures, Idle, Meter};
use crate::machine::{Facts, Known};

/// A machine with so many busy CPUs is not idle. Invented.
const BUSY: f64 = 0.5;

/// Both looks at an idle machine, and what lies between them.
pub(super) fn section(facts: &Facts, figures: &CostFigures) -> Section {
    let mut section = Section::new("power", "Power on an idle machine");
    section.push(Block::Table(idle(figures)));
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

fn idle(figures: &CostFigures) -> Table {
    let row = |name: &str, idle: &Idle| {
        let per_s =
            |known: &Known<f64>| cell(known, |per_s| rate(per_s.round()));
        vec![
            Cell::from(name),
            per_s(&idle.timer_interrupts_per_s),
            per_s(&idle.idle_wakeups_per_s),
            cell(&idle.busy_cpus, |cpus| significant(*cpus, 2)),
            cell(&idle.watts, |watts| format!("{} W", significant(*watts, 3))),
        ]
    };
    let raised = match figures.raised_by.by {
        By::Waiter => "but for the ticker",
        By::Request => "but for the request",
    };
    let power =
        if figures.idle.modelled { "power, by its rules" } else { "power" };
    Table {
        caption: "All CPUs together".to_owned(),
        columns: vec![
            Column::words("left alone"),
            Column::numbers("timer interrupts"),
            Column::numbers("idle wake-ups"),
            Column::numbers("busy CPUs"),
            Column::numbers(power),
        ],
        rows: vec![
            row("by us", &figures.idle),
            row(raised, &figures.idle_raised),
        ],
    }
}

/// Whether the baseline is as fine already as the tick that is to be raised.
fn already(facts: &Facts, figures: &CostFigures) -> Option<String> {
    if figures.raised_by.by == By::Request {
        return None;
    }
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

/// The power that the tick adds, and who says so.
pub(super) fn watts(figures: &CostFigures) -> String {
    let power = &figures.power;
    let Some(watts) = power.extra_watts.value() else {
        return "What the tick adds is not known.".to_owned();
    };
    let watts = significant(*watts, 2);
    match power.constants.first() {
        None if figures.raised_by.by == By::Request => format!(
            "The request adds {watts} W to an idle machine, as its meter \
             says, each look once."
        ),
        None if power.meter == Some(Meter::Battery) => format!(
            "The ticker adds {watts} W to an idle machine, as the gauge of \
             its battery says."
        ),
        None => format!(
            "The ticker adds {watts} W to an idle machine, as its energy \
             counters say, each look once."
        ),
        Some(constant) => {
            let why = if figures.idle.modelled {
                "nothing is measured on a simulated machine"
            } else {
                "no energy counter can be read here, nor a battery that \
                 feeds the machine"
            };
            let own = own_rules(figures).unwrap_or_default();
            format!(
                "A model, as {why}: {watts} W more, at {} uJ for each tick \
                 and the program that it wakes, a constant {}.{own}",
                significant(constant.value, 3),
                constant.source
            )
        }
    }
}

/// What a simulated machine's rules make of the same.
fn own_rules(figures: &CostFigures) -> Option<String> {
    let (quiet, raised) = (&figures.idle, &figures.idle_raised);
    let (before, after) = (quiet.watts.value()?, raised.watts.value()?);
    let more = significant(after - before, 2);
    quiet.modelled.then(|| {
        format!(
            " The machine's own rules say {more} W, without any program that \
             wakes with the tick."
        )
    })
}
