//! Where a task stands among the others: levels, weights, turns.

use crate::machine::{Class, Priority};
use crate::sim::spec::Kernel;

/// Where a task stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// Its level; 0 for the fair ones of Linux.
    pub(super) level: u8,
    /// Its weight among those; 1024 is that of nice 0.
    pub(super) weight: i64,
    /// Whether it takes turns with its equals.
    pub(super) takes_turns: bool,
}

/// The standing of a priority within a class; else why it has none there.
pub(super) fn level(
    kernel: Kernel,
    class: Class,
    priority: Priority,
) -> Result<Standing, String> {
    match kernel {
        Kernel::Windows => windows(class, priority),
        Kernel::Linux => linux(class, priority),
        Kernel::Openbsd => openbsd(class, priority),
    }
}

fn turns(level: u8) -> Standing {
    Standing { level, weight: 1024, takes_turns: true }
}

fn fair(nice: i32) -> Standing {
    let weight = WEIGHTS[(nice.clamp(-20, 19) + 20) as usize];
    Standing { level: 0, weight, takes_turns: true }
}

/// Microsoft, "Scheduling Priorities": the base of each class, the thread
/// levels lowest, normal and highest around it; idle is 1, or 16 in the
/// real-time class.
fn windows(class: Class, priority: Priority) -> Result<Standing, String> {
    let base = match class {
        Class::Idle => 4,
        Class::Below => 6,
        Class::Normal => 8,
        Class::Above => 10,
        Class::High => 13,
        Class::Realtime => 24,
    };
    Ok(turns(match priority {
        Priority::Below => base - 2,
        Priority::Normal => base,
        Priority::Above => base + 2,
        Priority::Realtime => 24,
        Priority::Idle if class == Class::Realtime => 16,
        Priority::Idle => 1,
        Priority::Level(level) => level.clamp(1, 31),
        Priority::Fifo(_)
        | Priority::RoundRobin(_)
        | Priority::Nice(_)
        | Priority::Batch => {
            return Err(format!("Windows has no priority `{priority}`"));
        }
    }))
}

fn linux(class: Class, priority: Priority) -> Result<Standing, String> {
    let nice = match class {
        Class::Idle => 19,
        Class::Below => 10,
        Class::Normal | Class::Realtime => 0,
        Class::Above => -5,
        Class::High => -10,
    };
    let fifo = |level| Standing { level, weight: 1024, takes_turns: false };
    let real_time = class == Class::Realtime;
    Ok(match priority {
        Priority::Below if real_time => fifo(49),
        Priority::Normal if real_time => fifo(50),
        Priority::Above if real_time => fifo(51),
        Priority::Below => fair(nice + 5),
        Priority::Normal | Priority::Batch => fair(nice),
        Priority::Above => fair(nice - 5),
        Priority::Realtime => fifo(50),
        Priority::Fifo(level) => fifo(level.clamp(1, 99)),
        Priority::RoundRobin(level) => turns(level.clamp(1, 99)),
        Priority::Nice(nice) => fair(i32::from(nice)),
        // kernel/sched/sched.h: WEIGHT_IDLEPRIO.
        Priority::Idle => Standing { weight: 3, ..fair(19) },
        Priority::Level(_) => {
            return Err(format!("Linux has no priority `{priority}`"));
        }
    })
}

/// One level each, around that of a normal process; no rule of the articles
/// is about them.
fn openbsd(class: Class, priority: Priority) -> Result<Standing, String> {
    let base: u8 = match class {
        Class::Idle => 4,
        Class::Below => 6,
        Class::Normal => 8,
        Class::Above => 10,
        Class::High => 12,
        Class::Realtime => return Err("OpenBSD has no real-time class".into()),
    };
    Ok(turns(match priority {
        Priority::Below => base - 2,
        Priority::Normal | Priority::Batch => base,
        Priority::Above => base + 2,
        Priority::Idle => 1,
        Priority::Nice(nice) => (8 - nice / 3).clamp(1, 15) as u8,
        Priority::Realtime
        | Priority::Fifo(_)
        | Priority::RoundRobin(_)
        | Priority::Level(_) => {
            return Err(format!("OpenBSD has no priority `{priority}`"));
        }
    }))
}

/// Linux kernel/sched/core.c, `sched_prio_to_weight`: nice -20 to 19.
const WEIGHTS: [i64; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548,
    7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526,
    423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_levels_are_those_of_its_table() {
        let level = |class, priority| {
            windows(class, priority).map(|standing| standing.level)
        };
        assert_eq!(level(Class::Normal, Priority::Normal), Ok(8));
        assert_eq!(level(Class::High, Priority::Above), Ok(15));
        assert_eq!(level(Class::Realtime, Priority::Normal), Ok(24));
        assert_eq!(level(Class::Idle, Priority::Below), Ok(2));
        assert!(level(Class::Normal, Priority::Fifo(5)).is_err());
    }

    #[test]
    fn nice_steps_are_a_quarter_each() {
        for pair in WEIGHTS.windows(2) {
            let ratio = pair[0] * 100 / pair[1];
            assert!((118..=133).contains(&ratio), "{pair:?}");
        }
    }
}
