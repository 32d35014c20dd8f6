use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Change, DiffFigures, Measure, Side, SideError, Values, Verdict, diff,
};
use crate::lab::play::{Silent, play};
use crate::lab::scripted::{SLACK, Scripted, WAKE, facts};
use crate::lab::sleep::{Row, Sleep, figures};
use crate::machine::{
    AskError, Batch, Ending, Facts, Keep, Listener, Machine, Outcome, Sample,
    Saved, Span, Verdict as Go, WaitKind, Workload,
};

/// The scripted machine, whose waits end later by a law and by chance.
struct Noisy {
    later: i64,
    spread: u64,
    state: u64,
}

impl Noisy {
    fn new(seed: u64, later: i64) -> Self {
        Self { later, spread: 20_000, state: seed }
    }

    /// The next of SplitMix64's numbers (Steele, Lea and Flood, "Fast
    /// Splittable Pseudorandom Number Generators", 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn late(&mut self) -> i64 {
        let luck = self.next() % self.spread + self.next() % self.spread;
        self.later + luck as i64
    }
}

impl Machine for Noisy {
    fn facts(&mut self) -> Result<Facts, AskError> {
        Ok(facts())
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        Scripted::default().play(workload, &mut Late { noise: self, seen })
    }
}

struct Late<'a> {
    noise: &'a mut Noisy,
    seen: &'a mut dyn Listener,
}

impl Listener for Late<'_> {
    fn hear(&mut self, batch: &Batch<'_>) -> Go {
        let late = |sample: &Sample| {
            let waited = sample.due > sample.began;
            let more = if waited { self.noise.late() } else { 0 };
            Sample { ended: sample.ended + more, ..*sample }
        };
        let samples: Vec<Sample> = batch.samples.iter().map(late).collect();
        self.seen.hear(&Batch { samples: &samples, ..*batch })
    }
}

pub(super) fn sleep(count: u64) -> Sleep {
    Sleep { count, ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1)) }
}

pub(super) fn saved(seed: u64, later: i64, sleep: &Sleep) -> Saved {
    let facts = facts();
    let mut machine = Noisy::new(seed, later);
    let workload = sleep.workload(&facts);
    play(&mut machine, &facts, workload, &mut Silent).unwrap()
}

pub(super) fn side(seed: u64, later: i64, count: u64) -> Side {
    Side::of_recording(&saved(seed, later, &sleep(count)))
}

fn compared(before: &Side, after: &Side) -> DiffFigures {
    diff(("before", before), ("after", after))
}

fn claims(figures: &DiffFigures) -> usize {
    figures.judged(Verdict::Better).count()
        + figures.judged(Verdict::Worse).count()
}

fn change<'a>(figures: &'a DiffFigures, figure: &str) -> &'a Change {
    figures.changes.iter().find(|own| own.figure == figure).unwrap()
}

/// What `sleep --json` writes of a run, as far as it is compared.
pub(super) fn answer(saved: &Saved) -> Value {
    let row = |row: &Row| {
        let own = &row.conditions;
        json!({
            "wait": row.wait, "span_ns": row.span_ns,
            "p50_ns": row.took.p50_ns.value(),
            "histogram": row.took.histogram,
            "slack_ns": own.slack_ns.value(), "policy": own.policy.value(),
            "priority": own.priority, "cpu": own.cpu.value(),
            "phase": own.phase, "load": own.load, "interval_ns": null,
        })
    };
    let figures = figures(saved, None);
    let rows: Vec<Value> = figures.rows.iter().map(row).collect();
    let none = |key: &str| {
        let path = format!("machine.{key}");
        json!({"path": path, "kind": "absent", "why": "none", "try": ""})
    };
    json!({
        "schema": "timerscope/1", "command": "sleep",
        "machine": {
            "name": saved.facts.name, "system": saved.facts.system,
            "simulated": true, "emulated_by": null, "seed": null,
        },
        "result": {"rows": rows, "lasted_ns": figures.lasted_ns},
        "missing": [none("emulated_by"), none("seed")],
    })
}

