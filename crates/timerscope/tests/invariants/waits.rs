//! How early and how late a wait may end: P1, P2, P6.

use proptest::prelude::*;
use timerscope::machine::{
    Action, Keep, Meanwhile, Outcome, Phase, Sample, Span, WaitKind, Workload,
};
use timerscope::sim::Spec;
use timerscope::sim::rules::{Change, Deadline};

use crate::actions::work;
use crate::machines::{
    Named, any_interval_us, any_machine, counts_from_now, interval_ns, machine,
    ns, openbsd, quiet, windows, with_interval,
};
use crate::played::{Played, config, play};
use crate::workloads::{HAPPENINGS, any_script, for_ever, lone, workload};

/// The waits of a run that ended when their own time was up.
fn ended_by_time<'a>(
    run: &'a Played,
    workload: &Workload,
) -> impl Iterator<Item = &'a Sample> {
    let cast: Vec<Vec<bool>> = workload
        .cast()
        .iter()
        .map(|role| role.task.steps().iter().map(|s| waits(s.action)).collect())
        .collect();
    run.samples.iter().filter(move |sample| {
        let waits = cast[sample.role as usize][usize::from(sample.step)];
        sample.outcome == Outcome::TimedOut
            || sample.outcome == Outcome::Met && waits
    })
}

fn waits(action: &Action) -> bool {
    matches!(action, Action::Wait { .. } | Action::Ring { .. })
}

fn slewed(mut spec: Spec, by_us: u64) -> Spec {
    spec.constants.slew_ns_per_s = by_us * 1000;
    spec.constants.slew_budget = Span::from_us(by_us / 20);
    spec
}

