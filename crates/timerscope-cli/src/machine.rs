//! Which machine is asked.

use clap::Args;
use timerscope::machine::AskError;
use timerscope_native::Native;

/// Which machine is asked.
#[derive(Args, Clone, Debug)]
pub(crate) struct MachineArgs {
    /// The machine that is asked: this computer
    #[arg(long, value_name = "MACHINE", default_value = "native")]
    on: String,
    /// Where a simulated machine's chance comes from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Default for MachineArgs {
    fn default() -> Self {
        Self { on: "native".to_owned(), seed: None }
    }
}

impl MachineArgs {
    /// The machine they mean.
    pub(crate) fn open(&self) -> Result<Native, AskError> {
        if self.on != "native" {
            let name: String = self.on.chars().take(60).collect();
            let what = format!("cannot ask machine `{name}`");
            let why = "this version knows no simulated machines";
            return Err(AskError::absent(what, why)
                .or_try("leave --on away to ask this computer"));
        }
        if self.seed.is_some() {
            let why = "a real machine's chance has none";
            return Err(AskError::wrong("cannot use --seed", why)
                .or_try("leave --seed away"));
        }
        Ok(Native::new())
    }
}
