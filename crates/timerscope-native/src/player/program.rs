//! A task's actions, made ready for the thread that plays them.

use std::sync::Arc;

use timerscope::machine::{
    Action, ClockKind, Keep, Meanwhile, Missed, Phase, Point, Until, WaitKind,
    Workload,
};

use crate::sys::clock::Reader;
use crate::sys::signal_wait::SignalWait;
use crate::sys::waits::{self, Call, Woken};

/// One action with its number.
pub(crate) struct Node {
    pub(crate) step: u16,
    pub(crate) depth: u32,
    pub(crate) keep: Kept,
    pub(crate) act: Act,
}

/// What is kept of an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Nothing,
    Count,
    Sample,
}

/// An action with everything it needs.
pub(crate) enum Act {
    Wait {
        call: Box<dyn Call>,
        span_ns: u64,
        absolute: bool,
        phase: Phase,
    },
    Ring {
        call: Box<dyn Call>,
        span_ns: u64,
        again_ns: u64,
        times: u64,
    },
    WaitUntil {
        call: Box<dyn Call>,
        point: Point,
        phase: Phase,
    },
    Every {
        period: i64,
        missed: Missed,
        until: Until,
        body: Vec<Node>,
    },
    Repeat {
        until: Until,
        body: Vec<Node>,
    },
    Work {
        iterations: u64,
    },
    Spin {
        until: Until,
    },
    Runs {
        gap_ns: u64,
        until: Until,
    },
    Set {
        event: usize,
    },
    Await {
        event: usize,
        timeout: Option<u64>,
    },
    SetAwait {
        call: Result<Box<SignalWait>, i32>,
        set: usize,
        awaited: usize,
        timeout: Option<u64>,
    },
    Yield,
    Read {
        reader: Result<Reader, i32>,
        times: u64,
    },
    Steps {
        reader: Result<Reader, i32>,
        changes: u64,
    },
    /// What this system does not have: requests, and asking for the interval.
    Absent,
    End,
}

/// Makes the actions of a task ready.
pub(crate) struct Maker<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) phase: Phase,
    pub(crate) woken: &'a Arc<Woken>,
    pub(crate) next_step: u16,
}

impl Maker<'_> {
    pub(crate) fn nodes(
        &mut self,
        actions: &[Action],
        depth: u32,
    ) -> Vec<Node> {
        actions.iter().map(|action| self.node(action, depth)).collect()
    }

    fn node(&mut self, action: &Action, depth: u32) -> Node {
        let step = self.next_step;
        self.next_step += 1;
        let keep = match action.keep() {
            Keep::Nothing => Kept::Nothing,
            Keep::Count => Kept::Count,
            Keep::Histogram | Keep::Over(_) | Keep::Everything => Kept::Sample,
        };
        Node { step, depth, keep, act: self.act(action, depth) }
    }

    fn act(&mut self, action: &Action, depth: u32) -> Act {
        let phase = self.phase;
        match action {
            Action::Wait { how, span, meanwhile, .. } => Act::Wait {
                call: self.call(*how, *meanwhile),
                span_ns: span.ns(),
                absolute: *how == WaitKind::ClockNanosleepAbsolute,
                phase,
            },
            Action::Ring { how, span, again, times, meanwhile, .. } => {
                Act::Ring {
                    call: self.call(*how, *meanwhile),
                    span_ns: span.ns(),
                    again_ns: again.ns(),
                    times: *times,
                }
            }
            Action::WaitUntil { how, point, .. } => Act::WaitUntil {
                call: self.call(*how, Meanwhile::Block),
                point: *point,
                phase,
            },
            Action::Every { period, missed, until, body } => Act::Every {
                period: period.ns() as i64,
                missed: *missed,
                until: *until,
                body: self.nodes(body, depth + 1),
            },
            Action::Repeat { until, body, .. } => {
                Act::Repeat { until: *until, body: self.nodes(body, depth + 1) }
            }
            Action::Work { iterations, .. } => {
                Act::Work { iterations: *iterations }
            }
            Action::Spin { until, .. } => Act::Spin { until: *until },
            Action::Runs { gap, until, .. } => {
                Act::Runs { gap_ns: gap.ns(), until: *until }
            }
            Action::Set(event) => Act::Set { event: self.event(event) },
            Action::Await { event, timeout, .. } => Act::Await {
                event: self.event(event),
                timeout: timeout.map(timerscope::machine::Span::ns),
            },
            Action::SetAwait { set, awaited, timeout, .. } => Act::SetAwait {
                call: SignalWait::new().map(Box::new),
                set: self.event(set),
                awaited: self.event(awaited),
                timeout: timeout.map(timerscope::machine::Span::ns),
            },
            Action::Yield => Act::Yield,
            Action::Read { clock, times, .. } => {
                Act::Read { reader: reader(*clock), times: *times }
            }
            Action::Steps { clock, changes, .. } => {
                Act::Steps { reader: reader(*clock), changes: *changes }
            }
            Action::AskInterval { .. }
            | Action::Request(_)
            | Action::Withdraw(_) => Act::Absent,
            Action::End => Act::End,
        }
    }

    fn call(&self, how: WaitKind, meanwhile: Meanwhile) -> Box<dyn Call> {
        waits::prepare(how, meanwhile, self.woken)
    }

    fn event(&self, name: &str) -> usize {
        // A workload without faults declares every event it names.
        let events = &self.workload.events;
        events.iter().position(|event| event == name).unwrap_or(0)
    }
}

fn reader(clock: ClockKind) -> Result<Reader, i32> {
    Reader::new(clock)
}
