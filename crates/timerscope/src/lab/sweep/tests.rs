use super::{Knob, Row, Sweep, SweepFigures, figures};
use crate::lab::play::{Silent, play};
use crate::lab::scripted::{Scripted, TICK, WAKE, facts};
use crate::machine::{AskErrorKind, Known, Missing, Saved, Span, WaitKind};

const MOVED: WaitKind = WaitKind::Nanosleep;
const UNMOVED: [WaitKind; 2] =
    [WaitKind::SocketTimeout, WaitKind::ItimerVirtual];

fn sweep() -> Sweep {
    Sweep::of(&facts()).unwrap()
}

fn played(sweep: &Sweep) -> SweepFigures {
    let facts = facts();
    let play = |position: &Span| {
        let workload = sweep.workload(&facts, *position);
        assert_eq!(workload.faults(), []);
        let mut machine = Scripted::default();
        play(&mut machine, &facts, workload, &mut Silent).unwrap()
    };
    let runs: Vec<Saved> = sweep.positions.iter().map(play).collect();
    figures(sweep, &runs)
}

#[test]
fn slack_moves_what_it_applies_to_and_nothing_bound_to_the_tick() {
    let figures = played(&sweep());
    let of = |wait| figures.rows.iter().filter(move |r| r.wait == wait);
    assert_eq!(of(MOVED).count(), Knob::TimerSlack.positions().len());
    for row in of(MOVED) {
        let took = 1_000_000 + row.request_ns as i64 + WAKE;
        assert_eq!(row.sleep_mean_ns, Known::Value(took as f64));
        assert_eq!(row.clock_step_ns, Known::Value(TICK));
    }
    for wait in UNMOVED {
        let mean = |row: &Row| *row.sleep_mean_ns.value().unwrap();
        let means: Vec<f64> = of(wait).map(mean).collect();
        assert_eq!(means.len(), 2);
        // The first wait of all begins somewhere within a tick.
        assert!((means[0] - means[1]).abs() < 1_000.0, "{wait}");
    }
}

#[test]
fn a_range_has_its_ends_and_the_usual_positions_between() {
    let (low, high) = (Some(Span::from_us(40)), Some(Span::from_us(600)));
    let mut us = [40, 50, 100, 500, 600].map(Span::from_us);
    assert_eq!(sweep().between(low, high).positions, us);
    us.reverse();
    assert_eq!(sweep().between(high, low).positions, us);
    assert_eq!(sweep().between(None, None), sweep());
}

#[test]
fn a_host_that_takes_the_cpu_spoils_the_row() {
    let mut figures = played(&sweep());
    let missing = figures.rows.remove(0).spoiled_by;
    assert!(missing.missing().is_some(), "7 ns were stolen");
    let facts = facts();
    let sweep = sweep();
    let workload = sweep.workload(&facts, Span::from_ms(5));
    let mut machine = Scripted::default();
    let mut saved = play(&mut machine, &facts, workload, &mut Silent).unwrap();
    saved.ending.meters.after.stolen_ns =
        Known::Value(saved.ending.lasted_ns / 50);
    let rows = super::figures(&sweep, &[saved]).rows;
    let spoiled = rows[0].spoiled_by.value().unwrap();
    assert!(spoiled.starts_with("the host"), "{spoiled}");
}

#[test]
fn a_machine_turns_the_knob_that_it_has() {
    let slack = facts();
    assert_eq!(Knob::of(&slack), Ok(Knob::TimerSlack));
    let mut requests = facts();
    requests.interval.coarsest_ns = Known::Value(15_625_000);
    requests.interval.finest_ns = Known::Value(500_000);
    assert_eq!(Knob::of(&requests), Ok(Knob::IntervalRequest));
    let sweep = Sweep::of(&requests).unwrap();
    let ms = (1..=15).rev().map(Span::from_ms);
    assert!(sweep.positions.iter().copied().eq(ms));
    for position in &sweep.positions {
        assert_eq!(sweep.workload(&requests, *position).faults(), []);
    }
    let mut neither = facts();
    neither.timer_slack_ns = Missing::absent("no slack").into();
    let kind = Knob::of(&neither).unwrap_err().kind;
    assert_eq!(kind, AskErrorKind::Absent);
}
