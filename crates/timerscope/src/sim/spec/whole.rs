//! A machine as a whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Choices, Clock, Constants};
use crate::machine::{Span, System, WaitKind};
use crate::sim::rules::{Rule, always, told};

/// Which version of the description of machines this is.
pub const MACHINE_SCHEMA: &str = "timerscope-machine/1";

/// A simulated machine: a list of rules and constants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Spec {
    /// [`MACHINE_SCHEMA`].
    pub schema: String,
    /// Its name: `windows-7`.
    pub name: String,
    /// What it stands for, in a person's words.
    pub system: String,
    /// Whose calls it has.
    pub kernel: Kernel,
    /// Waits of that kernel which it does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<WaitKind>,
    /// The virtual machine monitor it is a guest of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_of: Option<String>,
    /// Its rules.
    pub rules: Choices,
    /// Its constants.
    pub constants: Constants,
    /// How sure each constant is, and what a reading of each clock costs, and
    /// who says so: `fitted: by what`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
    /// Its clocks.
    #[serde(rename = "clock")]
    pub clocks: Vec<Clock>,
}

/// Whose calls a machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// Windows: requests for an interval, levels 1 to 31.
    Windows,
    /// OpenBSD: interval timers on a tick.
    Openbsd,
    /// Linux: slack, SCHED_FIFO.
    Linux,
}

impl Kernel {
    /// The system whose calls it has.
    #[must_use]
    pub fn system(self) -> System {
        match self {
            Self::Windows => System::Windows,
            Self::Openbsd => System::Unix,
            Self::Linux => System::Linux,
        }
    }
}

impl Spec {
    /// Every rule in force: those chosen, then those that all machines of its
    /// kernel follow.
    #[must_use]
    pub fn rules_in_force(&self) -> Vec<Rule> {
        let chosen = self.rules.chosen(self.kernel).into_iter();
        let always = always(self).into_iter();
        let always = always.map(|rule| told(self.kernel, rule));
        chosen.map(|chosen| chosen.rule).chain(always).collect()
    }

    /// The machine as TOML, nothing taken over from another.
    #[must_use]
    pub fn written(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Its constants: name, value, and how sure it is with its source.
    #[must_use]
    pub fn constants_told(&self) -> Vec<(String, String, String)> {
        let Ok(table) = toml::Table::try_from(&self.constants) else {
            return Vec::new();
        };
        let row = |(name, value): (String, toml::Value)| {
            let value = match value {
                toml::Value::String(text) => text,
                other => other.to_string(),
            };
            // What nobody answers for is invented, unless it is nothing.
            let nothing = value.parse() == Ok(Span::ZERO) || value == "[]";
            let silent = || if nothing { "" } else { "invented" }.to_owned();
            let source =
                self.sources.get(&name).cloned().unwrap_or_else(silent);
            (name, value, source)
        };
        table.into_iter().map(row).collect()
    }

    /// How sure it is what a reading of a clock costs, and who says so.
    #[must_use]
    pub fn clock_source(&self, clock: &Clock) -> &str {
        self.sources.get(clock.name.name()).map_or("invented", String::as_str)
    }

    /// Whether its threads have a slack, by which waits may end late (L-1).
    #[must_use]
    pub fn has_slack(&self) -> bool {
        self.kernel == Kernel::Linux
    }

    /// Whether it has this wait.
    #[must_use]
    pub fn has(&self, wait: WaitKind) -> bool {
        wait.is_on(self.kernel.system()) && !self.without.contains(&wait)
    }
}
