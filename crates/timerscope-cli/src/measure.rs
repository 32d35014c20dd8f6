//! What every command that measures takes.

use std::path::Path;

use clap::Args;
use timerscope::machine::AskError;

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, Output, OutputArgs, RowArgs};
use crate::session::Session;

/// Which machine is measured, and where the answer goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl MeasureArgs {
    /// The file the answer goes into, if it goes into one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.path()
    }

    /// Looks whether the answer can be written, then asks the machine.
    pub(crate) fn open(
        &self,
        rows: &RowArgs,
        batches: &BatchArgs,
    ) -> Result<(Output, Session), AskError> {
        let output = self.output.open(rows, batches)?;
        Ok((output, Session::open(&self.machine)?))
    }
}
