//! What a sleep experiment asks, and the workload it makes of it.

use super::expected;
use crate::lab::load::limit;
use crate::lab::spread::keep;
use crate::lab::{Load, ruler};
use crate::machine::{
    Action, Facts, Keep, Meanwhile, Phase, Priority, Process, Span, Task,
    WaitKind, Workload,
};

/// A sleep experiment: every wait with every span, one after another.
///
/// ```
/// use timerscope::lab::sleep::Sleep;
/// use timerscope::machine::{Span, WaitKind};
///
/// let timer_c = Sleep {
///     waits: vec![WaitKind::ItimerReal, WaitKind::ItimerProf],
///     spans: "800ms..1us".parse::<timerscope::lab::sleep::Sweep>()?.spans(),
///     count: 100,
///     ..Sleep::of(WaitKind::ItimerVirtual, Span::from_ms(1))
/// };
/// # Ok::<(), timerscope::lab::sleep::SweepError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sleep {
    /// The waits.
    pub waits: Vec<WaitKind>,
    /// The spans.
    pub spans: Vec<Span>,
    /// How many of each.
    pub count: u64,
    /// The CPU it runs on; the first allowed one where a load needs to share
    /// it, else any.
    pub cpu: Option<u32>,
    /// Its priority.
    pub priority: Priority,
    /// Its timer slack; the system's default if none is given.
    pub slack: Option<Span>,
    /// When its waits begin within a tick.
    pub phase: Phase,
    /// What runs beside it.
    pub load: Load,
    /// Where the load runs; on the same CPU if none is given.
    pub load_cpu: Option<u32>,
    /// A request for an interval that it holds.
    pub hold: Option<Hold>,
    /// Waits longer than this are listed.
    pub min: Option<Span>,
}

/// How a request for an interval is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// From before the first wait on.
    Throughout(Span),
    /// Around each wait, withdrawn after it.
    AroundEach(Span),
}

impl Sleep {
    /// One hundred waits of `span` by `how`, with everything else at its
    /// default.
    #[must_use]
    pub fn of(how: WaitKind, span: Span) -> Self {
        Self {
            waits: vec![how],
            spans: vec![span],
            count: 100,
            cpu: None,
            priority: Priority::Normal,
            slack: None,
            phase: Phase::Sync,
            load: Load::None,
            load_cpu: None,
            hold: None,
            min: None,
        }
    }

    /// What is to be played on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts) -> Workload {
        let cpu = self.own_cpu(facts);
        let mut actions = ruler::prefix(facts);
        if let Some(Hold::Throughout(interval)) = self.hold {
            actions.push(Action::Request(interval));
        }
        for how in &self.waits {
            for span in &self.spans {
                // Others may change it between two rows.
                if facts.interval.can_be_requested() {
                    let keep = Keep::Everything;
                    actions.push(Action::AskInterval { keep });
                }
                actions.push(self.waits_of(*how, *span));
            }
        }
        let task = Task {
            cpus: cpu.into_iter().collect(),
            priority: self.priority,
            slack: self.slack,
            phase: self.phase,
            ..Task::new("sleeper", actions)
        };
        let own = Process::new("sleep", vec![task]);
        let load = self.load.process(self.priority, self.load_cpu.or(cpu));
        Workload {
            title: "how late waits end".to_owned(),
            limit: limit(self.expected(facts), self.waits_in_all(), self.load),
            ..Workload::new([Some(own), load].into_iter().flatten().collect())
        }
    }

    /// How long it will take, on the long side.
    #[must_use]
    pub fn expected(&self, facts: &Facts) -> Span {
        let mut total = 0_u64;
        for how in &self.waits {
            for span in &self.spans {
                let one = expected(facts, *how, *span).ns();
                total = total.saturating_add(one.saturating_mul(self.count));
            }
        }
        Span::from_ns(total)
    }

    fn waits_of(&self, how: WaitKind, span: Span) -> Action {
        let keep = keep(self.waits_in_all(), self.min);
        // As timer.c does; the other two would never end otherwise.
        let burn = how.is_interval_timer();
        let meanwhile = if burn { Meanwhile::Burn } else { Meanwhile::Block };
        let wait = Action::Wait { how, span, meanwhile, keep };
        let body = match self.hold {
            Some(Hold::AroundEach(interval)) => {
                let (ask, end) =
                    (Action::Request(interval), Action::Withdraw(interval));
                vec![ask, wait, end]
            }
            _ => vec![wait],
        };
        Action::repeat(self.count, body)
    }

    fn waits_in_all(&self) -> u64 {
        let rows = (self.waits.len() * self.spans.len()) as u64;
        rows.saturating_mul(self.count)
    }

    fn own_cpu(&self, facts: &Facts) -> Option<u32> {
        let shares = self.load != Load::None && self.load_cpu.is_none();
        let first = || facts.cpus.first().copied().filter(|_| shares);
        self.cpu.or_else(first)
    }
}
