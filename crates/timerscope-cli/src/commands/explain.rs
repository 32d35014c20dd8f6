//! `timerscope explain`: which rule is in force.

use std::path::{Path, PathBuf};

use clap::Args;
use timerscope::explain::{ListError, Listed, explain_list, known};
use timerscope::machine::{AskError, Span};
use timerscope::report::{ExitCode, explain};

use crate::error::named;
use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs, to_stdout};
use crate::session::Session;
use crate::shelf;
use crate::target::Target;
use crate::told::Told;

/// Finds out which rule is in force, from what waits take
///
/// Plays a battery of ordinary waits, asks each simulated machine what it would
/// have shown, and says which fits: certainly, likely, or that it cannot tell,
/// why, and which test would decide. Looks at nothing but the waits and the
/// interval in force.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// A list of waits instead of a machine: what --save wrote, a JSON answer of
    /// `sleep`, or numbers, one a line, in ms or with a unit
    #[arg(value_name = "FILE", conflicts_with_all = ["on", "seed", "calibrate"])]
    file: Option<String>,
    /// What was asked of plain numbers
    #[arg(long, value_name = "SPAN", default_value = "1ms", requires = "file")]
    span: Span,
    /// Writes a simulated machine with this one's constants, for --on FILE.toml
    #[arg(long)]
    calibrate: bool,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope explain
  timerscope explain --on windows-11-global,interval=1ms
  timerscope explain --calibrate -o mine.toml
  timerscope explain sleeps.txt --span 1ms";

/// The longest list that is read, in bytes; the reader has its own limit.
const LONGEST: u64 = (64 << 20) + 1;

impl Explain {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        if self.calibrate {
            return self.write_machine();
        }
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let output = self.output.open(&rows, &batches)?;
        if let Some(file) = &self.file {
            return output.tell(self.explain_file(file)?);
        }
        let mut session = Session::open(&self.machine)?;
        let figures = session.explain()?;
        let document = explain::document(&figures);
        output.tell(session.told("explain", document, &figures)?)
    }

    /// What a list of waits tells.
    fn explain_file(&self, typed: &str) -> Result<Told, AskError> {
        let path = find(typed)?;
        let lists = read(&path, self.span)?;
        let figures = explain_list(&lists, &known());
        let facts = MachineArgs::default().open()?.as_mut().facts()?;
        let document = explain::document(&figures);
        Told::new("explain", &facts, document, &figures)
    }

    fn write_machine(&self) -> Result<ExitCode, AskError> {
        let path = self.output.path();
        let json = path.is_none_or(|path| !is_toml(path));
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        if self.output.is_json() {
            let output = self.output.open(&rows, &batches)?;
            let mut session = Session::open(&self.machine)?;
            let figures = session.calibrate()?;
            let document = explain::calibrated(&figures);
            return output.tell(session.told("explain", document, &figures)?);
        }
        if path.is_some() && json {
            let what = "cannot write the machine";
            let why = "only a name that ends in .toml is taken for a machine";
            return Err(AskError::wrong(what, why).or_try("-o mine.toml"));
        }
        let target = path.map(Target::new).transpose()?;
        let mut session = Session::open(&self.machine)?;
        let figures = session.calibrate()?;
        match target {
            Some(target) => {
                target.write(|to| to.write_all(figures.toml.as_bytes()))?;
            }
            None => to_stdout(&figures.toml)?,
        }
        Ok(ExitCode::Done)
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// A file of that name, else a run that was saved under it.
fn find(typed: &str) -> Result<PathBuf, AskError> {
    let here = Path::new(typed);
    if here.exists() { Ok(here.to_owned()) } else { shelf::find(typed) }
}

fn read(path: &Path, span: Span) -> Result<Vec<Listed>, AskError> {
    let hint = "what --save wrote, `timerscope sleep --json`, or numbers";
    let wrong = |why: String| {
        let what = format!("cannot read {}", named(path));
        AskError::wrong(what, why).or_try(hint)
    };
    // Only a plain file is read: a pipe could keep us waiting for ever.
    if !path.is_file() {
        return Err(wrong("it is no plain file".to_owned()));
    }
    let text = shelf::bytes(path, LONGEST)
        .map_err(|error| wrong(error.to_string()))?;
    Listed::read(&text, span)
        .map_err(|error: ListError| wrong(error.to_string()))
}
