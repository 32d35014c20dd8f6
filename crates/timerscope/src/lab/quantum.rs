//! How long a thread runs before its equal gets the CPU.

use serde::Serialize;

use super::Load;
use super::load::limit;
use super::places::{first_cpu, tick_ns};
use super::play::stolen_ns;
use super::spread::{Reason, Spread};
use crate::machine::{
    Action, AskError, Facts, Keep, Known, Missing, Outcome, Priority, Process,
    Sample, Saved, Scheduler, Span, Task, Until, Workload,
};
use crate::stats::Counted;

/// A quantum experiment: equal threads that spin on one CPU.
///
/// Each tells the stretches it ran without a jump of the clock. All of them
/// side by side tell who took the CPU: a *turn* is what one ran before an
/// equal did. Interrupts, other programs and the host also make the clock
/// jump; as no equal ran meanwhile, they end no turn, nor belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantum {
    /// How many threads spin.
    pub competitors: u32,
    /// The priority of all of them; each in a run of its own.
    pub priorities: Vec<Priority>,
    /// Their CPU; the first allowed one if none is given.
    pub cpu: Option<u32>,
    /// How long each spins.
    pub time: Span,
}

/// Longer than a reading of any clock, shorter than anybody's turn: Linux's
/// shortest slice is 100 us (SCHED_SLICE_MIN of kernel/sched/fair.c).
const GAP: Span = Span::from_us(50);

/// What equal threads found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuantumFigures {
    /// One row for each priority.
    pub rows: Vec<Row>,
    /// Between two ticks of a busy CPU.
    pub tick_ns: Known<u64>,
    /// What the kernel says about its slices.
    pub scheduler: Known<Scheduler>,
    /// Time the host took from this guest meanwhile, over all CPUs.
    pub stolen_ns: Known<u64>,
}

/// How long the turns were.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// How many threads spun.
    pub competitors: u32,
    /// Their priority, as it was asked for.
    pub priority: String,
    /// Their policy, by the system's name.
    pub policy: Known<String>,
    /// Their CPU.
    pub cpu: Known<u32>,
    /// How long the turns were that an equal ended.
    #[serde(flatten)]
    pub ran: Spread,
    /// The median again, with what others took of those turns and gave back.
    pub lasted_p50_ns: Known<i64>,
    /// How often something else took the CPU within a turn, and gave it back.
    pub disturbances: u64,
    /// The clock interrupt interval in force.
    pub interval_ns: Known<u64>,
}

impl Quantum {
    /// Two equal threads of normal priority.
    #[must_use]
    pub fn pair(time: Span) -> Self {
        let priorities = vec![Priority::Normal];
        Self { competitors: 2, priorities, cpu: None, time }
    }

    /// What is to be played on the machine of `facts`, a workload for each
    /// priority.
    #[must_use]
    pub fn workloads(&self, facts: &Facts) -> Vec<Result<Workload, AskError>> {
        let workload =
            |priority: &Priority| Ok(self.workload(facts, *priority));
        self.priorities.iter().map(workload).collect()
    }

    /// How long all of it will take: where threads take no turns, one spins
    /// after the other.
    #[must_use]
    pub fn expected(&self) -> Span {
        let each = self.priorities.iter().map(|priority| match priority {
            Priority::Fifo(_) | Priority::Realtime => {
                self.time.ns().saturating_mul(u64::from(self.competitors))
            }
            _ => self.time.ns(),
        });
        Span::from_ns(each.fold(0, u64::saturating_add))
    }

    fn workload(&self, facts: &Facts, priority: Priority) -> Workload {
        let runs = Action::Runs {
            gap: GAP,
            until: Until::Span(self.time),
            keep: Keep::Everything,
        };
        let task = Task {
            copies: self.competitors,
            cpus: first_cpu(facts, self.cpu).into_iter().collect(),
            priority,
            ..Task::new("spinner", vec![runs])
        };
        let longest = self.time.ns().saturating_mul(self.competitors.into());
        let longest = Span::from_ns(longest);
        Workload {
            title: format!("turns of equal threads at priority {priority}"),
            limit: limit(longest, 0, Load::None),
            ..Workload::new(vec![Process::new("quantum", vec![task])])
        }
    }
}

/// Turns the runs of `quantum` into figures, one row for each priority.
#[must_use]
pub fn figures(quantum: &Quantum, runs: &[Known<Saved>]) -> QuantumFigures {
    let asked = quantum.priorities.iter().zip(runs);
    let rows = asked.map(|(priority, run)| row(quantum, *priority, run));
    let first = runs.iter().find_map(Known::value);
    let facts = first.map(|saved| &saved.facts);
    let nothing = || Missing::unknown("nothing was played");
    QuantumFigures {
        rows: rows.collect(),
        tick_ns: facts.map_or_else(|| nothing().into(), tick_ns),
        scheduler: facts.map_or_else(
            || nothing().into(),
            |facts| Known::Value(facts.scheduler.clone()),
        ),
        stolen_ns: stolen_ns(runs),
    }
}

