//! What each rule about CPUs makes of one plain case: what the invariants
//! leave open.

use timerscope::machine::{Cue, Happening, Priority, Process, Span, Workload};
use timerscope::sim::Spec;
use timerscope::sim::rules::{Boost, Preemption, Remainder, Spent};
use timerscope::trace::{Left, What};

use crate::actions::work;
use crate::machines::{machine, quiet, with_interval};
use crate::played::{Played, play};
use crate::workloads::{beside, for_ever, lone, sleep, workload};

fn at(name: &str, interval_us: u64) -> Spec {
    with_interval(quiet(machine(name)), interval_us)
}

fn hog(spec: &Spec, name: &str) -> Process {
    beside(name, 0, vec![for_ever(vec![work(spec, 1_000)])])
}

fn sleeper(spec: &Spec, work_us: u64) -> Process {
    let body = vec![sleep(spec, 1), work(spec, work_us)];
    lone("sleeper", 0, vec![for_ever(body)])
}

fn in_background(mut process: Process) -> Process {
    let (at, what) = (Span::ZERO, Happening::Background);
    process.script = vec![Cue { at, what }];
    process
}

fn beside_a_hog(spec: &Spec, sleeper: Process) -> Workload {
    workload(vec![sleeper, hog(spec, "hog")], 1_000)
}

fn latest(run: &Played) -> i64 {
    run.took(0).into_iter().max().unwrap()
}

/// How often a task's turn was over.
fn turns_over(run: &Played, own: u32) -> usize {
    let over = |what| {
        matches!(
            what,
            What::Left { role, why: Left::TurnOver } if role == own
        )
    };
    run.events.iter().filter(|event| over(event.what)).count()
}

/// How long each turn of a task was that another's turn followed.
fn turns(run: &Played, own: u32) -> Vec<i64> {
    let (mut since, mut all) = (0, Vec::new());
    for event in &run.events {
        match event.what {
            What::Ran { role, .. } if role == own => since = event.at,
            What::Left { role, why: Left::TurnOver } if role == own => {
                all.push(event.at - since);
            }
            _ => {}
        }
    }
    all
}

/// W-S0, W-S2, W-S2.xp: two equals take turns of a quantum in whole
/// intervals: not longer, not shorter.
#[test]
fn two_equals_take_turns_of_a_quantum_each() {
    for (name, us, quantum_us, turn_us) in [
        ("windows-7", 15_625, 31_250, 31_250),
        ("windows-7", 8_000, 10_000, 16_000),
        ("windows-xp", 15_625, 31_250, 31_250),
        ("windows-xp", 8_000, 10_000, 16_000),
        ("windows-server-2008-vm", 15_625, 187_500, 187_500),
        ("openbsd-6.9", 10_000, 99_990, 99_998),
    ] {
        let mut spec = at(name, us);
        spec.constants.quantum = Span::from_us(quantum_us);
        let mut one = hog(&spec, "one");
        one.background = false;
        let all = vec![one, hog(&spec, "other")];
        let run = play(&spec, 1, &workload(all, 2_000));
        let turns = turns(&run, 0);
        let expected = |own: &i64| *own / 1_000 == turn_us;
        // The first begins when the run does, beside no tick.
        assert!(turns.len() > 3, "{name}");
        assert!(turns.iter().skip(1).all(expected), "{name} {us} {turns:?}");
    }
}

/// How many of a hundred of a sleeper's sleeps end at once.
fn prompt(spec: &Spec, sleeper: Process) -> usize {
    let run = play(spec, 1, &beside_a_hog(spec, sleeper));
    let took = run.took(0);
    let prompt = took.iter().filter(|own| **own < 1_200_000).count();
    prompt * 100 / took.len()
}

/// W-S3, W-S3.off: in the foreground a sleeper gets the CPU from an equal at
/// once; without the boost it waits for the end of a turn.
#[test]
fn a_boost_takes_the_cpu_from_an_equal_at_once() {
    let spec = at("windows-7", 1_000);
    assert!(prompt(&spec, sleeper(&spec, 0)) > 95);
    let own = in_background(sleeper(&spec, 0));
    assert!(prompt(&spec, own) < 10);
    let mut off = spec.clone();
    off.rules.boost = Boost::Off;
    assert!(prompt(&off, sleeper(&off, 0)) < 10);
}

