//! A simulated machine as a machine.

use super::kernel::{Stage, play};
use super::limits::Limits;
use super::spec::Spec;
use crate::machine::{AskError, Ending, Facts, Listener, Machine, Workload};
use crate::trace::Event;

/// A simulated machine: plays any workload in virtual time, the same way for
/// the same seed on every system.
#[derive(Clone, Debug)]
pub struct Sim {
    spec: Spec,
    seed: u64,
    plays: u64,
    limits: Limits,
}

impl Sim {
    /// The machine that `spec` describes; its chance comes from `seed`.
    #[must_use]
    pub fn new(spec: Spec, seed: u64) -> Self {
        Self { spec, seed, plays: 0, limits: Limits::default() }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What it is.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Plays `workload` and shows `watcher` every event on the way.
    ///
    /// # Errors
    ///
    /// As [`Machine::play`].
    pub fn play_watched(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
        watcher: &mut dyn FnMut(&Event),
    ) -> Result<Ending, AskError> {
        self.play_with(workload, seen, Some(watcher))
    }

    /// Refuses a machine that makes no sense, however it was made.
    fn admit(&self) -> Result<(), AskError> {
        let faults = self.spec.faults();
        let Some(fault) = faults.first() else { return Ok(()) };
        let what = format!("cannot ask machine `{}`", self.spec.name);
        Err(AskError::wrong(what, fault.to_string()).or_try(fault.hint.clone()))
    }

    fn play_with<'a>(
        &'a mut self,
        workload: &'a Workload,
        seen: &'a mut (dyn Listener + 'a),
        watcher: Option<&'a mut (dyn FnMut(&Event) + 'a)>,
    ) -> Result<Ending, AskError> {
        self.admit()?;
        if let Some(fault) = workload.faults().first() {
            let what = "cannot play the workload";
            return Err(AskError::wrong(what, fault.to_string())
                .or_try(fault.hint.clone()));
        }
        self.limits.admit(workload)?;
        let played = self.plays;
        self.plays += 1;
        let stage = Stage {
            spec: &self.spec,
            workload,
            limits: self.limits.clone(),
            seed: self.seed,
            play: played,
        };
        play(&stage, seen, watcher)
    }
}

impl Machine for Sim {
    fn facts(&mut self) -> Result<Facts, AskError> {
        self.admit()?;
        Ok(super::facts::facts(&self.spec, self.seed))
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        self.play_with(workload, seen, None)
    }
}
