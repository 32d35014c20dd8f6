use super::tests::{answer, saved, side, sleep};
use super::{Change, DiffFigures, Side, Values, Verdict, diff_runs};
use crate::machine::Known;

/// Runs of a law that lies elsewhere as a whole each time.
fn runs(seeds: std::ops::Range<u64>, later: i64) -> Vec<(String, Side)> {
    let wanders = |seed: u64| (seed * 7_919 % 13) as i64 * 4_000;
    let run = |seed| side(seed, later + wanders(seed), 200);
    seeds.map(|seed| (format!("run-{seed}"), run(seed))).collect()
}

fn change<'a>(figures: &'a DiffFigures, figure: &str) -> &'a Change {
    figures.changes.iter().find(|own| own.figure == figure).unwrap()
}

// Two single runs of the same condition were called different, because each
// lay elsewhere as a whole; several runs show that.
#[test]
fn runs_that_vary_as_wholes_are_not_called_different() {
    let (before, after) = (runs(1..7, 0), runs(7..13, 0));
    let alone = diff_runs(&before[..1], &after[5..]);
    assert_eq!(change(&alone, "p50").verdict, Verdict::Worse);
    assert_eq!(alone.runs_needed, None);
    let figures = diff_runs(&before, &after);
    for own in &figures.changes {
        assert_eq!(own.verdict, Verdict::CannotTell, "{}", own.what);
        let (low, high) = own.low.value().zip(own.high.value()).unwrap();
        assert!(*low <= 0.0 && *high >= 0.0, "{}", own.what);
    }
}

#[test]
fn runs_that_all_lie_later_are_worse_with_the_shift_between_them() {
    let figures = diff_runs(&runs(1..7, 0), &runs(7..13, 80_000));
    let p50 = change(&figures, "p50");
    assert_eq!(p50.verdict, Verdict::Worse);
    let (low, high) = p50.low.value().zip(p50.high.value()).unwrap();
    assert!(*low > 0.0 && *low <= 80_000.0 && 80_000.0 <= *high);
    // Of 924 ways to deal them two are as far apart; among four figures.
    let sure = 1.0 - figures.shared_by as f64 * 2.0 / 924.0;
    let confidence = p50.confidence.value().unwrap();
    assert!((confidence - sure).abs() < 1e-9, "{confidence}");
    assert_eq!(figures.before.runs.len(), 6);
    assert_eq!(figures.after.runs[0], "run-7");
    let turned = diff_runs(&runs(7..13, 80_000), &runs(1..7, 0));
    assert_eq!(change(&turned, "p50").verdict, Verdict::Better);
}

#[test]
fn too_few_runs_say_how_many_it_takes_however_far_apart_they_are() {
    let figures = diff_runs(&runs(1..3, 0), &runs(7..9, 5_000_000));
    assert_eq!(figures.runs_needed, Some(5));
    for own in &figures.changes {
        assert_eq!(own.verdict, Verdict::CannotTell);
        assert!(own.confidence.missing().is_some());
        let why = own.because.as_deref().unwrap();
        assert!(why.contains("2 against 2 runs cannot show"), "{why}");
        assert!(why.contains("33.33 % of cases"), "{why}");
        assert!(why.contains("5 runs a side"), "{why}");
    }
    // One of them alone has no variation, so that it takes more of the others.
    let figures = diff_runs(&runs(1..2, 0), &runs(7..13, 5_000_000));
    assert_eq!(figures.shared_by, 4);
    let why = figures.changes[0].because.as_deref().unwrap();
    assert!(why.contains("1 against 6 runs cannot show"), "{why}");
}

#[test]
fn figures_without_values_are_compared_once_there_are_several_runs() {
    let cost = |per_s: f64| {
        let answer = serde_json::json!({
            "schema": "timerscope/1", "command": "cost",
            "machine": {"system": "one"}, "missing": [],
            "result": {"baseline_per_s": per_s, "loss_percent": 1e6 / per_s},
        });
        Side::of_answer(&answer).unwrap()
    };
    let runs = |from: u32| -> Vec<(String, Side)> {
        let run = |own: u32| cost(f64::from(from + own));
        (0..6).map(|own| (own.to_string(), run(own))).collect()
    };
    let figures = diff_runs(&runs(1_000), &runs(2_000));
    assert_eq!(change(&figures, "baseline").verdict, Verdict::Better);
    let loss = change(&figures, "loss");
    assert_eq!((loss.verdict, loss.before_ns), (Verdict::Better, None));
}

#[test]
fn a_recording_and_its_answer_are_runs_of_one_group() {
    let saved = saved(3, 0, &sleep(200));
    let answered = Side::of_answer(&answer(&saved)).unwrap();
    let both = [Side::of_recording(&saved), answered];
    let group = Side::of_runs(&both);
    assert_eq!(group.rows.len(), 1);
    let Values::Runs(figures) = &group.rows[0].values else { panic!() };
    assert!(figures.iter().all(|own| own.at.len() == 2), "{figures:?}");
    for own in figures {
        let (one, two) = (own.at[0], own.at[1]);
        assert!((one - two).abs() <= 1_000.0, "{own:?}");
    }
}

#[test]
fn a_fact_differs_where_no_run_of_one_side_tells_what_one_of_the_other_does() {
    let with = |slacks: &[u64]| -> Vec<(String, Side)> {
        let run = |slack: &u64| {
            let mut side = side(1, 0, 60);
            for fact in &mut side.facts {
                if fact.what == "timer_slack_ns" {
                    fact.told = Known::Value((*slack).into());
                }
            }
            (slack.to_string(), side)
        };
        slacks.iter().map(run).collect()
    };
    let differs = |one: &[u64], two: &[u64]| {
        let figures = diff_runs(&with(one), &with(two));
        let mut all = figures.differs.into_iter();
        let own = all.find(|own| own.what == "timer_slack_ns");
        own.map(|own| own.before.value().cloned().unwrap())
    };
    assert_eq!(differs(&[1, 2], &[2, 3]), None);
    assert_eq!(differs(&[5, 5], &[7, 7]), Some(5.into()));
    let list = serde_json::json!([1, 2]);
    assert_eq!(differs(&[1, 2], &[3, 3]), Some(list));
}
