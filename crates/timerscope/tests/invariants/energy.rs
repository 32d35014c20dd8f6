//! Energy and throughput: P13.

use proptest::prelude::*;
use timerscope::machine::{Process, Workload};
use timerscope::sim::Spec;
use timerscope::sim::rules::{IdleTick, Looks};

use crate::machines::{
    Named, any_interval_us, any_machine, quiet, windows, with_interval,
};
use crate::played::{config, play};
use crate::workloads::{
    HAPPENINGS, any_script, for_ever, lone, sleep, workload,
};

const LASTS_MS: u64 = 200;

fn limited(mut workload: Workload, us: u64) -> Workload {
    workload.limit = timerscope::machine::Span::from_us(us);
    workload
}

/// Sleepers with a CPU each.
fn sleepers(spec: &Spec, all_ms: &[u64]) -> Vec<Process> {
    let own = (0..).zip(all_ms).map(|(cpu, ms)| {
        let body = vec![sleep(spec, *ms)];
        lone(&format!("sleeper-{cpu}"), cpu, vec![for_ever(body)])
    });
    own.collect()
}

/// Workers with a CPU each.
fn workers(spec: &Spec, cpus: u32) -> Vec<Process> {
    let body = || vec![for_ever(vec![crate::actions::work(spec, 100)])];
    (0..cpus).map(|cpu| lone(&format!("worker-{cpu}"), cpu, body())).collect()
}

proptest! {
    #![proptest_config(config())]

    /// P13: energy never falls with time.
    #[test]
    fn energy_never_falls_with_time(
        Named(spec) in any_machine(|_| true),
        script in any_script(&HAPPENINGS),
        one_us in 60_000..90_000_u64,
        other_us in 60_000..90_000_u64,
        seed: u64,
    ) {
        let workload = script.on(&spec);
        let energy = |us| {
            play(&spec, seed, &limited(workload.clone(), us)).energy_uj()
        };
        let (short, long) = (one_us.min(other_us), one_us.max(other_us));
        prop_assert!(energy(short) <= energy(long));
    }

    /// P13: a sleeper more, and so wake-ups more, never takes less energy.
    #[test]
    fn energy_never_falls_with_wake_ups(
        Named(spec) in any_machine(|_| true),
        interval_us in any_interval_us(),
        sleeps_ms in prop::collection::vec(1..40_u64, 2..5),
    ) {
        let spec = with_interval(quiet(spec), interval_us);
        let run = |count: usize| {
            let own = sleepers(&spec, &sleeps_ms[..count]);
            play(&spec, 1, &workload(own, LASTS_MS))
        };
        let (fewer, more) = (run(sleeps_ms.len() - 1), run(sleeps_ms.len()));
        prop_assert!(fewer.energy_uj() < more.energy_uj());
    }

    /// P13: where every tick looks at everyone, halving the interval never
    /// lowers the energy of sleepers. For intervals of which neither is a
    /// multiple of the other the law does not hold: Sleep(9) takes 18 ms
    /// at 9 ms and 10 ms at 10 ms. Nor for several sleepers where idle CPUs
    /// skip ticks: at half the interval they may share ticks they did not.
    #[test]
    fn half_the_interval_never_takes_less_energy(
        Named(spec) in any_machine(|spec| windows(spec)
            && spec.rules.looks == Looks::Everyone),
        fine_us in 1_000..1_950_u64,
        halvings in 1..4_u32,
        sleeps_ms in prop::collection::vec(1..40_u64, 0..4),
        busy_cpus in 0..3_u32,
    ) {
        let mut sleeps_ms = sleeps_ms;
        if spec.rules.idle_tick == IdleTick::Skipped {
            sleeps_ms.truncate(1);
        }
        let energy = |us| {
            let spec = with_interval(quiet(spec.clone()), us);
            let mut own = sleepers(&spec, &sleeps_ms);
            for mut worker in workers(&spec, 4 - sleeps_ms.len() as u32)
                .into_iter().take(busy_cpus as usize)
            {
                let task = &mut worker.tasks[0];
                task.cpus[0] += sleeps_ms.len() as u32;
                own.push(worker);
            }
            if own.is_empty() {
                own = sleepers(&spec, &[1_000]);
            }
            play(&spec, 1, &workload(own, LASTS_MS)).energy_uj()
        };
        prop_assert!(energy(fine_us) >= energy(fine_us << halvings));
    }

    /// P13: without sleepers a finer interval never takes less energy, nor
    /// leaves more to those who work, whatever the rules.
    #[test]
    fn without_sleepers_a_finer_interval_only_costs(
        Named(spec) in any_machine(windows),
        one_us in any_interval_us(),
        other_us in any_interval_us(),
        cpus in 1..5_u32,
    ) {
        let run = |us| {
            let spec = with_interval(quiet(spec.clone()), us);
            play(&spec, 1, &workload(workers(&spec, cpus), LASTS_MS))
        };
        let (fine, coarse) = (one_us.min(other_us), one_us.max(other_us));
        let (fine, coarse) = (run(fine), run(coarse));
        prop_assert!(fine.cpu_ns() <= coarse.cpu_ns());
        prop_assert!(fine.energy_uj() >= coarse.energy_uj());
    }
}
