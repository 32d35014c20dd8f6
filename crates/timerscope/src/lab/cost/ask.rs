//! What a cost experiment asks, and the workloads it makes of it.

use super::By;
use super::idle::GAUGE;
use crate::machine::{
    Action, ClockKind, Facts, Keep, Known, Meanwhile, Missed, Point, PointBase,
    Process, Span, Task, Until, WaitKind, Workload,
};
use crate::stats::alternate;

/// Measures what a raised tick costs.
///
/// Three plays: an idle look without the tick, one with it, and the work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Between two ticks: 1 ms for 1000 in a second.
    pub period: Span,
    /// How long all of it may take; of a series, the series alone.
    pub time: Span,
    /// The CPU of both worker and ticker; the last allowed one if none is
    /// given, as the first serves most interrupts.
    pub cpu: Option<u32>,
    /// One long raise in the middle, as the article has it, instead of blocks
    /// in a random order.
    pub series: bool,
    /// Where the order of the blocks comes from.
    pub seed: u64,
}

/// How long work is counted in one block: twenty ticks at 250 Hz.
const BLOCK: Span = Span::from_ms(80);
/// How long before and after a block the tick is already, or still, raised.
const MARGIN: Span = Span::from_ms(8);
/// A wait under way when its loop's time is up is ended this much later.
const LATEST: Span = Span::from_ms(20);
/// What worker and ticker need to tell each other that a turn is over.
const SPARE: Span = Span::from_ms(1);
/// One window of a series, as in the article.
const WINDOW: Span = Span::from_s(1);
/// Pairs in an order that is drawn; a longer run plays the order again.
const DRAWN: usize = 100;
/// Rounds of work between two looks at whether the block is over: about a
/// microsecond.
pub(super) const ROUNDS: u64 = 10;
/// A run may take this much longer than asked.
const PATIENCE: Span = Span::from_s(20);

impl Cost {
    /// The worker, and beside it the ticker.
    #[must_use]
    pub fn busy(&self, facts: &Facts) -> Workload {
        let (worker, ticker) = if self.series {
            (self.windows(facts), self.raise_in_the_middle(facts))
        } else {
            (self.blocks(facts), self.order(facts))
        };
        let worker = self.task(facts, "worker", worker);
        let events = ["go", "done"].map(str::to_owned).to_vec();
        Workload {
            title: "work with and without a raised tick".to_owned(),
            seed: self.seed,
            limit: with_patience(self.time),
            events: if self.series { Vec::new() } else { events },
            ..Workload::new(vec![
                Process::new("work", vec![worker]),
                self.ticker(facts, ticker),
            ])
        }
    }

    /// A machine left alone, or with nothing but the ticker.
    #[must_use]
    pub fn idle(&self, facts: &Facts, raised: bool) -> Workload {
        let look = self.look(facts);
        let title = if raised {
            "an idle machine with a raised tick"
        } else {
            "an idle machine left alone"
        };
        let alone = vec![rest(facts, look)];
        let looker = Process::new("look", vec![Task::new("looker", alone)]);
        let ticker = raised.then(|| self.ticker(facts, self.forever(facts)));
        let processes = [Some(looker), ticker].into_iter().flatten().collect();
        Workload {
            title: title.to_owned(),
            limit: with_patience(look),
            ..Workload::new(processes)
        }
    }

    /// How long each idle look lasts: a tenth of the time, and no longer than
    /// the meter needs that the machine of `facts` has.
    #[must_use]
    pub fn look(&self, facts: &Facts) -> Span {
        let tenth = Span::from_ns(self.time.ns() / 10);
        let gauge = has_only_a_battery(facts);
        let longest = if gauge { GAUGE } else { Span::from_s(2) };
        tenth.clamp(Span::from_ms(200), longest)
    }

    /// From one block to the next: the ticker's turn may end a tick late, but
    /// the worker is not to rest longer for it.
    fn beat(&self, facts: &Facts) -> Span {
        // Where waits end at ticks, both may have to wait for one.
        let ticks = match By::of(facts) {
            By::Waiter => Span::ZERO,
            By::Request => Span::from_ns(2 * coarsest(facts).ns()),
        };
        let late = self.period.min(LATEST).max(ticks).ns();
        Span::from_ns(turn(facts).ns() + late + SPARE.ns())
    }

    fn blocks(&self, facts: &Facts) -> Vec<Action> {
        let settle = work(margin(facts), Keep::Nothing);
        let measured = work(BLOCK, Keep::Everything);
        let (event, timeout, keep) = ("done".into(), None, Keep::Nothing);
        let done = Action::Await { event, timeout, keep };
        let mut body = vec![Action::Set("go".into()), settle];
        body.extend(with_cpu_time(facts, measured));
        body.extend([done, until_next(facts, Keep::Nothing)]);
        let until = Until::Count(2 * self.pairs(facts));
        let (period, missed) = (self.beat(facts), Missed::Skip);
        vec![Action::Every { period, missed, until, body }]
    }

    /// The ticker's part in the blocks: to tick, or to rest as long.
    fn order(&self, facts: &Facts) -> Vec<Action> {
        let drawn = alternate(DRAWN.min(self.pairs(facts) as usize), self.seed);
        let block = |raised: bool| {
            let (event, timeout, keep) = ("go".into(), None, Keep::Nothing);
            let go = Action::Await { event, timeout, keep };
            let turn = if raised {
                self.raised(facts, turn(facts))
            } else {
                vec![rest(facts, turn(facts))]
            };
            let done = Action::Set("done".into());
            [vec![go], turn, vec![done]].concat()
        };
        let body = drawn.into_iter().flat_map(block).collect();
        vec![Action::repeat(self.pairs(facts).div_ceil(DRAWN as u64), body)]
    }

