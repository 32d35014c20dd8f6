//! The grid against waits whose truth is known, and against published
//! tables.

use proptest::prelude::*;

use super::draws::Draws;
use super::{Counted, Grid, Law};
use crate::machine::Span;

const US: i64 = 1_000;
const MS: i64 = 1_000_000;

type Rows = Vec<(Span, Counted)>;

fn row(span: i64, waits: impl IntoIterator<Item = i64>) -> (Span, Counted) {
    (Span::from_ns(span.unsigned_abs()), waits.into_iter().collect())
}

/// One published mean per row, both in us.
fn means(rows: &[(u64, f64)]) -> Rows {
    rows.iter()
        .map(|(asked, took)| {
            let took = (took * 1e3).round() as i64;
            row(Span::from_us(*asked).ns().cast_signed(), [took])
        })
        .collect()
}

/// The spans of timer.c, in us: 800 ms, halved.
const HALVED: [u64; 20] = [
    800_000, 400_000, 200_000, 100_000, 50_000, 25_000, 12_500, 6_250, 3_125,
    1_562, 781, 390, 195, 97, 48, 24, 12, 6, 3, 1,
];

fn table(took: [f64; 20]) -> Rows {
    let rows: Vec<_> = HALVED.into_iter().zip(took).collect();
    means(&rows)
}

// Means of the OpenBSD tables, C. Jeker, tech@openbsd.org, 2021-05-28.
const BEFORE_REAL: [f64; 20] = [
    808_854.5,
    409_098.031,
    209_098.641,
    108_900.367,
    59_198.781,
    29_999.529,
    20_103.311,
    18_596.189,
    18_304.02,
    19_395.58,
    19_299.439,
    19_502.061,
    19_297.43,
    19_799.789,
    19_399.801,
    19_599.9,
    19_799.57,
    19_799.711,
    18_699.75,
    19_499.779,
];
const AFTER_REAL: [f64; 20] = [
    803_985.938,
    402_097.844,
    201_099.375,
    100_499.148,
    50_350.051,
    30_149.439,
    20_099.689,
    10_150.28,
    10_049.96,
    10_049.69,
    10_050.1,
    10_049.61,
    10_049.82,
    10_049.86,
    10_049.81,
    10_049.62,
    10_049.78,
    10_050.02,
    10_049.85,
    10_049.92,
];
const BEFORE_VIRTUAL: [f64; 20] = [
    802_268.312,
    400_825.844,
    200_070.953,
    100_599.352,
    49_660.0,
    30_199.73,
    20_539.41,
    9_999.68,
    10_081.8,
    9_845.76,
    9_971.95,
    10_481.69,
    10_045.7,
    10_353.44,
    10_099.44,
    10_145.65,
    9_971.99,
    10_081.8,
    10_017.84,
    10_427.98,
];
const AFTER_VIRTUAL: [f64; 20] = [
    804_457.438,
    402_120.188,
    200_088.641,
    99_899.289,
    50_121.762,
    29_999.711,
    19_799.75,
    10_012.57,
    10_010.56,
    9_999.86,
    9_999.89,
    10_022.02,
    9_999.84,
    9_934.19,
    9_999.82,
    10_043.44,
    9_999.85,
    9_999.9,
    10_039.64,
    9_999.79,
];

#[test]
fn before_the_patch_short_timers_count_as_a_tick_and_then_wait_past_it() {
    let grid = Grid::find(&table(BEFORE_REAL)).unwrap();
    assert!((grid.step_ns / 1e6 - 10.0).abs() < 0.05, "{grid:?}");
    assert_eq!(grid.laws, [Law::RaisedPlus(1)], "{grid:?}");
    assert!(grid.certain);
}

#[test]
fn after_the_patch_they_end_on_the_next_tick_of_a_slewed_clock() {
    let grid = Grid::find(&table(AFTER_REAL)).unwrap();
    assert!((grid.step_ns / 1e6 - 10.05).abs() < 0.01, "{grid:?}");
    // 10.05 ms divides none of the spans, so nothing tells the two apart.
    assert_eq!(grid.laws, [Law::CeilPlus(0), Law::FloorPlus(1)]);
    assert_eq!(
        grid.sentence(),
        "every wait ends on a multiple of 10.05 ms, the first at or after \
         the span (what a span of whole steps gets, these spans do not show)"
    );
}

#[test]
fn cpu_time_timers_end_after_just_the_ticks_they_need() {
    for (name, took) in [("before", BEFORE_VIRTUAL), ("after", AFTER_VIRTUAL)] {
        let grid = Grid::find(&table(took)).unwrap();
        let step_ms = grid.step_ns / 1e6;
        assert!((step_ms - 10.0).abs() < 0.06, "{name}: {grid:?}");
        assert!(grid.laws.contains(&Law::CeilPlus(0)), "{name}: {grid:?}");
    }
}

