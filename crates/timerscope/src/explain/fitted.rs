//! Candidates with the constants that the machine under test showed.
//!
//! A rule is not its constants: the interval, the tick and the wake latency
//! are taken from what was seen, and what cannot be seen is tried over its
//! range.

use super::battery::{Anchors, Battery};
use super::candidate::Candidate;
use super::{Probe, Seen};
use crate::machine::{Facts, Known, Machine, Recording, Saved, Span};
use crate::sim::rules::{Expiry, Looks, Noise};
use crate::sim::spec::Kernel;
use crate::sim::{Limits, Sim, Spec};

/// The coarsest interval of a Windows that does not tell its own.
const COARSEST: u64 = 15_625_000;

/// The longest slack that a machine may have by default.
const LONGEST_SLACK: i64 = 10_000_000;

/// The constants that a machine showed.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// The coarsest interval, as the system tells it.
    pub(super) coarsest_ns: Option<u64>,
    /// The finest one: as it tells it, or as it was in force.
    pub(super) finest_ns: Option<u64>,
    /// The interval in force while nobody of ours requested one.
    pub(super) held_ns: Option<u64>,
    /// The share of the CPU that others had meanwhile.
    pub(super) taken: f64,
    /// The rate of the tick, where that is known without a timer.
    hz: Option<u64>,
    /// What the shortest timer of CPU time took, with the probe.
    tick: Option<(Probe, i64)>,
    /// What the wait without slack took, with the probe.
    latency: Option<(Probe, i64)>,
    /// How much longer the same wait took with the system's slack.
    slack_ns: Option<i64>,
}

impl Shown {
    pub(super) fn of(
        facts: &Facts,
        battery: &Battery,
        seen: &[Known<Seen>],
        taken: f64,
    ) -> Self {
        let told = |known: &Known<u64>| known.value().copied();
        let first = seen.first().and_then(Known::value);
        let held = first.and_then(|first| first.interval_ns);
        let Anchors { tick, latency, slack } = battery.anchors;
        let median = |place: Option<usize>| {
            let place = place?;
            let seen = seen.get(place)?.value()?;
            Some((battery.always[place].clone(), seen.quantile(0.5)))
        };
        Self {
            coarsest_ns: told(&facts.interval.coarsest_ns),
            finest_ns: told(&facts.interval.finest_ns).map(|finest| {
                // Hardware may grant less than it says is the finest.
                let had = seen.iter().filter_map(|own| own.value()?.interval());
                had.fold(finest, u64::min)
            }),
            held_ns: held.map(|(before, after)| before.min(after)),
            taken,
            hz: None,
            tick: median(tick),
            latency: median(latency),
            slack_ns: median(slack)
                .zip(median(latency))
                .map(|((_, with), (_, without))| with - without),
        }
    }

    /// A machine of which only the interval in force is known, 0 for the
    /// default.
    pub(super) fn of_interval(held_ns: u64) -> Self {
        let held_ns = Some(held_ns).filter(|held| *held > 0);
        // Only what is finer than this is held by somebody.
        let coarsest_ns = Some(COARSEST);
        Self { coarsest_ns, held_ns, ..Self::default() }
    }

    /// A machine of which only the rate of its tick is known.
    pub(super) fn of_tick(hz: u64) -> Self {
        Self { hz: Some(hz), ..Self::default() }
    }

    /// The interval that somebody held before we began, if it is finer than
    /// the default.
    pub(super) fn held_by_another(&self) -> Option<u64> {
        let (held, coarsest) = self.held_ns.zip(self.coarsest_ns)?;
        (held * 20 < coarsest * 19).then_some(held)
    }

    /// The same machine without whoever held an interval.
    pub(super) fn left_alone(&self) -> Self {
        Self { held_ns: None, ..self.clone() }
    }

    /// A candidate with these constants, once for each end of the range of
    /// those that cannot be seen. Empty if it cannot have them.
    pub(super) fn fit(&self, candidate: &Candidate) -> Vec<Spec> {
        let mut spec = candidate.spec.clone();
        if spec.kernel == Kernel::Windows {
            self.fit_interval(&mut spec);
        } else if self.fit_tick(&mut spec).is_none() {
            return Vec::new();
        }
        // More CPUs than this only cost time.
        spec.constants.cpus = spec.constants.cpus.min(2);
        spec.constants.tick_phases.truncate(2);
        let mut specs = ranged(spec);
        specs.retain(|spec| spec.faults().is_empty());
        specs
    }

    fn fit_interval(&self, spec: &mut Spec) {
        let constants = &mut spec.constants;
        if let Some(coarsest) = self.coarsest_ns {
            constants.coarsest = Span::from_ns(coarsest);
            constants.true_tick = constants.coarsest;
        }
        if let Some(finest) = self.finest_ns {
            constants.finest = Span::from_ns(finest);
        }
        constants.interval = self.held_by_another().map(Span::from_ns);
        constants.interval_grid_ps = 0;
    }

