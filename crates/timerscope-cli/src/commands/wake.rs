//! `timerscope wake`: how late a waiter runs once its event is set.

use clap::Args;
use timerscope::lab::wake::{self as lab, Setter};
use timerscope::machine::{AskError, Known, Span};
use timerscope::report::{ExitCode, wake};

use super::count::CountArgs;
use super::place::{LoadArgs, PlaceArgs};
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Measures how late a waiter runs once its event is set
///
/// Times are from just before the event is set to just after the waiter's
/// call. The setter lets the waiter block first, so that each is a whole
/// wake-up.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Wake {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    batches: BatchArgs,
    /// Who sets the event, one after another: other-cpu, same-cpu,
    /// below-spinning (of lower priority on the same CPU, and goes on
    /// computing)
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "other-cpu"
    )]
    setter: Vec<Setter>,
    #[command(flatten)]
    count: CountArgs<1_000>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    load: LoadArgs,
    /// Lists each wake-up later than this, such as 1.5ms, with its number
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    min: Option<Span>,
}

const EXAMPLE: &str = "\
Example:
  timerscope wake --setter other-cpu,same-cpu,below-spinning --cpu 0 -n 5000 \\
    --load same --min 1.5ms";

impl Wake {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &self.batches)?;
        let experiment = lab::Wake {
            setters: self.setter.clone(),
            count: self.count.count,
            cpu: self.place.cpu,
            priority: self.place.priority,
            load: self.load.load,
            min: self.min,
        };
        let workloads = experiment.workloads(&session.facts);
        let whole = Whole::Time(experiment.expected(&session.facts));
        let runs = session.play_all(workloads, whole, &mut output)?;
        save.keep(runs.iter().filter_map(Known::value))?;
        let figures = lab::figures(&experiment, &runs);
        let document = wake::document(&figures);
        let told = session
            .told("wake", document, &figures)?
            .with_table(wake::csv_table(&figures.rows))
            .all_ended(&runs);
        output.tell(save.tell(told))
    }
}