#[test]
fn a_low_resolution_kernel_ends_waits_on_the_first_tick_past_the_span() {
    // Linux 6.1, 250 Hz, highres=off, in an emulator: medians.
    let grid = Grid::find(&means(&[
        (1, 4_010.0),
        (100, 4_010.0),
        (1_000, 4_000.0),
        (2_000, 3_990.0),
        (4_000, 8_000.0),
        (5_000, 7_990.0),
        (6_250, 7_990.0),
        (10_000, 12_000.0),
        (15_625, 16_000.0),
        (50_000, 51_990.0),
    ]))
    .unwrap();
    assert_eq!(grid.laws, [Law::FloorPlus(1)]);
    assert_eq!(
        grid.sentence(),
        "every wait ends on a multiple of 4 ms, the first past the span"
    );
}

#[test]
fn high_resolution_timers_have_no_grid() {
    // The same kernel without the option, and a machine without emulator.
    let slow = [
        (1, 140.0),
        (100, 240.0),
        (1_000, 1_210.0),
        (2_000, 2_320.0),
        (4_000, 4_400.0),
        (5_000, 5_500.0),
        (10_000, 10_800.0),
        (15_625, 16_500.0),
    ];
    assert_eq!(Grid::find(&means(&slow)), None);
    let fast = HALVED.map(|us| (us, us as f64 * 1.0005 + 8.0));
    assert_eq!(Grid::find(&means(&fast)), None);
}

/// What a machine with this law does, with latency, scatter and outliers.
fn played(
    step: f64,
    spans_in_steps: &[f64],
    law: impl Fn(f64) -> f64,
    seed: u64,
) -> Rows {
    let mut draws = Draws::new(seed);
    let scatter = (step * 0.06) as i64;
    spans_in_steps
        .iter()
        .map(|steps| {
            let due = (law(*steps) * step) as i64;
            let waits: Vec<i64> = (0..100)
                .map(|_| {
                    let stray = draws.within(100) < 4;
                    let more =
                        if stray { draws.within(3 * step as i64) } else { 0 };
                    due + 5 * US + draws.within(scatter) - scatter / 2 + more
                })
                .collect();
            row((steps * step).round() as i64, waits)
        })
        .collect()
}

#[test]
fn every_law_is_found_at_every_step_through_scatter_and_outliers() {
    type Rule = fn(f64) -> f64;
    let spans = [0.01, 0.2, 0.7, 1.0, 1.4, 2.0, 3.3, 5.0, 7.6, 12.5];
    let laws: [(Law, Rule); 5] = [
        (Law::CeilPlus(0), f64::ceil),
        (Law::CeilPlus(1), |steps| steps.ceil() + 1.0),
        (Law::FloorPlus(1), |steps| steps.floor() + 1.0),
        (Law::FloorPlus(2), |steps| steps.floor() + 2.0),
        (Law::RaisedPlus(1), |steps| steps.floor().max(1.0) + 1.0),
    ];
    for step in [1e6, 4e6, 10e6, 15.625e6] {
        for (law, rule) in laws {
            for seed in 0..5 {
                let rows = played(step, &spans, rule, seed);
                let grid = Grid::find(&rows);
                let grid = grid.unwrap_or_else(|| panic!("{law} {step}"));
                let off = (grid.step_ns / step - 1.0).abs();
                assert!(off < 0.003, "{law} {step} {seed}: {grid:?}");
                assert_eq!(grid.laws, [law], "{step} {seed}: {grid:?}");
                assert!(grid.share > 0.94 && grid.share < 1.0);
                assert!(grid.certain);
            }
        }
    }
}

#[test]
fn a_multiple_that_no_rule_gives_is_called_irregular() {
    let rows = [(1, 4), (6, 12), (9, 12), (19, 32), (21, 24), (34, 48)]
        .map(|(asked, took)| row(asked * MS, [took * MS; 10]));
    let grid = Grid::find(&rows).unwrap();
    assert!((grid.step_ns - 4e6).abs() < 1.0, "{grid:?}");
    assert_eq!(grid.laws, [Law::Irregular]);
}

