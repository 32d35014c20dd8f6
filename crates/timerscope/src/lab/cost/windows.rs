//! The stretches of work of a run, each with whether the tick was raised.

use serde::Serialize;

use super::ask::ROUNDS;
use crate::lab::ruler::{known, median};
use crate::machine::{
    Action, Keep, Known, Missing, Role, Sample, Saved, Span, Step, Until,
};

/// A stretch of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// When it began.
    pub from_ns: i64,
    /// When it ended.
    pub to_ns: i64,
    /// Whether the tick was raised.
    pub raised: bool,
    /// Rounds of work in a second.
    pub per_s: f64,
}

/// By what work is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// In a second of time.
    Time,
    /// In a second of CPU time of worker and ticker together, because others
    /// had the CPU too. It leaves out what the kernel charges to nobody.
    CpuTime,
}

/// All windows of a run.
pub(super) struct Windows {
    pub(super) all: Vec<Window>,
    pub(super) basis: Basis,
    /// The share of the CPU that others had while the tick was not raised.
    pub(super) others: Known<f64>,
}

/// Where others have more than this share of the CPU, time says more about
/// them than about the tick. Invented.
const OTHERS: f64 = 0.01;

impl Windows {
    pub(super) fn of(saved: &Saved) -> Self {
        let cast = saved.workload.cast();
        let [worker, ticker, ..] = &cast[..] else {
            let (all, others) = (Vec::new(), known(None));
            return Self { all, basis: Basis::Time, others };
        };
        let turns = turns(ticker);
        let seen = Seen { saved, steps: worker.task.steps(), turns };
        let mut all: Vec<(Window, Option<i64>)> = seen
            .work()
            .map(|sample| (seen.window(sample), seen.cpu_ns(sample)))
            .collect();
        let others = others(&all);
        let shared = others.value().is_some_and(|share| *share > OTHERS);
        let basis = if shared { Basis::CpuTime } else { Basis::Time };
        if basis == Basis::CpuTime {
            // Its rate is not known if its CPU time is not.
            all.retain(|(_, cpu_ns)| cpu_ns.is_some_and(|ns| ns > 0));
            for (window, cpu_ns) in &mut all {
                let time = (window.to_ns - window.from_ns) as f64;
                window.per_s *= time / cpu_ns.unwrap_or(1) as f64;
            }
        }
        let all = all.into_iter().map(|(window, _)| window).collect();
        Self { all, basis, others }
    }

    /// The median rate with or without the tick.
    pub(super) fn middle(&self, raised: bool) -> Option<f64> {
        let such = self.all.iter().filter(|window| window.raised == raised);
        median(such.map(|window| window.per_s).collect())
    }
}

/// On average; the tick's own interrupts, which the kernel may charge to
/// nobody, are left out by looking where it was not raised.
fn others(all: &[(Window, Option<i64>)]) -> Known<f64> {
    let left = all.iter().filter(|(window, _)| !window.raised);
    let (mut time, mut cpu) = (0, 0);
    for (window, cpu_ns) in left {
        let Some(cpu_ns) = cpu_ns else { continue };
        time += window.to_ns - window.from_ns;
        cpu += cpu_ns;
    }
    if time == 0 {
        let why = "no CPU time was read beside the work";
        return Missing::unknown(why).into();
    }
    Known::Value((1.0 - cpu as f64 / time as f64).max(0.0))
}

/// One of the ticker's turns.
struct Turn {
    raised: bool,
    span: Span,
    /// Its step; before and after it the CPU time may have been read.
    step: u16,
}

fn turns(ticker: &Role<'_>) -> Vec<Turn> {
    let mut held = false;
    let mut turns = Vec::new();
    for (step, one) in (0..).zip(&ticker.task.steps()) {
        let (raised, span) = match one.action {
            Action::Every { until: Until::Span(span), .. } => (true, *span),
            Action::Wait { span, .. } => (held, *span),
            Action::Request(_) => {
                held = true;
                continue;
            }
            Action::Withdraw(_) => {
                held = false;
                continue;
            }
            _ => continue,
        };
        turns.push(Turn { raised, span, step });
    }
    turns
}

struct Seen<'a> {
    saved: &'a Saved,
    steps: Vec<Step<'a>>,
    turns: Vec<Turn>,
}

impl Seen<'_> {
    fn work(&self) -> impl Iterator<Item = &Sample> {
        let measured = |step: &Step<'_>| {
            matches!(step.action, Action::Repeat { keep, .. }
                if *keep == Keep::Everything)
        };
        let place = self.steps.iter().position(measured);
        let track = place
            .and_then(|step| self.saved.recording.track(0, step as u16))
            .map_or(&[][..], |track| &track.samples);
        track.iter().filter(|sample| sample.counts())
    }

    fn window(&self, sample: &Sample) -> Window {
        let (turn, _) = self.turn(sample).unzip();
        let raised = turn.is_some_and(|turn| turn.raised);
        let rounds = (sample.value as u64 * ROUNDS) as f64;
        Window {
            from_ns: sample.began,
            to_ns: sample.ended,
            raised,
            per_s: rounds * 1e9 / sample.took_ns().max(1) as f64,
        }
    }

    /// CPU time of the worker in a block, and the ticker's part of its turn.
    fn cpu_ns(&self, sample: &Sample) -> Option<i64> {
        let worker = self.between(0, sample.step, 2, sample.number)?;
        let Some((turn, round)) = self.turn(sample).filter(|it| it.0.raised)
        else {
            return Some(worker);
        };
        let ticker = self.between(1, turn.step, 2, round)? as f64;
        let part = sample.took_ns() as f64 / turn.span.ns().max(1) as f64;
        Some(worker + (ticker * part) as i64)
    }

    /// What a clock went on between its reading just before the loop `step`
    /// of `length` actions and that just after it.
    fn between(
        &self,
        role: u32,
        step: u16,
        length: u16,
        number: u64,
    ) -> Option<i64> {
        let value = |step: u16| {
            let track = self.saved.recording.track(role, step)?;
            let sample = track.samples.get(usize::try_from(number).ok()?)?;
            (sample.counts() && sample.number == number).then_some(sample.value)
        };
        Some(value(step + length)? - value(step.checked_sub(1)?)?)
    }

    /// The ticker's turn during a window, and how often it had had it before.
    fn turn(&self, sample: &Sample) -> Option<(&Turn, u64)> {
        if is_series(self.saved) {
            let middle = i64::midpoint(sample.began, sample.ended);
            let mut end = 0;
            let mut turns = self.turns.iter();
            return turns
                .find(|turn| {
                    end += turn.span.ns() as i64;
                    middle < end
                })
                .map(|turn| (turn, 0));
        }
        let turns = self.turns.len().max(1) as u64;
        let turn = self.turns.get((sample.number % turns) as usize)?;
        Some((turn, sample.number / turns))
    }
}

/// In a series worker and ticker do not wait for each other.
pub(super) fn is_series(saved: &Saved) -> bool {
    saved.workload.events.is_empty()
}
