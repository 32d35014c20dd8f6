//! What every machine must keep, as laws that can be tried on any of them.
//!
//! The same bodies run against the computer we run on and against simulated
//! machines. They claim nothing about speed, so that a busy machine keeps
//! them too.
//!
//! ```no_run
//! use timerscope::machine::{Machine, conformance::LAWS};
//!
//! fn keeps_every_law(machine: &mut dyn Machine) {
//!     for law in LAWS {
//!         law.hold(machine).expect(law.says);
//!     }
//! }
//! ```

use super::{
    Action, AskErrorKind, Batch, ClockKind, Cue, Cut, Ended, Ending, Happening,
    Keep, Listener, Machine, Meanwhile, Outcome, Process, Recording, Sample,
    Span, Task, Until, Verdict, WaitKind, Workload,
};

/// One law.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// What it says, as a sentence.
    pub says: &'static str,
    test: fn(&mut dyn Machine) -> Result<(), String>,
}

impl Law {
    /// Tries the law on a machine.
    ///
    /// # Errors
    ///
    /// When the machine breaks it, with what it did.
    pub fn hold(&self, machine: &mut dyn Machine) -> Result<(), String> {
        (self.test)(machine)
    }
}

/// Every law.
pub const LAWS: &[Law] = &[
    Law { says: "no wait ends early, unless it says so", test: never_early },
    Law { says: "time never runs backward in a task", test: monotone },
    Law {
        says: "one wait asked is one wait made and one sample told",
        test: every_wait_is_told,
    },
    Law {
        says: "no sample is lost however fast they come",
        test: bursts_are_told,
    },
    Law {
        says: "a wait cut short is told as interrupted, and the task goes on",
        test: interrupted_is_told,
    },
    Law { says: "a run stops when told", test: stops_when_told },
    Law { says: "a run is bounded by its limit", test: bounded },
    Law {
        says: "a background process does not hold the run up",
        test: background_ends,
    },
    Law {
        says: "an event is awaited from its setter's stamp, once a setting",
        test: events_are_auto_reset,
    },
    Law { says: "an await gives up after its time-out", test: await_times_out },
    Law {
        says: "tasks on one CPU never run at the same time",
        test: one_runs_at_a_time,
    },
    Law {
        says: "the points of an `every` do not drift",
        test: every_does_not_drift,
    },
    Law {
        says: "a timer that re-arms itself keeps to its points",
        test: rings_do_not_drift,
    },
    Law {
        says: "a killed process leaves what it saw",
        test: killed_leaves_samples,
    },
    Law {
        says: "a listener hears at most ten batches a second",
        test: batches_are_rare,
    },
    Law {
        says: "a wrong workload is refused, and called wrong",
        test: wrong_is_refused,
    },
];

fn never_early(machine: &mut dyn Machine) -> Result<(), String> {
    let waits = facts(machine)?.waits;
    let body = waits.iter().map(|wait| {
        let cpu_time = wait.name.is_interval_timer();
        Action::Wait {
            how: wait.name,
            span: Span::from_us(700),
            meanwhile: if cpu_time {
                Meanwhile::Burn
            } else {
                Meanwhile::Block
            },
            keep: Keep::Everything,
        }
    });
    let run =
        play(machine, &one_task(vec![Action::repeat(3, body.collect())]))?;
    for (number, wait) in (1..).zip(&waits) {
        for sample in run.samples(0, number) {
            let early = sample.counts() && sample.lateness_ns() < 0;
            if early && !wait.may_end_early {
                return Err(format!("{} was early: {sample:?}", wait.name));
            }
        }
    }
    Ok(())
}

fn monotone(machine: &mut dyn Machine) -> Result<(), String> {
    let read = Action::Read {
        clock: steady_clock(machine)?,
        times: 3,
        keep: Keep::Everything,
    };
    let body = vec![read, some_wait(machine, Span::from_us(50))?];
    let run = play(machine, &one_task(vec![Action::repeat(50, body)]))?;
    let mut all: Vec<Sample> = [1, 2]
        .into_iter()
        .flat_map(|step| run.samples(0, step).to_vec())
        .collect();
    all.sort_by_key(|sample| (sample.number, sample.step));
    for pair in all.windows(2) {
        let forward =
            pair[0].began <= pair[0].ended && pair[0].ended <= pair[1].began;
        expect(forward, || format!("backward: {pair:?}"))?;
    }
    let readings = run.samples(0, 1).windows(2);
    for pair in readings {
        let forward = pair[0].value <= pair[1].value;
        expect(forward, || format!("the clock ran backward: {pair:?}"))?;
    }
    Ok(())
}

