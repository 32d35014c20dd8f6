//! OpenBSD's interval timers: P5, P18.

use proptest::prelude::*;
use proptest::sample::select;
use timerscope::machine::{
    Action, Keep, Meanwhile, Phase, Process, Span, WaitKind,
};
use timerscope::sim::Spec;
use timerscope::sim::rules::Rounding;
use timerscope::trace::{Event, What};

use crate::actions::work;
use crate::machines::{Named, any_machine, machine, ns, openbsd, quiet};
use crate::played::{Played, config, play};
use crate::workloads::{beside, for_ever, lone, sleep, workload};

const TICK_US: u64 = 10_000;

fn wait(how: WaitKind, us: u64, burns: bool) -> Action {
    Action::Wait {
        how,
        span: Span::from_us(us),
        meanwhile: if burns { Meanwhile::Burn } else { Meanwhile::Block },
        keep: Keep::Everything,
    }
}

/// A process that waits by one timer, and loads beside it.
fn timed(
    spec: &Spec,
    waits: Vec<Action>,
    random: bool,
    loads_ms: &[u64],
) -> Vec<Process> {
    let mut own = lone("own", 1, waits);
    if random {
        own.tasks[0].phase = Phase::Random;
    }
    let load = |(name, ms): (usize, &u64)| {
        let body = vec![work(spec, 2_000), sleep(spec, *ms)];
        beside(&format!("load-{name}"), 1, vec![for_ever(body)])
    };
    let mut all = vec![own];
    all.extend(loads_ms.iter().enumerate().map(load));
    all
}

/// The longest time between two ticks that look at timers.
fn longest_tick(run: &Played) -> i64 {
    let own = |event: &&Event| event.what == What::Tick && event.cpu == Some(0);
    let ticks: Vec<i64> =
        run.events.iter().filter(own).map(|event| event.at).collect();
    let gaps = ticks.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.chain(ticks.first().copied()).max().unwrap_or(0)
}

/// From each arming to its expiry: how many ticks found the task running.
fn ticks_counted(run: &Played) -> Vec<i64> {
    let (mut on, mut count, mut all) = (None, None, Vec::new());
    for event in &run.events {
        match event.what {
            What::Ran { role: 0, .. } => on = event.cpu,
            What::Left { role: 0, .. } => on = None,
            What::Armed { role: 0, .. } => count = Some(0),
            What::Tick if event.cpu == on => {
                count = count.map(|count: i64| count + 1);
            }
            What::Expired { role: 0 } => all.extend(count.take()),
            _ => {}
        }
    }
    all
}

