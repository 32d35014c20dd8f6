//! What each cost adds to one plain case, to the nanosecond: W-S7, W-S8.cost,
//! W-S9.

use timerscope::machine::{Action, ClockKind, Keep, Span, Workload};
use timerscope::sim::Spec;
use timerscope::sim::spec::Constants;

use crate::actions::work;
use crate::machines::{free, machine};
use crate::played::play;
use crate::workloads::{beside, for_ever, lone, sleep, workload};

const TIMES: u64 = 10;

/// CPU time of some actions where only what `cost` sets costs anything.
fn cpu_ns(cost: impl Fn(&mut Constants), action: Action) -> u64 {
    let mut spec = free(machine("windows-7"));
    cost(&mut spec.constants);
    let body = Action::repeat(TIMES, vec![action]);
    let mut own = workload(vec![lone("own", 0, vec![body])], 1_000);
    own.events = vec!["set".to_owned()];
    let run = play(&spec, 1, &own);
    run.cpu_ns()
}

/// Gives way where there is nobody: a system call, and no switch.
const YIELD: Action = Action::Yield;

fn set_and_await() -> Action {
    let name = || "set".to_owned();
    let keep = Keep::Everything;
    Action::SetAwait { set: name(), awaited: name(), timeout: None, keep }
}

/// W-S7: a system call, a switch and a sample take their constants each time.
#[test]
fn each_call_switch_and_sample_takes_its_constant() {
    let us = Span::from_us;
    let call = |c: &mut Constants| c.system_call = us(7);
    let switch = |c: &mut Constants| c.switch = us(3);
    let record = |c: &mut Constants| c.record = us(2);
    assert_eq!(cpu_ns(call, YIELD), TIMES * 7_000);
    // The only switch is to the task itself.
    assert_eq!(cpu_ns(switch, YIELD), 3_000);
    let sleep = sleep(&machine("windows-7"), 1);
    assert_eq!(cpu_ns(switch, sleep), (TIMES + 1) * 3_000);
    assert_eq!(cpu_ns(record, YIELD), 0);
    assert_eq!(cpu_ns(call, set_and_await()), TIMES * 7_000);
    assert_eq!(cpu_ns(record, set_and_await()), TIMES * 2_000);
}

/// W-S7: one on another CPU runs a constant after its event was set; one on
/// the same CPU after a switch.
#[test]
fn a_waiter_on_another_cpu_runs_after_a_constant() {
    let lateness = |cpu| {
        let mut spec = free(machine("windows-7"));
        spec.constants.cross_wake = Span::from_us(5);
        spec.constants.switch = Span::from_us(3);
        let event = || "go".to_owned();
        let keep = Keep::Everything;
        let wait = Action::Await { event: event(), timeout: None, keep };
        let set = vec![work(&spec, 100), Action::Set(event())];
        let all = vec![lone("waits", cpu, vec![wait]), lone("sets", 0, set)];
        let mut own = workload(all, 100);
        own.events = vec![event()];
        let run = play(&spec, 1, &own);
        run.met(0).next().unwrap().lateness_ns()
    };
    assert_eq!(lateness(1), 5_000);
    assert_eq!(lateness(0), 3_000);
}

fn reading(spec: &Spec, busy: bool) -> Workload {
    let keep = Keep::Everything;
    let clock = ClockKind::QueryPerformanceCounter;
    let body = vec![work(spec, 100), Action::Read { clock, times: 10, keep }];
    let mut all = vec![lone("reads", 0, body)];
    if busy {
        let load = vec![for_ever(vec![work(spec, 1_000)])];
        all.push(beside("load", 1, load));
    }
    workload(all, 100)
}

/// W-S9: a reading takes the clock's cycles, more while another CPU is busy,
/// and a system call where it needs one.
#[test]
fn a_reading_takes_its_clocks_cycles() {
    let mut spec = free(machine("windows-7"));
    spec.constants.cpu_khz = 1_000_000;
    let own = ClockKind::QueryPerformanceCounter;
    let clock = spec.clocks.iter_mut().find(|clock| clock.name == own).unwrap();
    (clock.cycles, clock.loaded_cycles) = (300, 500);
    let took =
        |spec: &Spec, busy| play(spec, 1, &reading(spec, busy)).took(0)[0];
    assert_eq!(took(&spec, false), 3_000);
    assert_eq!(took(&spec, true), 5_000);
    let clock = spec.clocks.iter_mut().find(|clock| clock.name == own).unwrap();
    clock.system_call = true;
    spec.constants.system_call = Span::from_us(1);
    assert_eq!(took(&spec, false), 13_000);
}

/// W-S8.cost: energy is a constant for each tick, each wake-up of a task and
/// each second of a busy CPU.
#[test]
fn energy_is_a_sum_over_ticks_wake_ups_and_busy_time() {
    let energy_uj = |cost: fn(&mut Constants)| {
        let mut spec = free(machine("windows-7"));
        let c = &mut spec.constants;
        (c.cpus, c.tick_nj, c.wake_nj, c.busy_uw) = (1, 0, 0, 0);
        cost(c);
        let body = vec![sleep(&spec, 20), work(&spec, 1_000)];
        let body = vec![Action::repeat(TIMES, body)];
        let run = play(&spec, 1, &workload(vec![lone("own", 0, body)], 1_000));
        (run.energy_uj(), run.ending.meters.after)
    };
    let (energy, meters) = energy_uj(|c| c.tick_nj = 5_000_000);
    let ticks = meters.ticks.value().unwrap();
    assert_eq!(energy, 5_000 * ticks);
    // Once at the start, too.
    let (energy, _) = energy_uj(|c| c.wake_nj = 3_000_000);
    assert_eq!(energy, 3_000 * (TIMES + 1));
    let (energy, meters) = energy_uj(|c| c.busy_uw = 2_000_000);
    assert_eq!(energy, 2 * meters.busy_ns.value().unwrap() / 1_000);
    assert!(energy > 2 * TIMES * 990, "{energy}");
}
