use proptest::prelude::*;

use super::{Detail, Drawing, Kind, Slice, Timeline, Track, Value};
use crate::machine::{
    Action, Happening, Process, Span, Task, WaitKind, Workload,
};
use crate::trace::{Event, Left, What};

const MS: i64 = 1_000_000;

/// A game with a loop and a loader, twice, and one event.
pub(crate) fn workload() -> Workload {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let tasks = ["loop", "loader"].map(|name| {
        Task::new(name, vec![Action::repeat(9, vec![wait.clone()])])
    });
    let game = Process { copies: 2, ..Process::new("game", tasks.into()) };
    let events = vec!["frame".to_owned()];
    Workload { events, ..Workload::new(vec![game]) }
}

fn drawn(events: &[(i64, What)]) -> Timeline {
    let workload = workload();
    let mut drawing = Drawing::new(&workload);
    for (at, what) in events {
        drawing.see(&Event { at: *at, cpu: Some(0), what: *what });
    }
    drawing.finish()
}

/// The path of a track, from what stands above all.
fn path(timeline: &Timeline, track: &Track) -> String {
    let above = track.parent.map(|own| path(timeline, &timeline.tracks[own]));
    above.map_or(track.name.clone(), |above| format!("{above}/{}", track.name))
}

/// The tracks with this path.
fn tracks<'a>(timeline: &'a Timeline, wanted: &str) -> Vec<&'a Track> {
    let all = timeline.tracks.iter();
    all.filter(|track| path(timeline, track) == wanted).collect()
}

fn slices(timeline: &Timeline, wanted: &str) -> Vec<(String, i64, i64)> {
    let slices = tracks(timeline, wanted).into_iter().flat_map(|track| {
        let own = track.slices.iter();
        own.map(|own| (timeline.text(own.name).to_owned(), own.begin, own.end))
    });
    slices.collect()
}

fn instants(timeline: &Timeline, wanted: &str) -> Vec<(String, i64)> {
    let instants = tracks(timeline, wanted).into_iter().flat_map(|track| {
        let own = track.instants.iter();
        own.map(|own| (timeline.text(own.name).to_owned(), own.at))
    });
    instants.collect()
}

fn is(name: &str, begin: i64, end: i64) -> (String, i64, i64) {
    (name.to_owned(), begin, end)
}

/// One wait of a loop: it arms, leaves, is woken, waits its turn and runs.
const ONE_WAIT: [(i64, What); 9] = [
    (0, What::Ran { role: 0, level: 8 }),
    (10, What::Armed { role: 0, due: 110 }),
    (12, What::Left { role: 0, why: Left::Waits }),
    (100, What::Ran { role: 1, level: 8 }),
    (120, What::Tick),
    (120, What::Expired { role: 0 }),
    (120, What::Woke { role: 0, level: 8 }),
    (150, What::Left { role: 1, why: Left::TurnOver }),
    (150, What::Ran { role: 0, level: 8 }),
];

#[test]
fn a_task_runs_waits_is_ready_and_runs_again() {
    let timeline = drawn(&[&ONE_WAIT[..], &[(170, What::Tick)]].concat());
    let states = [
        is("running", 0, 12),
        is("waiting", 12, 120),
        is("ready", 120, 150),
        is("running", 150, 170),
    ];
    assert_eq!(slices(&timeline, "game#1/loop"), states);
    let timer = [("armed".to_owned(), 10), ("expired".to_owned(), 120)];
    assert_eq!(instants(&timeline, "game#1/loop"), timer);
}

#[test]
fn a_cpu_says_who_ran_and_when_it_ticked() {
    let timeline = drawn(&ONE_WAIT);
    let runs = [
        is("game#1/loop", 0, 12),
        is("game#1/loader", 100, 150),
        is("game#1/loop", 150, 150),
    ];
    assert_eq!(slices(&timeline, "CPUs/CPU 0"), runs);
    let ticks = instants(&timeline, "CPUs/CPU 0/ticks");
    assert_eq!(ticks, [("tick".to_owned(), 120)]);
}