#[test]
fn a_law_that_changed_is_found_with_its_size_in_either_direction() {
    let (fast, slow) = (side(1, 0, 2000), side(2, 60_000, 2000));
    let figures = compared(&fast, &slow);
    let p50 = change(&figures, "p50");
    assert_eq!(p50.what, "sleep/sleeper: wait nanosleep 1 ms, lateness p50");
    assert_eq!(p50.verdict, Verdict::Worse);
    let (low, high) = (*p50.low.value().unwrap(), *p50.high.value().unwrap());
    assert!(low <= 60_000.0 && 60_000.0 <= high, "{low} to {high}");
    assert!(*p50.confidence.value().unwrap() >= 0.95);
    assert_eq!(p50.before_ns, Some(p50.before));
    let back = compared(&slow, &fast);
    for figure in ["p50", "p90", "p99", "mean"] {
        assert_eq!(change(&back, figure).verdict, Verdict::Better, "{figure}");
    }
    assert_eq!(figures.differs, []);
}

#[test]
fn the_same_law_under_other_luck_is_no_difference() {
    let claimed = |seed: &u64| {
        let (one, two) = (side(2 * seed, 0, 500), side(2 * seed + 1, 0, 500));
        claims(&compared(&one, &two)) > 0
    };
    let claimed = (1..=200).filter(claimed).count();
    assert!(claimed <= 10, "{claimed} of 200");
    let (one, two) = (side(7, 0, 4000), side(8, 0, 4000));
    let figures = compared(&one, &two);
    assert_eq!(figures.judged(Verdict::Same).count(), 4);
    let itself = compared(&one, &one);
    assert_eq!(itself.judged(Verdict::Same).count(), 4);
}

// Two runs of 1 s of one condition, one after the other, surely differed.
#[test]
fn one_run_a_side_claims_no_more_than_two_runs_of_the_same_may_have() {
    // 75 us late on the whole, and 15 us more: a fifth.
    let figures = compared(&side(3, 0, 20_000), &side(4, 15_000, 20_000));
    let p50 = change(&figures, "p50");
    assert!(*p50.low.value().unwrap() > 0.0, "it is sure: {p50:?}");
    assert_eq!(p50.verdict, Verdict::CannotTell);
    let because = p50.because.as_deref().unwrap();
    assert!(because.contains("several"), "{because}");
}

#[test]
fn a_difference_too_small_to_matter_is_not_claimed() {
    // 75 us late on the whole, and 1 us more.
    let (one, two) = (side(3, 0, 20_000), side(4, 1_000, 20_000));
    let figures = compared(&one, &two);
    let mean = change(&figures, "mean");
    assert!(*mean.low.value().unwrap() > 0.0, "it is sure: {mean:?}");
    assert_eq!(mean.verdict, Verdict::Same);
}

#[test]
fn few_values_say_nothing_and_the_tail_needs_many() {
    let figures = compared(&side(1, 0, 40), &side(2, 90_000, 40));
    assert_eq!(figures.changes.len(), 1);
    assert_eq!(figures.shared_by, 0);
    let p50 = &figures.changes[0];
    assert_eq!(p50.verdict, Verdict::CannotTell);
    assert!(p50.because.as_ref().unwrap().contains("fewer than 48"));
    let figures = compared(&side(1, 0, 1999), &side(2, 90_000, 2001));
    let p99 = change(&figures, "p99");
    assert_eq!(p99.verdict, Verdict::CannotTell);
    assert!(p99.because.as_ref().unwrap().contains("p99 needs 2000"));
    assert_eq!(change(&figures, "p50").verdict, Verdict::Worse);
    assert_eq!(figures.shared_by, 3);
}

#[test]
fn a_workload_that_differs_is_named_first_and_on_each_row() {
    let slack = |ns| Sleep { slack: Some(Span::from_ns(ns)), ..sleep(500) };
    let run = |seed, sleep| {
        let mut saved = saved(seed, 0, sleep);
        saved.facts.tick_hz = crate::machine::Known::Value(200 + seed);
        Side::of_recording(&saved)
    };
    let figures = compared(&run(1, &slack(1)), &run(2, &slack(1_000_000)));
    let differs: Vec<&str> =
        figures.differs.iter().map(|own| own.what.as_str()).collect();
    assert_eq!(differs, ["workload.slack_ns", "tick_hz"]);
    let value = |told: &crate::machine::Known<Value>| told.value().cloned();
    assert_eq!(value(&figures.differs[0].after), Some(json!(1_000_000)));
    let p50 = change(&figures, "p50");
    assert_eq!(
        (p50.verdict, &p50.unlike[..]),
        (Verdict::Worse, &["slack_ns".to_owned()][..])
    );
}

