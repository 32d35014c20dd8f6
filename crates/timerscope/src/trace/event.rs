//! One thing a witness saw.

use crate::machine::Happening;

/// One thing a witness saw.
///
/// Roles and players are numbered as in [`crate::machine::Workload::cast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Nanoseconds since the common start.
    pub at: i64,
    /// The CPU it happened on, where it happened on one.
    pub cpu: Option<u32>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A clock interrupt.
    Tick,
    /// The host took the CPU away.
    Stolen {
        /// For how long, in nanoseconds.
        for_ns: i64,
    },
    /// A task armed a timer.
    Armed {
        /// The task.
        role: u32,
        /// When it is due.
        due: i64,
    },
    /// A task's timer expired.
    Expired {
        /// The task.
        role: u32,
    },
    /// A task became ready to run.
    Woke {
        /// The task.
        role: u32,
        /// The level it wakes with, any boost included.
        level: u8,
    },
    /// A task got the CPU.
    Ran {
        /// The task.
        role: u32,
        /// The level it runs at, any boost included.
        level: u8,
    },
    /// A task left the CPU.
    Left {
        /// The task.
        role: u32,
        /// Why.
        why: Left,
    },
    /// A task set an event.
    Set {
        /// The task.
        role: u32,
        /// The event, by its place in the workload.
        event: u32,
    },
    /// A process requested an interval.
    Requested {
        /// The process.
        player: u32,
        /// What it asked for, in nanoseconds.
        interval_ns: i64,
    },
    /// A process withdrew a request.
    Withdrew {
        /// The process.
        player: u32,
        /// What it had asked for, in nanoseconds.
        interval_ns: i64,
        /// Whether it had.
        held: bool,
    },
    /// The interval in force changed.
    Interval {
        /// To this, in nanoseconds.
        interval_ns: i64,
    },
    /// Something happened to a process.
    Happened {
        /// The process.
        player: u32,
        /// What.
        what: Happening,
    },
    /// A task has done all its actions, or was ended.
    Ended {
        /// The task.
        role: u32,
    },
}

/// Why a task left its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It waits.
    Waits,
    /// One of higher priority came.
    Preempted,
    /// Its turn was over.
    TurnOver,
    /// It gave way.
    Yielded,
    /// It ended, or was stopped.
    Ended,
}

impl Event {
    /// The event as four numbers, the same on every system: for digests.
    #[must_use]
    pub fn words(&self) -> [u64; 4] {
        let (code, one, other) = self.what.numbers();
        let cpu = self.cpu.map_or(0, |cpu| u64::from(cpu) + 1);
        [self.at as u64, code << 32 | cpu, one as u64, other as u64]
    }
}

impl What {
    fn numbers(self) -> (u64, i64, i64) {
        match self {
            Self::Tick => (1, 0, 0),
            Self::Stolen { for_ns } => (2, for_ns, 0),
            Self::Armed { role, due } => (3, i64::from(role), due),
            Self::Expired { role } => (4, i64::from(role), 0),
            Self::Woke { role, level } => {
                (5, i64::from(role), i64::from(level))
            }
            Self::Ran { role, level } => (6, i64::from(role), i64::from(level)),
            Self::Left { role, why } => (7, i64::from(role), why as i64),
            Self::Set { role, event } => (8, i64::from(role), i64::from(event)),
            Self::Requested { player, interval_ns } => {
                (9, i64::from(player), interval_ns)
            }
            Self::Withdrew { player, interval_ns, held } => {
                (10 + u64::from(held), i64::from(player), interval_ns)
            }
            Self::Interval { interval_ns } => (12, interval_ns, 0),
            Self::Happened { player, what } => {
                (13, i64::from(player), what as i64)
            }
            Self::Ended { role } => (14, i64::from(role), 0),
        }
    }
}
