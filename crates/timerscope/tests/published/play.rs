//! Playing a workload on a machine of the catalogue.

use timerscope::machine::{
    Action, Ending, Keep, Machine, Meanwhile, Recording, Span, WaitKind,
    Workload,
};
use timerscope::sim::{Sim, catalogue};

/// What was seen and how it ended.
pub(crate) struct Played {
    pub(crate) seen: Recording,
    pub(crate) ending: Ending,
}

/// Plays `workload` on `machine` with this seed.
pub(crate) fn play(machine: &str, seed: u64, workload: &Workload) -> Played {
    let spec = catalogue::opened(machine).expect(machine);
    let mut seen = Recording::new(workload);
    let ending = Sim::new(spec, seed)
        .play(workload, &mut seen)
        .unwrap_or_else(|error| panic!("{machine}: {error}"));
    Played { seen, ending }
}

impl Played {
    /// How long each wait of a step took, in microseconds.
    pub(crate) fn took_us(&self, role: u32, step: u16) -> Vec<f64> {
        let track = self.seen.track(role, step).expect("it is kept");
        let us = |ns: i64| ns as f64 / 1e3;
        track.samples.iter().map(|sample| us(sample.took_ns())).collect()
    }
}

/// One wait of which everything is kept, blocking or burning.
pub(crate) fn wait(how: WaitKind, span: Span, meanwhile: Meanwhile) -> Action {
    Action::Wait { how, span, meanwhile, keep: Keep::Everything }
}

/// The mean.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation of all there are.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    let square = |value: &f64| (value - middle) * (value - middle);
    (values.iter().map(square).sum::<f64>() / values.len() as f64).sqrt()
}

/// The median.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
