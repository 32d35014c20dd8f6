//! What a machine's timer is, for people.

use super::cells::{cell, length, span, text, yes};
use super::words::{count, hertz, percent, ppm, rate};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::intervals::Share;
use crate::machine::{
    Facts, HardwareTimer, Known, Missing, MissingKind, Request, Span,
};

/// Everything the machine says about its timer.
#[must_use]
pub fn document(facts: &Facts) -> Document {
    Document {
        title: format!("The timer of this machine: {}", facts.system),
        sections: sections(facts),
        ..Document::default()
    }
}

/// The same as sections of a larger document.
#[must_use]
pub fn sections(facts: &Facts) -> Vec<Section> {
    let all = [waking(facts), counting(facts), devices(facts), around(facts)];
    all.into_iter().filter(|section| !section.blocks.is_empty()).collect()
}

/// The few facts that fit on one screen with other things.
#[must_use]
pub fn main_facts(facts: &Facts) -> Block {
    let rows = vec![
        fact("waits can end between ticks", high_resolution(facts)),
        fact("tick", tick(facts)),
        fact("interval", interval(facts)),
        fact("timer slack", length(&facts.timer_slack_ns)),
        fact("policy", text(&facts.policy)),
        fact("clock source", text(&facts.clock_source.current)),
        fact("wall clock", synchronised(facts)),
        fact("virtual machine", text(&facts.virtual_machine)),
    ];
    Block::Facts(sensible(facts, rows))
}

/// The rows that make sense of a machine: an imagined one has no hardware, and
/// what it does not have was never meant to be there.
fn sensible(facts: &Facts, rows: Vec<(String, Cell)>) -> Vec<(String, Cell)> {
    let senseless = |cell: &Cell| {
        let absent = |missing: &Missing| missing.kind == MissingKind::Absent;
        facts.simulated && matches!(cell, Cell::Missing(it) if absent(it))
    };
    rows.into_iter().filter(|(_, cell)| !senseless(cell)).collect()
}

fn facts_block(facts: &Facts, rows: Vec<(String, Cell)>) -> Option<Block> {
    let rows = sensible(facts, rows);
    (!rows.is_empty()).then_some(Block::Facts(rows))
}

/// The interval in force, and from where to where it can be had.
fn interval(facts: &Facts) -> Cell {
    let own = &facts.interval;
    let ends = own.finest_ns.value().zip(own.coarsest_ns.value());
    let ends = ends.filter(|_| own.can_be_requested());
    cell(&own.current_ns, |current| {
        let range = ends.map(|(finest, coarsest)| {
            format!(", can be {} to {}", exact(*finest), exact(*coarsest))
        });
        format!("{} in force{}", exact(*current), range.unwrap_or_default())
    })
}

/// A length with all its digits: 15.625 ms is a number people look for.
fn exact(ns: u64) -> String {
    let text = Span::from_ns(ns).written();
    let unit = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(unit.unwrap_or(text.len()));
    format!("{number} {unit}")
}

fn extra_ticks(facts: &Facts) -> Cell {
    cell(&facts.extra_ticks_per_s, |extra| match extra {
        0 => "none: the tick is the default".to_owned(),
        extra => format!("{} a second more than the default", count(*extra)),
    })
}

fn requests(facts: &Facts) -> Cell {
    cell(&facts.requests, |requests| {
        let holder = |request: &Request| {
            let span = request.interval_ns.value().map(|ns| exact(*ns));
            let span = span.unwrap_or_else(|| "unknown".to_owned());
            format!("{} (process {}): {span}", request.process, request.pid)
        };
        let all: Vec<String> = requests.iter().map(holder).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    })
}

/// How the time was shared between intervals.
#[must_use]
pub fn shares(shares: &[Share], time: Span) -> Section {
    let mut section = Section::new("intervals", "Intervals in force");
    let row = |own: &Share| {
        let per_s = 1e9 / own.interval_ns.max(1) as f64;
        vec![
            Cell::Text(exact(own.interval_ns)),
            Cell::Text(rate(per_s.round())),
            Cell::Text(percent(own.share)),
        ]
    };
    section.push(Block::Table(Table {
        caption: format!("Watched for {time}"),
        columns: vec![
            Column::numbers("interval"),
            Column::numbers("ticks"),
            Column::numbers("share of the time"),
        ],
        rows: shares.iter().map(row).collect(),
    }));
    section
}

