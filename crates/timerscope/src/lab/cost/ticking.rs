//! A machine for tests whose ticks take what they are said to take.

use super::{Cost, CostFigures, figures};
use crate::lab::play::{Silent, play};
use crate::lab::scripted::facts;
use crate::machine::{
    Action, AskError, Batch, Battery, Counters, Ended, Ending, Facts, Keep,
    Known, Listener, Machine, Meters, Missing, Outcome, RoleEnding, Sample,
    Span, Step, Until, Workload,
};

/// Rounds in a second of a CPU that nothing disturbs.
pub(crate) const SPEED: f64 = 1e7;
/// What each tick takes.
pub(crate) const TICK_NS: f64 = 48_400.0;
/// What each wake-up takes from the battery.
pub(crate) const WAKE_UP_UJ: f64 = 100.0;

/// A machine that loses work to ticks, slows down as it gets warm, and may
/// have an energy counter.
#[derive(Clone, Copy)]
pub(crate) struct Ticking {
    /// The share of its speed that it loses during a run.
    pub(crate) slows: f64,
    /// The share of the CPU that others take: without the tick, and with it.
    pub(crate) others: (f64, f64),
    /// Whether it has an energy counter.
    pub(crate) meters: bool,
    /// Whether it lives from a battery that has a gauge.
    pub(crate) battery: bool,
}

/// A machine that nobody else uses, and that stays as fast as it is.
pub(crate) const ALONE: Ticking =
    Ticking { slows: 0.0, others: (0.0, 0.0), meters: false, battery: false };

impl Machine for Ticking {
    fn facts(&mut self) -> Result<Facts, AskError> {
        let on_battery = Known::Value(self.battery);
        // Its power counts as measured.
        Ok(Facts { simulated: false, on_battery, ..facts() })
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let cast = workload.cast();
        let ticker = cast.get(1).map(|role| role.task.steps());
        let turns = turns(&ticker.unwrap_or_default());
        let worker = &cast[0].task.actions[0];
        let samples = match worker {
            Action::Wait { .. } => Vec::new(),
            _ => self.work(workload, &turns),
        };
        seen.hear(&Batch { at: 0, samples: &samples, notes: &[] });
        let lasted_ns = match worker {
            Action::Wait { span, .. } => span.ns(),
            _ => samples.last().map_or(1, |last| last.ended as u64),
        };
        let roles = (0..).zip(&cast).map(|(role, _): (u32, _)| {
            let ticks = counts(workload, role, lasted_ns);
            RoleEnding { counts: ticks, ..role_ending() }
        });
        let roles: Vec<RoleEnding> = roles.collect();
        let ticks = roles.get(1).map_or(0, |ticker| {
            ticker.counts.iter().copied().flatten().sum::<u64>()
        });
        let energy = lasted_ns / 1_000 + (ticks as f64 * WAKE_UP_UJ) as u64;
        // The gauge's last word is as old as the run is long.
        let power_uw = energy * 1_000_000_000 / lasted_ns.max(1);
        let before = self.counters(0, power_uw);
        let after = self.counters(energy, power_uw);
        Ok(Ending {
            ended: Ended::Complete,
            lasted_ns,
            roles,
            meters: Meters { before, after },
            warnings: Vec::new(),
            digest: None,
        })
    }
}

impl Ticking {
    fn work(&self, workload: &Workload, turns: &[Turn]) -> Vec<Sample> {
        let cast = workload.cast();
        let steps = cast[0].task.steps();
        let (Action::Repeat { until: Until::Count(count), .. }
        | Action::Every { until: Until::Count(count), .. }) = steps[0].action
        else {
            panic!("work is done so many times")
        };
        let measured = |step: &Step<'_>| {
            step.action.keep() == Keep::Everything
                && !step.action.body().is_empty()
        };
        let step = steps.iter().position(measured).unwrap();
        let Action::Repeat { until: Until::Span(span), .. } =
            steps[step].action
        else {
            panic!("work is measured for a time")
        };
        let series = workload.events.is_empty();
        let mut samples = Vec::new();
        for number in 0..*count {
            let began = (number * span.ns()) as i64;
            let turn = if series {
                turn_at(turns, began)
            } else {
                turns.get(number as usize % turns.len())
            };
            let gone = number as f64 / *count as f64;
            let (rounds, worker, ticker) = self.block(*span, turn, gone);
            let place = Place { role: 0, step: step as u16, number, began };
            samples.push(place.sample(*span, rounds as i64));
            samples.extend(place.readings(worker));
            if let Some(turn) = turn.filter(|turn| turn.raised) {
                let turns = turns.len() as u64;
                let number = if series { 0 } else { number / turns };
                let place = Place { role: 1, step: turn.step, number, began };
                let whole = turn.span.ns() as f64 / span.ns() as f64;
                samples.extend(place.readings(ticker * whole));
            }
        }
        samples
    }

    /// Repetitions of work, and the CPU time of worker and ticker.
    fn block(
        &self,
        span: Span,
        turn: Option<&Turn>,
        gone: f64,
    ) -> (f64, f64, f64) {
        let raised = turn.filter(|turn| turn.raised);
        let ticks = raised.map_or(0.0, |turn| 1e9 / turn.period.ns() as f64);
        let taken =
            if raised.is_some() { self.others.1 } else { self.others.0 };
        let own = span.ns() as f64 * (1.0 - taken);
        let ticker = own * ticks * TICK_NS / 1e9;
        let speed = SPEED * (1.0 - self.slows * gone);
        let rounds = speed * (own - ticker) / 1e9 / 10.0;
        (rounds.round(), own - ticker, ticker)
    }

    fn counters(&self, energy: u64, power_uw: u64) -> Counters {
        fn absent<T>() -> Known<T> {
            Missing::absent("the script counts no such thing").into()
        }
        let energy_uj =
            if self.meters { Known::Value(energy) } else { absent() };
        let battery = if self.battery {
            // It was not full when this began.
            let given_uj = Known::Value(7_000_000 + energy);
            let power_uw = Known::Value(power_uw);
            Known::Value(Battery { power_uw, given_uj })
        } else {
            absent()
        };
        Counters {
            stolen_ns: absent(),
            switches: absent(),
            wakeups: absent(),
            idle_wakeups: absent(),
            ticks: absent(),
            busy_ns: absent(),
            energy_uj,
            battery,
        }
    }
}

