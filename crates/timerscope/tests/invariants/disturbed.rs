//! What comes by chance: ticks handled late, tasks that move, CPUs that are
//! taken away. OB-4 to OB-7, W-S10.

use timerscope::machine::{Action, ClockKind, Keep, Meanwhile, Span, WaitKind};
use timerscope::sim::Spec;
use timerscope::trace::{Event, What};

use crate::actions::work;
use crate::machines::{free, machine, ns};
use crate::played::{Played, play};
use crate::workloads::{for_ever, lone, sleep, workload};

const TICK: i64 = 9_999_850;

fn openbsd() -> Spec {
    free(machine("openbsd-6.9"))
}

fn times(run: &Played, cpu: u32, what: What) -> Vec<i64> {
    let own = |event: &&Event| event.cpu == Some(cpu) && event.what == what;
    run.events.iter().filter(own).map(|event| event.at).collect()
}

/// A run of somebody who only computes.
fn computing(spec: &Spec, cpus: &[u32], seconds: u64) -> Played {
    let mut own = lone("own", 0, vec![for_ever(vec![work(spec, 1_000_000)])]);
    own.tasks[0].cpus = cpus.to_vec();
    play(spec, 1, &workload(vec![own], seconds * 1_000))
}

/// Interval timers in step with the tick.
fn in_step(
    spec: &Spec,
    how: WaitKind,
    us: u64,
    meanwhile: Meanwhile,
) -> Played {
    let keep = Keep::Everything;
    let span = Span::from_us(us);
    let wait = Action::Wait { how, span, meanwhile, keep };
    let own = lone("own", 0, vec![for_ever(vec![wait])]);
    play(spec, 1, &workload(vec![own], 3_000))
}

