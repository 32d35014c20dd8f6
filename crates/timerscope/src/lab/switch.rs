//! How fast two threads hand each other the turn: the four variants of the
//! forum's `switch_perf`.

use serde::Serialize;

use super::Load;
use super::load::limit;
use super::places::{first_cpu, two_cpus};
use super::play::stolen_ns;
use crate::machine::{
    Action, AskError, Facts, Keep, Known, Missing, Priority, Process, Saved,
    Span, Task, Until, Workload,
};

/// How a thread hands over the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// One call sets the other's event and waits for one's own.
    SignalAndWait,
    /// Two calls do.
    SetThenWait,
}

impl Variant {
    /// Its name, as in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SignalAndWait => "signal-and-wait",
            Self::SetThenWait => "set-then-wait",
        }
    }
}

/// A switch experiment: two threads of one process that do nothing but hand
/// over, on one CPU or on two, counted without reading a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Each in a run of its own: how, and on how many CPUs.
    pub variants: Vec<(Variant, u32)>,
    /// The first thread's CPU; the first allowed one if none is given.
    pub cpu: Option<u32>,
    /// The priority of both.
    pub priority: Priority,
    /// How often each is counted, and for how long.
    pub blocks: u32,
    /// How long one count goes on.
    pub block: Span,
}

/// The listing's four.
const ALL: [(Variant, u32); 4] = [
    (Variant::SignalAndWait, 1),
    (Variant::SetThenWait, 1),
    (Variant::SignalAndWait, 2),
    (Variant::SetThenWait, 2),
];
/// How much longer than the caller the answerer goes on, so that no call is
/// left without an answer before it ends.
const LONGER: Span = Span::from_ms(50);

/// What runs of handing over found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SwitchFigures {
    /// One row for each variant.
    pub rows: Vec<Row>,
    /// Time the host took from this guest meanwhile, over all CPUs.
    pub stolen_ns: Known<u64>,
}

/// How fast the turn went there and back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// How it was handed over.
    pub variant: Variant,
    /// On how many CPUs.
    pub cpus: u32,
    /// By which calls.
    pub calls: Known<String>,
    /// There and back, a second, over all counts.
    pub round_trips_per_s: Known<f64>,
    /// One way: half of what there and back takes.
    pub per_switch_ns: Known<f64>,
    /// The rate of the slowest count.
    pub slowest_per_s: Known<f64>,
    /// The rate of the fastest count.
    pub fastest_per_s: Known<f64>,
    /// How many counts there were.
    pub count: u64,
    /// The priority of both, as it was asked for.
    pub priority: String,
}

impl Switch {
    /// All four variants, each counted `blocks` times for `block`.
    #[must_use]
    pub fn all(blocks: u32, block: Span) -> Self {
        let (variants, priority) = (ALL.to_vec(), Priority::Normal);
        Self { variants, cpu: None, priority, blocks, block }
    }

    /// What is to be played on the machine of `facts`, a workload for each
    /// variant; an error where this machine has no place for it.
    #[must_use]
    pub fn workloads(&self, facts: &Facts) -> Vec<Result<Workload, AskError>> {
        let variants = self.variants.iter();
        let workload = |(how, cpus): &_| self.workload(facts, *how, *cpus);
        variants.map(workload).collect()
    }

    /// How long all of it will take.
    #[must_use]
    pub fn expected(&self) -> Span {
        let one = self.block.ns().saturating_add(LONGER.ns());
        let all = u64::from(self.blocks) * self.variants.len() as u64;
        Span::from_ns(one.saturating_mul(all))
    }

    fn workload(
        &self,
        facts: &Facts,
        variant: Variant,
        cpus: u32,
    ) -> Result<Workload, AskError> {
        let what = format!("cannot switch between {cpus} CPUs");
        let own = first_cpu(facts, self.cpu);
        let other = match cpus {
            1 => own,
            _ => Some(two_cpus(facts, self.cpu, &what)?.1),
        };
        let task = |name: &str, cpu: Option<u32>, actions| Task {
            cpus: cpu.into_iter().collect(),
            priority: self.priority,
            ..Task::new(name, actions)
        };
        let blocks =
            (1..=self.blocks).map(|number| self.block(variant, number));
        let (mut calls, mut answers, mut events) = (vec![], vec![], vec![]);
        for block in blocks {
            calls.extend(block.calls);
            answers.extend(block.answers);
            events.extend(block.events);
        }
        let tasks =
            vec![task("caller", own, calls), task("answerer", other, answers)];
        Ok(Workload {
            title: format!("{} on {cpus} CPUs", variant.name()),
            limit: limit(self.expected(), 0, Load::None),
            events,
            ..Workload::new(vec![Process::new("switch", tasks)])
        })
    }

    /// One count. Its events are its own: one that an earlier count left set
    /// would send a second turn round.
    fn block(&self, variant: Variant, number: u32) -> Block {
        let events = ["ready", "there", "back"];
        let events = events.map(|event| format!("{event}-{number}"));
        let [ready, there, back] = &events;
        let longer = self.block.ns().saturating_add(LONGER.ns());
        let (call, answer) = match variant {
            Variant::SignalAndWait => {
                (vec![both(there, back)], vec![both(back, there)])
            }
            Variant::SetThenWait => (
                vec![set(there), awaiting(back)],
                vec![set(back), awaiting(there)],
            ),
        };
        let repeat = |span, keep, body| Action::Repeat {
            until: Until::Span(span),
            keep,
            body,
        };
        let longer = repeat(Span::from_ns(longer), Keep::Nothing, answer);
        Block {
            calls: vec![
                awaiting(ready),
                repeat(self.block, Keep::Everything, call),
            ],
            answers: vec![set(ready), awaiting(there), longer],
            events,
        }
    }
}