#[test]
fn a_turn_says_why_it_ended_and_a_timer_when_it_is_due() {
    let timeline = drawn(&ONE_WAIT);
    let task = tracks(&timeline, "game#1/loop")[0];
    let waits = [("left", Value::Word("waits"))];
    assert_eq!(task.slices[0].detail.pairs(), waits);
    let due = [("due_ns", Value::Number(110))];
    assert_eq!(task.instants[0].detail.pairs(), due);
}

#[test]
fn stolen_time_stands_beside_who_ran() {
    let timeline = drawn(&[
        (0, What::Ran { role: 0, level: 8 }),
        (5, What::Stolen { for_ns: 10 }),
        (9, What::Left { role: 0, why: Left::Ended }),
    ]);
    let stolen = slices(&timeline, "CPUs/CPU 0/stolen by the host");
    assert_eq!(stolen, [is("stolen", 5, 15)]);
    assert_eq!(slices(&timeline, "CPUs/CPU 0"), [is("game#1/loop", 0, 9)]);
}

// 1 ms is requested, then 2 ms, and 1 ms is withdrawn first: neither is within
// the other.
#[test]
fn requests_may_overlap_in_any_way() {
    let request = |ms: i64| What::Requested { player: 1, interval_ns: ms * MS };
    let withdraw = |ms: i64, held| What::Withdrew {
        player: 1,
        interval_ns: ms * MS,
        held,
    };
    let timeline = drawn(&[
        (1, request(1)),
        (2, request(2)),
        (3, request(1)),
        (4, withdraw(1, true)),
        (5, withdraw(1, true)),
        (6, withdraw(7, false)),
        (8, withdraw(2, true)),
    ]);
    let mut requests = slices(&timeline, "game#2/requests");
    requests.sort();
    let expected = [is("1 ms", 1, 5), is("1 ms", 3, 4), is("2 ms", 2, 8)];
    assert_eq!(requests, expected);
    let unmatched = instants(&timeline, "game#2/happenings");
    assert_eq!(unmatched, [("did not have 7 ms".to_owned(), 6)]);
}

#[test]
fn a_request_ends_with_the_last_task_of_its_process() {
    let timeline = drawn(&[
        (1, What::Requested { player: 0, interval_ns: MS / 2 }),
        (2, What::Requested { player: 1, interval_ns: MS }),
        (3, What::Ended { role: 0 }),
        (5, What::Ended { role: 1 }),
        (7, What::Happened { player: 1, what: Happening::Kill }),
        (9, What::Tick),
    ]);
    assert_eq!(slices(&timeline, "game#1/requests"), [is("0.5 ms", 1, 5)]);
    assert_eq!(slices(&timeline, "game#2/requests"), [is("1 ms", 2, 7)]);
    let happened = instants(&timeline, "game#2/happenings");
    assert_eq!(happened, [("kill".to_owned(), 7)]);
}

#[test]
fn the_interval_in_force_is_a_length() {
    let timeline = drawn(&[
        (0, What::Interval { interval_ns: 15_625_000 }),
        (4, What::Interval { interval_ns: MS }),
    ]);
    let track = tracks(&timeline, "interval in force (us)")[0];
    assert_eq!(track.kind, Kind::Length);
    let counts: Vec<_> =
        track.counts.iter().map(|own| (own.at, own.length_ns)).collect();
    assert_eq!(counts, [(0, 15_625_000), (4, MS)]);
}

#[test]
fn what_is_past_the_limit_is_left_out_and_said() {
    let workload = workload();
    let mut drawing = Drawing::with_limit(&workload, 3);
    for at in 0..10 {
        drawing.see(&Event { at: at * MS, cpu: Some(0), what: What::Tick });
    }
    let timeline = drawing.finish();
    assert_eq!(instants(&timeline, "CPUs/CPU 0/ticks").len(), 3);
    let note = &timeline.notes[0];
    assert!(note.starts_with("7 events are left out"), "{note}");
    assert!(note.contains("after 2 ms"), "{note}");
    let said = instants(&timeline, "timerscope");
    assert_eq!(said[0].0, "the common start");
    assert_eq!(&said[1].0, note);
}

