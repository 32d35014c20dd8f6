//! How late a Windows sleep may be on an idle machine: P3, P4.

use proptest::prelude::*;
use timerscope::machine::{Action, Phase, Span, Workload};
use timerscope::sim::Spec;
use timerscope::sim::rules::{Looks, Noise};

use crate::actions::work;
use crate::machines::{
    Named, any_interval_us, any_machine, has_passes, interval_ns, ns, quiet,
    windows, with_interval,
};
use crate::played::{config, play};
use crate::workloads::{beside, for_ever, lone, sleep, workload};

/// One sleeper on a CPU of its own, others on the other CPUs.
#[derive(Clone, Debug)]
struct Sleepers {
    sleeps_ms: Vec<u64>,
    pause_us: u64,
    random: bool,
    others_ms: Vec<u64>,
}

fn any_sleepers() -> impl Strategy<Value = Sleepers> {
    let sleeps = prop::collection::vec(1..20_u64, 1..4);
    let others = prop::collection::vec(1..20_u64, 0..3);
    (sleeps, 0..3_000_u64, any::<bool>(), others).prop_map(
        |(sleeps_ms, pause_us, random, others_ms)| Sleepers {
            sleeps_ms,
            pause_us,
            random,
            others_ms,
        },
    )
}

impl Sleepers {
    fn on(&self, spec: &Spec, first: Vec<Action>) -> Workload {
        let mut body = vec![work(spec, self.pause_us)];
        body.extend(self.sleeps_ms.iter().map(|ms| sleep(spec, *ms)));
        let mut actions = first;
        actions.push(for_ever(body));
        let mut own = lone("own", 3, actions);
        if self.random {
            own.tasks[0].phase = Phase::Random;
        }
        let mut all = vec![own];
        for (cpu, ms) in (0..3).zip(&self.others_ms) {
            let body = vec![sleep(spec, *ms)];
            let name = format!("other-{cpu}");
            all.push(beside(&name, cpu, vec![for_ever(body)]));
        }
        workload(all, 120)
    }
}

/// From the expiry of a timer to user code on an idle CPU, and the call
/// before.
fn latency(spec: &Spec) -> i64 {
    let c = &spec.constants;
    ns(c.system_call) + ns(c.switch) + ns(c.idle_exit)
}

proptest! {
    #![proptest_config(config())]

    /// P3: where each tick looks at everyone, and for requesters, no sleep on
    /// an idle machine is later than one interval and the wake-up latency.
    #[test]
    fn no_sleep_of_the_served_is_later_than_one_interval(
        Named(spec) in any_machine(windows),
        interval_us in any_interval_us(),
        sleepers in any_sleepers(),
    ) {
        let spec = with_interval(quiet(spec), interval_us);
        let served = spec.rules.looks == Looks::Everyone;
        let first = if served {
            Vec::new()
        } else {
            vec![Action::Request(Span::from_us(interval_us))]
        };
        let run = play(&spec, 1, &sleepers.on(&spec, first));
        let most = interval_ns(&spec) + latency(&spec);
        for sample in run.met(0).filter(|own| own.due > own.began) {
            prop_assert!(sample.lateness_ns() <= most, "{sample:?} {most}");
        }
    }

    /// P4: a silent process's sleep is never later than the longer of the
    /// interval and 15.625 ms and 1 ms, and one interval more in the noise.
    #[test]
    fn no_sleep_of_the_silent_is_later_than_one_pass(
        Named(spec) in any_machine(has_passes),
        interval_us in any_interval_us(),
        sleepers in any_sleepers(),
        noisy: bool,
        seed: u64,
    ) {
        let mut spec = with_interval(quiet(spec), interval_us);
        if noisy {
            spec.rules.noise = Noise::Band;
        }
        let run = play(&spec, seed, &sleepers.on(&spec, Vec::new()));
        let c = &spec.constants;
        let interval = interval_ns(&spec);
        let pass = interval.max(ns(c.coarsest) + 1_000_000);
        let band = ns(c.noise_from)..=ns(c.noise_to);
        let noise =
            if noisy && band.contains(&interval) { interval } else { 0 };
        let most = pass + noise + latency(&spec);
        prop_assert!(run.met(0).count() > 0);
        for sample in run.met(0) {
            prop_assert!(sample.lateness_ns() <= most, "{sample:?} {most}");
        }
    }
}
