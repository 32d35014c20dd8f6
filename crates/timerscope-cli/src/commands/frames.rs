//! `timerscope frames`: what a fine tick is good for.

use clap::Args;
use timerscope::lab::frames as lab;
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, frames};

use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Draws frames by each way of waiting: how late, for how much CPU time
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Frames {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// Frames in a second
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "60,144",
        value_parser = clap::value_parser!(u64).range(1..=10_000)
    )]
    rate: Vec<u64>,
    /// How long all loops may take together
    #[arg(long = "for", value_name = "SPAN", default_value = "12s")]
    time: Span,
}

const LONGEST: Span = Span::from_s(3600);

const EXAMPLES: &str = "\
Examples:
  timerscope frames
  timerscope frames --rate 144 --for 10s";

impl Frames {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        if self.time > LONGEST {
            let what = format!("cannot draw frames for {}", self.time);
            return Err(AskError::wrong(what, "it takes an hour at most")
                .or_try("--for 12s"));
        }
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &BatchArgs::default())?;
        let rates = self.rate.clone();
        let experiment = lab::Frames { rates, time: self.time };
        let mut runs = Vec::new();
        for (rate, how) in experiment.loops(&session.facts) {
            let workload = experiment.workload(&session.facts, rate, how);
            let saved = session.play(workload, Whole::Unknown, &mut output)?;
            runs.push(((rate, how), saved));
        }
        save.keep(runs.iter().map(|(_, saved)| saved))?;
        let figures = lab::figures(&runs);
        let document = frames::document(&figures);
        let mut told = session
            .told("frames", document, &figures)?
            .with_table(frames::csv_table(&figures));
        for (_, saved) in &runs {
            told = told.ended(&saved.ending);
        }
        output.tell(save.tell(told))
    }
}
