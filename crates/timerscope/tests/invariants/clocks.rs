//! Clocks: P12.

use proptest::prelude::*;
use timerscope::machine::{Action, ClockKind, Keep, Sample, Span};
use timerscope::sim::Spec;

use crate::machines::{
    Named, any_interval_us, any_machine, interval_ns, machine, quiet, windows,
    with_interval,
};
use crate::played::{config, play};
use crate::workloads::{
    HAPPENINGS, any_script, beside, for_ever, lone, sleep, workload,
};

const MS: i64 = 1_000_000;

/// Reads every clock there is, again and again.
fn reader(spec: &Spec) -> Vec<Action> {
    let keep = Keep::Everything;
    let read = |clock| Action::Read { clock, times: 1, keep };
    let mut body: Vec<Action> =
        spec.clocks.iter().map(|clock| read(clock.name)).collect();
    body.push(crate::actions::work(spec, 150));
    body.push(sleep(spec, 1));
    vec![for_ever(body)]
}

fn step_of(spec: &Spec, clock: ClockKind, phase_us: u64) -> i64 {
    let steps = Action::Steps { clock, changes: 3, keep: Keep::Everything };
    let body = vec![crate::actions::work(spec, phase_us), steps];
    let run = play(spec, 1, &workload(vec![lone("own", 2, body)], 500));
    run.met(0).next().unwrap().value
}

/// Each step of a clock from one change of it to the next, with when it came,
/// while another process requests 1 ms from 100 to 200 ms.
fn steps_around_a_request(clock: ClockKind) -> Vec<(i64, i64)> {
    let spec = quiet(machine("windows-10-1909"));
    let keep = Keep::Everything;
    let steps = Action::Steps { clock, changes: 1, keep };
    let ms = Span::from_ms(1);
    let requests = vec![
        crate::actions::work(&spec, 100_000),
        Action::Request(ms),
        crate::actions::work(&spec, 100_000),
        Action::Withdraw(ms),
    ];
    let all = vec![
        beside("own", 2, vec![for_ever(vec![steps])]),
        lone("requests", 1, requests),
        lone("last", 3, vec![sleep(&spec, 300)]),
    ];
    let run = play(&spec, 1, &workload(all, 1_000));
    run.met(0).map(|own| (own.ended / MS, own.value)).collect()
}

/// P12: timeGetTime's steps follow the interval as it comes and goes, and
/// GetTickCount's do not.
#[test]
fn the_steps_of_clocks_follow_a_change_of_the_interval_or_do_not() {
    let default = |step: i64| step == 15 * MS || step == 16 * MS;
    let steps = steps_around_a_request(ClockKind::TimeGetTime);
    // A tick's cost is work that takes longer; the changes themselves may fall
    // anywhere.
    let (mut coarse, mut fine) = (0, 0);
    for (at, step) in steps {
        match at {
            0..100 | 230.. => coarse += i32::from(default(step)),
            110..200 => fine += i32::from(step == MS),
            _ => continue,
        }
        let right =
            if (110..200).contains(&at) { step == MS } else { default(step) };
        assert!(right, "{at} ms: {step}");
    }
    assert!(coarse > 8 && fine > 80, "{coarse} {fine}");
    let steps = steps_around_a_request(ClockKind::GetTickCount64);
    assert!(steps.len() > 16);
    assert!(steps.iter().all(|own| default(own.1)), "{steps:?}");
}

proptest! {
    #![proptest_config(config())]

    /// P12: no clock runs backward, also across changes of the interval.
    #[test]
    fn no_clock_runs_backward(
        Named(spec) in any_machine(|_| true),
        script in any_script(&HAPPENINGS),
        slew_us in prop_oneof![Just(0), 0..5_000_u64],
        seed: u64,
    ) {
        let mut spec = spec;
        spec.constants.slew_ns_per_s = slew_us * 1000;
        spec.constants.slew_budget = Span::from_us(slew_us / 20);
        let mut workload = script.on(&spec);
        workload.processes.insert(0, lone("reader", 3, reader(&spec)));
        let run = play(&spec, seed, &workload);
        let mut own: Vec<&Sample> = run.met(0).collect();
        own.sort_by_key(|sample| (sample.step, sample.number));
        for pair in own.windows(2).filter(|pair| pair[0].step == pair[1].step) {
            prop_assert!(pair[0].value <= pair[1].value, "{pair:?}");
        }
    }

    /// P12: timeGetTime moves by the interval and no less than 1 ms, in whole
    /// milliseconds; GetTickCount by the default interval whatever is in
    /// force.
    #[test]
    fn the_steps_of_the_windows_clocks_are_known(
        Named(spec) in any_machine(windows),
        interval_us in any_interval_us(),
        phase_us in 0..20_000_u64,
    ) {
        let spec = with_interval(quiet(spec), interval_us);
        let step = step_of(&spec, ClockKind::TimeGetTime, phase_us);
        let whole = interval_ns(&spec).max(MS);
        let (least, most) = (whole / MS * MS, (whole + MS - 1) / MS * MS);
        prop_assert!((least..=most).contains(&step), "{step}");
        let step = step_of(&spec, ClockKind::GetTickCount64, phase_us);
        prop_assert!(step == 15 * MS || step == 16 * MS, "{step}");
    }
}