/// Any event, sensible or not, of that workload and a little beyond it.
fn what() -> impl Strategy<Value = What> {
    let left = prop::sample::select(vec![
        Left::Waits,
        Left::Preempted,
        Left::TurnOver,
        Left::Yielded,
        Left::Ended,
    ]);
    let role = 0_u32..5;
    let player = 0_u32..3;
    let interval = (1_i64..4).prop_map(|ms| ms * MS);
    prop_oneof![
        Just(What::Tick),
        (0_i64..30).prop_map(|for_ns| What::Stolen { for_ns }),
        (role.clone(), any::<i64>())
            .prop_map(|(role, due)| What::Armed { role, due }),
        role.clone().prop_map(|role| What::Woke { role, level: 8 }),
        role.clone().prop_map(|role| What::Ran { role, level: 8 }),
        (role.clone(), left).prop_map(|(role, why)| What::Left { role, why }),
        role.clone().prop_map(|role| What::Set { role, event: role }),
        (player.clone(), interval.clone()).prop_map(|(player, interval_ns)| {
            What::Requested { player, interval_ns }
        }),
        (player, interval, any::<bool>()).prop_map(
            |(player, interval_ns, held)| {
                What::Withdrew { player, interval_ns, held }
            }
        ),
        role.prop_map(|role| What::Ended { role }),
    ]
}

/// A run's events, in the order of their times.
pub(crate) fn events() -> impl Strategy<Value = Vec<Event>> {
    let one = (0_i64..20, prop::option::of(0_u32..3), what());
    prop::collection::vec(one, 0..120).prop_map(|all| {
        let mut now = -50;
        let event = |(later, cpu, what)| {
            now += later;
            Event { at: now, cpu, what }
        };
        all.into_iter().map(event).collect()
    })
}

/// Whether any two slices are nested or apart, the outer first.
pub(crate) fn nest(slices: &[Slice]) -> bool {
    slices.iter().enumerate().all(|(at, one)| {
        let sound = one.begin <= one.end;
        sound
            && slices[at + 1..].iter().all(|other| {
                let apart = other.begin >= one.end;
                let within = other.begin >= one.begin && other.end <= one.end;
                apart || within
            })
    })
}

proptest! {
    #[test]
    fn slices_nest_and_parents_come_first_whatever_was_seen(seen in events()) {
        let workload = workload();
        let mut drawing = Drawing::new(&workload);
        for event in &seen {
            drawing.see(event);
        }
        let timeline = drawing.finish();
        for (place, track) in timeline.tracks.iter().enumerate() {
            prop_assert!(track.parent.is_none_or(|parent| parent < place));
            prop_assert!(nest(&track.slices), "{track:?}");
            prop_assert!(track.instants.is_sorted_by_key(|own| own.at));
        }
        let earliest = seen.first().map_or(0, |event| event.at.min(0));
        prop_assert!(timeline.earliest() >= earliest);
    }

    // A task is in one state from the first it does to the last that is seen:
    // its states touch, and leave no gap but where it ended.
    #[test]
    fn a_task_that_has_not_ended_is_always_in_some_state(seen in events()) {
        let role = 0;
        let ends = |what: &What| match what {
            What::Ended { role: own } => *own == role,
            What::Left { role: own, why } => {
                *own == role && *why == Left::Ended
            }
            _ => false,
        };
        let alive: Vec<Event> =
            seen.into_iter().filter(|event| !ends(&event.what)).collect();
        let workload = workload();
        let mut drawing = Drawing::new(&workload);
        for event in &alive {
            drawing.see(event);
        }
        let timeline = drawing.finish();
        for track in tracks(&timeline, "game#1/loop") {
            let mut touch = track.slices.windows(2);
            prop_assert!(touch.all(|two| two[0].end == two[1].begin));
        }
    }
}

#[test]
fn what_is_not_known_is_no_detail() {
    assert_eq!(Detail::None.pairs(), []);
}
