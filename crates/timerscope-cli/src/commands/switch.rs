//! `timerscope switch`: how fast two threads hand each other the turn.

use clap::Args;
use timerscope::lab::switch as lab;
use timerscope::machine::{AskError, Known, Span};
use timerscope::report::{ExitCode, switch};

use super::place::PlaceArgs;
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Counts how often a second two threads hand each other the turn
///
/// Four ways: setting the other's event and waiting for one's own by one call
/// (signal-and-wait) or by two (set-then-wait), on one CPU or on two. No clock
/// is read meanwhile; a switch is half of a round trip.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Switch {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// How long each way is counted, in five parts
    #[arg(
        long = "for",
        value_name = "SPAN",
        default_value = "5s",
        allow_hyphen_values = true
    )]
    time: Span,
}

const EXAMPLE: &str = "\
Example:
  timerscope switch --cpu 0 --priority fifo:50 --for 10s";

/// How often each way is counted, so that its spread is seen.
const BLOCKS: u32 = 5;
const SHORTEST: Span = Span::from_ms(50);
const LONGEST: Span = Span::from_s(24 * 3600);

impl Switch {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        super::place::check_time("count", self.time, SHORTEST, LONGEST)?;
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &BatchArgs::default())?;
        let block = Span::from_ns(self.time.ns() / u64::from(BLOCKS));
        let experiment = lab::Switch {
            cpu: self.place.cpu,
            priority: self.place.priority,
            ..lab::Switch::all(BLOCKS, block)
        };
        let workloads = experiment.workloads(&session.facts);
        let whole = Whole::Time(experiment.expected());
        let runs = session.play_all(workloads, whole, &mut output)?;
        save.keep(runs.iter().filter_map(Known::value))?;
        let figures = lab::figures(&experiment, &runs);
        let document = switch::document(&figures);
        let told = session
            .told("switch", document, &figures)?
            .with_table(switch::csv_table(&figures.rows))
            .all_ended(&runs);
        output.tell(save.tell(told))
    }
}
