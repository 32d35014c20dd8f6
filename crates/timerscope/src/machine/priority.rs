//! A task's priority, and how it is written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::name::{UnknownName, parsed};

/// A task's priority.
///
/// `below`, `normal`, `above` are relative to the process's [`super::Class`]: on
/// Windows the thread levels lowest, normal, highest; on Linux five nice steps
/// (one level of SCHED_FIFO in the class `realtime`). The others are absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// Below its class.
    Below,
    /// That of its class.
    #[default]
    Normal,
    /// Above its class.
    Above,
    /// Real time at a middling level: SCHED_FIFO 50; Windows level 24.
    Realtime,
    /// Linux: SCHED_FIFO at this level, 1 to 99.
    Fifo(u8),
    /// Linux: SCHED_RR at this level, 1 to 99.
    RoundRobin(u8),
    /// Unix: this nice value, -20 to 19.
    Nice(i8),
    /// Linux: SCHED_BATCH.
    Batch,
    /// Linux: SCHED_IDLE; Windows: thread level idle.
    Idle,
    /// Windows: this level, 1 to 31.
    Level(u8),
}

/// Priorities that are one word.
const PRIORITIES: [(&str, Priority); 6] = [
    ("normal", Priority::Normal),
    ("above", Priority::Above),
    ("below", Priority::Below),
    ("realtime", Priority::Realtime),
    ("batch", Priority::Batch),
    ("idle", Priority::Idle),
];

/// What may be written for a priority, for error messages.
const PRIORITY_FORMS: [&str; 10] = [
    "normal",
    "above",
    "below",
    "realtime",
    "fifo:1..99",
    "rr:1..99",
    "nice:-20..19",
    "batch",
    "idle",
    "level:1..31",
];

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = PRIORITIES.iter().find(|(_, own)| own == self);
        let text = match (self, word) {
            (_, Some((word, _))) => (*word).to_owned(),
            (Self::Fifo(level), _) => format!("fifo:{level}"),
            (Self::RoundRobin(level), _) => format!("rr:{level}"),
            (Self::Nice(nice), _) => format!("nice:{nice}"),
            (Self::Level(level), _) => format!("level:{level}"),
            _ => unreachable!("every other priority is one word"),
        };
        f.pad(&text)
    }
}

impl FromStr for Priority {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName::new(text, "a priority", PRIORITY_FORMS);
        if let Some((_, own)) = PRIORITIES.iter().find(|row| row.0 == text) {
            return Ok(*own);
        }
        let (kind, level) = text.split_once(':').ok_or_else(unknown)?;
        let number: i8 = level.parse().map_err(|_| unknown())?;
        let positive = number.unsigned_abs();
        match (kind, number) {
            ("fifo", 1..=99) => Ok(Self::Fifo(positive)),
            ("rr", 1..=99) => Ok(Self::RoundRobin(positive)),
            ("nice", -20..=19) => Ok(Self::Nice(number)),
            ("level", 1..=31) => Ok(Self::Level(positive)),
            _ => Err(unknown()),
        }
    }
}

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        parsed(from, "a priority such as \"normal\" or \"fifo:50\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_read_as_they_are_written() {
        for text in [
            "normal", "above", "below", "realtime", "fifo:1", "rr:99",
            "nice:-20", "batch", "idle", "level:31",
        ] {
            let priority: Priority = text.parse().unwrap();
            assert_eq!(priority.to_string(), text);
        }
        for text in ["fifo", "fifo:0", "fifo:100", "nice:20", "urgent", ""] {
            assert!(text.parse::<Priority>().is_err(), "{text}");
        }
    }
}