proptest! {
    #![proptest_config(config())]

    /// P1: no wait that counts from now returns before start plus span, on
    /// the machine's own clock, slewed or not.
    #[test]
    fn no_wait_that_counts_from_now_is_early(
        Named(spec) in any_machine(counts_from_now),
        script in any_script(&HAPPENINGS),
        slew_us in prop_oneof![Just(0), 0..5_000_u64],
        seed: u64,
    ) {
        let spec = slewed(spec, slew_us);
        let workload = script.on(&spec);
        let run = play(&spec, seed, &workload);
        for sample in ended_by_time(&run, &workload) {
            prop_assert!(sample.lateness_ns() >= 0, "{sample:?}");
        }
    }

    /// P1: OpenBSD's real interval timer is never early either; before the
    /// patch it takes a nominal tick at least.
    #[test]
    fn no_real_interval_timer_is_early(
        Named(spec) in any_machine(openbsd),
        spans_us in prop::collection::vec(0..30_000_u64, 1..5),
        burns: bool,
        random: bool,
        slew_us in prop_oneof![Just(0), 0..5_000_u64],
        seed: u64,
    ) {
        let spec = slewed(spec, slew_us);
        let wait = |us: &u64| Action::Wait {
            how: WaitKind::ItimerReal,
            span: Span::from_us(*us),
            meanwhile: if burns { Meanwhile::Burn } else { Meanwhile::Block },
            keep: Keep::Everything,
        };
        let mut own = lone("own", 1, spans_us.iter().map(wait).collect());
        if random {
            own.tasks[0].phase = Phase::Random;
        }
        let workload = workload(vec![own], 400);
        let run = play(&spec, seed, &workload);
        prop_assert_eq!(run.met(0).count(), spans_us.len());
        let before = spec.name == "openbsd-6.9";
        for (sample, us) in run.met(0).zip(&spans_us) {
            let tick = if before && *us > 0 { 10_000 } else { 0 };
            let least = (*us).max(tick) as i64 * 1000;
            prop_assert!(sample.took_ns() >= least, "{sample:?}");
        }
    }

    /// P2: a sleep that counts from the last tick is never earlier than its
    /// span less one interval. The interval in force is left alone: a change
    /// puts off the next tick (W-T2a), and so the last one may be older.
    #[test]
    fn no_sleep_from_the_last_tick_is_earlier_than_one_interval(
        Named(spec) in any_machine(from_last_tick),
        interval_us in any_interval_us(),
        script in any_script(&HAPPENINGS),
    ) {
        let spec = with_interval(quiet(spec), interval_us);
        let least = -interval_ns(&spec);
        let workload = script.silent().on(&spec);
        let run = play(&spec, 1, &workload);
        for sample in ended_by_time(&run, &workload) {
            prop_assert!(sample.lateness_ns() >= least, "{sample:?}");
        }
    }

    /// P2: where a running period is finished first (W-T2b), the same holds
    /// with the longest interval whatever is requested.
    #[test]
    fn changes_that_finish_the_period_make_no_sleep_earlier(
        Named(spec) in any_machine(from_last_tick),
        script in any_script(&HAPPENINGS),
    ) {
        let mut spec = quiet(spec);
        spec.rules.change = Change::FinishPeriod;
        let least = -ns(spec.constants.coarsest);
        let workload = script.on(&spec);
        let run = play(&spec, 1, &workload);
        for sample in ended_by_time(&run, &workload) {
            prop_assert!(sample.lateness_ns() >= least, "{sample:?}");
        }
    }

    /// P6: on an idle Linux no wait is later than slack and wake-up latency.
    #[test]
    fn on_an_idle_linux_no_wait_is_later_than_its_slack(
        how in prop::sample::select(with_own_interrupt()),
        spans_us in prop::collection::vec(1..9_000_u64, 1..4),
        pause_us in 0..5_000_u64,
        slack_us in prop::option::of(1..20_000_u64),
        burns: bool,
    ) {
        let spec = quiet(machine("linux-6"));
        let burns = burns && how.ends_by_signal();
        let mut body = vec![work(&spec, pause_us)];
        body.extend(spans_us.iter().map(|us| Action::Wait {
            how,
            span: Span::from_us(*us),
            meanwhile: if burns { Meanwhile::Burn } else { Meanwhile::Block },
            keep: Keep::Everything,
        }));
        let mut own = lone("own", 2, vec![for_ever(body)]);
        own.tasks[0].slack = slack_us.map(Span::from_us);
        let run = play(&spec, 1, &workload(vec![own], 100));
        let c = &spec.constants;
        let slack = slack_us.map_or(ns(c.slack), |us| us as i64 * 1000);
        let slack = if takes_slack(how) { slack } else { 0 };
        let latency = ns(c.system_call)
            + ns(c.tick_cost)
            + if burns { ns(c.signal) } else { ns(c.idle_exit) + ns(c.switch) };
        for sample in run.met(0) {
            let span = sample.due - sample.began;
            let unit = how.unit_ns() as i64;
            let whole = (span + unit - 1) / unit * unit;
            let latest = whole + slack + latency;
            prop_assert!(sample.took_ns() <= latest, "{sample:?} {latest}");
        }
    }
}

fn from_last_tick(spec: &Spec) -> bool {
    windows(spec) && spec.rules.deadline == Deadline::LastTick
}

/// Linux waits with an interrupt of their own: not those that the kernel
/// counts in ticks, nor those that CPU time ends.
fn with_own_interrupt() -> Vec<WaitKind> {
    let spec = machine("linux-6");
    let own = |how: &WaitKind| {
        spec.has(*how)
            && !how.counts_cpu_time()
            && *how != WaitKind::SocketTimeout
    };
    WaitKind::all().filter(own).collect()
}

/// prctl(2), `PR_SET_TIMERSLACK`: the calls that sleep by a thread's own timer.
fn takes_slack(how: WaitKind) -> bool {
    use WaitKind as W;
    !matches!(
        how,
        W::ItimerReal | W::Timerfd | W::PosixTimer | W::IoUringTimeout
    )
}