/// One of the ticker's turns.
struct Turn {
    raised: bool,
    span: Span,
    period: Span,
    step: u16,
}

fn turns(steps: &[Step<'_>]) -> Vec<Turn> {
    let turn = |(step, one): (u16, &Step<'_>)| match one.action {
        Action::Every { period, until: Until::Span(span), .. } => {
            Some(Turn { raised: true, span: *span, period: *period, step })
        }
        Action::Wait { span, .. } => {
            let period = Span::ZERO;
            Some(Turn { raised: false, span: *span, period, step })
        }
        _ => None,
    };
    (0..).zip(steps).filter_map(turn).collect()
}

fn turn_at(turns: &[Turn], at: i64) -> Option<&Turn> {
    let mut end = 0;
    turns.iter().find(|turn| {
        end += turn.span.ns() as i64;
        at < end
    })
}

/// Where a loop of two actions stands, and when it was done.
struct Place {
    role: u32,
    step: u16,
    number: u64,
    began: i64,
}

impl Place {
    fn sample(&self, span: Span, value: i64) -> Sample {
        Sample {
            role: self.role,
            step: self.step,
            outcome: Outcome::Met,
            number: self.number,
            began: self.began,
            due: self.began,
            ended: self.began + span.ns() as i64,
            value,
        }
    }

    /// The CPU time just before the loop and just after it.
    fn readings(&self, cpu_ns: f64) -> [Sample; 2] {
        let before = Self { step: self.step - 1, ..*self };
        let after = Self { step: self.step + 2, ..*self };
        let since = 5_000;
        [
            before.sample(Span::ZERO, since),
            after.sample(Span::ZERO, since + cpu_ns as i64),
        ]
    }
}

/// How often each step of a role was done: each tick that fits.
fn counts(workload: &Workload, role: u32, lasted_ns: u64) -> Vec<Option<u64>> {
    let cast = workload.cast();
    let steps = cast[role as usize].task.steps();
    let mut period = Span::ZERO;
    let mut time = 0;
    let count = |step: &Step<'_>| match step.action {
        Action::Every { period: own, until, .. } => {
            period = *own;
            time = match until {
                Until::Span(span) => span.ns(),
                _ => lasted_ns,
            };
            None
        }
        Action::WaitUntil { .. } => Some(time / period.ns()),
        _ => None,
    };
    steps.iter().map(count).collect()
}

fn role_ending() -> RoleEnding {
    fn absent<T>() -> Known<T> {
        Missing::absent("the script counts no such thing").into()
    }
    RoleEnding {
        policy: absent(),
        slack_ns: absent(),
        cpu_ns: absent(),
        switches: absent(),
        pid: None,
        tid: None,
        finished: true,
        counts: Vec::new(),
        lost: 0,
        pauses: 0,
    }
}

/// A thousand ticks in a second, for ten of them.
pub(crate) fn asked() -> Cost {
    Cost {
        period: Span::from_ms(1),
        time: Span::from_s(10),
        cpu: None,
        series: false,
        seed: 1,
    }
}

/// All three plays, as figures.
pub(crate) fn played(cost: Cost, machine: &mut Ticking) -> CostFigures {
    let facts = machine.facts().unwrap();
    let mut run = |workload: Workload| {
        play(machine, &facts, workload, &mut Silent).unwrap()
    };
    let quiet = run(cost.idle(&facts, false));
    let ticked = run(cost.idle(&facts, true));
    let busy = run(cost.busy(&facts));
    figures(&busy, &quiet, &ticked, Some(33e6))
}