/// OB-1, OB-4, OB-5: five nominal ticks take six real ones, which are a
/// little shorter; five while the clock that counts them is slewed.
#[test]
fn a_slewed_clock_needs_one_tick_less() {
    let ends = |spec: &Spec| {
        let (how, meanwhile) = (WaitKind::ItimerReal, Meanwhile::Block);
        let run = in_step(spec, how, 50_000, meanwhile);
        let at: Vec<i64> = times(&run, 0, What::Expired { role: 0 });
        at.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    let steady = ends(&openbsd());
    assert!(steady.iter().all(|own| *own == 6 * TICK), "{steady:?}");
    let mut spec = openbsd();
    spec.constants.slew_ns_per_s = 5_000_000;
    spec.constants.slew_budget = Span::from_ms(5);
    let slewed = ends(&spec);
    // 5 ms of correction are used up after a second.
    assert!(slewed[..18].iter().all(|own| *own == 5 * TICK), "{slewed:?}");
    assert!(slewed[21..].iter().all(|own| *own == 6 * TICK), "{slewed:?}");
}

/// OB-5: a correction changes the clocks that tell the time, and no counter.
#[test]
fn counters_are_not_slewed() {
    let mut spec = free(machine("linux-6"));
    spec.constants.slew_ns_per_s = 5_000_000;
    spec.constants.slew_budget = Span::from_ms(1_000);
    spec.constants.cpu_khz = 1_000_000;
    for clock in &mut spec.clocks {
        (clock.cycles, clock.loaded_cycles) = (0, 0);
    }
    let reading = |clock| {
        let keep = Keep::Everything;
        let read = Action::Read { clock, times: 1, keep };
        let body = vec![work(&spec, 100_000), read];
        let run = play(&spec, 1, &workload(vec![lone("own", 0, body)], 500));
        let ran = run.ending.roles[0].cpu_ns.value().copied().unwrap() as i64;
        (run.met(0).next().unwrap().value, ran)
    };
    for clock in [ClockKind::MonotonicRaw, ClockKind::Tsc] {
        let (value, ran) = reading(clock);
        assert_eq!(value, ran, "{clock}");
    }
    let (value, ran) = reading(ClockKind::Monotonic);
    assert_eq!(value, ran + ran / 200);
}

/// OB-6: each CPU ticks at a phase of its own.
#[test]
fn each_cpu_ticks_at_its_phase() {
    let spec = openbsd();
    let run = computing(&spec, &[0, 1, 2, 3], 1);
    for (cpu, phase) in (0..).zip(&spec.constants.tick_phases) {
        let ticks = times(&run, cpu, What::Tick);
        assert!(ticks.len() >= 99, "{cpu}: {}", ticks.len());
        let off = |at: &i64| (at - ns(*phase)).rem_euclid(TICK) != 0;
        assert_eq!(ticks.iter().find(|at| off(at)), None, "{cpu}");
    }
}

/// OB-6: a running task moves as often as the machine says, if it may.
#[test]
fn a_running_task_moves_now_and_then() {
    let mut spec = openbsd();
    spec.constants.moves_per_1000s = 13_000;
    let moves = |cpus: &[u32]| {
        let run = computing(&spec, cpus, 100);
        let ran = |event: &&Event| matches!(event.what, What::Ran { .. });
        let on: Vec<_> =
            run.events.iter().filter(ran).map(|event| event.cpu).collect();
        on.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let free = moves(&[0, 1, 2, 3]);
    assert!((1_150..1_450).contains(&free), "{free}");
    assert_eq!(moves(&[2]), 0);
}

/// OB-7: so many ticks are handled late, so late on average, and one of each
/// second.
#[test]
fn some_ticks_are_handled_late() {
    let late = |spec: &Spec| -> Vec<i64> {
        let run = computing(spec, &[0], 400);
        let ticks = times(&run, 0, What::Tick);
        assert!(ticks.len() > 39_000);
        let late = ticks.iter().map(|at| at % TICK);
        late.filter(|late| *late > 0).collect()
    };
    let mut spec = openbsd();
    spec.constants.late_tick_ppm = 75_000;
    let own = late(&spec);
    assert!((2_750..3_250).contains(&own.len()), "{}", own.len());
    let mean = own.iter().sum::<i64>() / own.len() as i64;
    assert!((280_000..320_000).contains(&mean), "{mean}");
    let mut spec = openbsd();
    spec.constants.late_second = Span::from_us(320);
    let own = late(&spec);
    assert!((398..402).contains(&own.len()), "{}", own.len());
    assert!(own.iter().all(|late| *late == 320_000), "{own:?}");
}

/// OB-7: others take the CPU of who burns, more often where a profiling timer
/// is awaited.
#[test]
fn others_take_the_cpu_of_who_burns() {
    let mut spec = openbsd();
    spec.constants.taken_per_1000s = 20_000;
    spec.constants.taken_prof_per_1000s = 200_000;
    spec.constants.taken = Span::from_us(500);
    let taken = |how, meanwhile| {
        let run = in_step(&spec, how, 100_000, meanwhile);
        let own = |event: &Event| match event.what {
            What::Stolen { for_ns } => Some(for_ns),
            _ => None,
        };
        run.events.iter().filter_map(own).collect::<Vec<i64>>()
    };
    // In 3 s: 60, and 600.
    let plain = taken(WaitKind::ItimerVirtual, Meanwhile::Burn);
    assert!((30..95).contains(&plain.len()), "{}", plain.len());
    let prof = taken(WaitKind::ItimerProf, Meanwhile::Burn);
    assert!((500..700).contains(&prof.len()), "{}", prof.len());
    let mean = prof.iter().sum::<i64>() / prof.len() as i64;
    assert!((440_000..560_000).contains(&mean), "{mean}");
    assert!(taken(WaitKind::ItimerReal, Meanwhile::Block).is_empty());
}

/// W-S10: the host takes the CPU away at some ticks, which come when it is
/// back; those that fall in between never come.
#[test]
fn a_tick_comes_when_the_host_is_back_and_the_next_in_step() {
    let mut spec = free(machine("windows-server-2008-vm"));
    let (c, ms) = (&mut spec.constants, Span::from_ms);
    c.steal_ppm = 80_000;
    (c.steal_least, c.steal_most) = (ms(20), ms(40));
    let own = lone("own", 0, vec![for_ever(vec![sleep(&spec, 1)])]);
    let run = play(&spec, 1, &workload(vec![own], 60_000));
    let ticks = times(&run, 0, What::Tick);
    let (mut stolen, mut between) = (0, 0);
    for event in run.events.iter().filter(|event| event.cpu == Some(0)) {
        let What::Stolen { for_ns } = event.what else { continue };
        stolen += 1;
        assert!((20_000_000..=40_000_000).contains(&for_ns), "{for_ns}");
        let period = 15_625_000;
        let back = event.at + for_ns;
        let after: Vec<_> =
            ticks.iter().filter(|at| **at > event.at).take(2).collect();
        let [first, second] = after[..] else { break };
        assert_eq!(*first, back);
        // Unless the host takes that one, too.
        let next = (back / period + 1) * period;
        between += i32::from(next - event.at >= 3 * period);
        assert!(*second == next || *second >= next + 20_000_000);
    }
    // 8 of 100 of some 3,600 ticks.
    assert!((220..360).contains(&stolen), "{stolen}");
    assert!(between > 50, "{between}");
}
