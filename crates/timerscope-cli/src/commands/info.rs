//! `timerscope info`: what this machine's timer is.

use clap::Args;
use timerscope::lab::intervals::{self, Intervals, Share};
use timerscope::machine::{
    AskError, Ending, Facts, Known, Missing, Span, Warning,
};
use timerscope::report::answer::facts_result;
use timerscope::report::{ExitCode, info};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, Output, OutputArgs, RowArgs};
use crate::progress::Whole;
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

const SHORTEST: Span = Span::from_ms(100);
const LONGEST: Span = Span::from_s(24 * 3600);

impl Info {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        if let Some(time) = self.time {
            super::place::check_time("watch", time, SHORTEST, LONGEST)?;
        }
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let mut output = self.output.open(&rows, &batches)?;
        let mut session = Session::open(&self.machine)?;
        let facts = session.facts.clone();
        let watched = self.time.filter(|_| facts.interval.can_be_requested());
        let watched =
            watched.map(|time| watch(&mut session, time, &mut output));
        let watched = watched.transpose()?;
        let mut document = info::document(&facts);
        let mut result = facts_result(&facts);
        let shares = match &watched {
            Some((shares, _)) => shares.clone(),
            None => unwatched(&facts, self.time.is_some()),
        };
        if let (Known::Value(shares), Some(time)) = (&shares, self.time) {
            document.sections.insert(1, info::shares(shares, time));
        }
        result["intervals"] =
            serde_json::to_value(&shares).map_err(|error| {
                AskError::bug("cannot tell intervals", error.to_string())
            })?;
        let mut told = session.told("info", document, &result)?;
        if self.time.is_some() && !has_interval(&facts) {
            let text = "--for shows nothing here: this system has no interval \
                        that all share, so there is no share of time to tell.";
            told.warn(Warning::new("no-interval", text));
        }
        if let Some((_, ending)) = &watched {
            told = told.ended(ending);
        }
        output.tell(told)
    }
}

/// Whether all processes share an interval.
fn has_interval(facts: &Facts) -> bool {
    facts.interval.current_ns.value().is_some()
}

/// An interval that nobody can change needs no watching.
fn unwatched(facts: &Facts, wanted: bool) -> Known<Vec<Share>> {
    facts.interval.current_ns.clone().and_then(|interval_ns| {
        if wanted {
            return Known::Value(vec![Share { interval_ns, share: 1.0 }]);
        }
        Missing::unknown("nobody watched").or_try("--for 10s").into()
    })
}

/// Asks for the interval in force for so long.
fn watch(
    session: &mut Session,
    time: Span,
    output: &mut Output,
) -> Result<(Known<Vec<Share>>, Ending), AskError> {
    let workload = Intervals { time }.workload(&session.facts);
    let saved = session.play(workload, Whole::Time(time), output)?;
    Ok((intervals::figures(&saved), saved.ending))
}
