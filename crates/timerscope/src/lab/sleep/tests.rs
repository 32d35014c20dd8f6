use crate::lab::Load;
use crate::lab::play::{Silent, play};
use crate::lab::scripted::{SLACK, Scripted, TICK, WAKE};
use crate::lab::sleep::{Hold, Sleep, SleepFigures, figures};
use crate::machine::{Known, MissingKind, Outcome, Priority, Span, WaitKind};

fn played(machine: &mut Scripted, sleep: &Sleep) -> SleepFigures {
    let facts = crate::lab::scripted::facts();
    let workload = sleep.workload(&facts);
    let saved = play(machine, &facts, workload, &mut Silent).unwrap();
    figures(&saved, sleep.min)
}

fn table() -> Sleep {
    Sleep {
        waits: vec![
            WaitKind::ItimerReal,
            WaitKind::ItimerVirtual,
            WaitKind::ItimerProf,
        ],
        spans: "800ms..1us".parse::<super::Sweep>().unwrap().spans(),
        count: 10,
        ..Sleep::of(WaitKind::ItimerReal, Span::from_ms(1))
    }
}

#[test]
fn the_table_of_three_interval_timers_has_the_machines_law_in_it() {
    let figures = played(&mut Scripted::default(), &table());
    assert_eq!(figures.rows.len(), 60);
    for row in &figures.rows {
        let span = row.span_ns as i64;
        let expected = if row.wait == WaitKind::ItimerReal {
            span + WAKE
        } else {
            ((span + TICK - 1) / TICK + 1) * TICK
        };
        assert_eq!(row.took.p50_ns, Known::Value(expected), "{}", row.wait);
        assert_eq!(row.took.mean_ns, Known::Value(expected as f64));
        // timer.c prints -nan for these.
        assert_eq!(row.took.stddev_ns, Known::Value(0.0));
        let counted: u64 = row.took.histogram.iter().map(|pair| pair.1).sum();
        assert_eq!((row.took.count, counted), (10, 10));
        assert_eq!((row.early, row.interrupted), (0, 0));
    }
    assert_eq!(figures.stolen_ns, Known::Value(7));
    let grid = &figures.grid;
    let law = |grid: &super::GridFigure| grid.law.value().cloned();
    assert_eq!(law(grid).as_deref(), Some("ceil+1"));
    let step = *grid.step_ns.value().unwrap();
    assert!((step - TICK as f64).abs() < 1.0, "{step}");
    let waits = [WaitKind::ItimerVirtual, WaitKind::ItimerProf];
    assert_eq!(grid.waits, waits);
    assert_eq!(law(&figures.grids[0].grid), None);
}

#[test]
fn lateness_is_slack_and_wake_up_unless_slack_does_not_apply() {
    let sleep = Sleep {
        waits: vec![WaitKind::Nanosleep, WaitKind::Timerfd],
        ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
    };
    let figures = played(&mut Scripted::default(), &sleep);
    let late = |row: usize| figures.rows[row].lateness_p50_ns.clone();
    assert_eq!(late(0), Known::Value(SLACK + WAKE));
    assert_eq!(late(1), Known::Value(WAKE));
    let conditions = &figures.rows[0].conditions;
    assert_eq!(conditions.slack_ns, Known::Value(SLACK as u64));
    assert!(conditions.slack_applies);
    assert!(!figures.rows[1].conditions.slack_applies);
    assert_eq!(conditions.policy, Known::Value("SCHED_OTHER".to_owned()));
}

#[test]
fn a_real_time_sleeper_has_no_slack() {
    let sleep = Sleep {
        priority: Priority::Fifo(80),
        cpu: Some(1),
        load: Load::Below,
        ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
    };
    let figures = played(&mut Scripted::default(), &sleep);
    let row = &figures.rows[0];
    assert_eq!(row.lateness_p50_ns, Known::Value(WAKE));
    let conditions = &row.conditions;
    assert_eq!(conditions.slack_ns, Known::Value(0));
    assert_eq!(conditions.policy, Known::Value("SCHED_FIFO".to_owned()));
    assert_eq!(conditions.cpu, Known::Value(1));
    assert_eq!(conditions.load, Load::Below);
}

#[test]
fn long_waits_are_listed_with_their_number_from_one() {
    let sleep = Sleep {
        count: 3,
        min: Some(Span::from_us(1_050)),
        ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
    };
    let took = 1_000_000 + SLACK + WAKE;
    let figures = played(&mut Scripted::default(), &sleep);
    let all = [(1, took), (2, took), (3, took)];
    assert_eq!(figures.rows[0].over, all);
    let higher = Sleep { min: Some(Span::from_ms(2)), ..sleep };
    let figures = played(&mut Scripted::default(), &higher);
    assert_eq!(figures.rows[0].over, []);
}

#[test]
fn waits_that_were_refused_have_no_times_and_say_why() {
    let mut machine = Scripted::ending(WaitKind::Nanosleep, Outcome::Refused);
    let sleep = Sleep::of(WaitKind::Nanosleep, Span::from_ms(1));
    let figures = played(&mut machine, &sleep);
    let row = &figures.rows[0];
    assert_eq!(row.took.count, 0);
    let missing = row.took.p50_ns.missing().unwrap();
    assert_eq!(missing.kind, MissingKind::Refused);
    assert_eq!(row.took.mean_ns.missing(), Some(missing));
}

#[test]
fn every_sleep_that_can_be_asked_can_be_played() {
    let facts = crate::lab::scripted::facts();
    for load in [Load::None, Load::Below, Load::Same, Load::Above] {
        for hold in [
            None,
            Some(Hold::Throughout(Span::from_ms(1))),
            Some(Hold::AroundEach(Span::from_ms(1))),
        ] {
            let sleep = Sleep { load, hold, count: 1_000, ..table() };
            let workload = sleep.workload(&facts);
            assert_eq!(workload.faults(), []);
            assert!(workload.limit >= sleep.expected(&facts));
        }
    }
}

#[test]
fn a_load_shares_the_sleepers_cpu_unless_told_otherwise() {
    let facts = crate::lab::scripted::facts();
    let sleep = Sleep {
        load: Load::Same,
        ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
    };
    let cpus = |sleep: &Sleep| {
        let workload = sleep.workload(&facts);
        let of = |place: usize| workload.processes[place].tasks[0].cpus.clone();
        (of(0), of(1))
    };
    assert_eq!(cpus(&sleep), (vec![0], vec![0]));
    let apart = Sleep { load_cpu: Some(1), ..sleep };
    assert_eq!(cpus(&apart), (vec![], vec![1]));
}
