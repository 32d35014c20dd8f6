//! What can go wrong in a native run, and what must be left of it: nothing.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Stdio};

use timerscope::machine::{
    Action, AskError, AskErrorKind, Batch, Class, Cut, Ended, Ending, Keep,
    Listener, Machine, Meanwhile, Note, Outcome, Priority, Process, Recording,
    Span, Task, Until, Verdict, WaitKind, Workload,
};
use timerscope_native::Native;

const PLAYER: &str = env!("CARGO_BIN_EXE_timerscope-player");

fn native() -> Native {
    Native::with_player(Path::new(PLAYER))
}

fn play(workload: &Workload) -> Result<(Recording, Ending), AskError> {
    let mut recording = Recording::new(workload);
    let ending = native().play(workload, &mut recording)?;
    Ok((recording, ending))
}

fn one(task: Task) -> Workload {
    Workload::new(vec![Process::new("app", vec![task])])
}

fn sleeping_for_ever() -> Workload {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let (until, keep) = (Until::Forever, Keep::Nothing);
    let action = Action::Repeat { until, keep, body: vec![wait] };
    one(Task::new("sleeper", vec![action]))
}

fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

/// Calls `then` with the process number of the first role that started.
struct OnStart<F: FnMut(u32)>(F, Option<u32>);

impl<F: FnMut(u32)> Listener for OnStart<F> {
    fn hear(&mut self, batch: &Batch<'_>) -> Verdict {
        for note in batch.notes {
            if let Note::Started { pid, .. } = note {
                self.1 = Some(*pid);
                (self.0)(*pid);
            }
        }
        Verdict::Continue
    }
}

#[test]
fn a_killed_player_ends_the_run_and_says_who_died() {
    let kill = |pid: u32| {
        let killed =
            Command::new("kill").args(["-KILL", &pid.to_string()]).status();
        assert!(killed.unwrap().success());
    };
    let mut listener = OnStart(kill, None);
    let ending = native().play(&sleeping_for_ever(), &mut listener).unwrap();
    let Ended::Cut { by: Cut::Player { process, how, killed }, .. } =
        &ending.ended
    else {
        panic!("it ended as {:?}", ending.ended);
    };
    assert_eq!((process.as_str(), *killed), ("app", true));
    assert_eq!(how, "killed by signal 9");
    assert!(!exists(listener.1.unwrap()));
}

const COORDINATE: &str = "TIMERSCOPE_TEST_COORDINATE";

/// Not a test of its own: what the tests below start as a process that they
/// may stop and kill. It plays for the time named, and prints its player.
#[test]
fn coordinate() {
    let Ok(limit) = std::env::var(COORDINATE) else { return };
    let mut workload = sleeping_for_ever();
    workload.limit = limit.parse().unwrap();
    let print = |pid: u32| println!("player {pid}");
    let _ = native().play(&workload, &mut OnStart(print, None));
}

/// Starts [`coordinate`], and returns it with the number of its player.
fn coordinator(limit: &str) -> (std::process::Child, u32) {
    let own = std::env::current_exe().unwrap();
    let mut child = Command::new(own)
        .args(["coordinate", "--exact", "--nocapture"])
        .env(COORDINATE, limit)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let player = std::io::BufRead::lines(&mut stdout)
        .map_while(Result::ok)
        .find_map(|line| line.split("player ").nth(1)?.trim().parse().ok());
    // What it says after that has somewhere to go, or it would complain.
    child.stdout = Some(stdout.into_inner());
    (child, player.unwrap())
}

