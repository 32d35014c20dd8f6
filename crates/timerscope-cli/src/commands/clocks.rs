//! `timerscope clocks`: what clocks show and cost.

use clap::Args;
use timerscope::lab::{self, Load};
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, clocks};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::progress::Whole;
use crate::session::Session;
use crate::told::Told;

/// Measures what each clock shows and what a reading costs
#[derive(Args)]
pub(crate) struct Clocks {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// Reads them idle, or beside a load on the same CPU: none or same
    #[arg(long, value_name = "LOAD", default_value = "none", value_parser = load)]
    load: Load,
}

/// A second is the step of the coarsest clock there is.
const WATCH: Span = Span::from_s(1);

impl Clocks {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let mut output = self.output.open(&self.rows, &BatchArgs::default())?;
        let mut session = Session::open(&self.machine)?;
        let experiment = lab::clocks::Clocks { load: self.load, watch: WATCH };
        let workload = experiment.workload(&session.facts);
        let whole = Whole::Time(Span::from_ms(1_500));
        let saved = session.play(workload, whole, &mut output)?;
        let figures = lab::clocks::figures(&saved);
        let document = clocks::document(&figures);
        let told = Told::new("clocks", &saved.facts, document, &figures)?
            .with_table(clocks::csv_table(&figures))
            .ended(&saved.ending);
        output.tell(told)
    }
}

fn load(text: &str) -> Result<Load, String> {
    match text.parse()? {
        load @ (Load::None | Load::Same) => Ok(load),
        _ => Err("clocks are read with load none or same".to_owned()),
    }
}
