//! Does a comparison keep its promise: 5 % of nulls, and real differences?
//!
//! A thousand seeded experiments each; a level of 5 % means 50 of them, with
//! a standard deviation of 7.

use super::draws::Draws;
use super::{
    Comparison, Counted, Figure, Terms, Verdict, compare, compare_at,
    compare_counted,
};

const MEDIAN: Figure = Figure::Quantile(0.5);

/// Latencies in ns, in the order of time.
type Latencies = fn(&mut Draws, usize) -> Vec<i64>;

fn independent(draws: &mut Draws, count: usize) -> Vec<i64> {
    (0..count).map(|_| draws.exponential(50_000.0)).collect()
}

/// Each latency has nine tenths of the last one in it: 19 values are worth
/// one.
fn sluggish(draws: &mut Draws, count: usize) -> Vec<i64> {
    let mut level = 0.0;
    let mut next = || {
        let push = draws.share() + draws.share() + draws.share() - 1.5;
        level = 0.9 * level + push;
        (60_000.0 + 10_000.0 * level) as i64
    };
    (0..20).for_each(|_| _ = next());
    (0..count).map(|_| next()).collect()
}

/// In bursts of ten, 1 % of the time, all takes ten times as long.
fn bursting(draws: &mut Draws, count: usize) -> Vec<i64> {
    let mut left = 0;
    let mut next = |_| {
        left = match left {
            0 if draws.share() < 0.001 => 10,
            left => (left - 1).max(0),
        };
        draws.exponential(if left > 0 { 500_000.0 } else { 50_000.0 })
    };
    (0..count).map(&mut next).collect()
}

/// From the same level straight up or down by as much as luck has it.
fn drifting(draws: &mut Draws, count: usize) -> Vec<i64> {
    let height = 200_000.0 * (draws.share() - 0.5);
    let at = |place: usize| (height * place as f64 / count as f64) as i64;
    (0..count).map(|place| at(place) + draws.within(20_000)).collect()
}

/// Pareto's tail, of exponent 1.5: the variance is infinite.
fn heavy(draws: &mut Draws, count: usize) -> Vec<i64> {
    let far = |share: f64| 20_000.0 * (1.0 - share).powf(-1.0 / 1.5);
    (0..count).map(|_| far(draws.share()) as i64).collect()
}

/// One, two or three ticks of 4 ms.
fn ticks(draws: &mut Draws, count: usize) -> Vec<i64> {
    (0..count).map(|_| 4_000_000 * (1 + draws.within(3))).collect()
}

fn claims(found: &Comparison) -> bool {
    matches!(found.verdict, Verdict::Lower | Verdict::Higher)
}

/// How many of a thousand comparisons of two like runs claim a difference.
fn level(figure: Figure, count: usize, run: Latencies) -> usize {
    let claimed = |seed: &u64| {
        let mut draws = Draws::new(*seed);
        let (before, after) = (run(&mut draws, count), run(&mut draws, count));
        claims(&compare(&before, &after, figure).unwrap())
    };
    (0..1000).filter(claimed).count()
}

fn assert_level(figure: Figure, count: usize, run: Latencies, least: usize) {
    let found = level(figure, count, run);
    assert!((least..=80).contains(&found), "{figure:?}: {found} of 1000");
}

#[test]
fn independent_nulls_are_claimed_at_the_level() {
    assert_level(MEDIAN, 400, independent, 20);
    assert_level(Figure::Mean, 400, independent, 25);
}

#[test]
fn independent_nulls_in_the_tail_are_claimed_no_more_often() {
    assert_level(Figure::Quantile(0.9), 600, independent, 10);
}

#[test]
fn sluggish_nulls_are_claimed_at_the_level() {
    assert_level(MEDIAN, 1500, sluggish, 25);
    assert_level(Figure::Mean, 1500, sluggish, 25);
}

#[test]
fn bursts_do_not_fool_a_median_or_a_mean() {
    assert_level(MEDIAN, 600, bursting, 20);
    assert_level(Figure::Mean, 1000, bursting, 5);
}

#[test]
fn runs_that_drift_apart_by_themselves_are_not_called_different() {
    assert_level(MEDIAN, 400, drifting, 0);
    assert_level(Figure::Mean, 400, drifting, 0);
}

#[test]
fn heavy_tails_do_not_raise_the_level() {
    assert_level(MEDIAN, 400, heavy, 20);
    assert_level(Figure::Mean, 400, heavy, 5);
}

#[test]
fn equal_medians_on_a_grid_are_the_same_and_not_merely_unknown() {
    let verdict = |seed| {
        let mut draws = Draws::new(seed);
        let (before, after) = (ticks(&mut draws, 400), ticks(&mut draws, 400));
        compare(&before, &after, MEDIAN).unwrap().verdict
    };
    let verdicts: Vec<Verdict> = (0..300).map(verdict).collect();
    let count = |one| verdicts.iter().filter(|v| **v == one).count();
    assert_eq!(count(Verdict::Higher) + count(Verdict::Lower), 0);
    assert!(count(Verdict::Same) >= 270, "{}", count(Verdict::Same));
}

