//! The playing of actions: the one loop whose cost is the ruler's.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use timerscope::machine::{
    Missed, Outcome, Phase, Point, PointBase, Random, Sample, Until,
};

use super::agenda::{Agenda, OVER};
use super::program::{Act, Kept, Node};
use super::rings::Rings;
use crate::sys::clock::{Reader, now};
use crate::sys::waits::Call;
use crate::wire::{Shared, Writer};

/// What a role's thread works with.
pub(crate) struct Performer<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) agenda: &'a Agenda,
    pub(crate) writer: Writer<'a>,
    pub(crate) counts: &'a [AtomicU64],
    /// How many times each step was done so far.
    pub(crate) numbers: Vec<u64>,
    pub(crate) start: i64,
    /// The points of the enclosing `every`s, innermost last: now and next.
    pub(crate) points: Vec<(i64, i64)>,
    pub(crate) random: Random,
    pub(crate) tick_ns: u64,
}

/// Where to go on after an action.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    /// Some enclosing loop's time is up: leave to the outermost such loop.
    Leave,
    /// The task has said `end`.
    End,
}

/// What an action found, before it is written down.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) due: i64,
    pub(super) value: i64,
}

impl Found {
    pub(super) fn met(due: i64, value: i64) -> Self {
        Self { outcome: Outcome::Met, due, value }
    }

    /// The system's answer to a call; its error number becomes the value.
    pub(super) fn answered(due: i64, answer: Result<(), i32>) -> Self {
        let Err(error) = answer else { return Self::met(due, 0) };
        Self { outcome: outcome(error), due, value: i64::from(error) }
    }
}

fn outcome(error: i32) -> Outcome {
    match error {
        libc::EINTR => Outcome::Interrupted,
        libc::ETIMEDOUT => Outcome::TimedOut,
        libc::ENOSYS => Outcome::Absent,
        _ => Outcome::Refused,
    }
}

