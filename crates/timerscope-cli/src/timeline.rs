//! A run as a timeline that a viewer opens.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use timerscope::machine::{AskError, Facts, Saved, Warning, Workload};
use timerscope::report::perfetto;
use timerscope::trace::{Drawing, Timeline};

use crate::error::named;
use crate::target::Target;
use crate::told::Told;

/// Whether a run's timeline is written, and where.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TimelineArgs {
    /// Writes the run's timeline into FILE, which ui.perfetto.dev opens
    ///
    /// Of this computer, each task is a track, and each action that was kept
    /// whole a slice on it, with how late it was. Of a simulated machine, also
    /// who ran on which CPU, ticks, requests and the interval in force. A file
    /// that is there is replaced.
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
}

/// Where a run's timeline will be written, if it will.
pub(crate) struct TimelineFile(Option<Target>);

impl TimelineArgs {
    /// Looks whether it can be written, before anything is measured.
    ///
    /// It cannot be where the `answer` goes.
    pub(crate) fn open(
        &self,
        answer: Option<&Path>,
    ) -> Result<TimelineFile, AskError> {
        let path = self.timeline.as_deref();
        if let Some(path) = path.filter(|own| Some(*own) == answer) {
            let what = format!("cannot write {}", named(path));
            let why = "both the answer and the timeline would be in it";
            return Err(AskError::wrong(what, why).or_try("two names"));
        }
        let target = path.map(target).transpose()?;
        Ok(TimelineFile(target))
    }
}

impl TimelineFile {
    /// What draws the events of a run, if they are wanted and there are any: a
    /// simulated machine tells them.
    pub(crate) fn drawing<'w>(
        &self,
        facts: &Facts,
        workload: &'w Workload,
    ) -> Option<Drawing<'w>> {
        let wanted = self.0.is_some() && facts.simulated;
        wanted.then(|| Drawing::new(workload))
    }

    /// Writes the timeline and says where it is.
    pub(crate) fn keep(
        &self,
        timeline: impl FnOnce() -> Timeline,
        told: &mut Told,
    ) -> Result<(), AskError> {
        let Some(target) = &self.0 else { return Ok(()) };
        let timeline = timeline();
        write(&timeline, target)?;
        let path = named(target.path());
        told.document
            .footnotes
            .push(format!("The timeline is {path}; ui.perfetto.dev opens it."));
        told.answer.warnings.extend(warnings(&timeline));
        Ok(())
    }
}

/// The timeline of a run: of what the tasks saw themselves, and of what a
/// witness saw, where there was one.
pub(crate) fn timeline_of(
    saved: &Saved,
    drawing: Option<Drawing<'_>>,
) -> Timeline {
    match drawing {
        None => Timeline::of_recording(saved),
        Some(drawing) => drawing.finish_with(saved),
    }
}

/// Where a timeline goes; a name that says something else is refused.
pub(crate) fn target(path: &Path) -> Result<Target, AskError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let ending = ending.to_lowercase();
    let others =
        ["json", "jsonl", "ndjson", "csv", "html", "htm", "txt", "toml", "pdf"];
    if others.contains(&ending.as_str()) {
        let what = format!("cannot write {}", named(path));
        let why = format!("a timeline is a Perfetto trace, not {ending}");
        return Err(AskError::wrong(what, why).or_try("run.pftrace"));
    }
    Target::new(path)
}

/// Writes a timeline, and says on stderr what is left out of it.
pub(crate) fn write(
    timeline: &Timeline,
    target: &Target,
) -> Result<(), AskError> {
    target.write(|to| perfetto::write(timeline, to))?;
    let mut stderr = std::io::stderr().lock();
    for note in &timeline.notes {
        let _ = writeln!(stderr, "timerscope: in the timeline, {note}");
    }
    Ok(())
}

/// What is left out, for programs.
pub(crate) fn warnings(
    timeline: &Timeline,
) -> impl Iterator<Item = Warning> + '_ {
    let notes = timeline.notes.iter();
    notes.map(|note| {
        let text = format!("In the timeline, {note}");
        Warning::new("timeline-left-out", text)
    })
}
