//! `timerscope sleep`: how late waits end.

use clap::Args;
use timerscope::lab::Load;
use timerscope::lab::sleep::{self as lab, Hold, Sweep};
use timerscope::machine::{AskError, Facts, Phase, Span, WaitKind};
use timerscope::report::{ExitCode, sleep};

use super::count::CountArgs;
use super::place::{LoadArgs, PlaceArgs};
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// Measures how late waits end
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sleep {
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    batches: BatchArgs,
    /// The waits, by the name of the call, or `all` [default: the plainest of
    /// the machine, `nanosleep` or `sleep`]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    wait: Vec<Waits>,
    /// The spans asked for [default: 1ms]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "sweep"
    )]
    span: Vec<Span>,
    /// Spans from the longer to the shorter, each half the one before:
    /// 800ms..1us
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    sweep: Option<Sweep>,
    #[command(flatten)]
    count: CountArgs<100>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    load: LoadArgs,
    /// The CPU of the load [default: the same]
    #[arg(long, value_name = "N")]
    load_cpu: Option<u32>,
    /// Requests an interval throughout, where there are such requests
    #[arg(long, value_name = "SPAN", conflicts_with = "hold_each")]
    hold: Option<Span>,
    /// Requests an interval around each wait
    #[arg(long, value_name = "SPAN")]
    hold_each: Option<Span>,
    /// The timer slack of the waiting thread [default: the system's]
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    slack: Option<Span>,
    /// When waits begin within a tick: sync or random
    #[arg(long, value_name = "PHASE", default_value = "sync", value_parser = phase)]
    phase: Phase,
    /// Lists each wait longer than this, with its number
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    min: Option<Span>,
}

const EXAMPLES: &str = "\
Examples:
  timerscope sleep --wait itimer-real,itimer-virtual,itimer-prof \\
    --sweep 800ms..1us
  timerscope sleep --wait clock-nanosleep-absolute --span 1ms -n 10000 \\
    --priority fifo:80 --cpu 1
  timerscope sleep --load same --min 1.5ms -n 5000";

/// One name on the list of waits.
#[derive(Clone, Debug)]
enum Waits {
    All,
    One(WaitKind),
    Unknown(String),
}

impl From<&str> for Waits {
    fn from(text: &str) -> Self {
        if text == "all" {
            return Self::All;
        }
        // Which there are depends on the machine that is asked: one that no
        // system has is told there.
        text.parse().map_or_else(|_| Self::Unknown(text.to_owned()), Self::One)
    }
}

fn phase(text: &str) -> Result<Phase, String> {
    match text {
        "sync" => Ok(Phase::Sync),
        "random" => Ok(Phase::Random),
        _ => Err(format!("`{text}` is not a phase: sync or random")),
    }
}

impl Sleep {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &self.batches)?;
        let experiment = self.experiment(&session.facts)?;
        let rows = experiment.waits.len() * experiment.spans.len();
        let whole =
            Whole::Samples((rows as u64).saturating_mul(experiment.count));
        let workload = experiment.workload(&session.facts);
        let saved = session.play(workload, whole, &mut output)?;
        save.keep([&saved])?;
        let figures = lab::figures(&saved, experiment.min);
        let document = sleep::document(&figures);
        let told = session
            .told("sleep", document, &figures)?
            .with_table(sleep::csv_table(&figures.rows))
            .ended(&saved.ending);
        output.tell(save.tell(told))
    }

    /// What was typed, as an experiment on this machine.
    fn experiment(&self, facts: &Facts) -> Result<lab::Sleep, AskError> {
        if self.load_cpu.is_some() && self.load.load == Load::None {
            return Err(AskError::wrong(
                "cannot use --load-cpu",
                "there is no load",
            )
            .or_try("add --load same, below or above"));
        }
        let throughout = self.hold.map(Hold::Throughout);
        let each = self.hold_each.map(Hold::AroundEach);
        Ok(lab::Sleep {
            waits: self.waits(facts)?,
            spans: self.spans(),
            count: self.count.count,
            cpu: self.place.cpu,
            priority: self.place.priority,
            slack: self.slack,
            phase: self.phase,
            load: self.load.load,
            load_cpu: self.load_cpu,
            hold: throughout.or(each),
            min: self.min,
        })
    }

    fn spans(&self) -> Vec<Span> {
        match &self.sweep {
            Some(sweep) => sweep.spans(),
            None if self.span.is_empty() => vec![Span::from_ms(1)],
            None => {
                // As with waits: each once.
                let mut spans: Vec<Span> = Vec::new();
                for span in &self.span {
                    if !spans.contains(span) {
                        spans.push(*span);
                    }
                }
                spans
            }
        }
    }

    /// Every wait asked for, each once; one that is not here is an error.
    fn waits(&self, facts: &Facts) -> Result<Vec<WaitKind>, AskError> {
        let here: Vec<WaitKind> =
            facts.waits.iter().map(|fact| fact.name).collect();
        if self.wait.is_empty() {
            return Ok(vec![lab::plainest(facts)]);
        }
        let mut waits = Vec::new();
        for asked in &self.wait {
            let asked = match asked {
                Waits::All => here.clone(),
                Waits::One(wait) if here.contains(wait) => vec![*wait],
                Waits::One(wait) => {
                    let what = format!("cannot wait by {wait}");
                    let why = format!("{} does not have it", facts.system);
                    return Err(
                        AskError::absent(what, why).or_try(one_of(&here))
                    );
                }
                Waits::Unknown(text) => {
                    let name: String = text.chars().take(40).collect();
                    let what = format!("cannot wait by `{name}`");
                    let why = "no system has a wait of that name";
                    let meant =
                        text.parse::<WaitKind>().err().and_then(|mut error| {
                            error.known =
                                here.iter().map(|wait| wait.name()).collect();
                            error.nearest()
                        });
                    let hint = meant.map_or_else(
                        || one_of(&here),
                        |meant| format!("`{meant}`"),
                    );
                    return Err(AskError::wrong(what, why).or_try(hint));
                }
            };
            for wait in asked {
                if !waits.contains(&wait) {
                    waits.push(wait);
                }
            }
        }
        Ok(waits)
    }
}

/// The waits of the asked machine, to choose from.
fn one_of(here: &[WaitKind]) -> String {
    let names: Vec<&str> = here.iter().map(|wait| wait.name()).collect();
    format!("all, or some of {}", names.join(", "))
}
