//! What each rule about timers makes of one plain case, to the nanosecond:
//! what the invariants leave open.

use timerscope::machine::{Action, Span, WaitKind};
use timerscope::sim::Spec;
use timerscope::sim::rules::{Change, Looks, Noise};
use timerscope::trace::What;

use crate::machines::{machine, quiet, with_interval};
use crate::played::play;
use crate::workloads::{beside, for_ever, lone, sleep, workload};

/// The last of some sleeps in step with the tick, from one end to the next.
fn in_step(spec: &Spec, ms: u64) -> Vec<i64> {
    let own = lone("own", 3, vec![for_ever(vec![sleep(spec, ms)])]);
    let run = play(spec, 1, &workload(vec![own], 400));
    let ends: Vec<i64> = run.met(0).map(|own| own.ended).collect();
    ends.windows(2).map(|pair| pair[1] - pair[0]).skip(2).collect()
}

fn at(name: &str, interval_us: u64) -> Spec {
    with_interval(quiet(machine(name)), interval_us)
}

/// A silent process's Sleep(1) under a rule, at an interval.
fn silent(looks: Looks, interval_ns: u64) -> i64 {
    let mut spec = quiet(machine("windows-10-2004"));
    spec.rules.looks = looks;
    spec.constants.finest = Span::from_us(100);
    spec.constants.interval = Some(Span::from_ns(interval_ns));
    let all = in_step(&spec, 1);
    assert!(all.iter().all(|own| *own == all[0]), "{all:?}");
    all[0]
}

/// W-T3, W-T3a, W-T3b: Sleep(1) at 1 ms is 1 ms where it counts from the last
/// tick, and 2 ms where it counts from the call.
#[test]
fn sleep_of_1_ms_is_one_tick_from_the_last_or_two_from_now() {
    for (name, ms) in [
        ("windows-7", 1),
        ("windows-8", 1),
        ("windows-xp", 2),
        ("windows-10-1909", 2),
        ("windows-11-global", 2),
    ] {
        let all = in_step(&at(name, 1_000), 1);
        assert!(all.iter().all(|own| *own == ms * 1_000_000), "{name} {all:?}");
    }
}

/// OB-8: a sleep of one tick takes two.
#[test]
fn a_sleep_of_whole_ticks_takes_one_more() {
    let spec = quiet(machine("openbsd-6.9"));
    for (ms, ticks) in [(1, 2), (10, 2), (11, 3), (20, 3)] {
        let all = in_step(&spec, ms);
        let tick = 9_999_850;
        assert!(all.iter().all(|own| *own == ticks * tick), "{ms} {all:?}");
    }
}

/// W-T6 and its rivals: the table of model and rivals, and the cases where
/// each rule has two answers side by side.
#[test]
fn each_rule_of_passes_has_its_own_answers() {
    let intervals_us =
        [1_000, 2_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000];
    let table = [
        (Looks::H1, [16, 16, 16, 20, 18, 21, 16, 18, 20]),
        (Looks::H2, [15, 14, 12, 15, 12, 14, 8, 9, 10]),
        (Looks::H3, [16, 16, 16, 15, 18, 14, 16, 18, 20]),
        (Looks::H5, [16, 16, 16, 15, 12, 14, 16, 9, 10]),
    ];
    for (looks, expected) in table {
        for (us, ms) in intervals_us.iter().zip(expected) {
            let took = silent(looks, us * 1_000);
            assert_eq!(took, ms * 1_000_000, "{looks:?} at {us} us");
        }
    }
    // Five intervals are the default exactly; 2.5 of them are; two of them
    // come 1 ms late exactly.
    assert_eq!(silent(Looks::H1, 3_125_000), 15_625_000);
    assert_eq!(silent(Looks::H3, 6_250_000), 12_500_000);
    assert_eq!(silent(Looks::H5, 8_312_500), 16_625_000);
    assert_eq!(silent(Looks::H5, 8_312_501), 8_312_501);
}

/// W-T6.h4: passes follow a grid of 64 Hz, whatever the interval.
#[test]
fn passes_on_an_absolute_grid_come_64_times_a_second() {
    for us in [1_000, 2_000, 6_000, 7_000] {
        let mut spec = at("windows-10-2004", us);
        spec.rules.looks = Looks::H4;
        let all = in_step(&spec, 1);
        let mean = all.iter().sum::<i64>() / all.len() as i64;
        let off = (mean - 15_625_000).abs();
        assert!(off < us as i64 * 1_000 / 10, "{us} {mean}");
    }
}

