//! What a wake experiment asks, and the workloads it makes of it.

use super::Setter;
use crate::lab::load::{is_above, is_realtime, limit};
use crate::lab::places::{first_cpu, tick_ns, two_cpus};
use crate::lab::sleep::{expected, plainest};
use crate::lab::spread::keep;
use crate::lab::{Load, ruler};
use crate::machine::{
    Action, AskError, Facts, Keep, Meanwhile, Priority, Process, Span, Task,
    Until, Workload,
};

/// A wake experiment: each setter sets an event, again and again, for a
/// waiter that blocks on it.
///
/// The waiter says by a second event that it will wait. Then the setter lets
/// a moment pass, by the plainest wait there is, so that the waiter has
/// blocked and its CPU may be idle when the event is set: each time is a
/// whole wake-up, never a wait that found its event set already. Where both
/// share a CPU, this wait is also what gives the CPU to the waiter.
#[derive(Clone, Debug, PartialEq)]
pub struct Wake {
    /// Who sets; each in a run of its own.
    pub setters: Vec<Setter>,
    /// How many wake-ups by each.
    pub count: u64,
    /// The waiter's CPU; the first allowed one if none is given.
    pub cpu: Option<u32>,
    /// The waiter's priority, and the setter's unless that is to be below.
    pub priority: Priority,
    /// What runs beside the waiter, on its CPU.
    pub load: Load,
    /// Wake-ups later than this are listed.
    pub min: Option<Span>,
}

/// How long the waiter has to block, once it has said that it will.
const PAUSE: Span = Span::from_us(100);
/// Ticks of a machine that does not tell: those of old Windows.
const COARSEST_TICK_NS: u64 = 15_625_000;
/// A setter that goes on computing does so for this many ticks.
const TICKS: u64 = 2;

impl Wake {
    /// A thousand wake-ups by `setter`, with everything else at its default.
    #[must_use]
    pub fn by(setter: Setter) -> Self {
        Self {
            setters: vec![setter],
            count: 1_000,
            cpu: None,
            priority: Priority::Normal,
            load: Load::None,
            min: None,
        }
    }

    /// What is to be played on the machine of `facts`, a workload for each
    /// setter; an error where this machine has no place for it.
    #[must_use]
    pub fn workloads(&self, facts: &Facts) -> Vec<Result<Workload, AskError>> {
        let workload = |setter: &Setter| self.workload(facts, *setter);
        self.setters.iter().map(workload).collect()
    }

    /// How long all of it will take, on the long side.
    #[must_use]
    pub fn expected(&self, facts: &Facts) -> Span {
        let each = self
            .setters
            .iter()
            .map(|setter| once(facts, *setter).ns().saturating_mul(self.count));
        Span::from_ns(each.fold(0, u64::saturating_add))
    }

    fn workload(
        &self,
        facts: &Facts,
        setter: Setter,
    ) -> Result<Workload, AskError> {
        let what = format!("cannot set an event by {setter}");
        let cpu = first_cpu(facts, self.cpu);
        let setters_cpu = match setter {
            Setter::OtherCpu => Some(two_cpus(facts, self.cpu, &what)?.1),
            Setter::SameCpu | Setter::BelowSpinning => cpu,
        };
        let task = |name, cpu: Option<u32>, priority, actions| Task {
            cpus: cpu.into_iter().collect(),
            priority,
            ..Task::new(name, actions)
        };
        let priority = self.setters_priority(setter, &what)?;
        let setting = self.setting(facts, setter);
        let own = Process::new(
            "wake",
            vec![
                task("waiter", cpu, self.priority, self.waiting(facts)),
                task("setter", setters_cpu, priority, setting),
            ],
        );
        let load = self.load.process(self.priority, cpu);
        let once = once(facts, setter).ns();
        let expected = Span::from_ns(once.saturating_mul(self.count));
        Ok(Workload {
            title: format!("how late a waiter runs, its event set {setter}"),
            limit: limit(expected, self.count, self.load),
            events: vec!["ready".to_owned(), "go".to_owned()],
            ..Workload::new([Some(own), load].into_iter().flatten().collect())
        })
    }

    fn waiting(&self, facts: &Facts) -> Vec<Action> {
        let mut actions = ruler::prefix(facts);
        let keep = keep(self.count, self.min);
        let body = vec![Action::Set("ready".to_owned()), awaiting("go", keep)];
        actions.push(Action::repeat(self.count, body));
        actions
    }

    fn setting(&self, facts: &Facts, setter: Setter) -> Vec<Action> {
        let pause = Action::Wait {
            how: plainest(facts),
            span: PAUSE,
            meanwhile: Meanwhile::Block,
            keep: Keep::Nothing,
        };
        let set = Action::Set("go".to_owned());
        let mut body = vec![awaiting("ready", Keep::Nothing), pause, set];
        if setter == Setter::BelowSpinning {
            let until = Until::Span(computing(facts));
            body.push(Action::Spin { until, keep: Keep::Nothing });
        }
        vec![Action::repeat(self.count, body)]
    }

    fn setters_priority(
        &self,
        setter: Setter,
        what: &str,
    ) -> Result<Priority, AskError> {
        if setter != Setter::BelowSpinning {
            return Ok(self.priority);
        }
        if self.load != Load::None && is_realtime(self.priority) {
            let why = "a real-time load would never let the setter run";
            return Err(AskError::wrong(what, why).or_try("--load none"));
        }
        let below = Load::Below.priority(self.priority);
        below.filter(|below| is_above(self.priority, *below)).ok_or_else(|| {
            let why = format!("nothing is below priority {}", self.priority);
            AskError::wrong(what, why).or_try("--priority normal")
        })
    }
}

/// How long one wake-up takes, on the long side.
fn once(facts: &Facts, setter: Setter) -> Span {
    let pause = expected(facts, plainest(facts), PAUSE);
    match setter {
        Setter::OtherCpu | Setter::SameCpu => pause,
        Setter::BelowSpinning => {
            Span::from_ns(pause.ns() + computing(facts).ns())
        }
    }
}

fn awaiting(event: &str, keep: Keep) -> Action {
    Action::Await { event: event.to_owned(), timeout: None, keep }
}

/// How long a setter goes on computing: over more than one whole tick.
fn computing(facts: &Facts) -> Span {
    let tick = tick_ns(facts).value().copied();
    Span::from_ns(TICKS * tick.unwrap_or(COARSEST_TICK_NS))
}