fn every_wait_is_told(machine: &mut dyn Machine) -> Result<(), String> {
    let wait = some_wait(machine, Span::from_us(100))?;
    let run = play(machine, &one_task(vec![Action::repeat(200, vec![wait])]))?;
    let numbers: Vec<u64> =
        run.samples(0, 1).iter().map(|sample| sample.number).collect();
    expect(numbers.iter().copied().eq(0..200), || {
        format!("of 200 waits these were told: {numbers:?}")
    })?;
    let counts = &run.ending.roles[0].counts;
    expect(counts[1] == Some(200), || format!("counted: {counts:?}"))?;
    complete(&run.ending)
}

fn bursts_are_told(machine: &mut dyn Machine) -> Result<(), String> {
    const BURST: usize = 60_000;
    let nothing = Action::Work { iterations: 0, keep: Keep::Everything };
    let burst = Action::repeat(BURST as u64, vec![nothing]);
    let run = play(machine, &one_task(vec![burst]))?;
    let (told, role) = (run.samples(0, 1).len(), &run.ending.roles[0]);
    expect(told == BURST && role.lost == 0, || {
        format!("{told} of {BURST} were told; {role:?}")
    })
}

fn interrupted_is_told(machine: &mut dyn Machine) -> Result<(), String> {
    let long = some_wait(machine, Span::from_s(100))?;
    let after = some_wait(machine, Span::from_us(100))?;
    let timed = Action::Repeat {
        until: Until::Span(Span::from_ms(30)),
        keep: Keep::Nothing,
        body: vec![long],
    };
    let run = play(machine, &one_task(vec![timed, after]))?;
    let cut = run.samples(0, 1);
    let told = cut.len() == 1
        && cut[0].outcome == Outcome::Interrupted
        && cut[0].took_ns() < 100_000_000_000;
    expect(told, || format!("the long wait was told as {cut:?}"))?;
    let met = run.samples(0, 2).iter().all(|s| s.outcome == Outcome::Met);
    expect(met && run.samples(0, 2).len() == 1, || {
        format!("the wait after it was told as {:?}", run.samples(0, 2))
    })?;
    complete(&run.ending)
}

fn stops_when_told(machine: &mut dyn Machine) -> Result<(), String> {
    struct Impatient(Recording);
    impl Listener for Impatient {
        fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
            self.0.hear(batch);
            Verdict::Stop
        }
    }
    let wait = some_wait(machine, Span::from_ms(1))?;
    let workload = one_task(vec![forever(vec![wait])]);
    let mut listener = Impatient(Recording::new(&workload));
    let ending =
        machine.play(&workload, &mut listener).map_err(|e| e.to_string())?;
    let by = Cut::Listener;
    let cut = matches!(&ending.ended, Ended::Cut { by: own, .. } if *own == by);
    expect(cut, || format!("it ended as {:?}", ending.ended))
}

fn bounded(machine: &mut dyn Machine) -> Result<(), String> {
    let mut workload = one_task(vec![forever(vec![Action::Work {
        iterations: 1,
        keep: Keep::Count,
    }])]);
    workload.limit = Span::from_ms(50);
    let run = play(machine, &workload)?;
    let cut = matches!(
        run.ending.ended,
        Ended::Cut { by: Cut::Limit, at_ns } if at_ns >= 50_000_000
    );
    expect(cut, || format!("it ended as {:?}", run.ending.ended))?;
    let counted = run.ending.roles[0].counts[1].unwrap_or(0);
    expect(counted > 0, || "no work was done, or none was told".to_owned())
}

fn background_ends(machine: &mut dyn Machine) -> Result<(), String> {
    let wait = some_wait(machine, Span::from_ms(1))?;
    let mut workload = one_task(vec![wait.clone()]);
    let load = Task::new("waiter", vec![forever(vec![wait])]);
    let mut load = Process::new("load", vec![load]);
    load.background = true;
    workload.processes.push(load);
    let run = play(machine, &workload)?;
    complete(&run.ending)?;
    let finished: Vec<bool> =
        run.ending.roles.iter().map(|role| role.finished).collect();
    expect(finished == [true, false], || format!("finished: {finished:?}"))
}

