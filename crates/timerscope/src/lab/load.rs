//! A load: a process of its own that computes for ever beside the measured
//! task, below, at or above its priority.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::machine::{
    Action, Class, Keep, Priority, Process, Span, Task, Until,
};

/// How a load's priority stands to that of the measured task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Load {
    /// There is no load.
    #[default]
    None,
    /// Less urgent than the measured task.
    Below,
    /// Just as urgent.
    Same,
    /// More urgent.
    Above,
}

const WORDS: [(Load, &str); 4] = [
    (Load::None, "none"),
    (Load::Below, "below"),
    (Load::Same, "same"),
    (Load::Above, "above"),
];

/// Rounds of work between two looks at whether the run is over: some tens of
/// microseconds.
const ROUNDS: u64 = 100;

impl Load {
    /// The process that is this load beside a task of priority `beside`, on
    /// `cpu` if one is given; nothing for [`Load::None`].
    #[must_use]
    pub fn process(
        self,
        beside: Priority,
        cpu: Option<u32>,
    ) -> Option<Process> {
        let priority = self.priority(beside)?;
        let work = Action::Work { iterations: ROUNDS, keep: Keep::Nothing };
        let forever = Action::Repeat {
            until: Until::Forever,
            keep: Keep::Nothing,
            body: vec![work],
        };
        let task = Task {
            cpus: cpu.into_iter().collect(),
            priority,
            ..Task::new("worker", vec![forever])
        };
        let background = true;
        Some(Process { background, ..Process::new("load", vec![task]) })
    }

    /// How the load process `load` stands to `task` of `process`.
    #[must_use]
    pub fn between(process: &Process, task: &Task, load: &Process) -> Self {
        let own = rank(process.class, task.priority);
        let loads = load.tasks.iter();
        let highest = loads.map(|task| rank(load.class, task.priority)).max();
        match highest.map(|load| load.cmp(&own)) {
            None => Self::None,
            Some(std::cmp::Ordering::Less) => Self::Below,
            Some(std::cmp::Ordering::Equal) => Self::Same,
            Some(std::cmp::Ordering::Greater) => Self::Above,
        }
    }

    /// The priority that stands so to `beside`, or as near as there is;
    /// nothing for [`Load::None`].
    pub(super) fn priority(self, beside: Priority) -> Option<Priority> {
        let by = match self {
            Self::None => return None,
            Self::Below => -1,
            Self::Same => 0,
            Self::Above => 1,
        };
        Some(match beside {
            Priority::Normal | Priority::Batch if by < 0 => Priority::Below,
            Priority::Normal | Priority::Batch if by > 0 => Priority::Above,
            Priority::Below if by != 0 => nice(5, by),
            Priority::Above if by != 0 => nice(-5, by),
            Priority::Nice(value) => nice(value, by),
            Priority::Idle if by > 0 => Priority::Below,
            Priority::Level(level) => {
                Priority::Level(level.saturating_add_signed(by).clamp(1, 31))
            }
            Priority::Realtime => realtime(50, by),
            Priority::Fifo(level) | Priority::RoundRobin(level) => {
                realtime(level, by)
            }
            Priority::Normal
            | Priority::Batch
            | Priority::Below
            | Priority::Above
            | Priority::Idle => beside,
        })
    }
}

/// One class of [`Priority`] above or below nice value `value`.
fn nice(value: i8, by: i8) -> Priority {
    Priority::Nice((value - 5 * by).clamp(-20, 19))
}

/// A load at the same real-time level takes turns (SCHED_RR): one that did
/// not would never let the measured task run again.
fn realtime(level: u8, by: i8) -> Priority {
    match (by, level.saturating_add_signed(by)) {
        (0, level) => Priority::RoundRobin(level),
        (_, 0) => Priority::Normal,
        (_, level) => Priority::Fifo(level.min(99)),
    }
}

/// A run may take this many times what is expected.
const PATIENCE: u64 = 3;
/// What a busy CPU may add to each wait: some turns of the others.
const TURNS: Span = Span::from_ms(120);
/// What a run may take besides its waits.
const BESIDES: Span = Span::from_s(10);
/// The longest run a workload may have.
const LONGEST: Span = Span::from_s(7 * 24 * 3600);

/// The limit of a run that is expected to take so long for so many waits.
pub(super) fn limit(expected: Span, waits: u64, load: Load) -> Span {
    let turns = if load == Load::None { 0 } else { TURNS.ns() };
    let expected = expected.ns().saturating_add(turns.saturating_mul(waits));
    let limit = expected.saturating_mul(PATIENCE).saturating_add(BESIDES.ns());
    Span::from_ns(limit).min(LONGEST)
}

/// Whether `one` runs before `other` in a process of the normal class.
pub(super) fn is_above(one: Priority, other: Priority) -> bool {
    rank(Class::Normal, one) > rank(Class::Normal, other)
}

/// Whether it takes the CPU from ordinary threads for as long as it likes.
pub(super) fn is_realtime(priority: Priority) -> bool {
    use Priority as P;
    matches!(priority, P::Realtime | P::Fifo(_) | P::RoundRobin(_))
}

/// How urgent: the higher number runs first. Nice values count downward,
/// real-time levels from 100 up, Windows levels from its normal one (8).
fn rank(class: Class, priority: Priority) -> i32 {
    let base = match class {
        Class::Idle => -19,
        Class::Below => -10,
        Class::Normal => 0,
        Class::Above => 5,
        Class::High => 10,
        Class::Realtime => 150,
    };
    let step = if class == Class::Realtime { 1 } else { 5 };
    match priority {
        Priority::Below => base - step,
        Priority::Normal | Priority::Batch => base,
        Priority::Above => base + step,
        Priority::Realtime => 150,
        Priority::Fifo(level) | Priority::RoundRobin(level) => {
            100 + i32::from(level)
        }
        Priority::Nice(value) => -i32::from(value),
        Priority::Idle => -20,
        Priority::Level(level) if level > 15 => 126 + i32::from(level),
        Priority::Level(level) => i32::from(level) - 8,
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(WORDS[*self as usize].1)
    }
}

impl FromStr for Load {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = WORDS.iter().find(|(_, word)| *word == text);
        found.map(|(load, _)| *load).ok_or_else(|| {
            format!("`{text}` is not a load: none, below, same or above")
        })
    }
}

impl Serialize for Load {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_stands_to_its_task_as_it_was_asked_to() {
        for priority in [
            Priority::Normal,
            Priority::Below,
            Priority::Above,
            Priority::Realtime,
            Priority::Fifo(1),
            Priority::RoundRobin(98),
            Priority::Nice(10),
            Priority::Nice(-10),
            Priority::Level(8),
            Priority::Level(24),
        ] {
            let task = Task { priority, ..Task::new("t", vec![Action::End]) };
            let process = Process::new("p", vec![task.clone()]);
            for asked in [Load::Below, Load::Same, Load::Above] {
                let load = asked.process(priority, Some(1)).unwrap();
                let seen = Load::between(&process, &task, &load);
                assert_eq!(seen, asked, "{priority}");
            }
        }
        assert_eq!(Load::None.process(Priority::Normal, None), None);
    }

    #[test]
    fn a_load_at_the_same_real_time_level_takes_turns() {
        let load = Load::Same.process(Priority::Fifo(80), None).unwrap();
        assert_eq!(load.tasks[0].priority, Priority::RoundRobin(80));
    }

    #[test]
    fn words_read_as_they_are_written() {
        for (load, word) in WORDS {
            assert_eq!(word.parse(), Ok(load));
            assert_eq!(load.to_string(), word);
        }
    }
}
