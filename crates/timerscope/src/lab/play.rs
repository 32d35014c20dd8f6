//! Plays a workload and keeps what was seen.

use crate::machine::{
    AskError, Batch, Facts, Listener, Machine, Recording, Saved, Verdict,
    Workload,
};

/// Plays `workload` on `machine`, keeps all of it, and lets `also` hear (and
/// stop) it.
///
/// # Errors
///
/// When the workload has faults, or the machine refuses it.
pub fn play(
    machine: &mut dyn Machine,
    facts: &Facts,
    workload: Workload,
    also: &mut dyn Listener,
) -> Result<Saved, AskError> {
    if let Some(fault) = workload.faults().first() {
        let what = "cannot play the workload";
        return Err(
            AskError::wrong(what, fault.to_string()).or_try(fault.hint.clone())
        );
    }
    let mut recording = Recording::new(&workload);
    let mut both = Both { keeps: &mut recording, also };
    let ending = machine.play(&workload, &mut both)?;
    Ok(Saved { facts: facts.clone(), workload, recording, ending })
}

/// Two listeners as one; either may say stop.
struct Both<'a> {
    keeps: &'a mut Recording,
    also: &'a mut dyn Listener,
}

impl Listener for Both<'_> {
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
        match (self.keeps.hear(batch), self.also.hear(batch)) {
            (Verdict::Continue, Verdict::Continue) => Verdict::Continue,
            _ => Verdict::Stop,
        }
    }
}

/// A listener that only listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Listener for Silent {
    fn hear(&mut self, _: &Batch<'_>) -> Verdict {
        Verdict::Continue
    }
}
