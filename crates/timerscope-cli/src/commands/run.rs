//! `timerscope run`: plays a workload from a file.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use timerscope::lab;
use timerscope::machine::{AskError, Workload};
use timerscope::report::{ExitCode, run};
use timerscope::trace::Event;

use crate::error::named;
use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;
use crate::timeline::{TimelineArgs, timeline_of};

/// Plays a workload from a TOML file and tells what its tasks saw
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    /// The workload
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    #[command(flatten)]
    measure: MeasureArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    batches: BatchArgs,
    #[command(flatten)]
    timeline: TimelineArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope run workloads/frame-limiter.toml
  timerscope run workloads/cyclictest.toml --jsonl -o samples.jsonl
  timerscope run workloads/frames.toml --timeline frames.pftrace";

/// More than a workload may have; the rest is not read.
const LONGEST: u64 = (1 << 20) + 1;

impl Run {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let workload = read(&self.file)?;
        let timeline = self.timeline.open(self.measure.path())?;
        let (mut output, save, mut session) =
            self.measure.open(&self.rows, &self.batches)?;
        let title = workload.title.clone();
        let played = workload.clone();
        let mut drawing = timeline.drawing(&session.facts, &played);
        let saved = match &mut drawing {
            None => session.play(workload, Whole::Unknown, &mut output)?,
            Some(drawing) => {
                let mut see = |event: &Event| drawing.see(event);
                session.play_watched(workload, &mut output, &mut see)?
            }
        };
        save.keep([&saved])?;
        let figures = lab::run::figures(&saved);
        let document = run::document(&title, &figures);
        let mut told = session
            .told("run", document, &figures)?
            .with_table(run::csv_table(&figures))
            .ended(&saved.ending);
        timeline.keep(|| timeline_of(&saved, drawing), &mut told)?;
        output.tell(save.tell(told))
    }
}

fn read(path: &Path) -> Result<Workload, AskError> {
    let what = || format!("cannot read {}", named(path));
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST).read_to_end(&mut text))
        .map_err(|error| unreadable(path, &error))?;
    let text = String::from_utf8(text).map_err(|_| {
        AskError::wrong(what(), "it is not text")
            .or_try("a workload in TOML; see the folder workloads")
    })?;
    Workload::from_toml(&text).map_err(|error| {
        error.ask_error(format!("cannot play {}", named(path)))
    })
}

fn unreadable(path: &Path, error: &io::Error) -> AskError {
    let what = format!("cannot read {}", named(path));
    let hint = match error.kind() {
        ErrorKind::IsADirectory => "one of the files in it",
        ErrorKind::PermissionDenied => "a file that you may read",
        _ => "the name of a workload in TOML; `ls` shows what is there",
    };
    AskError::wrong(what, error.to_string()).or_try(hint)
}
