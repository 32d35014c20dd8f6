//! `timerscope quantum`: how long a thread runs before its equal does.

use clap::Args;
use timerscope::lab::quantum as lab;
use timerscope::machine::{AskError, Known, Priority, Span};
use timerscope::report::{ExitCode, quantum};

use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Measures how long a thread runs before its equal gets the CPU
///
/// Equal threads spin on one CPU and notice when the clock jumps. A turn is
/// what one ran before another did; an interrupt or a stranger ends none.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Quantum {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// How many equal threads spin
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(2..=64)
    )]
    competitors: u32,
    /// The CPU they spin on
    #[arg(long, value_name = "N")]
    cpu: Option<u32>,
    /// Their priorities, one after another: normal, above, below, realtime,
    /// fifo:N, rr:N, nice:N, batch, idle
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "normal",
        value_parser = super::place::priority
    )]
    priority: Vec<Priority>,
    /// How long each thread spins
    #[arg(
        long = "for",
        value_name = "SPAN",
        default_value = "2s",
        allow_hyphen_values = true
    )]
    time: Span,
}

const EXAMPLE: &str = "\
Example:
  timerscope quantum --priority normal,nice:10,rr:50 --competitors 3 --for 5s";

const SHORTEST: Span = Span::from_ms(10);
const LONGEST: Span = Span::from_s(24 * 3600);

impl Quantum {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        super::place::check_time("spin", self.time, SHORTEST, LONGEST)?;
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &BatchArgs::default())?;
        let experiment = lab::Quantum {
            competitors: self.competitors,
            priorities: self.priority.clone(),
            cpu: self.cpu,
            time: self.time,
        };
        let workloads = experiment.workloads(&session.facts);
        let whole = Whole::Time(experiment.expected());
        let runs = session.play_all(workloads, whole, &mut output)?;
        save.keep(runs.iter().filter_map(Known::value))?;
        let figures = lab::figures(&experiment, &runs);
        let document = quantum::document(&figures);
        let told = session
            .told("quantum", document, &figures)?
            .with_table(quantum::csv_table(&figures.rows))
            .all_ended(&runs);
        output.tell(save.tell(told))
    }
}
