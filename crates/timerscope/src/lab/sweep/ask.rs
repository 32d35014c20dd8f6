//! What a sweep asks, and the workload it makes of each position.

use super::Knob;
use crate::lab::ruler;
use crate::lab::sleep::{expected, plainest};
use crate::machine::{
    Action, AskError, ClockKind, Facts, Keep, Meanwhile, Process, Span, Task,
    WaitKind, Workload,
};

/// Waits of 1 ms at each position of the knob.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The knob.
    pub knob: Knob,
    /// Its positions.
    pub positions: Vec<Span>,
    /// How many waits of each kind at each.
    pub count: u64,
}

/// What is asked of each wait.
pub(super) const SPAN: Span = Span::from_ms(1);
/// Waits that slack does not move.
const UNMOVED: [WaitKind; 2] =
    [WaitKind::SocketTimeout, WaitKind::ItimerVirtual];
/// How long the clock of the tick is watched.
const WATCH: Span = Span::from_ms(40);
/// Changes of it that are watched where the tick itself is turned: the
/// smallest is told, and one alone may have two ticks in it.
const CHANGES: u64 = 10;
/// The roles of the two processes.
pub(super) const SILENT: u32 = 0;
pub(super) const REQUESTER: u32 = 1;

impl Sweep {
    /// The whole sweep of the machine of `facts`.
    ///
    /// # Errors
    ///
    /// When it has no knob.
    pub fn of(facts: &Facts) -> Result<Self, AskError> {
        let knob = Knob::of(facts)?;
        Ok(Self { knob, positions: knob.positions(), count: 100 })
    }

    /// Leaves only the usual positions between two, and those two, turned
    /// from the first to the second.
    #[must_use]
    pub fn between(self, from: Option<Span>, to: Option<Span>) -> Self {
        let ends = self.positions.first().zip(self.positions.last());
        let Some((first, last)) = ends else { return self };
        let (from, to) = (from.unwrap_or(*first), to.unwrap_or(*last));
        let (low, high) = (from.min(to), from.max(to));
        let inside = |span: &Span| (low..=high).contains(span);
        let usual = self.positions.iter().copied().filter(inside);
        let mut positions: Vec<Span> = usual.chain([low, high]).collect();
        positions.sort_unstable();
        positions.dedup();
        if from > to {
            positions.reverse();
        }
        Self { positions, ..self }
    }

    /// What is to be played at one position on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts, position: Span) -> Workload {
        match self.knob {
            Knob::TimerSlack => self.slackened(facts, position),
            Knob::IntervalRequest => self.requested(facts, position),
        }
    }

    /// One thread that lets its own waits end so late.
    fn slackened(&self, facts: &Facts, position: Span) -> Workload {
        let clock = ClockKind::MonotonicCoarse;
        let step = ruler::nominal_step(facts, clock);
        let changes = ruler::changes(step, WATCH);
        let waits = self.waits(facts, position);
        let waits = waits.into_iter().map(|how| self.wait(how));
        let actions = [steps(clock, changes)].into_iter().chain(waits);
        let task = Task {
            slack: Some(position),
            ..Task::new("sleeper", actions.collect())
        };
        Workload {
            title: format!("waits of {SPAN} with a slack of {position}"),
            limit: Span::from_ns(self.count * 200_000_000 + 10_000_000_000),
            ..Workload::new(vec![Process::new("sweep", vec![task])])
        }
    }

    /// A process that requests an interval and holds it, and beside it one
    /// that never did. They wait one after the other, not to disturb.
    fn requested(&self, facts: &Facts, position: Span) -> Workload {
        let how = plainest(facts);
        let keep = Keep::Everything;
        let ask = || Action::AskInterval { keep };
        let clock = ClockKind::TimeGetTime;
        let silent = vec![
            awaiting("held"),
            ask(),
            steps(clock, CHANGES),
            self.wait(how),
            ask(),
            Action::Set("slept".to_owned()),
        ];
        let requester = vec![
            Action::Request(position),
            Action::Set("held".to_owned()),
            awaiting("slept"),
            self.wait(how),
            Action::Withdraw(position),
        ];
        let events = ["held", "slept"].map(str::to_owned).to_vec();
        let process =
            |name, actions| Process::new(name, vec![Task::new(name, actions)]);
        let slept = expected(facts, how, SPAN).ns();
        let waits = self.count.saturating_mul(2).saturating_mul(slept);
        Workload {
            title: format!("waits of {SPAN} beside a request of {position}"),
            limit: Span::from_ns(waits.saturating_mul(4) + 10_000_000_000),
            events,
            ..Workload::new(vec![
                process("silent", silent),
                process("requester", requester),
            ])
        }
    }

    /// So many waits by one call.
    fn wait(&self, how: WaitKind) -> Action {
        // The timer that counts CPU time would never end otherwise.
        let burn = how.is_interval_timer();
        let meanwhile = if burn { Meanwhile::Burn } else { Meanwhile::Block };
        let keep = Keep::Everything;
        let wait = Action::Wait { how, span: SPAN, meanwhile, keep };
        Action::repeat(self.count, vec![wait])
    }

    /// At the two ends also those waits that slack should not move.
    fn waits(&self, facts: &Facts, position: Span) -> Vec<WaitKind> {
        let ends = [self.positions.first(), self.positions.last()];
        let at_end = ends.contains(&Some(&position));
        let has =
            |wait: &WaitKind| facts.waits.iter().any(|fact| fact.name == *wait);
        let unmoved = UNMOVED.into_iter().filter(|_| at_end).filter(has);
        [plainest(facts)].into_iter().chain(unmoved).collect()
    }
}

fn steps(clock: ClockKind, changes: u64) -> Action {
    Action::Steps { clock, changes, keep: Keep::Everything }
}

fn awaiting(event: &str) -> Action {
    let (event, keep) = (event.to_owned(), Keep::Nothing);
    Action::Await { event, timeout: None, keep }
}
