//! Figures that each show one constant of a machine.

use super::seen::Asked;
use super::words::time;
use super::{Probe, Seen};
use crate::lab::switch::{self, Switch, Variant};
use crate::machine::{
    Action, AskError, Keep, Known, Missing, Priority, Process, Sample, Saved,
    Span, Task, Until, WaitKind, Workload,
};
use crate::sim::spec::Constants;

/// A figure that shows one constant.
pub(super) struct Yardstick {
    /// The constant's key.
    pub(super) key: &'static str,
    /// What is measured, in words.
    what: &'static str,
    /// How many times the constant is in the figure.
    pub(super) times: f64,
    ask: Ask,
    pub(super) get: fn(&Constants) -> u64,
    pub(super) set: fn(&mut Constants, u64),
    pub(super) written: fn(u64) -> String,
}

/// What is played.
enum Ask {
    /// The median of waits, less that of others, divided.
    Waits(fn() -> Probe, Option<fn() -> Probe>, f64),
    /// How long one round of a body takes, of so many.
    Rounds(fn() -> Action, u64),
    /// The median jump of the clock for whoever reads it all the time.
    Jumps,
    /// One way of handing over the turn, on so many CPUs.
    Switch(u32),
}

/// How many waits of each.
const COUNT: u64 = 100;
/// How long is spun, and what is taken for an interrupt: a reading takes
/// less, a turn of somebody else more.
const SPIN: Span = Span::from_ms(400);
const GAP: Span = Span::from_ns(900);
const LONGEST_TICK: i64 = 100_000;
/// No system call takes less, in ns; a C library that sees nobody wait for an
/// event makes none.
const LEAST_CALL: f64 = 50.0;

fn span(ns: u64) -> String {
    Span::from_ns(ns).written()
}

fn number(number: u64) -> String {
    number.to_string()
}

fn sleep(us: u64) -> Probe {
    let slack = Some(Span::from_ns(1));
    let span = Span::from_us(us);
    Probe { slack, ..Probe::of(WaitKind::Nanosleep, span, COUNT) }
}

fn slackened() -> Probe {
    Probe { slack: None, ..sleep(1_700) }
}

fn burn() -> Probe {
    Probe::of(WaitKind::ItimerProf, Span::from_us(1), COUNT / 2)
}

/// The tick first, then what shows with the tick alone, then what shows with
/// what came before.
pub(super) static YARDSTICKS: [Yardstick; 9] = [
    Yardstick {
        key: "coarsest",
        what: "the tick: half of what an itimer-prof of 1 us takes in CPU time",
        times: 1.0,
        ask: Ask::Waits(burn, None, 2.0),
        get: |c| c.coarsest.ns(),
        set: |c, ns| c.coarsest = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "idle-exit",
        what: "nanosleep of 1.7 ms with 1 ns of slack",
        times: 1.0,
        ask: Ask::Waits(|| sleep(1_700), None, 1.0),
        get: |c| c.idle_exit.ns(),
        set: |c, ns| c.idle_exit = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "short-idle-exit",
        what: "nanosleep of 100 us with 1 ns of slack",
        times: 1.0,
        ask: Ask::Waits(|| sleep(100), None, 1.0),
        get: |c| c.short_idle_exit.ns(),
        set: |c, ns| c.short_idle_exit = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "slack",
        what: "nanosleep of 1.7 ms without a slack of its own, beyond one with 1 ns",
        times: 1.0,
        ask: Ask::Waits(slackened, Some(|| sleep(1_700)), 1.0),
        get: |c| c.slack.ns(),
        set: |c, ns| c.slack = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "system-call",
        what: "setting an event that nobody waits for, each of 2000 times",
        times: 1.0,
        ask: Ask::Rounds(set, 2_000),
        get: |c| c.system_call.ns(),
        set: |c, ns| c.system_call = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "switch",
        what: "handing over the turn on one CPU, by two calls, one way",
        times: 1.0,
        ask: Ask::Switch(1),
        get: |c| c.switch.ns(),
        set: |c, ns| c.switch = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "cross-wake",
        what: "handing over the turn between two CPUs, by two calls, one way",
        times: 1.0,
        ask: Ask::Switch(2),
        get: |c| c.cross_wake.ns(),
        set: |c, ns| c.cross_wake = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "tick-cost",
        what: "the jump of a clock that is read all the time, 0.9 to 100 us",
        times: 1.0,
        ask: Ask::Jumps,
        get: |c| c.tick_cost.ns(),
        set: |c, ns| c.tick_cost = Span::from_ns(ns),
        written: span,
    },
    Yardstick {
        key: "work-ps",
        what: "a round of work, each of 200",
        times: 0.001,
        ask: Ask::Rounds(work, 200),
        get: |c| c.work_ps,
        set: |c, ps| c.work_ps = ps,
        written: number,
    },
];

fn work() -> Action {
    Action::Work { iterations: 1, keep: Keep::Nothing }
}