fn fact(label: &str, cell: Cell) -> (String, Cell) {
    (label.to_owned(), cell)
}

fn high_resolution(facts: &Facts) -> Cell {
    yes(
        &facts.high_resolution_timers,
        "yes (high-resolution timers)",
        "no, only on a tick",
    )
}

fn tick(facts: &Facts) -> Cell {
    cell(&facts.tick_hz, |hz| {
        let each = span(1_000_000_000_u64.checked_div(*hz).unwrap_or(0));
        format!("{} on a busy CPU, every {each}", hertz(*hz as f64))
    })
}

fn synchronised(facts: &Facts) -> Cell {
    yes(&facts.synchronised, "kept right", "kept right by nobody")
}

/// What decides when a wait ends.
fn waking(facts: &Facts) -> Section {
    let mut section = Section::new("waking", "What decides when a wait ends");
    let rows = vec![
        fact("waits can end between ticks", high_resolution(facts)),
        fact("tick", tick(facts)),
        fact("tick of idle CPUs", text(&facts.nohz.mode)),
        fact("interval", interval(facts)),
        fact("extra ticks", extra_ticks(facts)),
        fact("requests", requests(facts)),
        fact("timer slack", length(&facts.timer_slack_ns)),
        fact("policy", text(&facts.policy)),
        fact("wake latency limit", length(&facts.latency_limit_ns)),
        fact("latency requests", latency_requests(facts)),
        fact("idle states", idle_states(facts)),
        fact("quantum", text(&facts.scheduler.quantum)),
        fact("preemption", text(&facts.scheduler.preemption)),
    ];
    section.blocks.extend(facts_block(facts, rows));
    section.blocks.extend(slack(facts).map(Block::Text));
    section
}

/// Which waits timer slack delays.
fn slack(facts: &Facts) -> Option<String> {
    let names = |applies: bool| {
        let waits = facts.waits.iter();
        let waits = waits.filter(|wait| wait.slack_applies == applies);
        let names: Vec<&str> = waits.map(|wait| wait.name.name()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let slack = facts.timer_slack_ns.value();
    match (names(true), names(false)) {
        (Some(with), Some(without)) => Some(format!(
            "Timer slack delays {with}. It does not touch {without}."
        )),
        (None, Some(_)) if slack.is_some_and(|slack| *slack > 0) => Some(
            "Timer slack delays no wait here: each ends on the first tick \
             from its time on, which comes whatever the slack."
                .to_owned(),
        ),
        _ => None,
    }
}

fn latency_requests(facts: &Facts) -> Cell {
    cell(&facts.latency_requests, |requests| {
        let holder = |request: &crate::machine::LatencyRequest| {
            format!("{} (process {})", request.process, request.pid)
        };
        let all: Vec<String> = requests.iter().map(holder).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    })
}

fn idle_states(facts: &Facts) -> Cell {
    cell(&facts.idle_states, |states| {
        let state = |state: &crate::machine::IdleState| {
            let off = if state.disabled { ", off" } else { "" };
            let exit = span(state.exit_latency_ns);
            format!("{} ({exit} to leave{off})", state.name)
        };
        let all: Vec<String> = states.iter().map(state).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    })
}

/// The section about clocks, by which others find it.
pub(super) const CLOCKS: &str = "clocks";

/// What clocks are made of.
fn counting(facts: &Facts) -> Section {
    let mut section = Section::new(CLOCKS, "What clocks count by");
    let rows = vec![
        fact("clock source", text(&facts.clock_source.current)),
        fact(
            "could be used",
            cell(&facts.clock_source.available, |all| all.join(", ")),
        ),
        fact("wall clock", synchronised(facts)),
        fact("steered by", cell(&facts.rate_error_ppm, |rate| ppm(*rate))),
    ];
    section.blocks.extend(facts_block(facts, rows));
    let row = |clock: &crate::machine::ClockFact| {
        vec![
            Cell::Text(clock.name.clone()),
            length(&clock.nominal_step_ns),
            text(&clock.via),
        ]
    };
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: vec![
            Column::words("clock"),
            Column::numbers("claims a step of"),
            Column::words("read in"),
        ],
        rows: facts.clocks.iter().map(row).collect(),
    }));
    section
}