fn events_are_auto_reset(machine: &mut dyn Machine) -> Result<(), String> {
    let events = ["ping".to_owned(), "pong".to_owned()];
    let [ping, pong] = events.clone();
    let awaits = |event: &str, keep| Action::Await {
        event: event.to_owned(),
        timeout: None,
        keep,
    };
    let sets = vec![Action::Set(ping.clone()), awaits(&pong, Keep::Nothing)];
    let waits = vec![awaits(&ping, Keep::Everything), Action::Set(pong)];
    let task =
        |name: &str, body| Task::new(name, vec![Action::repeat(50, body)]);
    // In processes of their own: events cross them.
    let mut workload = Workload::new(vec![
        Process::new("setter", vec![task("setter", sets)]),
        Process::new("waiter", vec![task("waiter", waits)]),
    ]);
    workload.events = events.to_vec();
    let run = play(machine, &workload)?;
    complete(&run.ending)?;
    let samples = run.samples(1, 1);
    expect(samples.len() == 50, || format!("{} awaits", samples.len()))?;
    for pair in samples.windows(2) {
        let sound =
            pair[0].due <= pair[0].ended && pair[0].ended <= pair[1].due;
        expect(sound, || format!("stamps do not fit: {pair:?}"))?;
    }
    Ok(())
}

fn await_times_out(machine: &mut dyn Machine) -> Result<(), String> {
    let mut workload = one_task(vec![Action::Await {
        event: "never".to_owned(),
        timeout: Some(Span::from_ms(2)),
        keep: Keep::Everything,
    }]);
    workload.events = vec!["never".to_owned()];
    let run = play(machine, &workload)?;
    let samples = run.samples(0, 0);
    let timed_out = samples.len() == 1
        && samples[0].outcome == Outcome::TimedOut
        && samples[0].took_ns() >= 2_000_000;
    expect(timed_out, || format!("it was told as {samples:?}"))
}

fn one_runs_at_a_time(machine: &mut dyn Machine) -> Result<(), String> {
    const GAP: Span = Span::from_us(50);
    let runs = Action::Runs {
        gap: GAP,
        until: Until::Span(Span::from_ms(60)),
        keep: Keep::Everything,
    };
    let mut task = Task::new("spinner", vec![runs]);
    task.cpus = facts(machine)?.cpus.into_iter().take(1).collect();
    task.copies = 2;
    let process = Process::new("process", vec![task]);
    let run = play(machine, &Workload::new(vec![process]))?;
    complete(&run.ending)?;
    let mut all = Vec::new();
    for role in 0..2 {
        let own = run.samples(role, 0);
        let cut = own.last().map(|last| last.outcome);
        expect(cut == Some(Outcome::Interrupted), || {
            format!("the last stretch was told as {cut:?}")
        })?;
        // Stretches and jumps follow one another without a hole.
        for pair in own.windows(2) {
            let next = pair[0].ended + pair[0].value == pair[1].began;
            expect(next, || format!("a hole: {pair:?}"))?;
        }
        all.extend_from_slice(own);
    }
    all.sort_by_key(|sample| (sample.began, sample.ended));
    for pair in all.windows(2) {
        let both = pair[0].ended.min(pair[1].ended) - pair[1].began;
        expect(both <= GAP.ns() as i64, || format!("both ran: {pair:?}"))?;
    }
    Ok(())
}

fn every_does_not_drift(machine: &mut dyn Machine) -> Result<(), String> {
    let Action::Wait { how, .. } = some_wait(machine, Span::ZERO)? else {
        return Err("no wait to take".to_owned());
    };
    let next =
        super::Point { at: super::PointBase::Next, less: Span::default() };
    let period = Span::from_ms(2);
    let every = Action::Every {
        period,
        missed: super::Missed::CatchUp,
        until: Until::Count(20),
        body: vec![Action::WaitUntil {
            how,
            point: next,
            keep: Keep::Everything,
        }],
    };
    let run = play(machine, &one_task(vec![every]))?;
    let samples = run.samples(0, 1);
    expect(samples.len() == 20, || format!("{} waits", samples.len()))?;
    for pair in samples.windows(2) {
        let apart = pair[1].due - pair[0].due;
        expect(apart == period.ns() as i64, || {
            format!("points are {apart} ns apart: {pair:?}")
        })?;
    }
    Ok(())
}

fn rings_do_not_drift(machine: &mut dyn Machine) -> Result<(), String> {
    let waits = facts(machine)?.waits;
    let real = |how: &WaitKind| how.re_arms() && !how.counts_cpu_time();
    for how in waits.iter().map(|wait| wait.name).filter(real) {
        let again = Span::from_ms(20);
        let ring = Action::Ring {
            how,
            span: Span::from_ms(10),
            again,
            times: 6,
            meanwhile: Meanwhile::Block,
            keep: Keep::Everything,
        };
        let run = play(machine, &one_task(vec![ring]))?;
        complete(&run.ending)?;
        let samples = run.samples(0, 0);
        expect(samples.len() == 6, || {
            format!("{how} rang {} times", samples.len())
        })?;
        for pair in samples.windows(2) {
            let apart = pair[1].due - pair[0].due;
            let whole = apart > 0 && apart % again.ns() as i64 == 0;
            let early = pair[1].lateness_ns() < 0;
            expect(whole && !early, || format!("{how}: {pair:?}"))?;
        }
    }
    Ok(())
}

