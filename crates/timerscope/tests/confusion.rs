//! What `explain` makes of machines whose rules are known: a small part of
//! the matrix that the example `confusion` prints.
#![expect(clippy::unwrap_used, reason = "a test may stop at a fault")]

#[path = "../examples/confusion/trials.rs"]
mod trials;

use timerscope::explain::{Verdict, known};
use timerscope::machine::Span;
use timerscope::sim::catalogue::{CATALOGUE, opened};
use trials::{BACKGROUNDS, Outcome, Trial, outcome, without};

fn trial(name: &str, seed: u64, background: Option<Span>) -> Trial {
    let truth = opened(name).unwrap();
    Trial { truth, seed, background, disguised: seed > 0 }
}

// The law: whatever its constants, whoever requests what, and whether or not
// it is among the candidates, a machine is never certainly called another.
#[test]
fn certain_and_wrong_never_happens() {
    let (mut exact, mut all) = (0, 0);
    for (number, (name, _)) in (0..).zip(CATALOGUE) {
        // Each machine meets two of the three; the example has all.
        let other = BACKGROUNDS[1 + number % 2];
        for (seed, background) in (number as u64..).zip([None, other]) {
            let trial = trial(name, seed, background);
            if !trial.makes_sense() {
                continue;
            }
            let answer = trial.explained(&known());
            let outcome = outcome(name, &trial.truth, &answer);
            let right = [Outcome::Exact, Outcome::SameRules, Outcome::Among];
            let told = &answer.because;
            assert!(right.contains(&outcome), "{name} {outcome:?} {told:#?}");
            exact += u64::from(outcome == Outcome::Exact);
            all += 1;
        }
        let trial = trial(name, number as u64, None);
        let answer = trial.explained(&without(name));
        let outcome = outcome(name, &trial.truth, &answer);
        let told = &answer.because;
        assert_ne!(outcome, Outcome::CertainWrong, "{name} {told:#?}");
    }
    println!("exact: {exact} of {all}");
    assert!(exact * 5 >= all * 2, "{exact} of {all}");
}

#[test]
fn machines_of_no_catalogue_are_not_taken_for_one() {
    for (seed, name) in [
        (0, "windows-10-2004,rule=h2"),
        (0, "windows-10-2004,noise=off"),
        (0, "windows-10-2004,deadline=last-tick,rule=h2"),
        (0, "windows-7,window=counts"),
        (0, "linux-6,cpu-timers=ticks"),
        // A tick for which the spans leave rests that tell nothing.
        (3, "linux-6,cpu-timers=ticks"),
        (0, "openbsd-6.9,deadline=last-tick"),
    ] {
        let trial = trial(name, seed, None);
        let answer = trial.explained(&known());
        let outcome = outcome(name, &trial.truth, &answer);
        let wrong = [Outcome::CertainWrong, Outcome::LikelyWrong];
        assert!(!wrong.contains(&outcome), "{name}: {:#?}", answer.because);
        assert_ne!(answer.verdict, Verdict::Certain, "{name}");
    }
}

#[test]
fn a_rate_of_ticks_and_a_slack_are_constants_and_no_rules() {
    for (name, rule, tick) in [
        ("linux-6,hz=300", "linux-6", 3_333_333),
        ("linux-6,slack=1ms", "linux-6", 4_000_000),
        ("linux-lowres,hz=1000", "linux-lowres", 1_000_000),
    ] {
        let answer = trial(name, 0, None).explained(&known());
        assert_eq!(answer.rule.value().unwrap(), rule);
        assert_eq!(answer.verdict, Verdict::Certain);
        let own = *answer.tick_ns.value().unwrap();
        assert!(own.abs_diff(tick) * 100 < tick, "{name}: {own}");
    }
}

// Between these no wait decides, and the answer says what would.
#[test]
fn machines_that_no_wait_tells_apart_are_all_named_with_the_next_test() {
    for (name, twin, next) in [
        ("windows-7", "windows-8", "timerscope cost"),
        ("windows-xp", "windows-10-1909", "timerscope quantum"),
    ] {
        let answer = trial(name, 0, None).explained(&known());
        assert_eq!(answer.verdict, Verdict::CannotTell);
        assert!(answer.rule.value().is_none());
        let fits = answer.candidates.iter().filter(|one| one.fits);
        let fits: Vec<&str> = fits.map(|one| one.rule.as_str()).collect();
        assert!(fits.contains(&name) && fits.contains(&twin), "{fits:?}");
        assert!(answer.next_test.value().unwrap().contains(next));
        assert!(!answer.follows.is_empty());
    }
}

#[test]
fn an_interval_that_somebody_held_before_is_told_and_takes_away_certainty() {
    let held = Some(Span::from_ms(1));
    let answer = trial("windows-11-global", 0, held).explained(&known());
    assert_ne!(answer.verdict, Verdict::Certain);
    assert_eq!(answer.held_before_ns.value(), Some(&1_000_000));
    assert!(answer.because[0].contains("below 2 ms"), "{:?}", answer.because);
    let next = answer.next_test.value().unwrap();
    assert!(next.contains("windows-10-1909"), "{next}");
}
