//! A task's actions, laid flat.

use std::collections::BTreeMap;

use crate::machine::{Action, Keep, Task, Until, Workload};

/// No place among the counted steps.
pub(super) const UNCOUNTED: u16 = u16::MAX;
/// In no loop.
pub(super) const NO_LOOP: u32 = u32::MAX;
/// A loop that remembers nothing.
pub(super) const NO_FRAME: u8 = u8::MAX;

/// A task's actions, laid flat; shared by all its copies.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) ops: Vec<Op<'a>>,
    /// Whether its waits begin at random points of a tick.
    pub(super) random_phase: bool,
    /// How many frames its nested loops need.
    pub(super) frames: u8,
    /// For each step its place among the counted ones, or [`UNCOUNTED`].
    pub(super) counted: Vec<u16>,
    /// How many steps are counted.
    pub(super) counts: u16,
    /// Bit n: it may run on CPU n.
    pub(super) cpus: u128,
    /// Lateness that its waits are allowed.
    pub(super) slack: i64,
    /// The level it starts at; 0 for the fair ones.
    pub(super) base: u8,
    /// Its share among the fair ones; 1024 is that of nice 0.
    pub(super) weight: i64,
    /// Whether it takes turns with its equals.
    pub(super) takes_turns: bool,
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op<'a> {
    pub(super) code: Code<'a>,
    /// The action's number.
    pub(super) step: u16,
    pub(super) kept: Kept,
    /// Where its task goes on.
    pub(super) next: u32,
    /// How many loops stand around it.
    pub(super) depth: u8,
    /// A loop's frame among those of its task, or [`NO_FRAME`].
    pub(super) frame: u8,
    /// Where the innermost of them is entered, or [`NO_LOOP`].
    pub(super) inside: u32,
    /// The event it sets, and the one it awaits.
    pub(super) events: (u32, u32),
    /// Whether it awaits one.
    pub(super) awaits: bool,
}

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code<'a> {
    /// A wait: the most frequent action of all.
    Wait(&'a Action),
    /// Another action, which is no loop.
    Do(&'a Action),
    /// The beginning of a loop; `leave` is behind its end.
    Enter { action: &'a Action, leave: u32 },
    /// The end of a loop's body, which begins at `body`.
    Again { action: &'a Action, body: u32 },
}

impl<'a> Code<'a> {
    /// An action by itself.
    fn of(action: &'a Action) -> Self {
        match action {
            Action::Wait { .. } | Action::WaitUntil { .. } => {
                Self::Wait(action)
            }
            _ => Self::Do(action),
        }
    }

    /// The action, unless it is a loop.
    pub(super) fn action(&self) -> Option<&'a Action> {
        match self {
            Self::Wait(action) | Self::Do(action) => Some(action),
            Self::Enter { .. } | Self::Again { .. } => None,
        }
    }
}

/// What is kept of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    Count,
    Sample,
}

impl From<Keep> for Kept {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Nothing => Self::Nothing,
            Keep::Count => Self::Count,
            Keep::Histogram | Keep::Over(_) | Keep::Everything => Self::Sample,
        }
    }
}

/// Lays the actions of a task flat.
pub(super) fn lay_flat<'a>(
    workload: &'a Workload,
    task: &'a Task,
) -> Layout<'a> {
    let names = workload.events.iter().map(String::as_str);
    let mut layout = Layout {
        events: names.zip(0..).collect(),
        ops: Vec::new(),
        frames: 0,
        next_step: 0,
    };
    layout.add(&task.actions, Around { depth: 0, frames: 0, inside: NO_LOOP });
    layout
}

/// What stands around an action.
#[derive(Clone, Copy)]
struct Around {
    /// How many loops.
    depth: u8,
    /// How many of them have a frame.
    frames: u8,
    /// Where the innermost is entered, or [`NO_LOOP`].
    inside: u32,
}

/// Whether an action is a loop that has something to remember.
fn remembers(action: &Action) -> bool {
    match action {
        Action::Every { .. } => true,
        Action::Repeat { until, keep, .. } => {
            matches!(until, Until::Count(_)) || *keep != Keep::Nothing
        }
        _ => false,
    }
}

/// The actions of a task while they are laid flat.
pub(super) struct Layout<'a> {
    events: BTreeMap<&'a str, u32>,
    pub(super) ops: Vec<Op<'a>>,
    pub(super) frames: u8,
    next_step: u16,
}

impl<'a> Layout<'a> {
    fn add(&mut self, actions: &'a [Action], around: Around) {
        let Around { depth, frames, inside } = around;
        self.frames = self.frames.max(frames);
        for action in actions {
            let step = self.next_step;
            self.next_step += 1;
            let at = self.ops.len();
            let op = Op {
                code: Code::of(action),
                step,
                kept: action.keep().into(),
                next: at as u32 + 1,
                depth,
                frame: if remembers(action) { frames } else { NO_FRAME },
                inside,
                events: self.events_of(action),
                awaits: matches!(
                    action,
                    Action::Await { .. } | Action::SetAwait { .. }
                ),
            };
            self.ops.push(op);
            if matches!(action, Action::Every { .. } | Action::Repeat { .. }) {
                self.add(
                    action.body(),
                    Around {
                        depth: depth + 1,
                        frames: frames + u8::from(remembers(action)),
                        inside: at as u32,
                    },
                );
                self.close(at, op, action);
            }
        }
    }

    /// Ends the loop that is entered at `at`, whose body was added.
    fn close(&mut self, at: usize, op: Op<'a>, action: &'a Action) {
        let (body, end) = (at as u32 + 1, self.ops.len() as u32);
        // A loop that remembers nothing has nothing to do at its end.
        let last = &mut self.ops[end as usize - 1];
        if !remembers(action) && last.code.action().is_some() {
            last.next = body;
        }
        let code = Code::Again { action, body };
        self.ops.push(Op { code, next: end + 1, ..op });
        self.ops[at].code = Code::Enter { action, leave: end + 1 };
    }

    /// The events an action sets and awaits; a workload without faults
    /// declares every one it names.
    fn events_of(&self, action: &Action) -> (u32, u32) {
        let find = |name: &str| self.events.get(name).copied().unwrap_or(0);
        match action {
            Action::Set(event) => (find(event), 0),
            Action::Await { event, .. } => (0, find(event)),
            Action::SetAwait { set, awaited, .. } => (find(set), find(awaited)),
            _ => (0, 0),
        }
    }
}

/// Which steps are counted: for each its place among them.
pub(super) fn counted(task: &Task) -> (Vec<u16>, u16) {
    let mut next = 0;
    let steps = task.steps();
    let places = steps.iter().map(|step| {
        if step.action.keep() == Keep::Nothing {
            return UNCOUNTED;
        }
        next += 1;
        next - 1
    });
    let places = places.collect();
    (places, next)
}
