//! Plays a workload and keeps what was seen.

use crate::machine::{
    AskError, AskErrorKind, Batch, Cut, Ended, Facts, Known, Listener, Machine,
    Missing, Recording, Saved, Verdict, Workload,
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

/// Plays workloads one after another, until one is cut short.
///
/// One that the machine refuses or does not have is missing, with its reason;
/// so is each after a run that was cut short.
///
/// # Errors
///
/// When one is wrong, or when the machine played none of them.
pub fn play_all(
    machine: &mut dyn Machine,
    facts: &Facts,
    workloads: Vec<Result<Workload, AskError>>,
    also: &mut dyn Listener,
) -> Result<Vec<Known<Saved>>, AskError> {
    let mut plays = Plays::new(machine, facts, also);
    let mut runs = Vec::new();
    for workload in workloads {
        runs.push(plays.play(workload)?);
    }
    match plays.refused {
        Some(error) if runs.iter().all(|run| run.value().is_none()) => {
            Err(error)
        }
        _ => Ok(runs),
    }
}

/// Plays on one machine, one after another.
pub(super) struct Plays<'a> {
    machine: &'a mut dyn Machine,
    facts: &'a Facts,
    also: &'a mut dyn Listener,
    /// Who cut one short; nothing is played after that.
    pub(super) cut: Option<Cut>,
    refused: Option<AskError>,
}

impl<'a> Plays<'a> {
    pub(super) fn new(
        machine: &'a mut dyn Machine,
        facts: &'a Facts,
        also: &'a mut dyn Listener,
    ) -> Self {
        Self { machine, facts, also, cut: None, refused: None }
    }

    pub(super) fn play(
        &mut self,
        workload: Result<Workload, AskError>,
    ) -> Result<Known<Saved>, AskError> {
        if self.cut.is_some() {
            let why = "the run was stopped before it came to this";
            return Ok(Missing::unknown(why).or_try("let it finish").into());
        }
        let played = workload.and_then(|workload| {
            play(self.machine, self.facts, workload, self.also)
        });
        match played {
            Ok(saved) => {
                if let Ended::Cut { by, .. } = &saved.ending.ended {
                    self.cut = Some(by.clone());
                }
                Ok(Known::Value(saved))
            }
            Err(error) => {
                let missing = missing(&error).ok_or_else(|| error.clone())?;
                self.refused.get_or_insert(error);
                Ok(missing.into())
            }
        }
    }
}

/// Time the host took from this guest during all runs, over all CPUs.
pub(super) fn stolen_ns(runs: &[Known<Saved>]) -> Known<u64> {
    let played = runs.iter().filter_map(Known::value);
    let stolen = played
        .map(|saved| saved.ending.meters.delta(|counters| &counters.stolen_ns));
    let sum = |one: Known<u64>, other: Known<u64>| {
        one.and_then(|one| other.map(|other| one.saturating_add(other)))
    };
    let nothing = || Missing::unknown("nothing was played").into();
    stolen.reduce(sum).unwrap_or_else(nothing)
}

/// An answer of the system as the reason why a figure is missing.
pub(crate) fn missing(error: &AskError) -> Option<Missing> {
    let why = format!("{}: {}", error.what, error.why);
    let missing = match error.kind {
        AskErrorKind::Absent => Missing::absent(why),
        AskErrorKind::Refused => Missing::refused(why),
        AskErrorKind::Wrong | AskErrorKind::Bug => return None,
    };
    Some(match &error.hint {
        Some(hint) => missing.or_try(hint.clone()),
        None => missing,
    })
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
