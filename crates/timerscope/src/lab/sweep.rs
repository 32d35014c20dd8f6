//! The knob of this system's timer, turned from end to end.
//!
//! On Linux the knob is timer slack: how late a thread lets its waits end. It
//! moves the waits that end by high-resolution timers, and none of those that
//! are bound to the tick.

use serde::Serialize;

use super::ruler::{self, counted, known};
use super::spread::{Mode, modes};
use crate::machine::{
    Action, ClockKind, Facts, Keep, Known, Meanwhile, Missing, Process, Saved,
    Span, Task, WaitKind, Workload,
};
use crate::stats::{Counted, Moments};

/// Waits of 1 ms at each position of the knob.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The positions.
    pub positions: Vec<Span>,
    /// How many waits of each kind at each.
    pub count: u64,
}

/// What the knob moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepFigures {
    /// What was turned: `timer-slack`.
    pub knob: &'static str,
    /// The span that was asked of each wait.
    pub span_ns: u64,
    /// A row for each wait and position.
    pub rows: Vec<Row>,
}

/// The waits of one kind at one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The wait.
    pub wait: WaitKind,
    /// The position of the knob.
    pub request_ns: u64,
    /// The interval in force, where the system has one for everybody.
    pub interval_ns: Known<u64>,
    /// The step that the clock of the tick showed meanwhile.
    pub clock_step_ns: Known<i64>,
    /// How many waits ended as asked.
    pub count: u64,
    /// What they took, on average.
    pub sleep_mean_ns: Known<f64>,
    /// Where they crowd, in rising order.
    pub sleep_modes: Vec<Mode>,
    /// Who spoiled the row; absent if nobody was seen to.
    pub spoiled_by: Known<String>,
}

/// From the finest slack there is to a hundred times the usual one.
const POSITIONS: [Span; 8] = [
    Span::from_ns(1),
    Span::from_us(1),
    Span::from_us(10),
    Span::from_us(50),
    Span::from_us(100),
    Span::from_us(500),
    Span::from_ms(1),
    Span::from_ms(5),
];
/// What is asked of each wait.
const SPAN: Span = Span::from_ms(1);
/// The wait that the knob moves, and those it does not.
const MOVED: WaitKind = WaitKind::Nanosleep;
const UNMOVED: [WaitKind; 2] =
    [WaitKind::SocketTimeout, WaitKind::ItimerVirtual];
/// The clock that changes at each tick.
const TICKING: ClockKind = ClockKind::MonotonicCoarse;
/// How long that clock is watched.
const WATCH: Span = Span::from_ms(40);
/// A row is spoiled if the host takes more than this share of a CPU's time,
/// or if others leave less than this share of all CPUs' time. Both invented.
const STOLEN_SHARE: f64 = 0.01;
const LEFT_SHARE: f64 = 0.5;

impl Default for Sweep {
    fn default() -> Self {
        Self { positions: POSITIONS.to_vec(), count: 100 }
    }
}

impl Sweep {
    /// Leaves only the usual positions between two, and those two.
    #[must_use]
    pub fn between(self, from: Option<Span>, to: Option<Span>) -> Self {
        let (from, to) = (from.unwrap_or(POSITIONS[0]), to.unwrap_or(LAST));
        let (low, high) = (from.min(to), from.max(to));
        let inside = |span: &Span| (low..=high).contains(span);
        let usual = self.positions.iter().copied().filter(inside);
        let mut positions: Vec<Span> = usual.chain([low, high]).collect();
        positions.sort_unstable();
        positions.dedup();
        Self { positions, ..self }
    }

    /// What is to be played at one position on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts, position: Span) -> Workload {
        let keep = Keep::Everything;
        let step = ruler::nominal_step(facts, TICKING);
        let changes = ruler::changes(step, WATCH);
        let watch = Action::Steps { clock: TICKING, changes, keep };
        let waits = self.waits(facts, position).into_iter().map(|how| {
            // The timer that counts CPU time would never end otherwise.
            let burn = how.is_interval_timer();
            let meanwhile =
                if burn { Meanwhile::Burn } else { Meanwhile::Block };
            let wait = Action::Wait { how, span: SPAN, meanwhile, keep };
            Action::repeat(self.count, vec![wait])
        });
        let task = Task {
            slack: Some(position),
            ..Task::new("sleeper", [watch].into_iter().chain(waits).collect())
        };
        Workload {
            title: format!("waits of {SPAN} with a slack of {position}"),
            limit: Span::from_ns(self.count * 200_000_000 + 10_000_000_000),
            ..Workload::new(vec![Process::new("sweep", vec![task])])
        }
    }

    /// At the two ends also those waits that the knob should not move.
    fn waits(&self, facts: &Facts, position: Span) -> Vec<WaitKind> {
        let ends = [self.positions.first(), self.positions.last()];
        let at_end = ends.contains(&Some(&position));
        let has =
            |wait: &WaitKind| facts.waits.iter().any(|fact| fact.name == *wait);
        let unmoved = UNMOVED.into_iter().filter(|_| at_end).filter(has);
        [MOVED].into_iter().chain(unmoved).collect()
    }
}

const LAST: Span = POSITIONS[POSITIONS.len() - 1];

