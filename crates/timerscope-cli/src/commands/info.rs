//! `timerscope info`: what this machine's timer is.

use clap::Args;
use timerscope::machine::{AskError, Span, Warning};
use timerscope::report::answer::facts_result;
use timerscope::report::{ExitCode, info};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::session::Session;

/// Says what this machine's timer is, without measuring
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Info {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Watches for so long how the time is shared between intervals, where
    /// there is one interval for everybody
    #[arg(long = "for", value_name = "SPAN", allow_hyphen_values = true)]
    time: Option<Span>,
}

const EXAMPLES: &str = "\
Examples:
  timerscope info
  timerscope info --json -o this-machine.json";

impl Info {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let output = self.output.open(&rows, &batches)?;
        let session = Session::open(&self.machine)?;
        let facts = &session.facts;
        let document = info::document(facts);
        let result = facts_result(facts);
        let mut told = session.told("info", document, &result)?;
        if self.time.is_some() && facts.interval.current_ns.value().is_none() {
            let text = "--for shows nothing here: this system has no interval \
                        that all share, so there is no share of time to tell.";
            told.warn(Warning::new("no-interval", text));
        }
        output.tell(told)
    }
}
