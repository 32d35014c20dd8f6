//! A machine as a whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Choices, Clock, Constants};
use crate::machine::{System, WaitKind};

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
    /// How sure each constant is, and who says so: `fitted: by what`.
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
    /// Writes it whole as TOML that reads back as the same machine.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_else(|error| {
            unreachable!("every machine can be written: {error}")
        })
    }

    /// Whether it has this wait.
    #[must_use]
    pub fn has(&self, wait: WaitKind) -> bool {
        wait.is_on(self.kernel.system()) && !self.without.contains(&wait)
    }
}
