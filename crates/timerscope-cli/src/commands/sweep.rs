//! `timerscope sweep`: the knob of the timer, turned from end to end.

use clap::Args;
use timerscope::lab::sweep as lab;
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, sweep};

use super::count::CountArgs;
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Turns this system's knob from end to end: timer slack, or a request
///
/// On Linux, the slack of the thread that waits. Where processes request an
/// interval, one requests it and holds it, and another, which did not, waits.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// One end of the knob [default: 1ns of slack, a request of 15ms]
    #[arg(long, value_name = "SPAN", value_parser = position)]
    from: Option<Span>,
    /// The other end [default: 5ms of slack, a request of 1ms]
    #[arg(long, value_name = "SPAN", value_parser = position)]
    to: Option<Span>,
    #[command(flatten)]
    count: CountArgs<100>,
}

/// Zero would mean the system's default again, and over a second is no knob.
fn position(text: &str) -> Result<Span, String> {
    let span: Span = text
        .parse()
        .map_err(|error: timerscope::machine::SpanError| error.to_string())?;
    let possible = Span::from_ns(1)..=Span::from_s(1);
    let why = || "a position is from 1ns to 1s here".to_owned();
    possible.contains(&span).then_some(span).ok_or_else(why)
}

const EXAMPLES: &str = "\
Examples:
  timerscope sweep
  timerscope sweep --from 100us --to 1ns
  timerscope sweep --on windows-10-2004 --from 15ms --to 1ms";

/// The most waits in a row.
const MOST: u64 = 100_000;

impl Sweep {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let count = self.count()?;
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &BatchArgs::default())?;
        let usual = lab::Sweep::of(&session.facts)?;
        let experiment =
            lab::Sweep { count, ..usual }.between(self.from, self.to);
        let mut runs = Vec::new();
        for position in &experiment.positions {
            let workload = experiment.workload(&session.facts, *position);
            runs.push(session.play(workload, Whole::Unknown, &mut output)?);
        }
        save.keep(&runs)?;
        let figures = lab::figures(&experiment, &runs);
        let document = sweep::document(&figures);
        let mut told = session
            .told("sweep", document, &figures)?
            .with_table(sweep::csv_table(&figures));
        for saved in &runs {
            told = told.ended(&saved.ending);
        }
        output.tell(save.tell(told))
    }

    /// Each wait is kept, so there cannot be as many as elsewhere.
    fn count(&self) -> Result<u64, AskError> {
        let count = self.count.count;
        if count <= MOST {
            return Ok(count);
        }
        let what = format!("cannot sweep with {count} waits in each row");
        let why = format!("it keeps each, and {MOST} are the most");
        Err(AskError::wrong(what, why).or_try("-n 1000"))
    }
}