impl Performer<'_> {
    /// Does all actions once; says whether they were all done.
    pub(crate) fn perform(&mut self, nodes: &mut [Node]) -> bool {
        self.all(nodes) != Flow::Leave
    }

    /// Touches what will be used, so that the first samples are not the cost
    /// of meeting memory and code for the first time.
    pub(crate) fn warm_up(&mut self) {
        self.writer.touch();
        for _ in 0..100 {
            black_box(now());
        }
    }

    fn all(&mut self, nodes: &mut [Node]) -> Flow {
        for node in nodes {
            let flow = self.one(node);
            if flow != Flow::On {
                return flow;
            }
        }
        Flow::On
    }

    fn one(&mut self, node: &mut Node) -> Flow {
        if self.agenda.expired() != 0 {
            return Flow::Leave;
        }
        let depth = node.depth;
        match &mut node.act {
            Act::End => return Flow::End,
            Act::Every { period, missed, until, body } => {
                let (period, missed, until) = (*period, *missed, *until);
                return self.every(period, missed, until, body, depth);
            }
            Act::Repeat { until, body } => {
                let until = *until;
                let began = clock_if(node.keep);
                let (flow, value) = self.repeat(until, body, depth);
                let outcome = match flow {
                    Flow::Leave => Outcome::Interrupted,
                    Flow::On | Flow::End => Outcome::Met,
                };
                let found = Found { outcome, due: began, value };
                self.keep(node.step, node.keep, began, found);
                return flow;
            }
            Act::Ring { call, span_ns, again_ns, times } => {
                let (span_ns, again_ns, times) = (*span_ns, *again_ns, *times);
                let (step, keep) = (node.step, node.keep);
                let period = Rings { step, keep, span_ns, again_ns, times };
                self.rings(call.as_mut(), &period);
                return Flow::On;
            }
            Act::Runs { gap_ns, until } => {
                let (gap_ns, until) = (*gap_ns, *until);
                self.runs(node.step, node.keep, gap_ns, until);
                return Flow::On;
            }
            Act::Wait { phase, .. } | Act::WaitUntil { phase, .. }
                if *phase == Phase::Random =>
            {
                let share = self.random.below(self.tick_ns) as i64;
                self.spin_until(now() + share);
            }
            _ => {}
        }
        let began = clock_if(node.keep);
        let found = self.act(&mut node.act, began);
        self.keep(node.step, node.keep, began, found);
        Flow::On
    }

    /// Whether the innermost expired loop is the one at `depth` itself.
    fn leaves_no_further(&self, depth: u32) -> bool {
        self.agenda.expired() & (OVER | ((1 << depth) - 1)) == 0
    }

    #[inline]
    fn keep(&mut self, step: u16, keep: Kept, began: i64, found: Found) {
        self.keep_until(step, keep, began, clock_if(keep), found);
    }

    #[inline]
    pub(super) fn keep_until(
        &mut self,
        step: u16,
        keep: Kept,
        began: i64,
        ended: i64,
        found: Found,
    ) {
        if keep == Kept::Nothing {
            return;
        }
        let number = self.numbers[usize::from(step)];
        self.numbers[usize::from(step)] = number + 1;
        if keep == Kept::Sample {
            let start = self.start;
            self.writer.push(&Sample {
                role: 0,
                step,
                outcome: found.outcome,
                number,
                began: began - start,
                due: found.due - start,
                ended: ended - start,
                value: found.value,
            });
        }
        self.counts[usize::from(step)].store(number + 1, Relaxed);
    }

    #[inline]
    fn act(&mut self, act: &mut Act, began: i64) -> Found {
        match act {
            Act::Wait { call, span_ns, absolute, .. } => {
                wait(call.as_mut(), *span_ns, *absolute, began)
            }
            Act::WaitUntil { call, point, .. } => {
                let due = self.point(*point);
                Found::answered(due, call.absolute(due))
            }
            Act::Work { iterations } => {
                work(*iterations);
                Found::met(began, 0)
            }
            Act::Spin { until } => self.spin(*until, began),
            Act::Set { event } => {
                self.set(*event);
                Found::met(began, 0)
            }
            Act::Await { event, timeout } => {
                self.await_event(*event, *timeout, began)
            }
            Act::SetAwait { call, set, awaited, timeout } => match call {
                Ok(call) => {
                    self.set_await(call, *set, *awaited, *timeout, began)
                }
                Err(error) => Found::answered(began, Err(*error)),
            },
            Act::Yield => {
                std::thread::yield_now();
                Found::met(began, 0)
            }
            Act::Read { reader, times } => match reader {
                Ok(reader) => Found::met(began, read(*reader, *times)),
                Err(error) => Found::answered(began, Err(*error)),
            },
            Act::Steps { reader, changes } => match reader {
                Ok(reader) => self.steps(*reader, *changes, began),
                Err(error) => Found::answered(began, Err(*error)),
            },
            Act::Absent => Found::answered(began, Err(libc::ENOSYS)),
            // The loops, the runs and the end are done by `one`.
            Act::Every { .. }
            | Act::Repeat { .. }
            | Act::Ring { .. }
            | Act::Runs { .. }
            | Act::End => Found::met(began, 0),
        }
    }

    fn repeat(
        &mut self,
        until: Until,
        body: &mut [Node],
        depth: u32,
    ) -> (Flow, i64) {
        let most = match until {
            Until::Count(count) => count,
            _ => u64::MAX,
        };
        let deadline = match until {
            Until::Span(span) => Some(now().saturating_add_unsigned(span.ns())),
            Until::Point(point) => Some(self.point(point)),
            _ => None,
        };
        if let Some(deadline) = deadline {
            self.agenda.enter(depth, deadline);
        }
        let (mut flow, mut times) = (Flow::On, 0);
        while times < most && flow == Flow::On {
            flow = self.all(body);
            times += u64::from(flow == Flow::On);
        }
        if deadline.is_some() {
            if flow == Flow::Leave && self.leaves_no_further(depth) {
                flow = Flow::On;
            }
            self.agenda.leave();
        }
        (flow, times as i64)
    }

    fn every(
        &mut self,
        period: i64,
        missed: Missed,
        until: Until,
        body: &mut [Node],
        depth: u32,
    ) -> Flow {
        let base = now();
        let ends = match until {
            Until::Span(span) => Some(base.saturating_add_unsigned(span.ns())),
            Until::Point(point) => Some(self.point(point)),
            Until::Forever | Until::Count(_) => None,
        };
        if let Some(ends) = ends {
            self.agenda.enter(depth, ends);
        }
        let mut point = base;
        let mut times = 0;
        let mut flow = Flow::On;
        while flow == Flow::On
            && !matches!(until, Until::Count(n) if times >= n)
        {
            self.points.push((point, point.saturating_add(period)));
            flow = self.all(body);
            self.points.pop();
            times += 1;
            point = point.saturating_add(period);
            if missed == Missed::Skip {
                point = skip(base, period, point);
            }
        }
        if ends.is_some() {
            if flow == Flow::Leave && self.leaves_no_further(depth) {
                flow = Flow::On;
            }
            self.agenda.leave();
        }
        flow
    }

    fn point(&self, point: Point) -> i64 {
        // A workload without faults has a point only inside an `every`.
        let (here, next) = self.points.last().copied().unwrap_or_default();
        let at = if point.at == PointBase::Now { here } else { next };
        at.saturating_sub_unsigned(point.less.ns())
    }

    fn spin(&mut self, until: Until, began: i64) -> Found {
        let from = if began == 0 { now() } else { began };
        let (due, most) = self.bounds(until, from);
        let mut readings = 0;
        let mut outcome = Outcome::Met;
        while readings < most {
            readings += 1;
            if now() >= due {
                break;
            }
            if self.agenda.expired() != 0 {
                outcome = Outcome::Interrupted;
                break;
            }
        }
        let due = if due == i64::MAX { began } else { due };
        Found { outcome, due, value: readings as i64 }
    }

    /// When something that reads the clock itself is done, and after how many
    /// times.
    pub(super) fn bounds(&self, until: Until, from: i64) -> (i64, u64) {
        match until {
            Until::Forever => (i64::MAX, u64::MAX),
            Until::Count(count) => (i64::MAX, count),
            Until::Span(span) => {
                (from.saturating_add_unsigned(span.ns()), u64::MAX)
            }
            Until::Point(point) => (self.point(point), u64::MAX),
        }
    }

    /// Whether some loop's time is up, or the run's.
    pub(super) fn is_over(&self) -> bool {
        self.agenda.expired() != 0
    }

    fn spin_until(&self, at: i64) {
        while now() < at && !self.is_over() {}
    }

    fn steps(&self, reader: Reader, changes: u64, began: i64) -> Found {
        let mut smallest = i64::MAX;
        let mut last = reader.read();
        for _ in 0..changes {
            loop {
                let reading = reader.read();
                if reading != last {
                    smallest = smallest.min(reading - last);
                    last = reading;
                    break;
                }
                if self.agenda.expired() != 0 {
                    let outcome = Outcome::Interrupted;
                    return Found { outcome, due: began, value: 0 };
                }
            }
        }
        Found::met(began, if changes == 0 { 0 } else { smallest })
    }
}

