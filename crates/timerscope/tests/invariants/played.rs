//! One run on a simulated machine, and everything that was seen of it.

use proptest::test_runner::Config;
use timerscope::machine::{
    Batch, Ending, Listener, Outcome, Sample, Verdict, Workload,
};
use timerscope::sim::{Sim, Spec};
use timerscope::trace::{Event, What};

/// Cases of each invariant, unless the environment says how many.
const CASES: u32 = 2_000;

/// How each invariant is tried.
pub(crate) fn config() -> Config {
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return Config::default();
    }
    Config { cases: CASES, ..Config::default() }
}

/// One run, and everything that was seen of it.
#[derive(Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) events: Vec<Event>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) ending: Ending,
}

struct Heard<'a>(&'a mut Vec<Sample>);

impl Listener for Heard<'_> {
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
        self.0.extend_from_slice(batch.samples);
        Verdict::Continue
    }
}

/// Plays a workload.
pub(crate) fn play(spec: &Spec, seed: u64, workload: &Workload) -> Played {
    let (mut events, mut samples) = (Vec::new(), Vec::new());
    let ending = Sim::new(spec.clone(), seed)
        .play_watched(workload, &mut Heard(&mut samples), &mut |event| {
            events.push(*event);
        })
        .unwrap();
    Played { events, samples, ending }
}

impl Played {
    /// What a role saw of its waits that ended by themselves.
    pub(crate) fn met(&self, role: u32) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| {
            sample.role == role && sample.outcome == Outcome::Met
        })
    }

    /// How long each of those took.
    pub(crate) fn took(&self, role: u32) -> Vec<i64> {
        self.met(role).map(Sample::took_ns).collect()
    }

    /// Every interval that came in force, and when.
    pub(crate) fn intervals(&self) -> Vec<(i64, i64)> {
        let own = |event: &Event| match event.what {
            What::Interval { interval_ns } => Some((event.at, interval_ns)),
            _ => None,
        };
        self.events.iter().filter_map(own).collect()
    }

    /// The energy of the run, in millionths of a joule.
    pub(crate) fn energy_uj(&self) -> u64 {
        *self.ending.meters.after.energy_uj.value().unwrap()
    }

    /// CPU time of all tasks.
    pub(crate) fn cpu_ns(&self) -> u64 {
        let own = |role: &timerscope::machine::RoleEnding| {
            *role.cpu_ns.value().unwrap()
        };
        self.ending.roles.iter().map(own).sum()
    }
}