    /// Makes the tick so long that the shortest timer of CPU time takes what
    /// it took; then the wake latency that which the wait without slack shows.
    fn fit_tick(&self, spec: &mut Spec) -> Option<()> {
        if let Some(hz) = self.hz {
            let tick = Span::from_ns(1_000_000_000 / hz.max(1));
            let constants = &mut spec.constants;
            constants.coarsest = tick;
            constants.finest = tick;
            constants.true_tick = tick;
            constants.tick_phases.clear();
        }
        let Some((probe, took)) = &self.tick else { return Some(()) };
        let would = predict(spec, probe)?.quantile(0.5);
        let scale = |span: Span| {
            let scaled = i128::from(span.ns()) * i128::from(*took)
                / i128::from(would.max(1));
            Span::from_ns(u64::try_from(scaled).unwrap_or(u64::MAX))
        };
        let constants = &mut spec.constants;
        constants.coarsest = scale(constants.coarsest);
        constants.finest = constants.coarsest;
        constants.true_tick = scale(constants.true_tick);
        for phase in &mut constants.tick_phases {
            *phase = scale(*phase);
        }
        if spec.rules.expiry == Expiry::AtOnce {
            self.fit_latency(spec)?;
        }
        Some(())
    }

    fn fit_latency(&self, spec: &mut Spec) -> Option<()> {
        let Some((probe, took)) = &self.latency else { return Some(()) };
        if !spec.faults().is_empty() {
            return None;
        }
        let more = took - predict(spec, probe)?.quantile(0.5);
        let constants = &mut spec.constants;
        let most = constants.coarsest.ns() as i64 / 4;
        let own = constants.idle_exit.ns() as i64 + more;
        let own = own.clamp(0, most.max(0)) as u64;
        constants.idle_exit = Span::from_ns(own);
        if let Some(slack) = self.slack_ns {
            let slack = slack.clamp(0, LONGEST_SLACK) as u64;
            constants.slack = Span::from_ns(slack);
        }
        let short = constants.short_idle_exit.ns().min(own);
        constants.short_idle_exit = Span::from_ns(short);
        Some(())
    }
}

/// The same machine at the ends of what its constants may be: each 30 % less
/// and more.
fn ranged(spec: Spec) -> Vec<Spec> {
    let times =
        |span: Span, tenths: u64| Span::from_ns(span.ns() * tenths / 10);
    let mut specs = vec![spec];
    let mut vary = |vary: &dyn Fn(&Spec) -> Vec<Spec>| {
        specs = specs.iter().flat_map(vary).collect();
    };
    vary(&|spec| {
        if spec.rules.looks != Looks::H5 {
            return vec![spec.clone()];
        }
        let overshoot = |tenths| {
            let mut own = spec.clone();
            let over = &mut own.constants.pass_overshoot;
            *over = times(*over, tenths);
            own
        };
        [10, 7, 13].map(overshoot).to_vec()
    });
    vary(&|spec| {
        if spec.rules.noise != Noise::Band
            || spec.rules.looks == Looks::Everyone
        {
            return vec![spec.clone()];
        }
        // Whether an interval is inside the band is not known near its ends.
        let band = |first: u64, last: u64| {
            let mut own = spec.clone();
            let constants = &mut own.constants;
            constants.noise_from = times(constants.noise_from, first);
            constants.noise_to = times(constants.noise_to, last);
            own
        };
        vec![band(7, 13), band(13, 7)]
    });
    vary(&|spec| {
        if spec.rules.expiry == Expiry::AtTick {
            return vec![spec.clone()];
        }
        let latency = |tenths| {
            let mut own = spec.clone();
            let exit = &mut own.constants.idle_exit;
            *exit = times(*exit, tenths);
            own
        };
        [10, 7, 13].map(latency).to_vec()
    });
    specs
}

/// The seed of all predictions: one like any other.
const SEED: u64 = 1;
/// The most rounds a prediction may take.
const EVENTS: u64 = 3_000_000;

/// What a machine would show; `None` if it cannot play the probe.
pub(super) fn predict(spec: &Spec, probe: &Probe) -> Option<Seen> {
    let limits = Limits { events: EVENTS, ..Limits::default() };
    let mut sim = Sim::new(spec.clone(), SEED).with_limits(limits);
    let facts = sim.facts().ok()?;
    let workload = probe.workload();
    let mut recording = Recording::new(&workload);
    let ending = sim.play(&workload, &mut recording).ok()?;
    let saved = Saved { facts, workload, recording, ending };
    Seen::of(probe, &saved).value().cloned()
}
