//! What the tasks of a workload saw, for people.

use super::cells::span;
use super::long_ones::long_ones;
use super::words::{count, duration};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::run::{RunFigures, StepFigures, TaskFigures};
use crate::machine::{Counters, Ended, Known, Meters};
use crate::stats::{Counted, Quantiles};

/// Every kept step of every task, and the machine's counters.
#[must_use]
pub fn document(title: &str, figures: &RunFigures) -> Document {
    let title = if title.is_empty() { "A workload" } else { title };
    let mut tasks = Section::new("tasks", "");
    tasks.push(Block::Table(table(&figures.tasks)));
    for task in &figures.tasks {
        let lists = task.steps.iter().filter_map(|step| {
            let what =
                format!("{}/{}: {}", task.process, task.task, step.action);
            long_ones(&what, &step.over)
        });
        tasks.blocks.extend(lists);
    }
    tasks.push(Block::Text(ended(figures)));
    let mut meters = Section::new("meters", "The machine meanwhile");
    meters.push(Block::Facts(counters(&figures.meters)));
    Document {
        title: title.to_owned(),
        sections: vec![tasks, meters],
        ..Document::default()
    }
}

fn table(tasks: &[TaskFigures]) -> Table {
    let columns =
        ["times", "min", "half within", "99 % within", "max", "late, half"];
    let words = ["task", "action"].map(Column::words);
    Table {
        caption: String::new(),
        columns: words
            .into_iter()
            .chain(columns.map(Column::numbers))
            .collect(),
        rows: tasks
            .iter()
            .flat_map(|task| {
                let kept = task.steps.iter().filter(|step| kept(step));
                kept.map(|step| line(task, step))
            })
            .collect(),
    }
}

/// Whether there is something to tell of a step.
fn kept(step: &StepFigures) -> bool {
    step.outcomes.total() > 0 || step.done.value().is_some()
}

fn line(task: &TaskFigures, step: &StepFigures) -> Vec<Cell> {
    let quantiles = Quantiles::of(&step.took);
    let quantile = |of: fn(&Quantiles) -> i64| {
        quantiles.as_ref().map_or(Cell::Empty, |all| duration(of(all)).into())
    };
    let at = |place: Option<&(i64, u64)>| {
        place.map_or(Cell::Empty, |(ns, _)| duration(*ns).into())
    };
    let pairs = step.took.pairs();
    vec![
        Cell::Text(format!("{}/{}", task.process, task.task)),
        Cell::Text(step.action.clone()),
        Cell::Text(times(step)),
        at(pairs.first()),
        quantile(|all| all.p50),
        quantile(|all| all.p99),
        at(pairs.last()),
        late(step),
    ]
}

fn late(step: &StepFigures) -> Cell {
    let late = Counted::quantile(&step.lateness, 0.5);
    late.filter(|_| step.has_due).map_or(Cell::Empty, |ns| duration(ns).into())
}

fn times(step: &StepFigures) -> String {
    let own = &step.outcomes;
    let done = step.done.value().copied().unwrap_or(own.total());
    let mut text = count(done);
    for (number, word) in [
        (own.timed_out, "timed out"),
        (own.interrupted, "interrupted"),
        (own.absent, "absent"),
        (own.refused, "refused"),
    ] {
        if number > 0 {
            text = format!("{text} ({} {word})", count(number));
        }
    }
    text
}

fn ended(figures: &RunFigures) -> String {
    let lasted = span(figures.lasted_ns);
    match &figures.ending {
        Ended::Complete => format!("Complete after {lasted}."),
        Ended::Cut { by, .. } => {
            format!("Cut after {lasted}: {by}.")
        }
    }
}

type Counter = fn(&Counters) -> &Known<u64>;

fn counters(meters: &Meters) -> Vec<(String, Cell)> {
    let times: [(&str, Counter); 4] = [
        ("switches", |own| &own.switches),
        ("wake-ups", |own| &own.wakeups),
        ("idle wake-ups", |own| &own.idle_wakeups),
        ("timer interrupts", |own| &own.ticks),
    ];
    let spans: [(&str, Counter); 2] = [
        ("CPUs busy", |own| &own.busy_ns),
        ("taken by the host", |own| &own.stolen_ns),
    ];
    let cell = |counter: Counter, write: fn(u64) -> String| {
        super::cells::cell(&meters.delta(counter), |delta| write(*delta))
    };
    let times =
        times.map(|(name, counter)| (name.to_owned(), cell(counter, count)));
    let spans =
        spans.map(|(name, counter)| (name.to_owned(), cell(counter, span)));
    let energy =
        cell(|own| &own.energy_uj, |uj| format!("{:.3} J", uj as f64 / 1e6));
    let energy = [("energy".to_owned(), energy)];
    times.into_iter().chain(spans).chain(energy).collect()
}

/// The steps for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(figures: &RunFigures) -> Table {
    let names = [
        "process",
        "task",
        "step",
        "action",
        "count",
        "min_ns",
        "p50_ns",
        "p99_ns",
        "max_ns",
        "lateness_p50_ns",
    ];
    let row = |task: &TaskFigures, step: &StepFigures| {
        let at = |place: Option<i64>| {
            place.map_or(Cell::Empty, |ns| Cell::Text(ns.to_string()))
        };
        let (took, late) = (&step.took, &step.lateness);
        vec![
            Cell::Text(task.process.clone()),
            Cell::Text(task.task.clone()),
            Cell::Text(step.step.to_string()),
            Cell::Text(step.action.clone()),
            Cell::Text(step.outcomes.total().to_string()),
            at(took.quantile(0.0)),
            at(took.quantile(0.5)),
            at(took.quantile(0.99)),
            at(took.quantile(1.0)),
            at(late.quantile(0.5).filter(|_| step.has_due)),
        ]
    };
    let rows = figures.tasks.iter().flat_map(|task| {
        let kept = task.steps.iter().filter(|step| kept(step));
        kept.map(move |step| row(task, step))
    });
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: rows.collect(),
    }
}
