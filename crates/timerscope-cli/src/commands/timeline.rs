//! `timerscope timeline`: a saved run as a timeline.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use timerscope::machine::{AskError, Saved};
use timerscope::report::text::render;
use timerscope::report::{Answer, Block, Document, ExitCode, Section};
use timerscope::trace::Timeline;

use crate::error::named;
use crate::output::{self, style, to_stdout};
use crate::shelf;
use crate::timeline::{target, timeline_of, warnings, write};

/// Writes a saved run as a timeline, which ui.perfetto.dev opens
///
/// Each task is a track, each action that was kept whole a slice on it, with
/// how late it was.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TimelineCommand {
    /// The run: a name that was saved, or a file that --save wrote
    #[arg(value_name = "RUN")]
    run: String,
    /// The timeline, a Perfetto trace
    ///
    /// A file that is there is replaced.
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "timerscope.pftrace"
    )]
    output: PathBuf,
    /// Answers with one JSON object besides
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  timerscope sleep -n 2000 --save before
  timerscope timeline before -o before.pftrace";

impl TimelineCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let saved = shelf::read(&self.run)?;
        let target = target(&self.output)?;
        let timeline = timeline_of(&saved, None);
        write(&timeline, &target)?;
        to_stdout(&self.said(&saved, &timeline)?)?;
        Ok(ExitCode::Done)
    }

    fn said(
        &self,
        saved: &Saved,
        timeline: &Timeline,
    ) -> Result<String, AskError> {
        let (tracks, slices) = (timeline.tracks.len(), timeline.slices());
        if !self.json {
            let path = named(&self.output);
            let mut section = Section::default();
            section.push(Block::Text(format!(
                "The timeline is {path}: {slices} slices on {tracks} tracks. \
                 ui.perfetto.dev opens it."
            )));
            let sections = vec![section];
            let document = Document { sections, ..Document::default() };
            return Ok(render(&document, style(true)));
        }
        let result = json!({
            "path": self.output.to_string_lossy(),
            "tracks": tracks,
            "slices": slices,
            "left_out": timeline.notes,
        });
        let warnings = warnings(timeline).collect();
        let answer = Answer::new("timeline", &saved.facts, &result, warnings)?;
        output::json(&answer, None)
    }
}