#[test]
fn constant_runs_are_the_same_or_surely_different() {
    let (slow, fast) = ([16_000_000; 100], [15_000_000; 100]);
    for figure in [MEDIAN, Figure::Quantile(0.9), Figure::Mean] {
        let same = compare(&slow, &slow, figure).unwrap();
        assert_eq!(same.verdict, Verdict::Same);
        assert_eq!((same.low, same.high), (Some(0.0), Some(0.0)));
        let lower = compare(&slow, &fast, figure).unwrap();
        assert_eq!(lower.verdict, Verdict::Lower);
        assert_eq!((lower.low, lower.high), (Some(-1e6), Some(-1e6)));
        assert!(lower.confidence > 0.999 && lower.matters());
    }
}

#[test]
fn a_tenth_more_is_found_in_nine_of_ten_experiments() {
    let found = |seed: &u64| {
        let mut draws = Draws::new(*seed);
        let mut run = |least: i64| -> Vec<i64> {
            let late = independent(&mut draws, 2000);
            late.iter().map(|late| least + late).collect()
        };
        let (before, after) = (run(100_000), run(113_466));
        // Medians of 134,657 and a tenth more.
        let found = compare(&before, &after, MEDIAN).unwrap();
        found.verdict == Verdict::Higher
    };
    let found = (0..200).filter(found).count();
    assert!(found >= 180, "{found} of 200");
}

#[test]
fn exchanging_the_runs_mirrors_the_answer() {
    let mut draws = Draws::new(5);
    let before = sluggish(&mut draws, 600);
    let after = heavy(&mut draws, 900);
    for figure in [MEDIAN, Figure::Quantile(0.9), Figure::Mean] {
        let forth = compare(&before, &after, figure).unwrap();
        let back = compare(&after, &before, figure).unwrap();
        assert_eq!(forth.low, back.high.map(|high| -high));
        assert_eq!(forth.high, back.low.map(|low| -low));
        assert_eq!(
            (forth.difference, forth.margin, forth.confidence),
            (-back.difference, back.margin, back.confidence)
        );
    }
}

#[test]
fn a_claim_is_as_sure_as_the_widest_interval_without_zero() {
    let mut draws = Draws::new(6);
    let before = independent(&mut draws, 1000);
    let after: Vec<i64> =
        independent(&mut draws, 1000).iter().map(|v| v + 8_000).collect();
    let sure = compare(&before, &after, Figure::Mean).unwrap().confidence;
    let at = |doubt: f64| {
        let terms = Terms { doubt, ..Terms::default() };
        claims(&compare_at(&before, &after, Figure::Mean, &terms).unwrap())
    };
    assert!(at(1.0 - sure + 1e-6) && !at(1.0 - sure - 1e-6), "{sure}");
}

#[test]
fn too_few_values_tell_nothing_and_have_no_interval() {
    let values: Vec<i64> = (0..47).collect();
    let found = compare(&values, &values, MEDIAN).unwrap();
    assert_eq!(found.verdict, Verdict::CannotTell);
    assert_eq!((found.low, found.high), (None, None));
    assert!(found.confidence.abs() < f64::EPSILON);
    assert_eq!(compare(&[], &values, MEDIAN), None);
    assert_eq!(compare(&values, &values, Figure::Quantile(1.0)), None);
}

#[test]
fn ninety_values_do_not_bound_their_99_percent_quantile() {
    let values: Vec<i64> = (0..90).map(|i| i * 37 % 90).collect();
    let found = compare(&values, &values, Figure::Quantile(0.99)).unwrap();
    assert_eq!((found.low, found.high), (None, None));
    assert_eq!(found.verdict, Verdict::CannotTell);
}

#[test]
fn a_histogram_claims_less_than_the_run_it_was_made_of() {
    let mut draws = Draws::new(7);
    let counted = |run: &[i64]| run.iter().copied().collect::<Counted>();
    let (mut ordered, mut binned) = (0, 0);
    for _ in 0..300 {
        let before = independent(&mut draws, 400);
        let after = independent(&mut draws, 400);
        let (few, many) = (counted(&before), counted(&after));
        let terms = Terms::default();
        let found = compare_counted(&few, &many, MEDIAN, &terms).unwrap();
        binned += usize::from(claims(&found));
        ordered +=
            usize::from(claims(&compare(&before, &after, MEDIAN).unwrap()));
    }
    assert!(binned <= 2 && binned < ordered, "{binned} {ordered}");
}

#[test]
fn a_histogram_tells_what_is_far_apart_but_not_a_bin_or_a_mean() {
    let run = |from: i64| (from..from + 100).collect::<Counted>();
    let (before, after) = (run(1_000), run(1_100));
    let at = |figure, margin_ns| {
        let terms = Terms { margin_ns, ..Terms::default() };
        compare_counted(&before, &after, figure, &terms).unwrap().verdict
    };
    assert_eq!(at(MEDIAN, 10.0), Verdict::Higher);
    assert_eq!(at(MEDIAN, 100.0), Verdict::CannotTell);
    assert_eq!(at(Figure::Mean, 10.0), Verdict::CannotTell);
}
