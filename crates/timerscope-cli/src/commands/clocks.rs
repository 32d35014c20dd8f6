//! `timerscope clocks`: what clocks show and cost.

use clap::Args;
use serde::Serialize;
use timerscope::lab::clocks::ClockFigures;
use timerscope::lab::drift::DriftFigures;
use timerscope::lab::{self, Load};
use timerscope::machine::{AskError, Saved, Span};
use timerscope::report::{ExitCode, clocks, drift};

use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, Output, RowArgs};
use crate::progress::Whole;
use crate::session::Session;

/// Measures what each clock shows and what a reading costs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Clocks {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    /// Reads them idle, or beside a load on the same CPU: none or same
    #[arg(long, value_name = "LOAD", default_value = "none", value_parser = load)]
    load: Load,
    /// Also watches how clocks run against each other, for so long
    #[arg(long, value_name = "SPAN")]
    drift: Option<Span>,
}

const EXAMPLES: &str = "\
Examples:
  timerscope clocks
  timerscope clocks --load same --drift 10s";

/// What clocks show and cost, and how they run against each other.
#[derive(Serialize)]
struct Both<'a> {
    #[serde(flatten)]
    clocks: &'a ClockFigures,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    drift: Option<&'a DriftFigures>,
}

/// A second is the step of the coarsest clock there is.
const WATCH: Span = Span::from_s(1);

impl Clocks {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &BatchArgs::default())?;
        let experiment = lab::clocks::Clocks { load: self.load, watch: WATCH };
        let workload = experiment.workload(&session.facts);
        let whole = Whole::Time(Span::from_ms(1_500));
        let saved = session.play(workload, whole, &mut output)?;
        let clocks = lab::clocks::figures(&saved);
        let mut document = clocks::document(&clocks);
        let drifted = self.watch(&mut session, &mut output)?;
        save.keep([&saved].into_iter().chain(&drifted))?;
        let drift = drifted.as_ref().map(lab::drift::figures);
        if let Some(drift) = &drift {
            document.sections.push(drift::section(&saved.facts, drift));
        }
        let both = Both { clocks: &clocks, drift: drift.as_ref() };
        let mut told = session
            .told("clocks", document, &both)?
            .with_table(clocks::csv_table(&clocks))
            .ended(&saved.ending);
        if let Some(drifted) = drifted {
            told = told.ended(&drifted.ending);
        }
        output.tell(save.tell(told))
    }

    fn watch(
        &self,
        session: &mut Session,
        output: &mut Output,
    ) -> Result<Option<Saved>, AskError> {
        let Some(time) = self.drift else { return Ok(None) };
        let workload = lab::drift::Drift { time }.workload(&session.facts);
        session.play(workload, Whole::Time(time), output).map(Some)
    }
}

fn load(text: &str) -> Result<Load, String> {
    match text.parse()? {
        load @ (Load::None | Load::Same) => Ok(load),
        _ => Err("clocks are read with load none or same".to_owned()),
    }
}
