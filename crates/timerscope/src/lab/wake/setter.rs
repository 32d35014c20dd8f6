//! Who sets the event that is waited for.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Who sets the event, seen from the waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// A task on another CPU.
    OtherCpu,
    /// A task on the same CPU, which waits again as soon as it has set.
    SameCpu,
    /// A task of lower priority on the same CPU, which goes on computing when
    /// it has set: a system that switches at ticks only would show it.
    BelowSpinning,
}

const WORDS: [(Setter, &str); 3] = [
    (Setter::OtherCpu, "other-cpu"),
    (Setter::SameCpu, "same-cpu"),
    (Setter::BelowSpinning, "below-spinning"),
];

impl Setter {
    /// Its name, as in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        WORDS[self as usize].1
    }
}

impl fmt::Display for Setter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Setter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = WORDS.iter().find(|(_, word)| *word == text);
        found.map(|(setter, _)| *setter).ok_or_else(|| {
            let words = "other-cpu, same-cpu or below-spinning";
            format!("`{text}` is not a setter: {words}")
        })
    }
}

impl Serialize for Setter {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_as_they_are_written() {
        for (setter, word) in WORDS {
            assert_eq!(word.parse(), Ok(setter));
            assert_eq!(setter.to_string(), word);
        }
    }
}
