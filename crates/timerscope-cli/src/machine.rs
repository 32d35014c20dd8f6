//! Which machine is asked.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use timerscope::machine::{AskError, Machine, Random};
use timerscope::sim::{self, Sim, Spec};
use timerscope_native::Native;

/// Which machine is asked.
#[derive(Args, Clone, Debug)]
pub(crate) struct MachineArgs {
    /// The machine that is asked: this computer, or a simulated one
    #[arg(long, value_name = "MACHINE", default_value = NATIVE)]
    on: String,
    /// Where a simulated machine's chance comes from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// This computer.
const NATIVE: &str = "native";

/// How long a machine's file may be.
const FILE_LIMIT: u64 = 1 << 20;

impl Default for MachineArgs {
    fn default() -> Self {
        Self { on: NATIVE.to_owned(), seed: None }
    }
}

impl MachineArgs {
    /// Opens the machine they mean.
    pub(crate) fn open(&self) -> Result<Opened, AskError> {
        open(&self.on, self.seed)
    }
}

/// A machine that was opened.
pub(crate) enum Opened {
    Native(Native),
    Simulated(Box<Sim>),
}

impl Opened {
    pub(crate) fn as_mut(&mut self) -> &mut dyn Machine {
        match self {
            Self::Native(native) => native,
            Self::Simulated(sim) => sim.as_mut(),
        }
    }
}

/// Opens a machine by its name: the one place that knows which there are.
fn open(name: &str, seed: Option<u64>) -> Result<Opened, AskError> {
    if name == NATIVE {
        if seed.is_some() {
            let why = "a real machine's chance has none";
            return Err(AskError::wrong("cannot use --seed", why)
                .or_try("leave --seed away"));
        }
        return Ok(Opened::Native(Native::new()));
    }
    let spec = simulated(name)?;
    let sim = Sim::new(spec, seed.unwrap_or_else(drawn));
    Ok(Opened::Simulated(Box::new(sim)))
}

/// A machine of the catalogue, or of a person's own file.
pub(crate) fn simulated(name: &str) -> Result<Spec, AskError> {
    let (file, changes) = match name.find([',', '?']) {
        Some(end) => (&name[..end], &name[end + 1..]),
        None => (name, ""),
    };
    let is_file = Path::new(file).extension().is_some_and(|e| e == "toml");
    let read = if is_file {
        sim::catalogue::read(&text(file)?, changes)
    } else {
        sim::catalogue::opened(name)
    };
    read.map_err(|error| {
        let name: String = name.chars().take(60).collect();
        let what = format!("cannot ask machine `{name}`");
        AskError::wrong(what, error.why)
            .with_lines(error.line.into_iter().collect())
            .or_try(error.hint)
    })
}

/// The text of a machine's file.
fn text(file: &str) -> Result<String, AskError> {
    let mut text = String::new();
    File::open(file)
        .and_then(|file| {
            file.take(FILE_LIMIT).read_to_string(&mut text)
        })
        .map_err(|error| {
            AskError::wrong(format!("cannot read {file}"), error.to_string())
                .or_try("a machine's TOML, or a name that `timerscope machines` lists")
        })?;
    Ok(text)
}

/// A seed for who gave none: it is told in every answer.
fn drawn() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() as u64);
    // Short enough to be typed again.
    Random::new(now ^ u64::from(std::process::id())).below(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use timerscope::machine::AskErrorKind;

    fn kind(name: &str, seed: Option<u64>) -> Option<AskErrorKind> {
        open(name, seed).err().map(|error| error.kind)
    }

    #[test]
    fn a_machine_is_opened_by_its_name_and_needs_its_own_chance() {
        assert_eq!(kind(NATIVE, None), None);
        assert_eq!(kind(NATIVE, Some(1)), Some(AskErrorKind::Wrong));
        assert_eq!(kind("nowhere", None), Some(AskErrorKind::Wrong));
        assert_eq!(kind("", Some(1)), Some(AskErrorKind::Wrong));
        assert_eq!(kind("windows-7", Some(1)), None);
        assert_eq!(kind("windows-7,rule=h2", None), None);
    }
}