#[test]
fn rows_are_paired_by_what_was_done_and_the_others_are_listed() {
    let of = |waits: &[WaitKind]| {
        let sleep = Sleep { waits: waits.to_vec(), ..sleep(60) };
        Side::of_recording(&saved(1, 0, &sleep))
    };
    let old = of(&[WaitKind::Poll, WaitKind::Nanosleep]);
    let new = of(&[WaitKind::Nanosleep, WaitKind::Select]);
    let figures = compared(&old, &new);
    let row = "sleep/sleeper: wait nanosleep 1 ms";
    assert!(figures.changes.iter().all(|own| own.row == row));
    assert_eq!(figures.only_before, ["sleep/sleeper: wait poll 1 ms"]);
    assert_eq!(figures.only_after, ["sleep/sleeper: wait select 1 ms"]);
}

#[test]
fn an_answer_stands_beside_a_recording_by_its_histogram() {
    let (old, new) =
        (saved(1, 0, &sleep(1100)), saved(2, 30_000, &sleep(1100)));
    let (old_answer, new_answer) = (answer(&old), answer(&new));
    let whole = Side::of_recording(&old);
    for (before, after) in [
        (Side::of_answer(&old_answer).unwrap(), Side::of_recording(&new)),
        (whole, Side::of_answer(&new_answer).unwrap()),
    ] {
        let figures = compared(&before, &after);
        assert_eq!(
            (figures.only_before.len(), figures.only_after.len()),
            (0, 0)
        );
        assert_eq!(figures.differs, []);
        let p50 = change(&figures, "p50");
        assert_eq!(p50.verdict, Verdict::Worse, "{p50:?}");
        let expected = (SLACK + WAKE + 20_000) as f64;
        assert!((p50.before - expected).abs() < 2_000.0, "{p50:?}");
        let mean = change(&figures, "mean");
        assert_eq!(mean.verdict, Verdict::CannotTell);
        assert!(mean.because.as_ref().unwrap().contains("order"));
    }
}

#[test]
fn a_figure_alone_is_shown_without_a_verdict() {
    let answer = |rate: u64| {
        let rows = json!([{
            "variant": "signal-and-wait", "cpus": 1,
            "round_trips_per_s": rate, "per_switch_ns": 500_000_000 / rate,
        }]);
        let answer = json!({
            "schema": "timerscope/1", "command": "switch",
            "machine": {"system": "Linux 6"}, "result": {"rows": rows},
        });
        Side::of_answer(&answer).unwrap()
    };
    let figures = compared(&answer(100_000), &answer(200_000));
    let rate = change(&figures, "round trips");
    assert_eq!(rate.what, "signal-and-wait 1 cpus, round trips");
    assert_eq!((rate.before, rate.after), (100_000.0, 200_000.0));
    assert_eq!((rate.verdict, rate.before_ns), (Verdict::CannotTell, None));
    assert_eq!(change(&figures, "per switch").after_ns, Some(2_500.0));
}

#[test]
fn a_histogram_kept_instead_of_samples_still_tells() {
    let run = |seed, later| {
        let mut workload = sleep(900).workload(&facts());
        for action in &mut workload.processes[0].tasks[0].actions {
            if let crate::machine::Action::Repeat { body, .. } = action
                && let crate::machine::Action::Wait { keep, .. } = &mut body[0]
            {
                *keep = Keep::Histogram;
            }
        }
        let mut machine = Noisy::new(seed, later);
        let facts = facts();
        let saved = play(&mut machine, &facts, workload, &mut Silent).unwrap();
        let mut file = Vec::new();
        saved.write(&mut file).unwrap();
        Side::read(&file[..]).unwrap()
    };
    let figures = compared(&run(1, 0), &run(2, 30_000));
    assert_eq!(change(&figures, "p50").verdict, Verdict::Worse);
    assert_eq!(claims(&compared(&run(3, 0), &run(4, 0))), 0);
}

#[test]
fn a_loop_of_a_given_time_is_better_the_more_often_it_is_done() {
    let row = |per_s: i64| {
        let mut side = side(1, 0, 60);
        side.rows[0].measure = Measure::Rate;
        let rates = (0..60).map(|i| per_s + i % 7).collect();
        side.rows[0].values = Values::InOrder(rates);
        side
    };
    let figures = compared(&row(1000), &row(1200));
    let told: Vec<_> =
        figures.changes.iter().map(|c| c.figure.as_str()).collect();
    assert_eq!(told, ["p50", "mean"]);
    let p50 = change(&figures, "p50");
    assert_eq!((p50.verdict, p50.before_ns), (Verdict::Better, None));
}