proptest! {
    #![proptest_config(config())]

    /// P5: a real interval timer is no later than the longest tick that came,
    /// its handling and the wake-up latency.
    #[test]
    fn no_real_timer_is_later_than_the_longest_tick(
        Named(spec) in any_machine(openbsd),
        spans_us in prop::collection::vec(0..30_000_u64, 1..5),
        burns: bool,
        random: bool,
        seed: u64,
    ) {
        let mut spec = spec;
        spec.constants.taken_per_1000s = 0;
        spec.constants.taken_prof_per_1000s = 0;
        let waits = spans_us
            .iter()
            .map(|us| wait(WaitKind::ItimerReal, *us, burns));
        let all = timed(&spec, waits.collect(), random, &[]);
        let run = play(&spec, seed, &workload(all, 400));
        let c = &spec.constants;
        // A burning task may be moved to another CPU meanwhile.
        let latency = ns(c.system_call)
            + ns(c.idle_exit)
            + 2 * ns(c.switch)
            + ns(c.tick_cost)
            + if burns { ns(c.signal) } else { 0 };
        let tick = longest_tick(&run);
        prop_assert_eq!(run.met(0).count(), spans_us.len());
        for (sample, us) in run.met(0).zip(&spans_us) {
            let short = spec.rules.rounding == Rounding::OneTick
                && *us > 0 && *us < TICK_US;
            let value = if short { TICK_US } else { *us } as i64 * 1000;
            let most = value + tick + latency;
            prop_assert!(sample.took_ns() <= most, "{sample:?} {most}");
        }
    }

    /// P5: a timer that counts CPU time rings after exactly as many counted
    /// ticks as its span has, rounded up, whatever else runs.
    #[test]
    fn cpu_timers_count_exactly_their_ticks(
        Named(spec) in any_machine(openbsd),
        how in select(vec![WaitKind::ItimerVirtual, WaitKind::ItimerProf]),
        spans_us in prop::collection::vec(0..40_000_u64, 1..4),
        random: bool,
        loads_ms in prop::collection::vec(1..15_u64, 0..3),
        seed: u64,
    ) {
        let mut spec = spec;
        // Late ticks and moves stay; who sees no tick counts none.
        spec.constants.user_ppm = 1_000_000;
        spec.constants.taken_per_1000s = 0;
        spec.constants.taken_prof_per_1000s = 0;
        let waits = spans_us.iter().map(|us| wait(how, *us, true));
        let all = timed(&spec, waits.collect(), random, &loads_ms);
        let run = play(&spec, seed, &workload(all, 600));
        let counted = ticks_counted(&run);
        for (ticks, us) in counted.iter().zip(&spans_us) {
            let whole = us.div_ceil(TICK_US).max(1) as i64;
            prop_assert_eq!(*ticks, whole, "{} us", us);
        }
        prop_assert!(!counted.is_empty());
    }

    /// L-3: on Linux a timer that counts CPU time needs one tick more.
    #[test]
    fn on_linux_cpu_timers_count_one_tick_more(
        name in select(vec!["linux-6", "linux-lowres"]),
        how in select(vec![WaitKind::ItimerVirtual, WaitKind::ItimerProf]),
        spans_us in prop::collection::vec(1..20_000_u64, 1..4),
        random: bool,
        loads_ms in prop::collection::vec(1..15_u64, 0..3),
    ) {
        let spec = quiet(machine(name));
        let waits = spans_us.iter().map(|us| wait(how, *us, true));
        let all = timed(&spec, waits.collect(), random, &loads_ms);
        let run = play(&spec, 1, &workload(all, 600));
        let counted = ticks_counted(&run);
        for (ticks, us) in counted.iter().zip(&spans_us) {
            prop_assert_eq!(*ticks, us.div_ceil(4_000) as i64 + 1);
        }
        prop_assert!(!counted.is_empty());
    }

    /// P18: the patch changes real timers only for spans below one tick, and
    /// those only for the shorter; timers that count CPU time never.
    #[test]
    fn the_patch_changes_only_short_real_timers(
        name in select(vec!["openbsd-6.9", "openbsd-7.0"]),
        how in select(vec![
            WaitKind::ItimerReal,
            WaitKind::ItimerVirtual,
            WaitKind::ItimerProf,
        ]),
        us in prop_oneof![
            select(vec![0, 1, 9_999, 10_000, 10_001]),
            0..12_000_u64,
            0..60_000_u64,
        ],
        random: bool,
        loads_ms in prop::collection::vec(1..15_u64, 0..2),
        rings: bool,
        seed: u64,
    ) {
        let patched = |rounding| {
            let mut spec = machine(name);
            spec.rules.rounding = rounding;
            let action = if rings {
                Action::Ring {
                    how,
                    span: Span::from_us(us),
                    again: Span::from_us(us.max(1)),
                    times: 3,
                    meanwhile: Meanwhile::Burn,
                    keep: Keep::Everything,
                }
            } else {
                wait(how, us, true)
            };
            let all = timed(&spec, vec![action], random, &loads_ms);
            play(&spec, seed, &workload(all, 200))
        };
        let before = patched(Rounding::OneTick);
        let after = patched(Rounding::None);
        let short = us > 0 && us < TICK_US && how == WaitKind::ItimerReal;
        if short {
            let first = |run: &Played| run.met(0).next().map(|own| own.ended);
            prop_assert!(first(&before) >= first(&after));
        } else {
            prop_assert_eq!(before, after);
        }
    }

    /// P18: in step with the tick, a real timer below one tick takes two
    /// ticks before the patch and one after.
    #[test]
    fn in_step_a_short_real_timer_takes_two_ticks_then_one(
        us in 1..9_900_u64,
    ) {
        for (rounding, ticks) in [(Rounding::OneTick, 2), (Rounding::None, 1)] {
            let mut spec = quiet(machine("openbsd-6.9"));
            spec.rules.rounding = rounding;
            let waits = vec![wait(WaitKind::ItimerReal, us, false)];
            let all = timed(&spec, waits, false, &[]);
            let run = play(&spec, 1, &workload(all, 100));
            let least = ticks * ns(spec.constants.true_tick);
            let ended = run.met(0).next().unwrap().ended;
            prop_assert!((least..least + 100_000).contains(&ended), "{ended}");
        }
    }
}
