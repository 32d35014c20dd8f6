//! What each rule of Linux makes of one plain case, to the nanosecond.

use timerscope::machine::{Action, Span, WaitKind};
use timerscope::sim::Spec;
use timerscope::trace::What;

use crate::machines::{free, machine};
use crate::played::{Played, play};
use crate::workloads::{for_ever, lone, workload};

/// How long one wait takes from the start of the run.
fn took(spec: &Spec, how: WaitKind, us: u64) -> i64 {
    let wait = Action::wait(how, Span::from_us(us));
    let run = play(spec, 1, &workload(vec![lone("own", 0, vec![wait])], 500));
    run.took(0)[0]
}

fn ticks(run: &Played) -> usize {
    run.events.iter().filter(|event| event.what == What::Tick).count()
}

/// L-1: a tick past the due time serves a timer before its slack is over; one
/// before the due time does not.
#[test]
fn a_tick_past_the_due_time_serves_a_timer_too() {
    let spec = free(machine("linux-6"));
    let nanosleep = |us| took(&spec, WaitKind::Nanosleep, us);
    assert_eq!(nanosleep(3_900), 3_950_000);
    assert_eq!(nanosleep(3_990), 4_000_000);
    assert_eq!(nanosleep(4_002), 4_052_000);
}

/// L-4: an idle CPU stops its tick while its next timer is far, and keeps it
/// while that is near.
#[test]
fn an_idle_cpu_stops_its_tick_unless_a_timer_is_near() {
    let spec = free(machine("linux-6"));
    let ticks_of = |us| {
        let wait = Action::wait(WaitKind::Timerfd, Span::from_us(us));
        let own = lone("own", 0, vec![for_ever(vec![wait])]);
        ticks(&play(&spec, 1, &workload(vec![own], 400)))
    };
    // One each 4 ms.
    assert!(ticks_of(5_000) > 95, "{}", ticks_of(5_000));
    assert!(ticks_of(7_900) > 95, "{}", ticks_of(7_900));
    assert!(ticks_of(8_100) < 5, "{}", ticks_of(8_100));
    let mut none = spec.clone();
    none.constants.kept_ticks = 0;
    let own = lone(
        "own",
        0,
        vec![Action::wait(WaitKind::Timerfd, Span::from_us(5_000))],
    );
    assert_eq!(ticks(&play(&none, 1, &workload(vec![own], 400))), 0);
}

/// L-5: an idle CPU takes its time to answer, and less after a short stay.
#[test]
fn an_idle_cpu_answers_sooner_after_a_short_stay() {
    let mut spec = free(machine("linux-6"));
    spec.constants.idle_exit = Span::from_us(26);
    spec.constants.short_idle_exit = Span::from_us(8);
    spec.constants.short_idle = Span::from_us(500);
    let timerfd = |us| took(&spec, WaitKind::Timerfd, us);
    assert_eq!(timerfd(499), 507_000);
    assert_eq!(timerfd(500), 526_000);
    assert_eq!(timerfd(1_000), 1_026_000);
}

/// L-7: a socket's time-out ends on a tick, one more than its span needs, by
/// whatever other timers end.
#[test]
fn a_socket_times_out_on_a_tick_one_more_than_it_needs() {
    for name in ["linux-6", "linux-lowres"] {
        let spec = free(machine(name));
        for (us, ticks) in [(1, 2), (4_000, 2), (4_001, 3), (100_000, 26)] {
            let took = took(&spec, WaitKind::SocketTimeout, us);
            assert_eq!(took, ticks * 4_000_000, "{name} {us}");
        }
    }
}