/// The time, if it will be needed.
#[inline]
fn clock_if(keep: Kept) -> i64 {
    if keep == Kept::Sample { now() } else { 0 }
}

fn wait(
    call: &mut dyn Call,
    span_ns: u64,
    absolute: bool,
    began: i64,
) -> Found {
    if !absolute {
        let due = began.saturating_add_unsigned(span_ns);
        return match call.relative(span_ns) {
            Ok(()) => Found::met(due, call.found()),
            refused => Found::answered(due, refused),
        };
    }
    let from = if began == 0 { now() } else { began };
    let due = from.saturating_add_unsigned(span_ns);
    Found::answered(due, call.absolute(due))
}

/// The next point after `point` whose own next one is still to come.
fn skip(base: i64, period: i64, point: i64) -> i64 {
    let at = now();
    if point.saturating_add(period) > at {
        return point;
    }
    base + (at - base) / period * period
}

/// As the throughput article does it: adds up 1024 integers, `iterations`
/// times.
fn work(iterations: u64) {
    static NUMBERS: [i32; 1024] = [1; 1024];
    for _ in 0..iterations {
        let numbers = black_box(&NUMBERS);
        black_box(numbers.iter().fold(0_i32, |sum, n| sum.wrapping_add(*n)));
    }
}

fn read(reader: Reader, times: u64) -> i64 {
    let mut reading = 0;
    for _ in 0..times {
        reading = black_box(reader.read());
    }
    reading
}