/// W-T6: one who requests is looked at in each tick.
#[test]
fn who_requests_is_looked_at_in_each_tick() {
    for name in ["windows-10-2004", "windows-11"] {
        let spec = quiet(machine(name));
        let body = for_ever(vec![sleep(&spec, 1)]);
        let ms = Span::from_ms(1);
        let own = lone("own", 3, vec![Action::Request(ms), body]);
        let run = play(&spec, 1, &workload(vec![own], 100));
        let took = run.took(0);
        let least = took.iter().skip(2).min().unwrap();
        assert!(took.len() > 40 && *least < 2_000_000, "{took:?}");
    }
}

/// W-T8: from 4 to 8 ms passes come one tick early, in time or one late in
/// 38, 24 and 38 of 100 cases; beside the band, and without noise, always in
/// time.
#[test]
fn passes_scatter_in_the_band_alone() {
    let shares = |us: u64, noise| {
        let mut spec = at("windows-10-2004", us);
        spec.rules.noise = noise;
        let mut ticks = [0_u64; 5];
        let own = lone("own", 3, vec![for_ever(vec![sleep(&spec, 1)])]);
        let run = play(&spec, 1, &workload(vec![own], 30_000));
        let ends: Vec<i64> = run.met(0).map(|own| own.ended).collect();
        for pair in ends.windows(2) {
            let interval = us as i64 * 1_000;
            let count = (pair[1] - pair[0] + interval / 2) / interval;
            ticks[(count as usize).min(4)] += 100;
        }
        let all: u64 = ticks.iter().sum::<u64>() / 100;
        ticks.map(|own| own / all)
    };
    let [_, one, two, three, _] = shares(7_000, Noise::Band);
    assert!((34..42).contains(&one), "{one}");
    assert!((20..28).contains(&two), "{two}");
    assert!((34..42).contains(&three), "{three}");
    assert_eq!(shares(7_000, Noise::Off), [0, 0, 100, 0, 0]);
    // Both ends of the band belong to it.
    assert!(shares(8_000, Noise::Band)[1] > 30);
    assert!(shares(4_000, Noise::Band)[3] > 30);
    assert_eq!(shares(9_000, Noise::Band), [0, 100, 0, 0, 0]);
}

/// W-T2a, W-T2b: after a change the next tick comes one new interval later,
/// or when it would have come.
#[test]
fn the_tick_after_a_change_is_as_the_rule_says() {
    let first_tick_after = |change| {
        let mut spec = quiet(machine("windows-7"));
        spec.rules.change = change;
        let body = vec![
            crate::actions::work(&spec, 3_000),
            Action::Request(Span::from_ms(1)),
            sleep(&spec, 30),
        ];
        let run = play(&spec, 1, &workload(vec![lone("own", 3, body)], 100));
        let (changed, _) = run.intervals()[1];
        let tick = run
            .events
            .iter()
            .find(|event| event.what == What::Tick && event.at > changed);
        (changed, tick.unwrap().at)
    };
    let (changed, tick) = first_tick_after(Change::NewPeriod);
    assert_eq!(tick - changed, 1_000_000);
    let (_, tick) = first_tick_after(Change::FinishPeriod);
    assert_eq!(tick, 15_625_000);
}

/// W-T9: a high-resolution timer's span is whole half milliseconds.
#[test]
fn a_high_resolution_timer_takes_half_milliseconds() {
    let spec = quiet(machine("windows-10-2004"));
    for (us, expected) in [(100, 500_000), (500, 500_000), (501, 1_000_000)] {
        let how = WaitKind::WaitableTimerHighResolution;
        let wait = Action::wait(how, Span::from_us(us));
        let run =
            play(&spec, 1, &workload(vec![lone("own", 3, vec![wait])], 9));
        let latency = run.took(0)[0] - expected;
        assert!((0..5_000).contains(&latency), "{us} {latency}");
    }
}

/// W-S8: an idle CPU takes every tick, or only those in which something is
/// due.
#[test]
fn an_idle_cpu_takes_ticks_as_the_rule_says() {
    let ticks = |name| {
        let spec = at(name, 1_000);
        let own = lone("own", 3, vec![sleep(&spec, 90)]);
        let other = beside("other", 2, vec![for_ever(vec![sleep(&spec, 10)])]);
        let run = play(&spec, 1, &workload(vec![own, other], 100));
        *run.ending.meters.after.ticks.value().unwrap()
    };
    assert!(ticks("windows-7") > 4 * 85);
    assert!(ticks("windows-8") < 12);
}
