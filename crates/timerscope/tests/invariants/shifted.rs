//! The same later: P17.

use proptest::prelude::*;
use timerscope::machine::{
    Action, Keep, Outcome, Phase, Priority, Process, Sample, Span, Workload,
};
use timerscope::sim::Spec;
use timerscope::sim::rules::Expiry;
use timerscope::trace::{Event, What};

use crate::machines::{
    Named, any_interval_us, any_machine, interval_ns, ns, openbsd, quiet,
    windows, with_interval,
};
use crate::played::{Played, config, play};
use crate::workloads::{HAPPENINGS, Script, any_script, lone, sleep};

/// After how long everything in the machine is again as it was: the time from
/// one pass to the next.
fn pass(spec: &Spec) -> i64 {
    if spec.rules.expiry == Expiry::AtOnce || !windows(spec) {
        return ns(spec.constants.true_tick);
    }
    let (interval, c) = (interval_ns(spec), &spec.constants);
    let (default, over) = (ns(c.coarsest), ns(c.pass_overshoot));
    let near = |count: &i64| {
        let late = *count * interval - default;
        (late <= over || *count == 1).then_some((late.abs(), *count))
    };
    let count = (1..=default / interval + 1)
        .filter_map(|count| near(&count))
        .min()
        .map_or(1, |best| best.1);
    count * interval
}

/// The same workload, of which everybody begins when a starter has slept so
/// long.
fn begun_after(script: &Script, spec: &Spec, sleep_ns: i64) -> Workload {
    let mut workload = script.on(spec);
    let mut starts = Vec::new();
    let mut number = 0;
    let mut processes = Vec::new();
    for mut process in std::mem::take(&mut workload.processes) {
        process.script.clear();
        for task in &mut process.tasks {
            // An event of its own for each: events let one through.
            task.copies = 1;
            task.phase = Phase::Sync;
            let event = format!("start-{number}");
            number += 1;
            let begin = Action::Await {
                event: event.clone(),
                timeout: None,
                keep: Keep::Nothing,
            };
            task.actions.insert(0, begin);
            starts.push(event);
        }
        processes.push(process);
    }
    processes.push(starter(spec, &starts, sleep_ns));
    workload.events.extend(starts);
    workload.processes = processes;
    workload.limit =
        Span::from_ns(workload.limit.ns() + sleep_ns as u64 + 50_000_000);
    workload
}

fn starter(spec: &Spec, starts: &[String], sleep_ns: i64) -> Process {
    let Action::Wait { how, .. } = sleep(spec, 1) else { unreachable!() };
    let mut body = vec![Action::wait(how, Span::from_ns(sleep_ns as u64))];
    body.extend(starts.iter().cloned().map(Action::Set));
    let mut starter = lone("starter", 0, body);
    starter.tasks[0].priority =
        if openbsd(spec) { Priority::Above } else { Priority::Realtime };
    starter
}

/// Everything from the first set event on, counted from there.
fn from_start(run: &Played, until: i64) -> (i64, Vec<Event>, Vec<Sample>) {
    let set = |event: &Event| matches!(event.what, What::Set { .. });
    let first = run.events.iter().position(set).unwrap();
    let zero = run.events[first].at;
    let mut events: Vec<Event> = run.events[first..].to_vec();
    events.retain(|event| event.at - zero < until);
    for event in &mut events {
        event.at -= zero;
        if let What::Armed { due, .. } = &mut event.what {
            *due -= zero;
        }
    }
    let cut = |own: &&Sample| {
        own.began >= zero
            && own.ended - zero < until
            && own.outcome != Outcome::Interrupted
    };
    let mut samples: Vec<Sample> =
        run.samples.iter().filter(cut).copied().collect();
    for own in &mut samples {
        own.began -= zero;
        own.due -= zero;
        own.ended -= zero;
        // What a clock shows is later, too.
        own.value = 0;
    }
    (zero, events, samples)
}

proptest! {
    #![proptest_config(config())]

    /// P17: to begin one whole pass later shifts the run and changes nothing
    /// else.
    #[test]
    fn a_pass_later_everything_is_the_same(
        Named(spec) in any_machine(|_| true),
        interval_us in any_interval_us(),
        passes in 1..4_i64,
        script in any_script(&HAPPENINGS),
    ) {
        // A request between two sleeps of whole milliseconds.
        let interval_us = interval_us.max(1_000) / 1_000 * 1_000;
        let spec = with_interval(quiet(spec), interval_us);
        let shift = passes * pass(&spec);
        let least = 20_000_000;
        let run = |sleep_ns| {
            play(&spec, 1, &begun_after(&script, &spec, sleep_ns))
        };
        let until = 60_000_000;
        let (at, events, samples) = from_start(&run(least), until);
        let (later, shifted, seen) = from_start(&run(least + shift), until);
        prop_assert_eq!(later - at, shift);
        prop_assert_eq!(events, shifted);
        prop_assert_eq!(samples, seen);
    }
}