fn wait_until_gone(pid: u32) {
    for _ in 0..3000 {
        if !exists(pid) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("process {pid} is still there");
}

fn signal(pid: u32, signal: &str) {
    let pid = pid.to_string();
    let sent = Command::new("kill").args([signal, &pid]).status();
    assert!(sent.unwrap().success());
}

// A coordinator that is killed outright cannot clean up: the kernel must.
#[test]
fn players_die_with_their_coordinator() {
    let (mut coordinator, player) = coordinator("60s");
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    wait_until_gone(player);
}

// A coordinator that is stopped once left its players running for ever.
#[test]
fn players_keep_the_limit_though_their_coordinator_is_stopped() {
    let (mut coordinator, player) = coordinator("100ms");
    signal(coordinator.id(), "-STOP");
    // A zombie until its parent goes on: what it does is over.
    let over = || {
        let stat = std::fs::read_to_string(format!("/proc/{player}/stat"));
        stat.map_or(true, |stat| stat.contains(") Z "))
    };
    for _ in 0..3000 {
        if over() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let ended = over();
    signal(coordinator.id(), "-CONT");
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    assert!(ended, "the player goes on past its limit");
}

// A program that forgot to serve would start players that start players.
#[test]
fn a_program_that_serves_no_player_is_found_out() {
    let mut machine = Native::with_player(Path::new("/bin/true"));
    let workload = sleeping_for_ever();
    let mut recording = Recording::new(&workload);
    let error = machine.play(&workload, &mut recording).unwrap_err();
    assert!(error.what.contains("did not start"), "{error}");
}

#[test]
fn a_cpu_that_does_not_exist_is_named_with_those_that_do() {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let mut task = Task::new("sleeper", vec![wait]);
    task.cpus = vec![9999];
    let error = play(&one(task)).unwrap_err();
    assert_eq!(error.kind, AskErrorKind::Wrong);
    assert!(error.what.contains("CPU 9999"), "{error}");
    assert!(error.hint.unwrap().contains("one of the CPUs 0"));
}

#[test]
fn a_wait_of_another_system_is_absent() {
    let wait = Action::wait(WaitKind::SleepEx, Span::from_ms(1));
    let error = play(&one(Task::new("sleeper", vec![wait]))).unwrap_err();
    assert_eq!(error.kind, AskErrorKind::Absent);
}

#[test]
fn a_level_of_windows_is_absent() {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let mut task = Task::new("sleeper", vec![wait]);
    task.priority = Priority::Level(15);
    assert_eq!(play(&one(task)).unwrap_err().kind, AskErrorKind::Absent);
}

#[test]
fn what_a_task_runs_as_is_told() {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let mut task = Task::new("sleeper", vec![wait]);
    task.slack = Some(Span::from_ns(1));
    task.priority = Priority::Nice(7);
    let mut process = Process::new("app", vec![task]);
    process.class = Class::Normal;
    let (_, ending) = play(&Workload::new(vec![process])).unwrap();
    let role = &ending.roles[0];
    assert_eq!(role.slack_ns.value(), Some(&1));
    let policy = role.policy.value().map(String::as_str);
    assert_eq!(policy, Some("SCHED_OTHER, nice 7"));
}

// Every way of waiting must end when its loop does, also those that no
// signal ends and those that burn.
#[test]
fn every_wait_can_be_cut_short() {
    let mut actions = Vec::new();
    let waits: Vec<WaitKind> = WaitKind::of(timerscope::machine::System::Linux)
        // Rust's own sleep starts over when interrupted.
        .filter(|how| *how != WaitKind::ThreadSleep)
        .collect();
    for how in &waits {
        let meanwhile = if how.ends_by_signal() {
            Meanwhile::Burn
        } else {
            Meanwhile::Block
        };
        let span = Span::from_s(1000);
        let keep = Keep::Everything;
        actions.push(Action::Repeat {
            until: Until::Span(Span::from_ms(5)),
            keep: Keep::Nothing,
            body: vec![Action::Wait { how: *how, span, meanwhile, keep }],
        });
    }
    let (recording, ending) = play(&one(Task::new("all", actions))).unwrap();
    assert_eq!(ending.ended, Ended::Complete);
    for (number, how) in (0_u16..).zip(waits) {
        let track = recording.track(0, 2 * number + 1).unwrap();
        let told = (track.ended(Outcome::Interrupted), track.count());
        let absent =
            track.ended(Outcome::Absent) + track.ended(Outcome::Refused);
        assert!(told == (1, 1) || absent > 0, "{how}: {:?}", track.outcomes);
    }
}

// A wait after an interrupted one once ended at once, by the expiry that was
// still on its way.
#[test]
fn an_interrupted_timer_does_not_end_the_next_wait() {
    for how in [
        WaitKind::Timerfd,
        WaitKind::PosixTimer,
        WaitKind::ItimerReal,
        WaitKind::IoUringTimeout,
    ] {
        let cut = Action::Repeat {
            until: Until::Span(Span::from_ms(2)),
            keep: Keep::Nothing,
            body: vec![Action::wait(how, Span::from_ms(40))],
        };
        let after = Action::wait(how, Span::from_ms(60));
        let task = Task::new("sleeper", vec![cut, after]);
        let (recording, _) = play(&one(task)).unwrap();
        let after = &recording.track(0, 2).unwrap().samples[0];
        assert_eq!(after.outcome, Outcome::Met, "{how}");
        assert!(after.lateness_ns() >= 0, "{how}: {after:?}");
    }
}

// CPU-time timers count the whole process; as jiffies plus one on Linux.
#[test]
fn a_virtual_timer_burns_its_own_cpu_time() {
    let burn = Action::Wait {
        how: WaitKind::ItimerVirtual,
        span: Span::from_us(1),
        meanwhile: Meanwhile::Burn,
        keep: Keep::Everything,
    };
    let task = Task::new("burner", vec![Action::repeat(5, vec![burn])]);
    let (recording, ending) = play(&one(task)).unwrap();
    assert_eq!(recording.track(0, 1).unwrap().samples.len(), 5);
    assert!(ending.roles[0].cpu_ns.value().is_some_and(|ns| *ns > 1_000_000));
}

#[test]
fn a_hundred_tasks_play_together() {
    let wait = Action::wait(WaitKind::ClockNanosleep, Span::from_ms(1));
    let mut task = Task::new("sleeper", vec![Action::repeat(20, vec![wait])]);
    task.copies = 25;
    let mut process = Process::new("app", vec![task]);
    process.copies = 4;
    let (recording, ending) = play(&Workload::new(vec![process])).unwrap();
    assert_eq!(ending.ended, Ended::Complete);
    assert_eq!(recording.heard(), 100 * 20);
    assert!(ending.roles.iter().all(|role| role.finished && role.lost == 0));
}

/// Two tasks that hand each other the turn by one call each.
fn handing_over(turns: u64, timeout: Option<Span>) -> Workload {
    let keep = Keep::Everything;
    let both = |set: &str, awaited: &str| Action::SetAwait {
        set: set.to_owned(),
        awaited: awaited.to_owned(),
        timeout,
        keep,
    };
    let first = Action::Await { event: "there".into(), timeout: None, keep };
    let there = Action::repeat(turns, vec![both("there", "back")]);
    let back = Action::repeat(turns - 1, vec![both("back", "there")]);
    let last = Action::Set("back".to_owned());
    let tasks = vec![
        Task::new("caller", vec![there]),
        Task::new("answerer", vec![first, back, last]),
    ];
    let mut workload = Workload::new(vec![Process::new("app", tasks)]);
    workload.events = vec!["there".to_owned(), "back".to_owned()];
    workload
}

#[test]
fn signal_and_wait_hands_every_turn_over_or_is_refused() {
    for timeout in [None, Some(Span::from_s(30))] {
        match play(&handing_over(2_000, timeout)) {
            Ok((recording, ending)) => {
                assert_eq!(ending.ended, Ended::Complete);
                let track = recording.track(0, 1).unwrap();
                assert_eq!(track.ended(Outcome::Met), 2_000);
            }
            Err(error) => assert!(
                matches!(
                    error.kind,
                    AskErrorKind::Absent | AskErrorKind::Refused
                ),
                "{error}"
            ),
        }
    }
}

#[test]
fn signal_and_wait_ends_by_its_time_out_and_by_its_loop() {
    let keep = Keep::Everything;
    let both = |set: &str, timeout| Action::SetAwait {
        set: set.to_owned(),
        awaited: "never".to_owned(),
        timeout,
        keep,
    };
    let timed = Action::Repeat {
        until: Until::Span(Span::from_ms(30)),
        keep: Keep::Nothing,
        body: vec![both("one", None)],
    };
    let short = both("other", Some(Span::from_ms(2)));
    let mut workload = one(Task::new("alone", vec![short, timed]));
    workload.events = ["one", "other", "never"].map(str::to_owned).to_vec();
    let Ok((recording, ending)) = play(&workload) else { return };
    assert_eq!(ending.ended, Ended::Complete);
    let ended =
        |step, outcome| recording.track(0, step).unwrap().ended(outcome);
    assert_eq!(ended(0, Outcome::TimedOut), 1);
    assert_eq!(ended(2, Outcome::Interrupted), 1);
}
