//! What every command that measures takes.

use std::path::Path;

use clap::Args;
use timerscope::machine::AskError;

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, Output, OutputArgs, RowArgs};
use crate::session::Session;
use crate::shelf::{Save, SaveArgs};

/// Which machine is measured, and where the answer and all that was seen go.
#[derive(Args, Clone, Debug)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    save: SaveArgs,
}

impl MeasureArgs {
    /// The file the answer goes into, if it goes into one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.path()
    }

    /// Looks whether all can be written, then asks the machine.
    pub(crate) fn open(
        &self,
        rows: &RowArgs,
        batches: &BatchArgs,
    ) -> Result<(Output, Save, Session), AskError> {
        let output = self.output.open(rows, batches)?;
        let save = self.save.open()?;
        Ok((output, save, Session::open(&self.machine)?))
    }
}
