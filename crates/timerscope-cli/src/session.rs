//! One machine, asked for one command.

use serde_json::json;
use timerscope::explain::{self, Calibrated, Explained};
use timerscope::lab;
use timerscope::lab::survey::{Survey, SurveyFigures};
use timerscope::machine::{
    AskError, Batch, Ending, Facts, Known, Listener, Machine, Saved, Verdict,
    Workload,
};
use timerscope::report::Document;
use timerscope::sim;
use timerscope::trace::Event;

use crate::labels::Labels;
use crate::machine::{MachineArgs, Opened};
use crate::output::Output;
use crate::progress::{Progress, Whole};
use crate::stop::{Playing, Stop};
use crate::told::Told;

/// One machine with its facts, and who wants to stop it.
pub(crate) struct Session {
    machine: Folding,
    pub(crate) facts: Facts,
    stop: Stop,
}

impl Session {
    pub(crate) fn open(args: &MachineArgs) -> Result<Self, AskError> {
        let mut machine = Folding { own: args.open()?, digest: None };
        let facts = machine.facts()?;
        Ok(Self { machine, facts, stop: Stop::on_signals() })
    }

    /// What a command has to tell of this machine, as `result` for programs.
    pub(crate) fn told(
        &self,
        command: &str,
        document: Document,
        result: &impl serde::Serialize,
    ) -> Result<Told, AskError> {
        let document = Document { banner: self.banner(), ..document };
        let mut told = Told::new(command, &self.facts, document, result)?;
        if let Some(digest) = self.machine.digest.clone() {
            told.answer.add_digest(digest);
        }
        Ok(told)
    }

    /// What stands at the top of whatever a simulated machine showed.
    pub(crate) fn banner(&self) -> Option<String> {
        let facts = &self.facts;
        let seed = facts.seed.filter(|_| facts.simulated)?;
        let digest = self.machine.digest.as_ref();
        let digest = digest.map(|digest| format!(", digest {digest}"));
        Some(format!(
            "{} ({}), seed {seed}{}. No real machine was asked.",
            facts.name,
            facts.system,
            digest.unwrap_or_default()
        ))
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
        lab::play(&mut self.machine, &self.facts, workload, &mut watch)
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
        let machine = &mut self.machine;
        lab::play_all(machine, &self.facts, workloads, &mut watch)
    }

    /// Finds out which rule is in force, showing how far it is.
    pub(crate) fn explain(&mut self) -> Result<Explained, AskError> {
        let mut watch = Watch::new(&self.stop, Whole::Unknown);
        let machine = &mut self.machine;
        explain::explain(machine, &self.facts, &explain::known(), &mut watch)
    }

    /// Makes a simulated machine of this one, showing how far it is.
    pub(crate) fn calibrate(&mut self) -> Result<Calibrated, AskError> {
        let mut watch = Watch::new(&self.stop, Whole::Unknown);
        explain::calibrate(&mut self.machine, &self.facts, &mut watch)
    }

    /// Plays a survey, showing how far it is.
    pub(crate) fn survey(
        &mut self,
        survey: Survey,
    ) -> Result<SurveyFigures, AskError> {
        let whole = Whole::Time(lab::survey::duration(&self.facts, survey));
        let mut watch = Watch::new(&self.stop, whole);
        let machine = &mut self.machine;
        lab::survey::survey(machine, &self.facts, survey, &mut watch)
    }
}

/// A machine that folds the digests of all it played into one.
struct Folding {
    own: Opened,
    digest: Option<String>,
}

impl Folding {
    fn folded(&mut self, ending: Ending) -> Ending {
        if let Some(run) = &ending.digest {
            self.digest = Some(sim::folded(self.digest.take(), run));
        }
        ending
    }
}

/// A machine whose events are seen, where it tells them: this computer has no
/// witness yet.
struct Watched<'a> {
    machine: &'a mut Folding,
    watcher: &'a mut dyn FnMut(&Event),
}

impl Machine for Watched<'_> {
    fn facts(&mut self) -> Result<Facts, AskError> {
        self.machine.facts()
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let ending = match &mut self.machine.own {
            Opened::Native(native) => native.play(workload, seen),
            Opened::Simulated(sim) => {
                sim.play_watched(workload, seen, self.watcher)
            }
        }?;
        Ok(self.machine.folded(ending))
    }
}

impl Machine for Folding {
    fn facts(&mut self) -> Result<Facts, AskError> {
        self.own.as_mut().facts()
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let ending = self.own.as_mut().play(workload, seen)?;
        Ok(self.folded(ending))
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
