//! What raises the tick, and by how much.

use serde::Serialize;

use super::windows::{Window, is_series};
use super::{CostFigures, CostVerdict};
use crate::lab::ruler::{counted, known};
use crate::machine::{
    Action, Facts, Known, Missing, Saved, Span, Task, Until, Warning,
};

/// By what the tick is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// A process that wakes on the worker's CPU.
    Waiter,
    /// A process that requests an interval for everybody and holds it.
    Request,
}

impl By {
    /// What the machine of `facts` has for it.
    pub(super) fn of(facts: &Facts) -> Self {
        if facts.interval.can_be_requested() {
            Self::Request
        } else {
            Self::Waiter
        }
    }
}

/// What raised the tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Raise {
    /// By what.
    pub by: By,
    /// Ticks in a second that were asked for.
    pub asked_per_s: f64,
    /// Ticks in a second that there were; of a request, those of the
    /// interval that was granted.
    pub ticks_per_s: Known<f64>,
    /// How many more than without: all of a waiter's, and of a request those
    /// that the interval before did not have.
    pub extra_per_s: Known<f64>,
    /// The interval that was granted.
    pub granted_ns: Known<u64>,
    /// The CPU of the work.
    pub cpu: Known<u32>,
}

/// Fewer ticks more than this in a second are a matter of rounding.
const ANY: f64 = 1.0;

impl Raise {
    pub(super) fn of(saved: &Saved, series: &[Window]) -> Self {
        let by = By::of(&saved.facts);
        let ticks_per_s = match by {
            By::Waiter => woken_per_s(saved, series),
            By::Request => granted_ns(saved).map(rate),
        };
        let extra_per_s = match by {
            By::Waiter => ticks_per_s,
            By::Request => requested_per_s(saved),
        };
        let cast = saved.workload.cast();
        let cpu = cast.first().and_then(|role| role.task.cpus.first());
        let none = || Missing::absent("a waiter is granted no interval").into();
        Self {
            by,
            asked_per_s: rate(period(saved).ns()),
            ticks_per_s: known(ticks_per_s),
            extra_per_s: known(extra_per_s),
            granted_ns: match by {
                By::Waiter => none(),
                By::Request => known(granted_ns(saved)),
            },
            cpu: known(cpu.copied()),
        }
    }

    /// Whether the tick came as often as that already.
    #[must_use]
    pub fn was_there(&self) -> bool {
        let extra = self.extra_per_s.value();
        self.by == By::Request && extra.is_some_and(|extra| *extra < ANY)
    }
}

/// That nothing could be raised, as the interval was as fine already.
#[must_use]
pub fn unraised(figures: &CostFigures) -> Option<Warning> {
    let interval = *figures.baseline_interval_ns.value()?;
    figures.raised_by.was_there().then(|| {
        let interval = Span::from_ns(interval);
        let text = format!(
            "The interval was {interval} already, as another process holds \
             it: the request raised nothing, so what a raised tick costs \
             cannot be told here."
        );
        Warning::new("already-fine", text)
    })
}

/// Without a difference nothing is told of it.
pub(super) fn verdict(raise: &Raise, work: CostVerdict) -> CostVerdict {
    if raise.was_there() { CostVerdict::CannotTell } else { work }
}

fn rate(period_ns: u64) -> f64 {
    1e9 / period_ns.max(1) as f64
}

/// Between two ticks that were asked for.
fn period(saved: &Saved) -> Span {
    let steps = ticker(saved).map(Task::steps).unwrap_or_default();
    let asked = steps.iter().find_map(|step| match step.action {
        Action::Every { period, .. } | Action::Request(period) => Some(*period),
        _ => None,
    });
    asked.unwrap_or_default()
}

fn ticker(saved: &Saved) -> Option<&Task> {
    saved.workload.cast().get(1).map(|role| role.task)
}

/// How often in a second of its turns the waiter woke.
fn woken_per_s(saved: &Saved, series: &[Window]) -> Option<f64> {
    let steps = ticker(saved).map(Task::steps).unwrap_or_default();
    let turn = steps.iter().find_map(|step| match step.action {
        Action::Every { until: Until::Span(turn), .. } => Some(*turn),
        _ => None,
    });
    let turn = turn.unwrap_or_default();
    let raised = series.iter().filter(|window| window.raised);
    // In blocks the tick is raised for longer than is measured.
    let raised_ns: i64 = raised
        .map(|window| {
            let measured = window.to_ns - window.from_ns;
            if is_series(saved) { measured } else { turn.ns() as i64 }
        })
        .sum();
    let woken = woken(saved).filter(|_| raised_ns > 0)?;
    Some(woken as f64 * 1e9 / raised_ns as f64)
}

/// How often the waiter woke; `None` where there was none.
pub(super) fn woken(saved: &Saved) -> Option<u64> {
    let steps = ticker(saved)?.steps();
    let counts = &saved.ending.roles.get(1)?.counts;
    let mut waits = steps
        .iter()
        .zip(counts)
        .filter(|(step, _)| matches!(step.action, Action::WaitUntil { .. }))
        .peekable();
    waits.peek()?;
    Some(waits.filter_map(|(_, count)| *count).sum())
}

/// The interval that the last request was granted.
fn granted_ns(saved: &Saved) -> Option<u64> {
    let steps = ticker(saved)?.steps();
    let requests = (0..)
        .zip(&steps)
        .filter(|(_, step)| matches!(step.action, Action::Request(_)));
    let answers = requests.flat_map(|(step, _)| counted(saved, 1, step));
    answers.last().map(|answer| answer.value as u64)
}

/// By how many ticks in a second a request raised the interval's.
pub(super) fn requested_per_s(saved: &Saved) -> Option<f64> {
    let before = *saved.facts.interval.current_ns.value()?;
    let extra = rate(granted_ns(saved)?) - rate(before);
    Some(extra.max(0.0))
}
