//! `timerscope explain`: which rule is in force.

use clap::Args;
use timerscope::machine::AskError;
use timerscope::report::{ExitCode, explain};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::session::Session;

/// Finds out which rule is in force, from what waits take
///
/// Plays a battery of ordinary waits, asks each simulated machine what it would
/// have shown, and says which fits: certainly, likely, or that it cannot tell,
/// why, and which test would decide. Looks at nothing but the waits and the
/// interval in force.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope explain
  timerscope explain --on windows-11-global,interval=1ms";

impl Explain {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let output = self.output.open(&rows, &batches)?;
        let mut session = Session::open(&self.machine)?;
        let figures = session.explain()?;
        let document = explain::document(&figures);
        output.tell(session.told("explain", document, &figures)?)
    }
}
