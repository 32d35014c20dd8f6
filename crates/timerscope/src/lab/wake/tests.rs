use super::*;
use crate::lab::Load;
use crate::lab::play::{Silent, play_all};
use crate::lab::scripted::{Scripted, WAKE, facts};
use crate::machine::{Known, MissingKind, Priority, Span, Workload};

const ALL: [Setter; 3] =
    [Setter::OtherCpu, Setter::SameCpu, Setter::BelowSpinning];

fn all() -> Wake {
    Wake { setters: ALL.to_vec(), count: 10, ..Wake::by(Setter::SameCpu) }
}

fn played(wake: &Wake) -> WakeFigures {
    let facts = facts();
    let workloads = wake.workloads(&facts);
    let machine = &mut Scripted::default();
    let runs = play_all(machine, &facts, workloads, &mut Silent).unwrap();
    figures(wake, &runs)
}

fn workload(wake: &Wake) -> Workload {
    wake.workloads(&facts()).remove(0).unwrap()
}

#[test]
fn every_setter_has_the_machines_wake_up_in_its_row() {
    let figures = played(&all());
    assert_eq!(figures.rows.len(), 3);
    for (row, kind) in figures.rows.iter().zip(ALL) {
        assert_eq!((row.kind, row.late.count, row.set_before), (kind, 10, 0));
        assert_eq!(row.late.p50_ns, Known::Value(WAKE));
        assert_eq!(row.late.max_ns, Known::Value(WAKE));
        assert_eq!(row.late.histogram, [(WAKE, 10)]);
        assert_eq!(row.conditions.cpu, Known::Value(0));
    }
    assert_eq!(figures.tick_ns, Known::Value(4_000_000));
    assert_eq!(figures.stolen_ns, Known::Value(21));
    assert!(figures.ruler.value().is_some());
}

#[test]
fn late_wake_ups_are_listed_with_their_number_from_one() {
    let min = |ns| Some(Span::from_ns(ns));
    let wake = Wake { count: 3, min: min(4_999), ..Wake::by(ALL[1]) };
    let late = WAKE;
    let over = played(&wake).rows.remove(0).over;
    assert_eq!(over, [(1, late), (2, late), (3, late)]);
    let higher = Wake { min: min(5_000), ..wake };
    assert_eq!(played(&higher).rows.remove(0).over, []);
}

#[test]
fn the_setter_is_where_and_as_urgent_as_asked() {
    let of = |kind, cpu, priority| {
        let wake = Wake { cpu, priority, ..Wake::by(kind) };
        let process = workload(&wake).processes.remove(0);
        let setter = &process.tasks[1];
        (process.tasks[0].cpus.clone(), setter.cpus.clone(), setter.priority)
    };
    let normal = Priority::Normal;
    assert_eq!(of(ALL[0], None, normal), (vec![0], vec![1], normal));
    assert_eq!(of(ALL[0], Some(1), normal), (vec![1], vec![0], normal));
    assert_eq!(of(ALL[1], Some(1), normal), (vec![1], vec![1], normal));
    let below = (vec![0], vec![0], Priority::Below);
    assert_eq!(of(ALL[2], None, normal), below);
    let (.., priority) = of(ALL[2], None, Priority::Fifo(80));
    assert_eq!(priority, Priority::Fifo(79));
}

#[test]
fn without_a_second_cpu_there_is_no_setter_on_it() {
    let facts = crate::machine::Facts { cpus: vec![0], ..facts() };
    let wake = all();
    let workloads = wake.workloads(&facts);
    let machine = &mut Scripted::default();
    let runs = play_all(machine, &facts, workloads, &mut Silent).unwrap();
    let rows = figures(&wake, &runs).rows;
    assert_eq!((rows[0].kind, rows[0].late.count), (ALL[0], 0));
    let missing = rows[0].late.p50_ns.missing().unwrap();
    assert_eq!(missing.kind, MissingKind::Absent);
    assert_eq!(rows[1].late.count, 10);
    let alone = Wake::by(Setter::OtherCpu).workloads(&facts);
    assert!(play_all(machine, &facts, alone, &mut Silent).is_err());
}

#[test]
fn nothing_can_be_below_the_least_urgent() {
    let priority = Priority::Idle;
    let wake = Wake { priority, ..Wake::by(Setter::BelowSpinning) };
    assert!(wake.workloads(&facts())[0].is_err());
}

#[test]
fn a_setter_that_would_never_run_is_refused() {
    let ask = |load| Wake {
        load,
        priority: Priority::Fifo(50),
        ..Wake::by(Setter::BelowSpinning)
    };
    assert!(ask(Load::Below).workloads(&facts())[0].is_err());
    assert!(ask(Load::None).workloads(&facts())[0].is_ok());
}

#[test]
fn every_wake_that_can_be_asked_can_be_played() {
    for load in [Load::None, Load::Below, Load::Same, Load::Above] {
        let wake = Wake { load, count: 5_000_000, ..all() };
        for workload in wake.workloads(&facts()) {
            assert_eq!(workload.unwrap().faults(), []);
        }
    }
}