#[test]
fn between_early_and_late_no_one_is_better() {
    let late = |ns: i64| {
        let mut side = side(1, 0, 60);
        side.rows[0].values = Values::InOrder(vec![ns; 60]);
        side
    };
    let verdict =
        |one, two| change(&compared(&late(one), &late(two)), "p50").verdict;
    assert_eq!(verdict(-500, 500), Verdict::CannotTell);
    assert_eq!(verdict(-500, -900), Verdict::Worse);
    assert_eq!(verdict(-500, -100), Verdict::Better);
    assert_eq!(verdict(500, 0), Verdict::Better);
}

#[test]
fn refused_waits_are_compared_with_nobody() {
    let facts = facts();
    let mut machine = Scripted::ending(WaitKind::Nanosleep, Outcome::Refused);
    let workload = sleep(100).workload(&facts);
    let saved = play(&mut machine, &facts, workload, &mut Silent).unwrap();
    let refused = Side::of_recording(&saved);
    let figures = compared(&refused, &side(1, 0, 100));
    assert_eq!(figures.changes, []);
    let row = "sleep/sleeper: wait nanosleep 1 ms";
    assert_eq!(figures.only_after, [row]);
    assert!(figures.only_before.is_empty());
}

#[test]
fn a_file_is_recognised_by_what_is_in_it() {
    let saved = saved(1, 0, &sleep(60));
    let mut file = Vec::new();
    saved.write(&mut file).unwrap();
    assert_eq!(Side::read(&file[..]).unwrap(), Side::of_recording(&saved));
    let answer = answer(&saved);
    let read = Side::read(answer.to_string().as_bytes()).unwrap();
    assert_eq!(read, Side::of_answer(&answer).unwrap());
    let half = &file[..file.len() / 2];
    assert!(matches!(Side::read(half), Err(SideError::Strange(_))));
}

#[test]
fn what_is_not_ours_is_told_apart_and_never_panics() {
    let deep = "[".repeat(100_000);
    let deep_answer = format!(
        "{{\"schema\":\"timerscope/1\",\"command\":\"x\",\"result\":{deep}"
    );
    let histogram = |pairs: &str| {
        format!(
            "{{\"schema\":\"timerscope/1\",\"command\":\"wake\",\
             \"result\":{{\"rows\":[{{\"histogram\":{pairs}}}]}}}}"
        )
    };
    let texts = [
        String::new(),
        " \n".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        "not JSON".to_owned(),
        "{\"schema\":7}".to_owned(),
        "{\"schema\":\"timerscope/2\"}".to_owned(),
        "{\"schema\":\"timerscope-recording/2\"}".to_owned(),
        "{\"schema\":\"timerscope-recording/1\"}".to_owned(),
        "{\"schema\":\"timerscope/1\"}".to_owned(),
        "{\"schema\":\"timerscope/1\",\"error\":{\"what\":\"x\"}}".to_owned(),
        histogram("7"),
        histogram("[[1,2],3]"),
        histogram("[[9223372036854775807,18446744073709551615]]"),
        deep,
        deep_answer,
    ];
    for text in &texts {
        let start: String = text.chars().take(60).collect();
        assert!(Side::read(text.as_bytes()).is_err(), "{start}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    // Whoever sends a file may have edited it.
    #[test]
    fn no_edit_of_a_file_makes_a_comparison_panic(
        is_answer in any::<bool>(),
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), "[-0-9eE.,:\\[\\]{}\"a-z]{0,20}"), 1..4),
    ) {
        let saved = saved(1, 0, &sleep(50));
        let mut file = Vec::new();
        if is_answer {
            file.extend(answer(&saved).to_string().bytes());
        } else {
            saved.write(&mut file).unwrap();
        }
        let other = Side::of_recording(&saved);
        let mut text = file;
        for (place, edit) in &edits {
            let place = place.index(text.len());
            let end = (place + edit.len() / 2).min(text.len());
            text.splice(place..end, edit.bytes());
        }
        if let Ok(side) = Side::read(&text[..]) {
            let _ = compared(&side, &other);
            prop_assert_eq!(claims(&compared(&side, &side)), 0);
        }
    }
}
