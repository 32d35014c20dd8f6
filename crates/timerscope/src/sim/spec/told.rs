//! How sure each constant is, and who says so.

use super::Spec;
use crate::machine::Span;
use crate::sim::rules::Status;

/// The name of every constant, in the order of their declaration.
pub const KEYS: [&str; 46] = [
    "coarsest",
    "finest",
    "true-tick",
    "interval-grid-ps",
    "interval",
    "system-interval",
    "system-interval-every",
    "system-interval-for",
    "pass-overshoot",
    "noise-from",
    "noise-to",
    "cpus",
    "cpu-khz",
    "tick-phases",
    "quantum",
    "round-robin",
    "boost",
    "event-boost",
    "slack",
    "system-call",
    "switch",
    "signal",
    "cross-wake",
    "record",
    "event-wait",
    "idle-exit",
    "short-idle-exit",
    "short-idle",
    "tick-cost",
    "work-ps",
    "tick-nj",
    "wake-nj",
    "busy-uw",
    "steal-ppm",
    "steal-least",
    "steal-most",
    "late-tick-ppm",
    "late-tick",
    "late-second",
    "moves-per-1000s",
    "taken-per-1000s",
    "taken-prof-per-1000s",
    "taken",
    "user-ppm",
    "slew-ns-per-s",
    "slew-budget",
];

/// One constant of a machine as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its name: `tick-cost`.
    pub name: String,
    /// Its value as it is written.
    pub value: String,
    /// How sure it is; `None` where it is nothing, so that it does nothing.
    pub status: Option<Status>,
    /// Who says so; empty where nobody does.
    pub source: String,
}

impl Spec {
    /// Its constants as a person reads them. What nobody answers for is
    /// invented, except what is nothing at all.
    #[must_use]
    pub fn constants_told(&self) -> Vec<Told> {
        let table = toml::Table::try_from(&self.constants).unwrap_or_default();
        KEYS.iter()
            .filter_map(|key| Some((*key, table.get(*key)?)))
            .map(|(key, value)| self.told(key, &written(value)))
            .collect()
    }

    fn told(&self, name: &str, value: &str) -> Told {
        let (name, value) = (name.to_owned(), value.to_owned());
        let Some(text) = self.sources.get(&name) else {
            let nothing = value.parse() == Ok(Span::ZERO);
            let status = (!nothing).then_some(Status::Invented);
            return Told { name, value, status, source: String::new() };
        };
        let (_, source) = text.split_once(':').unwrap_or((text, ""));
        let source = source.trim().to_owned();
        Told { name, value, status: Status::of(text), source }
    }
}

fn written(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(items) => {
            items.iter().map(written).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::catalogue::{CATALOGUE, opened};

    #[test]
    fn every_constant_is_told_and_every_one_of_the_catalogue_has_a_source() {
        let mut silent = Vec::new();
        for (name, _) in CATALOGUE {
            let spec = opened(name).unwrap();
            let told = spec.constants_told();
            let table = toml::Table::try_from(&spec.constants).unwrap();
            assert_eq!(told.len(), table.len(), "{name}: KEYS is not whole");
            for one in told {
                if one.status.is_some() && one.source.is_empty() {
                    let bare = spec.sources.get(&one.name);
                    if bare.is_none() {
                        silent.push(format!("{name}: {}", one.name));
                    }
                }
            }
        }
        assert!(silent.is_empty(), "{}", silent.join("\n"));
    }
}
