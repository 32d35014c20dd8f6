//! One task: whether it ran, was ready to, or waited.

use super::lane::Lane;
use super::names::Names;
use super::{Detail, Instant, Slice, Track};
use crate::trace::Left;

/// What became of one task so far.
#[derive(Debug, Default)]
pub(super) struct TaskLine {
    lane: Lane,
    instants: Vec<Instant>,
    /// What it is in, and since when.
    now: Option<(State, i64)>,
}

/// What a task can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Ready,
    Waiting,
}

impl TaskLine {
    pub(super) fn woke(&mut self, at: i64, names: &mut Names) {
        // One that runs is woken for its next wait: nothing changes.
        if self.now.is_none_or(|(state, _)| state == State::Waiting) {
            self.turn(Some(State::Ready), at, Detail::None, names);
        }
    }

    pub(super) fn ran(&mut self, at: i64, names: &mut Names) {
        self.turn(Some(State::Running), at, Detail::None, names);
    }

    pub(super) fn left(&mut self, at: i64, why: Left, names: &mut Names) {
        let next = match why {
            Left::Waits => Some(State::Waiting),
            Left::Preempted | Left::TurnOver | Left::Yielded => {
                Some(State::Ready)
            }
            Left::Ended => None,
        };
        self.turn(next, at, Detail::Left(why), names);
    }

    pub(super) fn ended(&mut self, at: i64, names: &mut Names) {
        self.turn(None, at, Detail::None, names);
    }

    pub(super) fn marked(&mut self, instant: Instant) {
        self.instants.push(instant);
    }

    pub(super) fn into_track(self, name: &str, parent: usize) -> Track {
        let mut track = Track::new(name, Some(parent));
        track.slices = self.lane.into_slices();
        track.instants = self.instants;
        track
    }

    /// Ends what it is in, for the reason in `detail`, and begins `next`.
    fn turn(
        &mut self,
        next: Option<State>,
        end: i64,
        detail: Detail,
        names: &mut Names,
    ) {
        let next = next.map(|state| (state, end));
        let Some((state, begin)) = std::mem::replace(&mut self.now, next)
        else {
            return;
        };
        // To be ready and run at once is not to have been ready.
        if begin < end || state == State::Running {
            let name = names.name(state.said());
            self.lane.add(Slice { name, begin, end, detail });
        }
    }
}

impl State {
    fn said(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ready => "ready",
            Self::Waiting => "waiting",
        }
    }
}
