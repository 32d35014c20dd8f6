//! A machine for tests whose ticks take what they are said to take.

use super::{Cost, CostFigures, figures};
use crate::lab::play::{Silent, play};
use crate::lab::scripted::facts;
use crate::machine::{
    Action, AskError, Batch, Counters, Ended, Ending, Facts, Keep, Known,
    Listener, Machine, Meters, Missing, Outcome, RoleEnding, Sample, Span,
    Until, Workload,
};

/// Rounds in a second of a CPU that nothing disturbs.
pub(crate) const SPEED: f64 = 1e7;
/// What each tick takes.
pub(crate) const TICK_NS: f64 = 48_400.0;
/// What each wake-up takes from the battery.
pub(crate) const WAKE_UP_UJ: f64 = 100.0;

/// A machine that loses work to ticks, slows down as it gets warm, and may
/// have an energy counter.
pub(crate) struct Ticking {
    /// The share of its speed that it loses during a run.
    pub(crate) slows: f64,
    /// Whether it has an energy counter.
    pub(crate) meters: bool,
}

impl Machine for Ticking {
    fn facts(&mut self) -> Result<Facts, AskError> {
        Ok(facts())
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let cast = workload.cast();
        let ticker = cast.get(1).map(|role| &role.task.actions[..]);
        let turns = turns(ticker.unwrap_or_default());
        let worker = &cast[0].task.actions[0];
        let samples = match worker {
            Action::Repeat { until: Until::Count(count), body, .. } => {
                self.work(*count, body, &turns)
            }
            _ => Vec::new(),
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
        let (before, after) = (self.counters(0), self.counters(energy));
        Ok(Ending {
            ended: Ended::Complete,
            lasted_ns,
            roles,
            meters: Meters { before, after },
            warnings: Vec::new(),
        })
    }
}

impl Ticking {
    fn work(
        &self,
        count: u64,
        body: &[Action],
        turns: &[(bool, Span, Span)],
    ) -> Vec<Sample> {
        let measured = |action: &&Action| action.keep() == Keep::Everything;
        let place = body.iter().position(|action| measured(&action)).unwrap();
        let Action::Repeat { until: Until::Span(span), .. } = &body[place]
        else {
            panic!("work is measured for a time")
        };
        let series = body.len() == 1;
        // Each loop that is not measured has one action in it.
        let loops = body[..place].iter().map(|one| 1 + one.body().len());
        let step = 1 + loops.sum::<usize>() as u16;
        let mut now = 0;
        let mut samples = Vec::new();
        for number in 0..count {
            let turn = if series {
                let mut end = 0;
                turns.iter().find(|turn| {
                    end += turn.1.ns() as i64;
                    now < end
                })
            } else {
                turns.get(number as usize % turns.len())
            };
            let ticks = match turn {
                Some((true, _, period)) => 1e9 / period.ns() as f64,
                _ => 0.0,
            };
            let warm = 1.0 - self.slows * number as f64 / count as f64;
            let speed = SPEED * warm * (1.0 - ticks * TICK_NS / 1e9);
            let rounds = speed * span.ns() as f64 / 1e9 / 10.0;
            samples.push(Sample {
                role: 0,
                step,
                outcome: Outcome::Met,
                number,
                began: now,
                due: now,
                ended: now + span.ns() as i64,
                value: rounds.round() as i64,
            });
            now += span.ns() as i64;
        }
        samples
    }

    fn counters(&self, energy: u64) -> Counters {
        fn absent<T>() -> Known<T> {
            Missing::absent("the script counts no such thing").into()
        }
        let energy_uj =
            if self.meters { Known::Value(energy) } else { absent() };
        Counters {
            stolen_ns: absent(),
            switches: absent(),
            wakeups: absent(),
            idle_wakeups: absent(),
            ticks: absent(),
            busy_ns: absent(),
            energy_uj,
        }
    }
}

/// The ticker's turns: whether it ticks, how long, and how often.
fn turns(actions: &[Action]) -> Vec<(bool, Span, Span)> {
    let turn = |action: &Action| match action {
        Action::Every { period, until: Until::Span(span), .. } => {
            vec![(true, *span, *period)]
        }
        Action::Wait { span, .. } => vec![(false, *span, Span::ZERO)],
        other => turns(other.body()),
    };
    actions.iter().flat_map(turn).collect()
}

/// How often each step of a role was done: each tick that fits.
fn counts(workload: &Workload, role: u32, lasted_ns: u64) -> Vec<Option<u64>> {
    let cast = workload.cast();
    let steps = cast[role as usize].task.steps();
    let mut period = Span::ZERO;
    let mut time = 0;
    let count = |step: &crate::machine::Step<'_>| match step.action {
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
    let facts = facts();
    let mut run = |workload: Workload| {
        play(machine, &facts, workload, &mut Silent).unwrap()
    };
    let quiet = run(cost.idle(&facts, false));
    let ticked = run(cost.idle(&facts, true));
    let busy = run(cost.busy(&facts));
    figures(&busy, &quiet, &ticked, Some(33e6))
}
