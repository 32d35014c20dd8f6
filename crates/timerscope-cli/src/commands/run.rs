//! `timerscope run`: plays a workload from a file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use timerscope::lab;
use timerscope::machine::{AskError, Workload};
use timerscope::report::{ExitCode, run};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::progress::Whole;
use crate::session::Session;
use crate::shelf::SaveArgs;
use crate::told::Told;

/// Plays a workload from a TOML file and tells what its tasks saw
#[derive(Args)]
pub(crate) struct Run {
    /// The workload
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    batches: BatchArgs,
    #[command(flatten)]
    save: SaveArgs,
}

/// More than a workload may have; the rest is not read.
const LONGEST: u64 = (1 << 20) + 1;

impl Run {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let workload = read(&self.file)?;
        let mut output = self.output.open(&self.rows, &self.batches)?;
        let save = self.save.open()?;
        let mut session = Session::open(&self.machine)?;
        let title = workload.title.clone();
        let saved = session.play(workload, Whole::Unknown, &mut output)?;
        save.keep(&saved)?;
        let figures = lab::run::figures(&saved);
        let document = run::document(&title, &figures);
        let told = Told::new("run", &saved.facts, document, &figures)?
            .with_table(run::csv_table(&figures))
            .ended(&saved.ending);
        output.tell(save.tell(told))
    }
}

fn read(path: &Path) -> Result<Workload, AskError> {
    let what = || format!("cannot read {}", path.display());
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST).read_to_end(&mut text))
        .map_err(|error| AskError::wrong(what(), error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| {
        AskError::wrong(what(), "it is not text")
            .or_try("a workload in TOML; see the folder workloads")
    })?;
    Workload::from_toml(&text).map_err(|error| {
        error.ask_error(format!("cannot play {}", path.display()))
    })
}
