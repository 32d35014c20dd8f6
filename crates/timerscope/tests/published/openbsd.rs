//! timer.c on OpenBSD, before and after the patch: 120 rows.

use timerscope::machine::{
    Action, Meanwhile, Process, Span, Task, WaitKind, Workload,
};

use crate::openbsd_table as table;
use crate::play::{Played, deviation, mean, play, wait};
use crate::row::{Row, hold};

const ROWS: usize = 20;
const LOOPS: u64 = 100;
/// What the timecounter says a tick of the articles' machine lasts.
const TICK_US: f64 = 9999.85;
/// adjtime adds at most this.
const SLEWED: f64 = 1.005;
const KINDS: [WaitKind; 3] =
    [WaitKind::ItimerReal, WaitKind::ItimerVirtual, WaitKind::ItimerProf];
const BEFORE: &str = "openbsd-6.9";
const AFTER: &str = "openbsd-7.0,slew=5000us/s,slew-budget=1.48s";

fn span_us(row: usize) -> u64 {
    800_000 >> row
}

/// timer.c: each span 100 times, by each timer in turn, burning.
fn timer_c() -> Workload {
    let row = |how: WaitKind, row: usize| {
        let span = Span::from_us(span_us(row));
        Action::repeat(LOOPS, vec![wait(how, span, Meanwhile::Burn)])
    };
    let all = KINDS.iter().flat_map(|how| (0..ROWS).map(|i| row(*how, i)));
    let task = Task::new("timer", all.collect());
    let process = Process::new("timer.c", vec![task]);
    Workload { limit: Span::from_s(1000), ..Workload::new(vec![process]) }
}

/// The step of a row's wait: each stands behind its loop.
fn step(kind: usize, row: usize) -> u16 {
    (2 * (kind * ROWS + row) + 1) as u16
}

fn runs(machine: &str, count: u64) -> Vec<Played> {
    let workload = timer_c();
    (1..=count).map(|seed| play(machine, seed, &workload)).collect()
}

/// A row's mean over runs, and how far the runs lie apart.
fn averages(runs: &[Played], kind: usize, row: usize) -> (f64, f64) {
    let each: Vec<f64> =
        runs.iter().map(|run| mean(&run.took_us(0, step(kind, row)))).collect();
    (mean(&each), deviation(&each))
}

/// Within 2 % or three standard errors, and the same number of ticks.
fn rows(
    runs: &[Played],
    kind: usize,
    published: &[(f64, f64); ROWS],
    slewed: impl Fn(usize) -> bool,
) -> Vec<Row> {
    (0..ROWS)
        .map(|row| {
            let (average, sd) = published[row];
            let (model, apart) = averages(runs, kind, row);
            let tick = TICK_US * if slewed(row) { SLEWED } else { 1.0 };
            let ticks = |us: f64| (us / tick).round();
            let error = apart.hypot(sd / 10.0);
            let off = (model - average).abs();
            let near = off <= average * 0.02 || off <= 3.0 * error;
            let what = format!("{} {} us", KINDS[kind], span_us(row));
            let mut row = Row::within(what, average, model, 2.0);
            row.met = near && (ticks(model) - ticks(average)).abs() < 0.5;
            row
        })
        .collect()
}

const LOAD: &str = "single bursts of load, no rule: 83/82 and 11/10 ticks";

fn before(runs: &[Played]) {
    hold("before", &rows(runs, 0, &table::BEFORE_REAL, |_| false));
    hold("before", &rows(runs, 1, &table::BEFORE_VIRTUAL, |_| false));
    let mut prof = rows(runs, 2, &table::BEFORE_PROF, |_| false);
    for place in [0, 3] {
        prof[place] = prof[place].clone().misses(LOAD);
    }
    hold("before", &prof);
}

/// The correction ran out in the third row of ITIMER_VIRTUAL.
fn after(runs: &[Played]) {
    hold("after", &rows(runs, 0, &table::AFTER_REAL, |_| true));
    hold("after", &rows(runs, 1, &table::AFTER_VIRTUAL, |row| row < 2));
    hold("after", &rows(runs, 2, &table::AFTER_PROF, |_| false));
}

/// As many runs as the published figures were calibrated with.
const MANY: u64 = 12;

#[test]
fn the_rows_before_the_patch_come_out() {
    before(&runs(BEFORE, MANY));
}

#[test]
fn the_rows_after_the_patch_come_out() {
    after(&runs(AFTER, MANY));
}

// The long rows lost a tick to the slewed clock and not to the patch.
#[test]
fn without_slew_only_rows_below_a_tick_are_shorter() {
    let runs = runs("openbsd-7.0", 2);
    let expected = [
        (0, 809_586.0),
        (3, 109_797.6),
        (4, 59_998.4),
        (5, 29_998.9),
        (6, 19_999.0),
        (7, 9_999.1),
        (19, 9_999.2),
    ];
    let rows: Vec<Row> = expected
        .map(|(row, us)| {
            let model = averages(&runs, 0, row).0;
            Row::within(format!("REAL {} us", span_us(row)), us, model, 0.5)
        })
        .into();
    hold("after the patch, clock not slewed (predicted)", &rows);
}