#[test]
fn waits_of_whole_milliseconds_that_end_70_us_late_have_no_grid() {
    let mut draws = Draws::new(3);
    let rows: Rows = (1..=15)
        .map(|ms| {
            let waits = (0..50).map(|_| 70 * US + draws.within(20 * US));
            row(ms * MS, waits.map(|late| ms * MS + late).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(Grid::find(&rows), None);
}

#[test]
fn one_span_that_always_ends_at_15_6_ms_leaves_the_step_open() {
    let mut draws = Draws::new(5);
    let waits: Vec<i64> =
        (0..100).map(|_| 15_600 * US + draws.within(100 * US)).collect();
    let grid = Grid::find(&[row(MS, waits.clone())]).unwrap();
    assert!((grid.step_ns / 15.65e6 - 1.0).abs() < 0.005, "{grid:?}");
    assert!(!grid.certain);
    assert!(
        grid.sentence()
            .ends_with("do not rule out a half or a third of that step")
    );
    // Asked for 15 ms, the same waits show nothing.
    assert_eq!(Grid::find(&[row(15 * MS, waits)]), None);
}

#[test]
fn one_span_that_ends_on_several_multiples_shows_the_step() {
    let mut draws = Draws::new(9);
    let waits: Vec<i64> = (0..300)
        .map(|n| (1 + n % 3) * 7 * MS + draws.within(600 * US) - 300 * US)
        .collect();
    let grid = Grid::find(&[row(MS, waits)]).unwrap();
    assert!((grid.step_ns / 7e6 - 1.0).abs() < 0.01, "{grid:?}");
    assert!(grid.certain);
    assert_eq!(grid.laws, [Law::Irregular]);
}

#[test]
fn whole_steps_asked_and_one_more_given_leave_the_step_open() {
    let rows: Rows =
        (1..=5).map(|ms| row(ms * MS, [(ms + 1) * MS; 20])).collect();
    let grid = Grid::find(&rows).unwrap();
    assert!((grid.step_ns - 1e6).abs() < 1.0 && !grid.certain, "{grid:?}");
    assert_eq!(
        grid.sentence(),
        "every wait ends on a multiple of 1 ms, one more than the span, which \
         was whole steps in every row; these waits do not rule out a half or \
         a third of that step"
    );
}

#[test]
fn a_coarse_windows_tick_shows_in_sleeps_of_1_to_20_ms() {
    let mut draws = Draws::new(11);
    let rows: Rows = (1..=20)
        .map(|ms| {
            let ticks = ms * MS / 15_625_000 + 1;
            let waits = (0..50).map(|_| draws.within(100 * US));
            let due = ticks * 15_625 * US;
            row(ms * MS, waits.map(|late| due + late).collect::<Vec<_>>())
        })
        .collect();
    let grid = Grid::find(&rows).unwrap();
    assert!((grid.step_ns / 15.625e6 - 1.0).abs() < 0.001, "{grid:?}");
    assert!(grid.certain);
    assert_eq!(grid.law(), "ceil+0 or floor+1");
}

#[test]
fn waits_that_begin_at_random_do_not_show_the_grid_they_end_on() {
    let mut draws = Draws::new(12);
    let rows: Rows = [1, 2, 5, 10, 15, 23]
        .map(|ms| {
            let waits = (0..100).map(|_| draws.within(4 * MS));
            row(ms * MS, waits.map(|late| ms * MS + late).collect::<Vec<_>>())
        })
        .into();
    assert_eq!(Grid::find(&rows), None);
}

#[test]
fn nothing_has_no_grid() {
    assert_eq!(Grid::find(&[]), None);
    assert_eq!(Grid::find(&[row(MS, [])]), None);
    assert_eq!(Grid::find(&[row(0, [0])]), None);
    assert_eq!(Grid::find(&[row(MS, [i64::MAX, i64::MIN, -5])]), None);
}

/// Waits without a grid: any span, then a lateness drawn by `late`.
fn smooth(
    seed: u64,
    rows: i64,
    waits: i64,
    late: fn(&mut Draws) -> i64,
) -> Rows {
    let mut draws = Draws::new(seed);
    (0..rows)
        .map(|_| {
            let span = 1 + draws.within(50 * MS);
            let took: Vec<i64> =
                (0..waits).map(|_| span + late(&mut draws)).collect();
            row(span, took)
        })
        .collect()
}

#[test]
fn smooth_lateness_has_no_grid_in_99_of_100_seeds() {
    type Late = fn(&mut Draws) -> i64;
    let kinds: [(&str, Late); 5] = [
        ("uniform to 1 ms", |draws| draws.within(MS)),
        ("uniform to 10 ms", |draws| draws.within(10 * MS)),
        ("exponential 60 us", |draws| 50 * US + draws.exponential(60e3)),
        ("exponential 2 ms", |draws| draws.exponential(2e6)),
        ("tight", |draws| 57 * US + draws.within(6 * US)),
    ];
    for (name, late) in kinds {
        let mut found = Vec::new();
        for (rows, waits) in [(1, 100), (4, 1), (8, 1), (20, 1), (6, 50)] {
            let grids = (0..60).filter_map(|seed| {
                Grid::find(&smooth(seed, rows, waits, late))
            });
            found.extend(grids.map(|grid| (rows, waits, grid)));
        }
        assert!(found.len() <= 3, "{name}: {found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn scaling_all_times_scales_the_step(
        seed in any::<u64>(), percent in 50_u32..400,
    ) {
        let spans = [0.1, 0.6, 1.3, 2.0, 3.7, 6.5];
        let factor = f64::from(percent) / 100.0;
        let rows = played(4e6, &spans, f64::ceil, seed);
        let stretch = |ns: i64| (ns as f64 * factor).round() as i64;
        let scaled: Rows = rows
            .iter()
            .map(|(span, took)| {
                let span = stretch(span.ns().cast_signed());
                let pairs = took.pairs().iter();
                let took = Counted::from_pairs(
                    pairs.map(|(at, count)| (stretch(*at), *count)),
                );
                (Span::from_ns(span.unsigned_abs()), took)
            })
            .collect();
        let one = Grid::find(&rows).unwrap();
        let other = Grid::find(&scaled).unwrap();
        let off = other.step_ns / (one.step_ns * factor) - 1.0;
        prop_assert!(off.abs() < 1e-3, "{one:?} {other:?}");
        prop_assert_eq!(one.laws, other.laws);
    }
}
