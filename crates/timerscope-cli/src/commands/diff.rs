//! `timerscope diff`: two runs, or two groups of runs, side by side.

use std::fs::File;
use std::path::Path;
use std::slice;

use clap::Args;
use timerscope::lab::diff::{Side, SideError, Verdict, diff_runs};
use timerscope::machine::AskError;
use timerscope::report::{ExitCode, diff};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::shelf;
use crate::told::Told;

/// Compares two runs: facts that differ, then a verdict on each figure
///
/// A run is what --save wrote, by its NAME or its path, or a file that --json
/// wrote. Of several runs a side each figure counts as one number a run, so
/// that it tells how runs vary as wholes. Exits with 1 if any figure became
/// worse.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// The first run and the second: names that were saved, or files
    #[arg(
        value_names = ["A", "B"],
        num_args = 2,
        required_unless_present = "before",
        conflicts_with_all = ["before", "after"]
    )]
    pair: Vec<String>,
    /// Several runs instead of A
    #[arg(long, value_name = "A", num_args = 1.., requires = "after")]
    before: Vec<String>,
    /// Several runs instead of B
    #[arg(long, value_name = "B", num_args = 1.., requires = "before")]
    after: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope sleep -n 2000 --save before
  timerscope sleep -n 2000 --slack 1ns --save after
  timerscope diff before after
  timerscope diff --before a1 a2 a3 a4 a5 --after b1 b2 b3 b4 b5
  timerscope info --json -o monday.json
  timerscope diff monday.json tuesday.json

Exit codes: 0 no figure became worse; 1 one did; 2 a run cannot be read.";

impl Diff {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let (rows, batches) = (RowArgs::default(), BatchArgs::default());
        let output = self.output.open(&rows, &batches)?;
        let (before, after) = match &self.pair[..] {
            [before, after] => {
                (slice::from_ref(before), slice::from_ref(after))
            }
            _ => (&self.before[..], &self.after[..]),
        };
        let figures = diff_runs(&read_all(before)?, &read_all(after)?);
        let facts = MachineArgs::default().open()?.as_mut().facts()?;
        let document = diff::document(&figures);
        let told = Told::new("diff", &facts, document, &figures)?;
        let went = output.tell(told)?;
        let worse = figures.judged(Verdict::Worse).next().is_some();
        Ok(if worse { ExitCode::NotAsAsked } else { went })
    }
}

/// Reads the runs of one side; one that was named twice would count as two.
fn read_all(typed: &[String]) -> Result<Vec<(String, Side)>, AskError> {
    for (place, name) in typed.iter().enumerate() {
        if typed[..place].contains(name) {
            let what = format!("cannot count {name} twice");
            let why = "it is one run, and shows nothing of how runs vary";
            return Err(AskError::wrong(what, why).or_try("another run"));
        }
    }
    typed.iter().map(|name| Ok((name.clone(), read(name)?))).collect()
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
