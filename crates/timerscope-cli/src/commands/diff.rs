//! `timerscope diff`: two runs side by side.

use std::fs::File;
use std::path::Path;

use clap::Args;
use timerscope::lab::diff::{Side, SideError, Verdict, diff as compare};
use timerscope::machine::AskError;
use timerscope::report::{ExitCode, diff};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::shelf;
use crate::told::Told;

/// Compares two runs: facts that differ, then a verdict on each figure
///
/// A run is a recording that --save wrote, by its NAME or its path, or a file
/// that --json wrote. Exits with 1 if any figure became worse.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// The first run: a name that was saved, or a file
    #[arg(value_name = "A")]
    before: String,
    /// The second run
    #[arg(value_name = "B")]
    after: String,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope sleep -n 2000 --save before
  timerscope sleep -n 2000 --slack 1ns --save after
  timerscope diff before after
  timerscope info --json -o monday.json
  timerscope diff monday.json tuesday.json

Exit codes: 0 no figure became worse; 1 one did; 2 a run cannot be read.";

impl Diff {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let output = self.output.open(&rows, &batches)?;
        let (before, after) = (read(&self.before)?, read(&self.after)?);
        let figures = compare((&self.before, &before), (&self.after, &after));
        let facts = MachineArgs::default().open()?.as_mut().facts()?;
        let document = diff::document(&figures);
        let told = Told::new("diff", &facts, document, &figures)?;
        let went = output.tell(told)?;
        let worse = figures.judged(Verdict::Worse).next().is_some();
        Ok(if worse { ExitCode::NotAsAsked } else { went })
    }
}

fn read(typed: &str) -> Result<Side, AskError> {
    let path = shelf::find(typed)?;
    read_file(&path).map_err(|error| {
        let what = format!("cannot compare {}", path.display());
        let hint = "a recording that --save wrote, or an answer that --json \
                    -o FILE wrote";
        AskError::wrong(what, error.to_string()).or_try(hint)
    })
}

/// Only a plain file is read: a pipe could keep us waiting for ever.
fn read_file(path: &Path) -> Result<Side, SideError> {
    let about = path.metadata()?;
    if about.is_dir() {
        return Err(SideError::Strange("it is a folder".to_owned()));
    }
    if !about.is_file() {
        return Err(SideError::Strange("it is no plain file".to_owned()));
    }
    Side::read(File::open(path)?)
}