fn row(quantum: &Quantum, priority: Priority, run: &Known<Saved>) -> Row {
    let (turns, disturbances) = run.value().map_or((vec![], 0), turns);
    let lasted: Counted = turns.iter().map(|turn| turn.lasted).collect();
    let role = run.value().and_then(|saved| saved.ending.roles.first());
    let cpu = run.value().and_then(|saved| {
        saved.workload.cast().first()?.task.cpus.first().copied()
    });
    let none = || {
        Missing::absent(format!(
            "no thread lost the CPU to an equal within {}",
            quantum.time
        ))
        .or_try("--for 10s")
    };
    let unplayed = run.missing().cloned();
    let missing = unplayed.unwrap_or_else(none);
    let unknown = Missing::unknown("the threads did not tell");
    Row {
        competitors: quantum.competitors,
        priority: priority.to_string(),
        policy: role
            .map_or_else(|| unknown.clone().into(), |role| role.policy.clone()),
        cpu: cpu.map_or_else(|| unknown.clone().into(), Known::Value),
        ran: Spread::of(
            turns.into_iter().map(|turn| (turn.ran, 1)).collect(),
            &Reason(missing.clone()),
        ),
        lasted_p50_ns: Reason(missing.clone()).or(lasted.quantile(0.5)),
        disturbances,
        interval_ns: run.value().map_or_else(
            || missing.into(),
            |saved| saved.facts.interval.current_ns.clone(),
        ),
    }
}

/// One turn that an equal ended.
struct Turn {
    /// How long the thread ran.
    ran: i64,
    /// From its beginning to its end, with what others took.
    lasted: i64,
}

/// How long each turn was that an equal ended, and how many jumps of the
/// clock ended none.
///
/// The first turn began before all were there, so it is left out.
fn turns(saved: &Saved) -> (Vec<Turn>, u64) {
    let tracks = saved.recording.tracks();
    let mut stretches: Vec<Sample> =
        tracks.flat_map(|(.., track)| track.samples.iter().copied()).collect();
    stretches.sort_by_key(|sample| (sample.began, sample.ended));
    let mut turns = Vec::new();
    let mut disturbances = 0;
    for turn in stretches.chunk_by(|one, next| one.role == next.role) {
        let last = turn[turn.len() - 1];
        disturbances += turn.len() as u64 - 1;
        // What its own end cut short, no equal ended.
        if last.outcome == Outcome::Met {
            let ran = turn.iter().map(Sample::took_ns).sum();
            turns.push(Turn { ran, lasted: last.ended - turn[0].began });
        }
    }
    if !turns.is_empty() {
        turns.remove(0);
    }
    (turns, disturbances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::scripted::{Scripted, TICK, facts};
    use crate::machine::MissingKind;

    fn played(competitors: u32, priorities: &[Priority]) -> Vec<Row> {
        let facts = facts();
        let priorities = priorities.to_vec();
        let time = Span::from_s(1);
        let pair = Quantum::pair(time);
        let quantum = Quantum { competitors, priorities, ..pair };
        let workloads = quantum.workloads(&facts);
        let machine = &mut Scripted::default();
        let runs = play_all(machine, &facts, workloads, &mut Silent).unwrap();
        figures(&quantum, &runs).rows
    }

    #[test]
    fn a_turn_is_as_long_as_the_policy_has_it() {
        for competitors in [2, 3] {
            let both = [Priority::Normal, Priority::RoundRobin(1)];
            let rows = played(competitors, &both);
            for (row, turn) in rows.iter().zip([TICK, 25 * TICK]) {
                assert_eq!(row.ran.min_ns, Known::Value(turn));
                assert_eq!(row.ran.max_ns, Known::Value(turn));
                // All turns within the second, but the first.
                assert!(row.ran.count >= (1_000_000_000 / turn) as u64 - 1);
                assert_eq!(row.competitors, competitors);
                assert_eq!(row.disturbances, 0);
            }
        }
    }

    #[test]
    fn without_turns_there_is_no_quantum_and_that_is_said() {
        let row = played(3, &[Priority::Fifo(50)]).remove(0);
        assert_eq!((row.ran.count, row.disturbances), (0, 0));
        let missing = row.ran.p50_ns.missing().unwrap();
        assert_eq!(missing.kind, MissingKind::Absent);
        assert_eq!(row.ran.histogram, []);
    }

    #[test]
    fn every_quantum_that_can_be_asked_can_be_played() {
        let time = Span::from_s(3_600);
        let quantum = Quantum { competitors: 64, ..Quantum::pair(time) };
        for workload in quantum.workloads(&facts()) {
            assert_eq!(workload.unwrap().faults(), []);
        }
    }
}