/// W-S1, W-S1.tick: one of higher priority gets the CPU at once, or at the
/// next tick.
#[test]
fn a_higher_one_gets_the_cpu_at_once_or_at_a_tick() {
    let late = |preemption| {
        let mut spec = at("windows-10-2004", 5_000);
        spec.rules.preemption = preemption;
        // Its timer has an interrupt of its own.
        let how = timerscope::machine::WaitKind::WaitableTimerHighResolution;
        let wait = timerscope::machine::Action::wait(how, Span::from_us(7_000));
        let mut own = lone("own", 0, vec![for_ever(vec![wait])]);
        own.tasks[0].priority = Priority::Above;
        latest(&play(&spec, 1, &beside_a_hog(&spec, own)))
    };
    assert!(late(Preemption::AtOnce) < 7_100_000);
    let at_tick = late(Preemption::AtTick);
    assert!((7_100_000..12_200_000).contains(&at_tick), "{at_tick}");
}

/// W-S5, W-S5.off: a sleeper whose quantum is used up wakes once without its
/// boost, and then again with it.
#[test]
fn a_used_up_quantum_costs_one_boost() {
    let unboosted = |spent| {
        let mut spec = at("windows-7", 1_000);
        spec.rules.spent = spent;
        let own = sleeper(&spec, 200);
        let run = play(&spec, 1, &workload(vec![own], 1_000));
        let woke = |own: &timerscope::trace::Event| match own.what {
            What::Woke { role: 0, level } => Some(level == 8),
            _ => None,
        };
        // It begins without one, as everybody does.
        let woken = run.events.iter().filter_map(woke).skip(1);
        let all: Vec<bool> = woken.collect();
        // It works 200 us and more of each millisecond, a tick included.
        (all.iter().filter(|own| **own).count(), all)
    };
    let (count, all) = unboosted(Spent::LosesBoost);
    assert!((6..12).contains(&count), "{count}");
    assert!(all.windows(2).all(|pair| !(pair[0] && pair[1])));
    assert_eq!(unboosted(Spent::Nothing).0, 0);
}

/// W-S6, W-S6.keep: whom an equal pre-empts again and again begins a new
/// quantum each time, and never has to give way; or keeps the rest, and does.
#[test]
fn a_pre_empted_turn_begins_anew_or_goes_on() {
    let turns = |remainder, priority| {
        let mut spec = at("windows-7", 1_000);
        spec.rules.remainder = remainder;
        spec.rules.spent = Spent::Nothing;
        let mut own = sleeper(&spec, 10);
        own.tasks[0].priority = priority;
        let all = vec![own, hog(&spec, "one"), hog(&spec, "other")];
        let run = play(&spec, 1, &workload(all, 1_000));
        turns_over(&run, 1)
    };
    assert!(turns(Remainder::Fresh, Priority::Normal) < 3);
    assert!(turns(Remainder::Keep, Priority::Normal) > 10);
    // A higher one makes nothing anew.
    assert!(turns(Remainder::Fresh, Priority::Above) > 10);
}

/// L-6: fair tasks share a CPU by their weights, a slice at a time.
#[test]
fn fair_tasks_share_by_weight() {
    let spec = quiet(machine("linux-6"));
    let share = |nice| {
        let mut one = hog(&spec, "one");
        one.background = false;
        one.tasks[0].priority = Priority::Nice(nice);
        let all = vec![one, hog(&spec, "other")];
        let run = play(&spec, 1, &workload(all, 2_000));
        let own = *run.ending.roles[0].cpu_ns.value().unwrap();
        own * 1_000 / run.cpu_ns()
    };
    assert!((480..520).contains(&share(0)), "{}", share(0));
    // 335 of 335 + 1024, and 3121 of 3121 + 1024.
    assert!((230..265).contains(&share(5)), "{}", share(5));
    assert!((735..770).contains(&share(-5)), "{}", share(-5));
}