/// The event that nobody waits for.
const NOBODY: &str = "nobody";

/// A call that does next to nothing and never waits.
fn set() -> Action {
    Action::Set(NOBODY.to_owned())
}

impl Yardstick {
    /// What a machine shows, in ns.
    pub(super) fn figure(
        &self,
        asked: &mut Asked<'_>,
    ) -> Result<Known<f64>, AskError> {
        match &self.ask {
            Ask::Waits(probe, less, parts) => {
                let mut median = |probe: &Probe| {
                    let seen = asked.play(probe)?;
                    Ok(seen.map(|seen: Seen| seen.quantile(0.5) as f64))
                };
                let all = median(&probe())?;
                let Some(less) = less else {
                    return Ok(all.map(|all| all / parts));
                };
                let less = median(&less())?;
                Ok(all.and_then(|all| less.map(|less| (all - less) / parts)))
            }
            Ask::Rounds(body, times) => {
                let each = rounds(asked, body(), *times)?;
                Ok(each.and_then(|each| self.no_less(each)))
            }
            Ask::Jumps => jumps(asked),
            Ask::Switch(cpus) => switched(asked, *cpus),
        }
    }

    /// Fewer ns are no system call.
    fn no_less(&self, each: f64) -> Known<f64> {
        if self.key == "system-call" && each < LEAST_CALL {
            let why = "setting an event that nobody waits for makes no system \
                       call here";
            return Missing::unknown(why).into();
        }
        Known::Value(each)
    }

    /// How it was measured, with what was seen.
    pub(super) fn how(&self, seen: Option<f64>) -> String {
        match seen {
            Some(seen) => {
                format!("{}: median {}", self.what, time(seen as i64))
            }
            None => self.what.to_owned(),
        }
    }
}

/// One task that stays where it is: a move costs more than a call.
fn alone(asked: &Asked<'_>, title: &str, actions: Vec<Action>) -> Workload {
    let cpus = asked.facts.cpus.first().copied().into_iter().collect();
    let task = Task { cpus, ..Task::new("measured", actions) };
    Workload {
        title: title.to_owned(),
        limit: Span::from_s(10),
        events: vec![NOBODY.to_owned()],
        ..Workload::new(vec![Process::new("calibrate", vec![task])])
    }
}

fn median(mut values: Vec<f64>, what: &str) -> Known<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied();
    let none = || Missing::unknown(what.to_owned()).into();
    middle.map_or_else(none, Known::Value)
}

fn samples(saved: &Saved, step: u16) -> Vec<Sample> {
    let track = saved.recording.track(0, step);
    let samples = track.map_or(&[][..], |track| &track.samples[..]);
    samples.iter().filter(|sample| sample.counts()).copied().collect()
}

fn rounds(
    asked: &mut Asked<'_>,
    body: Action,
    times: u64,
) -> Result<Known<f64>, AskError> {
    let (until, keep) = (Until::Count(times), Keep::Everything);
    let inner = Action::Repeat { until, keep, body: vec![body] };
    let outer = Action::repeat(25, vec![inner]);
    let title = "how long one round takes";
    let saved = asked.run(alone(asked, title, vec![outer]))?;
    Ok(saved.and_then(|saved| {
        let each = samples(&saved, 1);
        let each = each.iter().map(|own| own.took_ns() as f64 / times as f64);
        median(each.collect(), "no round was whole")
    }))
}

fn jumps(asked: &mut Asked<'_>) -> Result<Known<f64>, AskError> {
    let (until, keep) = (Until::Span(SPIN), Keep::Everything);
    let watch = Action::Runs { gap: GAP, until, keep };
    let title = "what an interrupt takes";
    let saved = asked.run(alone(asked, title, vec![watch]))?;
    Ok(saved.and_then(|saved| {
        let jumps = samples(&saved, 0);
        let jumps = jumps.iter().map(|own| own.value);
        let ticks = jumps.filter(|jump| (1..LONGEST_TICK).contains(jump));
        median(
            ticks.map(|jump| jump as f64).collect(),
            "the clock did not jump",
        )
    }))
}

fn switched(asked: &mut Asked<'_>, cpus: u32) -> Result<Known<f64>, AskError> {
    let switch = Switch {
        variants: vec![(Variant::SetThenWait, cpus)],
        cpu: None,
        priority: Priority::Normal,
        blocks: 3,
        block: Span::from_ms(60),
    };
    let mut runs = Vec::new();
    for workload in switch.workloads(asked.facts) {
        runs.push(match workload {
            Ok(workload) => asked.run(workload)?,
            Err(error) => Missing::absent(error.to_string()).into(),
        });
    }
    let rows = switch::figures(&switch, &runs).rows;
    let row = rows.first().map(|row| row.per_switch_ns.clone());
    let none = || Missing::unknown("nothing was counted").into();
    Ok(row.unwrap_or_else(none))
}