/// Where the odd frequencies of a PC come from. The colour burst of NTSC
/// (SMPTE 170M) is 315/88 MHz, and a PC's crystal is four times that.
const FREQUENCIES: &str = "A timer has two roles: it can be read as a counter, \
    and it can raise interrupts. The PC's frequencies come from one crystal \
    of 14.318182 MHz, four times the colour burst of NTSC television: hpet \
    takes it whole (newer ones have another), acpi_pm a quarter (3.579545 \
    MHz), i8254 a twelfth (1.193182 MHz). rtc has a crystal of its own of \
    32.768 kHz, which is 2^15: it divides to 64 Hz, and 64 interrupts a \
    second are the 15.625 ms that Windows waits in.";

/// The hardware: what counts and what interrupts.
fn devices(facts: &Facts) -> Section {
    let mut section = Section::new("hardware", "Timer hardware");
    let device = text(&facts.clock_event_device);
    let rows = vec![fact("interrupts come from", device)];
    section.blocks.extend(facts_block(facts, rows));
    if !facts.hardware_timers.is_empty() {
        section.push(Block::Table(Table {
            caption: String::new(),
            columns: vec![
                Column::words("device"),
                Column::words("present"),
                Column::numbers("frequency"),
                Column::words("counts"),
                Column::words("interrupts"),
                Column::numbers("bits"),
                Column::numbers("wraps after"),
                Column::words("in use"),
            ],
            rows: facts.hardware_timers.iter().map(hardware).collect(),
        }));
        section.push(Block::Text(FREQUENCIES.to_owned()));
    }
    section
}

fn hardware(timer: &HardwareTimer) -> Vec<Cell> {
    let word = |is: bool| Cell::from(if is { "yes" } else { "no" });
    vec![
        Cell::Text(timer.name.clone()),
        yes(&timer.present, "yes", "no"),
        cell(&timer.frequency_hz, |hz| hertz(*hz as f64)),
        word(timer.counts),
        word(timer.interrupts),
        cell(&timer.width_bits, u32::to_string),
        length(&timer.wraps_after_ns),
        yes(&timer.in_use, "yes", "no"),
    ]
}

/// What else takes part.
fn around(facts: &Facts) -> Section {
    let mut section = Section::new("around", "What else takes part");
    let energy = cell(&facts.energy_counters, |counters| {
        let names: Vec<&str> =
            counters.iter().map(|counter| counter.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    });
    let rows = vec![
        fact("CPUs we may use", Cell::Text(cpus(facts))),
        fact("CPU speed", text(&facts.frequency_governor)),
        fact("went idle", times(&facts.nohz.idle_calls)),
        fact("stopped the tick then", times(&facts.nohz.idle_sleeps)),
        fact("virtual machine", text(&facts.virtual_machine)),
        fact("taken by the host", length(&facts.stolen_ns)),
        fact("on battery", yes(&facts.on_battery, "yes", "no")),
        fact("energy counters", energy),
    ];
    section.blocks.extend(facts_block(facts, rows));
    section
}

fn times(known: &Known<u64>) -> Cell {
    cell(known, |times| format!("{} times since boot", count(*times)))
}

fn cpus(facts: &Facts) -> String {
    let list: Vec<String> = facts.cpus.iter().map(u32::to_string).collect();
    format!("{}: {}", list.len(), list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::scripted::facts;
    use crate::report::text::{TextStyle, render};

    #[test]
    fn slack_is_told_with_the_waits_it_delays() {
        let text = render(&document(&facts()), TextStyle::default());
        assert!(text.contains("50 us"), "{text}");
        assert!(text.contains("Timer slack delays nanosleep"), "{text}");
        assert!(text.contains("does not touch timerfd"), "{text}");
        assert!(text.contains("250 Hz on a busy CPU, every 4 ms"), "{text}");
    }

    #[test]
    fn slack_that_delays_no_wait_is_not_said_to_delay_some() {
        let mut facts = facts();
        facts.waits.iter_mut().for_each(|wait| wait.slack_applies = false);
        let text = render(&document(&facts), TextStyle::default());
        assert!(text.contains("Timer slack delays no wait here"), "{text}");
        facts.timer_slack_ns = Known::Value(0);
        let text = render(&document(&facts), TextStyle::default());
        assert!(!text.contains("slack delays"), "{text}");
    }
}
