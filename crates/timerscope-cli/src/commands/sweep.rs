//! `timerscope sweep`: the knob of the timer, turned from end to end.

use clap::Args;
use timerscope::lab::sweep as lab;
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, sweep};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::progress::Whole;
use crate::session::Session;
use crate::told::Told;

/// Turns this system's knob from end to end: on Linux, timer slack
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// One end of the knob [default: 1ns]
    #[arg(long, value_name = "SPAN", value_parser = slack)]
    from: Option<Span>,
    /// The other end [default: 5ms]
    #[arg(long, value_name = "SPAN", value_parser = slack)]
    to: Option<Span>,
    /// How many waits in each row
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=100_000)
    )]
    count: u64,
}

/// Zero would mean the system's default again, and over a second is no knob.
fn slack(text: &str) -> Result<Span, String> {
    let span: Span = text
        .parse()
        .map_err(|error: timerscope::machine::SpanError| error.to_string())?;
    let possible = Span::from_ns(1)..=Span::from_s(1);
    let why = || "slack is from 1ns to 1s here".to_owned();
    possible.contains(&span).then_some(span).ok_or_else(why)
}

const EXAMPLES: &str = "\
Examples:
  timerscope sweep
  timerscope sweep --from 100us --to 1ns";

impl Sweep {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let mut output = self.output.open(&self.rows, &BatchArgs::default())?;
        let mut session = Session::open(&self.machine)?;
        let experiment =
            lab::Sweep { count: self.count, ..lab::Sweep::default() }
                .between(self.from, self.to);
        let mut runs = Vec::new();
        for position in &experiment.positions {
            let workload = experiment.workload(&session.facts, *position);
            runs.push(session.play(workload, Whole::Unknown, &mut output)?);
        }
        let figures = lab::figures(&runs);
        let document = sweep::document(&figures);
        let mut told = Told::new("sweep", &session.facts, document, &figures)?
            .with_table(sweep::csv_table(&figures));
        for saved in &runs {
            told = told.ended(&saved.ending);
        }
        output.tell(told)
    }
}