    fn pairs(&self, facts: &Facts) -> u64 {
        let left = self.time.ns().saturating_sub(2 * self.look(facts).ns());
        (left / self.beat(facts).ns() / 2).max(1)
    }

    fn windows(&self, facts: &Facts) -> Vec<Action> {
        let windows = (self.time.ns() / WINDOW.ns()).max(4);
        let window = work(WINDOW, Keep::Everything);
        vec![Action::repeat(windows, with_cpu_time(facts, window))]
    }

    /// Of the article's 41 windows the tenth to thirtieth second.
    fn raise_in_the_middle(&self, facts: &Facts) -> Vec<Action> {
        let windows = (self.time.ns() / WINDOW.ns()).max(4);
        let quiet = Span::from_ns(windows / 4 * WINDOW.ns());
        let raised = Span::from_ns(windows / 2 * WINDOW.ns());
        [vec![rest(facts, quiet)], self.raised(facts, raised)].concat()
    }

    /// What raises the tick for so long.
    fn raised(&self, facts: &Facts, span: Span) -> Vec<Action> {
        match By::of(facts) {
            By::Waiter => {
                with_cpu_time(facts, self.tick(facts, Until::Span(span)))
            }
            By::Request => vec![
                Action::Request(self.period),
                rest(facts, span),
                Action::Withdraw(self.period),
            ],
        }
    }

    /// What raises it for as long as anybody looks.
    fn forever(&self, facts: &Facts) -> Vec<Action> {
        match By::of(facts) {
            By::Waiter => vec![self.tick(facts, Until::Forever)],
            By::Request => {
                let longer = with_patience(self.look(facts));
                self.raised(facts, longer)
            }
        }
    }

    fn tick(&self, facts: &Facts, until: Until) -> Action {
        let wait = until_next(facts, Keep::Count);
        let (period, missed) = (self.period, Missed::Skip);
        Action::Every { period, missed, until, body: vec![wait] }
    }

    fn ticker(&self, facts: &Facts, actions: Vec<Action>) -> Process {
        let task = match By::of(facts) {
            By::Waiter => Task {
                slack: facts.timer_slack_ns.value().map(|_| Span::from_ns(1)),
                ..self.task(facts, "ticker", actions)
            },
            // The interval is everybody's; it needs no CPU for that.
            By::Request => Task::new("requester", actions),
        };
        let background = true;
        Process { background, ..Process::new("raised-tick", vec![task]) }
    }

    fn task(&self, facts: &Facts, name: &str, actions: Vec<Action>) -> Task {
        let cpu = self.cpu.or_else(|| facts.cpus.last().copied());
        Task { cpus: cpu.into_iter().collect(), ..Task::new(name, actions) }
    }
}

/// How long a run must be for so many blocks, each `beat` after the other:
/// two tenths of it are the idle looks.
pub(super) fn seconds(blocks: u64, beat: Span) -> f64 {
    blocks as f64 * beat.ns() as f64 / 1e9 / 0.8
}

/// How long the tick is raised, or not, for one block.
fn turn(facts: &Facts) -> Span {
    Span::from_ns(BLOCK.ns() + 2 * margin(facts).ns())
}

/// A new interval may begin only once the old one is over.
fn margin(facts: &Facts) -> Span {
    match By::of(facts) {
        By::Waiter => MARGIN,
        By::Request => MARGIN.max(coarsest(facts)),
    }
}

fn coarsest(facts: &Facts) -> Span {
    let coarsest = facts.interval.coarsest_ns.value();
    Span::from_ns(coarsest.copied().unwrap_or_default())
}

fn work(span: Span, keep: Keep) -> Action {
    let work = Action::Work { iterations: ROUNDS, keep: Keep::Nothing };
    Action::Repeat { until: Until::Span(span), keep, body: vec![work] }
}

/// An action between two readings of its task's CPU time, where such a clock
/// is to be had.
fn with_cpu_time(facts: &Facts, action: Action) -> Vec<Action> {
    let (clock, keep) = (ClockKind::ThreadCputime, Keep::Everything);
    let name = clock.name();
    if !facts.clocks.iter().any(|fact| fact.name == name) {
        return vec![action];
    }
    let read = Action::Read { clock, times: 1, keep };
    vec![read.clone(), action, read]
}

fn rest(facts: &Facts, span: Span) -> Action {
    let (meanwhile, keep) = (Meanwhile::Block, Keep::Nothing);
    Action::Wait { how: precise_wait(facts), span, meanwhile, keep }
}

fn until_next(facts: &Facts, keep: Keep) -> Action {
    let point = Point { at: PointBase::Next, less: Span::ZERO };
    Action::WaitUntil { how: precise_wait(facts), point, keep }
}

/// Whether nothing but a battery's gauge can tell this machine's power.
fn has_only_a_battery(facts: &Facts) -> bool {
    let mut counters = facts.energy_counters.value().into_iter().flatten();
    let counts = counters.any(|own| own.energy_uj.value().is_some());
    facts.on_battery == Known::Value(true) && !counts
}

/// The call that waits for a point in time, where there is one.
pub(in crate::lab) fn precise_wait(facts: &Facts) -> WaitKind {
    let has = |wait: &WaitKind| facts.waits.iter().any(|f| f.name == *wait);
    [
        WaitKind::ClockNanosleepAbsolute,
        WaitKind::WaitableTimerHighResolution,
        WaitKind::Nanosleep,
    ]
    .into_iter()
    .find(has)
    .unwrap_or(WaitKind::ThreadSleep)
}

fn with_patience(time: Span) -> Span {
    Span::from_ns(time.ns().saturating_mul(2).saturating_add(PATIENCE.ns()))
}
