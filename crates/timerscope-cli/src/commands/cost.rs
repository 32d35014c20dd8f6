//! `timerscope cost`: what a raised tick costs.

use clap::Args;
use timerscope::lab::cost as lab;
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, cost};

use crate::amount::amount;
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Measures what a raised tick costs: work when busy, power when idle
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cost {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Windows of a second with one long raise in the middle, instead of
    /// blocks in random order
    #[arg(long)]
    series: bool,
    /// How long [default: 10s, a series 41s]
    #[arg(long = "for", value_name = "SPAN", allow_hyphen_values = true)]
    time: Option<Span>,
    /// How often the raised tick comes: 1000/s, 2kHz
    #[arg(long, value_name = "RATE", default_value = "1000/s", value_parser = period)]
    rate: Span,
    /// The CPU that both work and tick [default: the last]
    #[arg(long, value_name = "N")]
    cpu: Option<u32>,
    /// Tells the power of so many machines: 33e6, 33M
    #[arg(long, value_name = "N", value_parser = amount)]
    machines: Option<f64>,
}

const EXAMPLES: &str = "\
Examples:
  timerscope cost
  timerscope cost --rate 10kHz --cpu 0
  timerscope cost --series --machines 33e6";

/// Where the order of the blocks comes from: the same in every run, so that
/// two runs differ by the machine alone.
const ORDER: u64 = 1;
const SHORTEST: Span = Span::from_s(1);
const LONGEST: Span = Span::from_s(3600);

/// The time between two ticks of a rate.
fn period(text: &str) -> Result<Span, String> {
    let number = text.strip_suffix("/s").or_else(|| text.strip_suffix("Hz"));
    let per_s = amount(number.unwrap_or(text).trim_end())?;
    if !(0.01..=100_000.0).contains(&per_s) {
        return Err("a rate is from 0.01/s to 100000/s".to_owned());
    }
    Ok(Span::from_ns((1e9 / per_s).round() as u64))
}

impl Cost {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let time = self.time()?;
        let (mut output, save, mut session) =
            self.measure.open(&RowArgs::default(), &BatchArgs::default())?;
        let (period, cpu, series) = (self.rate, self.cpu, self.series);
        let seed = ORDER;
        let experiment = lab::Cost { period, time, cpu, series, seed };
        let look = Whole::Time(experiment.look(&session.facts));
        let idle = |raised| experiment.idle(&session.facts, raised);
        let (quiet, raised) = (idle(false), idle(true));
        let busy = experiment.busy(&session.facts);
        let quiet = session.play(quiet, look, &mut output)?;
        let raised = session.play(raised, look, &mut output)?;
        let busy = session.play(busy, Whole::Time(time), &mut output)?;
        save.keep([&quiet, &raised, &busy])?;
        let figures = lab::figures(&busy, &quiet, &raised, self.machines);
        let document = cost::document(&busy.facts, &figures);
        let mut told =
            session.told("cost", document, &figures)?.ended(&busy.ending);
        if let Some(fine) = lab::unraised(&figures) {
            told.warn(fine);
        }
        let slow = lab::warning(&figures.power, &figures.idle_raised);
        if let Some(slow) = slow {
            told.warn(slow);
        }
        output.tell(save.tell(told))
    }

    fn time(&self) -> Result<Span, AskError> {
        let usual = if self.series { 41 } else { 10 };
        let time = self.time.unwrap_or(Span::from_s(usual));
        if (SHORTEST..=LONGEST).contains(&time) {
            return Ok(time);
        }
        let what = format!("cannot measure for {time}");
        let why = format!("it takes from {SHORTEST} to an hour");
        Err(AskError::wrong(what, why).or_try("--for 10s"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_people_write_them() {
        for text in ["1000/s", "1000", "1kHz", "1k", "1e3Hz", "1000 Hz"] {
            assert_eq!(period(text), Ok(Span::from_ms(1)), "{text}");
        }
        for text in ["0", "-1", "1ms", "", "1e9", "NaN"] {
            assert!(period(text).is_err(), "{text}");
        }
    }
}