fn killed_leaves_samples(machine: &mut dyn Machine) -> Result<(), String> {
    let wait = some_wait(machine, Span::from_ms(1))?;
    let victim = Task::new("victim", vec![forever(vec![wait])]);
    let mut victim = Process::new("victim", vec![victim]);
    let at = Span::from_ms(150);
    victim.script = vec![Cue { at, what: Happening::Kill }];
    let run = play(machine, &Workload::new(vec![victim]))?;
    complete(&run.ending)?;
    let seen = run.samples(0, 1).len();
    expect(seen > 0 && !run.ending.roles[0].finished, || {
        format!("{seen} samples; {:?}", run.ending.roles[0])
    })
}

fn batches_are_rare(machine: &mut dyn Machine) -> Result<(), String> {
    struct Count(u64);
    impl Listener for Count {
        fn hear(&mut self, _: &Batch<'_>) -> Verdict {
            self.0 += 1;
            Verdict::Continue
        }
    }
    let wait = some_wait(machine, Span::from_us(500))?;
    let workload = one_task(vec![Action::repeat(600, vec![wait])]);
    let mut batches = Count(0);
    let ending =
        machine.play(&workload, &mut batches).map_err(|e| e.to_string())?;
    // One before the start and one after the end come on top.
    let most = ending.lasted_ns / 100_000_000 + 2;
    expect((1..=most).contains(&batches.0), || {
        format!("{} batches in {} ns", batches.0, ending.lasted_ns)
    })
}

fn wrong_is_refused(machine: &mut dyn Machine) -> Result<(), String> {
    let workload = one_task(vec![Action::Set("undeclared".to_owned())]);
    let mut recording = Recording::new(&Workload::new(Vec::new()));
    match machine.play(&workload, &mut recording) {
        Err(error) if error.kind == AskErrorKind::Wrong => Ok(()),
        other => Err(format!("it answered {other:?}")),
    }
}

/// A run that was recorded.
struct Run {
    recording: Recording,
    ending: Ending,
}

impl Run {
    fn samples(&self, role: u32, step: u16) -> &[Sample] {
        let track = self.recording.track(role, step);
        track.map_or(&[], |track| track.samples.as_slice())
    }
}

fn play(machine: &mut dyn Machine, workload: &Workload) -> Result<Run, String> {
    let mut recording = Recording::new(workload);
    let ending = machine
        .play(workload, &mut recording)
        .map_err(|error| error.to_string())?;
    Ok(Run { recording, ending })
}

fn one_task(actions: Vec<Action>) -> Workload {
    let task = Task::new("task", actions);
    Workload::new(vec![Process::new("process", vec![task])])
}

fn forever(body: Vec<Action>) -> Action {
    Action::Repeat { until: Until::Forever, keep: Keep::Nothing, body }
}

fn facts(machine: &mut dyn Machine) -> Result<super::Facts, String> {
    machine.facts().map_err(|error| error.to_string())
}

/// The machine's first wait, which the laws above take for an ordinary one.
fn some_wait(machine: &mut dyn Machine, span: Span) -> Result<Action, String> {
    let waits = facts(machine)?.waits;
    let how = waits
        .iter()
        .map(|wait| wait.name)
        .find(|how| !how.ends_by_signal() && *how != WaitKind::ThreadSleep);
    how.map(|how| Action::wait(how, span)).ok_or("it has no wait".to_owned())
}

/// A clock that never steps.
fn steady_clock(machine: &mut dyn Machine) -> Result<ClockKind, String> {
    let clocks = facts(machine)?.clocks;
    let steady = [
        ClockKind::Monotonic,
        ClockKind::QueryPerformanceCounter,
        ClockKind::QueryInterruptTime,
    ];
    let has =
        |clock: &ClockKind| clocks.iter().any(|fact| fact.name == clock.name());
    steady.into_iter().find(has).ok_or("it has no steady clock".to_owned())
}

fn complete(ending: &Ending) -> Result<(), String> {
    expect(ending.ended == Ended::Complete, || {
        format!("it ended as {:?}", ending.ended)
    })
}

fn expect(
    kept: bool,
    otherwise: impl FnOnce() -> String,
) -> Result<(), String> {
    if kept { Ok(()) } else { Err(otherwise()) }
}