/// Turns what was seen at each position into figures.
#[must_use]
pub fn figures(runs: &[Saved]) -> SweepFigures {
    let mut rows: Vec<Row> = runs.iter().flat_map(rows).collect();
    // Together what belongs together; positions stay in their order.
    rows.sort_by_key(|row| (row.wait != MOVED, row.wait));
    SweepFigures { knob: "timer-slack", span_ns: SPAN.ns(), rows }
}

fn rows(saved: &Saved) -> Vec<Row> {
    let cast = saved.workload.cast();
    let Some(role) = cast.first() else { return Vec::new() };
    let steps = role.task.steps();
    let spoiled_by = spoiled_by(saved);
    let row = |(number, how): (u16, WaitKind)| {
        let samples = counted(saved, 0, number);
        let took: Counted =
            samples.iter().map(crate::machine::Sample::took_ns).collect();
        Row {
            wait: how,
            request_ns: role.task.slack.unwrap_or_default().ns(),
            interval_ns: saved.facts.interval.current_ns.clone(),
            clock_step_ns: known(
                counted(saved, 0, 0).first().map(|sample| sample.value),
            ),
            count: took.total(),
            sleep_mean_ns: known(Moments::of(&took).mean()),
            sleep_modes: modes(&took),
            spoiled_by: spoiled_by.clone(),
        }
    };
    let waits = (0..).zip(&steps).filter_map(|(number, step)| {
        let Action::Wait { how, .. } = step.action else { return None };
        Some((number, *how))
    });
    waits.map(row).collect()
}

/// Who took so much of the machine during a run that its waits may be late.
///
/// No other process can change a thread's slack: what can spoil a row is who
/// takes the CPU.
fn spoiled_by(saved: &Saved) -> Known<String> {
    let meters = &saved.ending.meters;
    let lasted = saved.ending.lasted_ns as f64;
    let stolen = meters.delta(|counters| &counters.stolen_ns);
    let share = |ns: u64| ns as f64 / lasted;
    if let Known::Value(stolen) = stolen
        && share(stolen) > STOLEN_SHARE
    {
        let span = Span::from_ns(stolen);
        return Known::Value(format!("the host, which took {span}"));
    }
    let own = saved.ending.roles.iter();
    let own: u64 = own.filter_map(|role| role.cpu_ns.value()).sum();
    let cpus = saved.facts.cpus.len().max(1) as f64;
    meters.delta(|counters| &counters.busy_ns).and_then(|busy| {
        let others = share(busy.saturating_sub(own)) / cpus;
        if others > 1.0 - LEFT_SHARE {
            let percent = others * 100.0;
            return Known::Value(format!(
                "other programs, which kept the CPUs {percent:.0} % busy"
            ));
        }
        Missing::absent("nobody was seen to").into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, TICK, WAKE, facts};

    fn played(sweep: &Sweep) -> SweepFigures {
        let facts = facts();
        let play = |position: &Span| {
            let workload = sweep.workload(&facts, *position);
            assert_eq!(workload.faults(), []);
            let mut machine = Scripted::default();
            play(&mut machine, &facts, workload, &mut Silent).unwrap()
        };
        figures(&sweep.positions.iter().map(play).collect::<Vec<_>>())
    }

    #[test]
    fn slack_moves_what_it_applies_to_and_nothing_bound_to_the_tick() {
        let figures = played(&Sweep::default());
        let of = |wait| figures.rows.iter().filter(move |r| r.wait == wait);
        assert_eq!(of(MOVED).count(), POSITIONS.len());
        for row in of(MOVED) {
            let took = 1_000_000 + row.request_ns as i64 + WAKE;
            assert_eq!(row.sleep_mean_ns, Known::Value(took as f64));
            assert_eq!(row.clock_step_ns, Known::Value(TICK));
        }
        for wait in UNMOVED {
            let mean = |row: &Row| *row.sleep_mean_ns.value().unwrap();
            let means: Vec<f64> = of(wait).map(mean).collect();
            assert_eq!(means.len(), 2);
            // The first wait of all begins somewhere within a tick.
            assert!((means[0] - means[1]).abs() < 1_000.0, "{wait}");
        }
    }

    #[test]
    fn a_range_has_its_ends_and_the_usual_positions_between() {
        let sweep = Sweep::default()
            .between(Some(Span::from_us(600)), Some(Span::from_us(40)));
        let us = [40, 50, 100, 500, 600].map(Span::from_us);
        assert_eq!(sweep.positions, us);
        assert_eq!(Sweep::default().between(None, None), Sweep::default());
    }

    #[test]
    fn a_host_that_takes_the_cpu_spoils_the_row() {
        let mut figures = played(&Sweep::default());
        let missing = figures.rows.remove(0).spoiled_by;
        assert!(missing.missing().is_some(), "7 ns were stolen");
        let facts = facts();
        let workload = Sweep::default().workload(&facts, LAST);
        let mut machine = Scripted::default();
        let mut saved =
            play(&mut machine, &facts, workload, &mut Silent).unwrap();
        saved.ending.meters.after.stolen_ns =
            Known::Value(saved.ending.lasted_ns / 50);
        let spoiled = figures_of(saved);
        assert!(spoiled.starts_with("the host"), "{spoiled}");
    }

    fn figures_of(saved: Saved) -> String {
        let rows = figures(&[saved]).rows;
        rows[0].spoiled_by.value().unwrap().clone()
    }
}