struct Block {
    calls: Vec<Action>,
    answers: Vec<Action>,
    events: [String; 3],
}

fn set(event: &str) -> Action {
    Action::Set(event.to_owned())
}

fn awaiting(event: &str) -> Action {
    let (event, keep) = (event.to_owned(), Keep::Nothing);
    Action::Await { event, timeout: None, keep }
}

fn both(set: &str, awaited: &str) -> Action {
    let (set, awaited) = (set.to_owned(), awaited.to_owned());
    Action::SetAwait { set, awaited, timeout: None, keep: Keep::Nothing }
}

/// Turns the runs of `switch` into figures, one row for each variant.
#[must_use]
pub fn figures(switch: &Switch, runs: &[Known<Saved>]) -> SwitchFigures {
    let asked = switch.variants.iter().zip(runs);
    let rows = asked.map(|((variant, cpus), run)| {
        let counts = run.value().map_or_else(Vec::new, counts);
        let rates = counts.iter().map(|(times, ns)| rate(*times, *ns));
        let times: i64 = counts.iter().map(|count| count.0).sum();
        let ns: i64 = counts.iter().map(|count| count.1).sum();
        let uncounted = || Missing::unknown("the run ended before a count did");
        let missing = run.missing().cloned().unwrap_or_else(uncounted);
        let known = |value: Option<f64>| {
            value.map_or_else(|| missing.clone().into(), Known::Value)
        };
        let all = (times > 0).then(|| rate(times, ns));
        Row {
            variant: *variant,
            cpus: *cpus,
            calls: run.as_ref().and_then(|saved| calls(&saved.facts, *variant)),
            round_trips_per_s: known(all),
            per_switch_ns: known(all.map(|all| 1e9 / (2.0 * all))),
            slowest_per_s: known(rates.clone().reduce(f64::min)),
            fastest_per_s: known(rates.reduce(f64::max)),
            count: counts.len() as u64,
            priority: switch.priority.to_string(),
        }
    });
    SwitchFigures { rows: rows.collect(), stolen_ns: stolen_ns(runs) }
}

/// The system calls of one switch.
fn calls(facts: &Facts, variant: Variant) -> Known<String> {
    let is = |name: &str| facts.system.starts_with(name);
    let calls = match variant {
        Variant::SignalAndWait if is("Windows") => "one: SignalObjectAndWait",
        Variant::SetThenWait if is("Windows") => {
            "two: SetEvent, WaitForSingleObject"
        }
        Variant::SignalAndWait if is("Linux") => "one: io_uring_enter",
        Variant::SetThenWait if is("Linux") => "two: futex, futex",
        _ => return Missing::unknown("this machine does not tell").into(),
    };
    Known::Value(calls.to_owned())
}

/// How often the caller got its turn back in how long, for each count.
fn counts(saved: &Saved) -> Vec<(i64, i64)> {
    let tracks = saved.recording.tracks().filter(|track| track.0 == 0);
    let samples = tracks.flat_map(|(.., track)| track.samples.iter());
    let whole = samples.filter(|sample| sample.counts());
    whole.map(|sample| (sample.value, sample.took_ns())).collect()
}

fn rate(times: i64, ns: i64) -> f64 {
    times as f64 * 1e9 / ns.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::scripted::{SET, SET_AWAIT, Scripted, WAKE, facts};
    use crate::machine::MissingKind;

    fn played(facts: &Facts) -> Vec<Row> {
        let switch = Switch::all(3, Span::from_ms(100));
        let workloads = switch.workloads(facts);
        let machine = &mut Scripted::default();
        let runs = play_all(machine, facts, workloads, &mut Silent).unwrap();
        figures(&switch, &runs).rows
    }

    #[test]
    fn a_switch_is_half_of_a_round_trip() {
        let rows = played(&facts());
        assert_eq!(rows.len(), 4);
        for row in rows {
            let trip = match row.variant {
                Variant::SignalAndWait => SET_AWAIT,
                Variant::SetThenWait => SET + WAKE,
            } as f64;
            let near = |known: Known<f64>, value: f64| {
                (known.value().unwrap() - value).abs() < 1e-6 * value
            };
            assert_eq!(row.count, 3);
            assert!(near(row.per_switch_ns, trip / 2.0), "{:?}", row.variant);
            assert!(near(row.round_trips_per_s, 1e9 / trip));
            assert!(near(row.slowest_per_s, 1e9 / trip));
            assert!(near(row.fastest_per_s, 1e9 / trip));
        }
    }

    #[test]
    fn on_one_cpu_there_is_nothing_between_two() {
        let facts = Facts { cpus: vec![0], ..facts() };
        let rows = played(&facts);
        assert!(rows[1].per_switch_ns.value().is_some());
        let missing = rows[2].per_switch_ns.missing().unwrap();
        assert_eq!(missing.kind, MissingKind::Absent);
    }

    #[test]
    fn every_switch_that_can_be_asked_can_be_played() {
        let switch = Switch::all(50, Span::from_s(3_600));
        for workload in switch.workloads(&facts()) {
            assert_eq!(workload.unwrap().faults(), []);
        }
    }
}
