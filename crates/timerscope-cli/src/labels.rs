//! What the samples of a batch are of, for those who follow a run.

use serde::Serialize;
use timerscope::lab::run::SampleFigure;
use timerscope::machine::{Batch, Workload};

/// The action of each step of each role, in the vocabulary's words.
pub(crate) struct Labels(Vec<Vec<String>>);

/// A sample and its action, so that what was asked for is told from what
/// measures the ruler.
#[derive(Serialize)]
pub(crate) struct Labelled<'a> {
    action: Option<&'a str>,
    #[serde(flatten)]
    sample: SampleFigure,
}

impl Labels {
    /// The labels of one sound workload, or of several after one another: then
    /// only where all agree.
    pub(crate) fn of<'w>(
        workloads: impl IntoIterator<Item = &'w Workload>,
    ) -> Self {
        let sound = workloads.into_iter().filter(|own| own.faults().is_empty());
        let each = sound.map(actions);
        Self(each.reduce(agreed).unwrap_or_default())
    }

    /// The samples of a batch, with the unit in each key.
    pub(crate) fn told(&self, batch: &Batch<'_>) -> Vec<Labelled<'_>> {
        let label = |role: u32, step: u16| {
            let label = self.0.get(role as usize)?.get(usize::from(step))?;
            Some(label.as_str()).filter(|label| !label.is_empty())
        };
        let told = batch.samples.iter().map(|sample| Labelled {
            action: label(sample.role, sample.step),
            sample: SampleFigure::of(sample),
        });
        told.collect()
    }
}

fn actions(workload: &Workload) -> Vec<Vec<String>> {
    let cast = workload.cast();
    let steps = cast.iter().map(|role| role.task.steps());
    let said = |steps: Vec<timerscope::machine::Step<'_>>| {
        steps.iter().map(|step| step.action.to_string()).collect()
    };
    steps.map(said).collect()
}

/// Where two differ there is no label; nor where only one has a step.
fn agreed(one: Vec<Vec<String>>, other: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let both = one.into_iter().zip(other);
    let same = both.map(|(one, other)| {
        let steps = one.into_iter().zip(other);
        steps.map(|(a, b)| if a == b { a } else { String::new() }).collect()
    });
    same.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use timerscope::machine::{
        Action, Outcome, Process, Sample, Span, Task, WaitKind,
    };

    fn workload(ms: u64) -> Workload {
        let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(ms));
        let actions = vec![Action::repeat(3, vec![wait])];
        let task = Task::new("sleeper", actions);
        Workload::new(vec![Process::new("app", vec![task])])
    }

    fn label(labels: &Labels, role: u32, step: u16) -> Option<String> {
        let sample = Sample {
            role,
            step,
            outcome: Outcome::Met,
            number: 0,
            began: 0,
            due: 0,
            ended: 0,
            value: 0,
        };
        let batch = Batch { at: 0, samples: &[sample], notes: &[] };
        labels.told(&batch)[0].action.map(str::to_owned)
    }

    #[test]
    fn a_sample_has_its_action_unless_several_workloads_disagree() {
        let one = Labels::of([&workload(1)]);
        assert_eq!(label(&one, 0, 1).unwrap(), "wait nanosleep 1 ms");
        assert_eq!(label(&one, 7, 1), None);
        let both = Labels::of([&workload(1), &workload(2)]);
        assert_eq!(label(&both, 0, 0).unwrap(), "repeat x3");
        assert_eq!(label(&both, 0, 1), None);
    }
}
