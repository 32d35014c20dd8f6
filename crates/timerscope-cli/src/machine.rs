//! Which machine is asked.

use clap::Args;
use timerscope::machine::{AskError, Machine};
use timerscope_native::Native;

/// Which machine is asked.
#[derive(Args, Clone, Debug)]
pub(crate) struct MachineArgs {
    /// The machine that is asked: this computer
    #[arg(long, value_name = "MACHINE", default_value = NATIVE)]
    on: String,
    /// Where a simulated machine's chance comes from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// This computer.
const NATIVE: &str = "native";

impl Default for MachineArgs {
    fn default() -> Self {
        Self { on: NATIVE.to_owned(), seed: None }
    }
}

impl MachineArgs {
    /// Opens the machine they mean.
    pub(crate) fn open(&self) -> Result<Box<dyn Machine>, AskError> {
        open(&self.on, self.seed)
    }
}

/// Opens a machine by its name: the one place that knows which there are.
fn open(name: &str, seed: Option<u64>) -> Result<Box<dyn Machine>, AskError> {
    if name != NATIVE {
        let name: String = name.chars().take(60).collect();
        let what = format!("cannot ask machine `{name}`");
        let why = "this version knows no simulated machines";
        return Err(AskError::absent(what, why)
            .or_try("leave --on away to ask this computer"));
    }
    if seed.is_some() {
        let why = "a real machine's chance has none";
        return Err(AskError::wrong("cannot use --seed", why)
            .or_try("leave --seed away"));
    }
    Ok(Box::new(Native::new()))
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
        assert_eq!(kind("nowhere", None), Some(AskErrorKind::Absent));
        assert_eq!(kind("", Some(1)), Some(AskErrorKind::Absent));
    }
}
