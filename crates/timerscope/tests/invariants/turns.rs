//! Who runs, and for how long: P14.

use proptest::prelude::*;
use timerscope::machine::{Happening, Span};
use timerscope::sim::Spec;
use timerscope::sim::rules::{Charge, Sharing};
use timerscope::trace::What;

use crate::machines::{
    Named, any_interval_us, any_machine, ns, quiet, with_interval,
};
use crate::played::{Played, config, play};
use crate::standing::{Standing, Turn};
use crate::workloads::{HAPPENINGS, any_script};

/// Everything that does not take a CPU from outside in the middle of what it
/// does.
const GENTLE: [Happening; 4] = [
    Happening::Show,
    Happening::Hide,
    Happening::Foreground,
    Happening::Background,
];

/// A machine whose CPUs answer at once.
fn prompt(spec: Spec) -> Spec {
    let mut spec = quiet(spec);
    spec.constants.idle_exit = Span::ZERO;
    spec.constants.short_idle_exit = Span::ZERO;
    spec.constants.cross_wake = Span::ZERO;
    spec
}

/// The longest turn that began then: to the first tick at which a quantum is
/// used up.
fn longest(spec: &Spec, interval: i64, turn: &Turn) -> i64 {
    let quantum = ns(spec.constants.quantum);
    let whole = (quantum + interval - 1) / interval * interval;
    if turn.at_tick || spec.rules.charge == Charge::ByTick {
        return whole;
    }
    quantum + interval
}

/// How much CPU time was handed out, and how many ticks came to a busy CPU.
fn handed_out(run: &Played, cpus: usize) -> (i64, i64) {
    let mut since = vec![None; cpus];
    let (mut handed, mut ticks) = (0, 0);
    for event in &run.events {
        let Some(cpu) = event.cpu.map(|cpu| cpu as usize) else { continue };
        match event.what {
            What::Ran { .. } => since[cpu] = Some(event.at),
            What::Left { .. } => {
                handed += event.at - since[cpu].take().unwrap();
            }
            What::Tick if since[cpu].is_some() => ticks += 1,
            _ => {}
        }
    }
    let end = run.ending.lasted_ns as i64;
    handed += since.iter().flatten().map(|from| end - from).sum::<i64>();
    (handed, ticks)
}

proptest! {
    #![proptest_config(config())]

    /// P14: no ready thread waits while a lower one runs on its CPU, or none.
    #[test]
    fn nobody_waits_for_a_lower_one(
        Named(spec) in any_machine(|_| true),
        script in any_script(&HAPPENINGS),
        seed: u64,
    ) {
        let workload = script.on(&spec);
        let run = play(&spec, seed, &workload);
        let mut standing = Standing::new(&spec, &workload, &run);
        for moment in run.events.chunk_by(|one, other| one.at == other.at) {
            for event in moment {
                standing.see(event);
            }
            prop_assert_eq!(standing.unjust(), None, "{:?}", moment);
        }
    }

    /// P14: while an equal is ready, no thread runs on past the first tick at
    /// which it has used up its quantum; a turn that begins at a tick is a
    /// quantum in whole intervals.
    #[test]
    fn equals_take_turns(
        Named(spec) in any_machine(|spec| spec.rules.sharing == Sharing::Levels),
        interval_us in any_interval_us(),
        quantum_ms in 1..30_u64,
        script in any_script(&HAPPENINGS),
    ) {
        let mut spec = with_interval(prompt(spec), interval_us);
        spec.constants.quantum = Span::from_ms(quantum_ms);
        let workload = script.silent().on(&spec);
        let run = play(&spec, 1, &workload);
        let interval = run.intervals().last().unwrap().1;
        let mut standing = Standing::new(&spec, &workload, &run);
        let mut last = 0;
        for moment in run.events.chunk_by(|one, other| one.at == other.at) {
            for turn in standing.turns_with_equals() {
                let ran = moment[0].at - turn.since;
                let most = longest(&spec, interval, &turn);
                prop_assert!(ran <= most, "{turn:?} {ran} {most} {last}");
            }
            for event in moment {
                standing.see(event);
            }
            last = moment[0].at;
        }
    }

    /// P14: the CPU time handed out is the time a CPU was given away for,
    /// less that of its ticks.
    #[test]
    fn handed_out_cpu_time_is_elapsed_time_less_ticks(
        Named(spec) in any_machine(|_| true),
        tick_us in prop_oneof![Just(0), 0..60_u64],
        script in any_script(&GENTLE),
    ) {
        let mut spec = prompt(spec);
        spec.constants.tick_cost = Span::from_us(tick_us);
        // The way from one CPU to another is nobody's CPU time.
        spec.constants.cross_wake = Span::ZERO;
        let run = play(&spec, 1, &script.on(&spec));
        let cpus = spec.constants.cpus as usize;
        let (handed, ticks) = handed_out(&run, cpus);
        let tick = tick_us as i64 * 1000;
        let off = handed - run.cpu_ns() as i64 - ticks * tick;
        // The end of the run cuts one tick of each CPU short at most.
        prop_assert!((-(cpus as i64) * tick..=0).contains(&off), "{off}");
    }
}
