//! One machine, asked for one command.

use serde_json::json;
use timerscope::lab;
use timerscope::lab::survey::{Survey, SurveyFigures};
use timerscope::machine::{
    AskError, Batch, Facts, Known, Listener, Saved, Verdict, Workload,
};
use timerscope::trace::Event;

use crate::labels::Labels;
use crate::machine::{MachineArgs, Opened, Watched};
use crate::output::Output;
use crate::progress::{Progress, Whole};
use crate::stop::{Playing, Stop};

/// One machine with its facts, and who wants to stop it.
pub(crate) struct Session {
    machine: Opened,
    pub(crate) facts: Facts,
    stop: Stop,
}

impl Session {
    pub(crate) fn open(args: &MachineArgs) -> Result<Self, AskError> {
        let mut machine = args.open()?;
        let facts = machine.as_mut().facts()?;
        Ok(Self { machine, facts, stop: Stop::on_signals() })
    }

    /// Plays a workload, showing how far it is and telling `output` each
    /// batch, if that is wanted.
    pub(crate) fn play(
        &mut self,
        workload: Workload,
        whole: Whole,
        output: &mut Output,
    ) -> Result<Saved, AskError> {
        let mut watch =
            Watch::new(&self.stop, whole).telling(output, [&workload]);
        lab::play(self.machine.as_mut(), &self.facts, workload, &mut watch)
    }

    /// Plays a workload likewise, and lets `watcher` see each event, where the
    /// machine tells them.
    pub(crate) fn play_watched(
        &mut self,
        workload: Workload,
        output: &mut Output,
        watcher: &mut dyn FnMut(&Event),
    ) -> Result<Saved, AskError> {
        let mut watch =
            Watch::new(&self.stop, Whole::Unknown).telling(output, [&workload]);
        let mut machine = Watched { machine: &mut self.machine, watcher };
        lab::play(&mut machine, &self.facts, workload, &mut watch)
    }

    /// Plays several workloads one after another, likewise; what this machine
    /// does not have, or refuses, is missing.
    pub(crate) fn play_all(
        &mut self,
        workloads: Vec<Result<Workload, AskError>>,
        whole: Whole,
        output: &mut Output,
    ) -> Result<Vec<Known<Saved>>, AskError> {
        let sound = workloads.iter().flatten();
        let mut watch = Watch::new(&self.stop, whole).telling(output, sound);
        let machine = self.machine.as_mut();
        lab::play_all(machine, &self.facts, workloads, &mut watch)
    }

    /// Plays a survey, showing how far it is.
    pub(crate) fn survey(
        &mut self,
        survey: Survey,
    ) -> Result<SurveyFigures, AskError> {
        let whole = Whole::Time(lab::survey::duration(&self.facts, survey));
        let mut watch = Watch::new(&self.stop, whole);
        let machine = self.machine.as_mut();
        lab::survey::survey(machine, &self.facts, survey, &mut watch)
    }
}

/// Hears a run for the person: progress, stopping, and batches as lines.
struct Watch<'a> {
    stop: &'a Stop,
    _playing: Playing<'a>,
    progress: Progress,
    /// Where batches are told, if they are, with what they are of.
    output: Option<(&'a mut Output, Labels)>,
}

impl<'a> Watch<'a> {
    fn new(stop: &'a Stop, whole: Whole) -> Self {
        let progress = Progress::new(whole);
        Self { stop, _playing: stop.playing(), progress, output: None }
    }

    /// Also tells each batch of these workloads, if `output` wants them.
    fn telling<'w>(
        mut self,
        output: &'a mut Output,
        workloads: impl IntoIterator<Item = &'w Workload>,
    ) -> Self {
        if output.wants_batches() {
            self.output = Some((output, Labels::of(workloads)));
        }
        self
    }
}

impl Listener for Watch<'_> {
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
        self.progress.hear(batch.samples.len());
        let told = match &mut self.output {
            Some((output, labels)) => output.batch(&json!({
                "schema": timerscope::report::answer::SCHEMA,
                "at_ns": batch.at,
                "samples": labels.told(batch),
            })),
            None => true,
        };
        // Nobody to tell it to is nobody to measure it for.
        if self.stop.is_wanted() || !told {
            Verdict::Stop
        } else {
            Verdict::Continue
        }
    }
}
