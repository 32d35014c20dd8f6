//! Rows fit, or miss, as they say.

use timerscope::articles::Answer;
use timerscope::machine::Known;

use crate::played::ALL;

fn number(known: &Known<f64>) -> String {
    known.value().map_or("-".to_owned(), |value| format!("{value:.3}"))
}

fn line(answer: &Answer) -> String {
    let Answer { table, row, published, model, fits, .. } = answer;
    let (published, model) = (number(published), number(model));
    let word = |fits: &bool| if *fits { "fits" } else { "MISS" };
    let fits = fits.value().map_or("-", word);
    format!("{table} | {row} | {published} | {model} | {fits}")
}

fn hold(article: &str) {
    let own: Vec<&Answer> =
        ALL.iter().filter(|answer| answer.article == article).collect();
    assert!(!own.is_empty(), "there is no article {article}");
    for answer in &own {
        println!("{}", line(answer));
    }
    let wrong = own.iter().filter(|own| !own.as_said);
    let wrong: Vec<String> = wrong.map(|own| line(own)).collect();
    assert!(wrong.is_empty(), "not as said:\n{}", wrong.join("\n"));
}

#[test]
fn timer_c_before_and_after_the_patch() {
    hold("openbsd-setitimer");
}

#[test]
fn sleep_test_and_switch_perf() {
    hold("windows-timer-articles");
}

#[test]
fn the_great_rule_change() {
    hold("great-rule-change");
}

#[test]
fn megawatts_wasted() {
    hold("megawatts-wasted");
}

#[test]
fn readings_of_a_precise_time() {
    hold("cygwin-precise-time");
}

#[test]
fn what_others_measured_later() {
    hold("measured-later");
}

#[test]
fn waits_of_linux() {
    hold("linux");
}

#[test]
fn a_row_that_misses_says_why() {
    for answer in ALL.iter() {
        let misses = answer.fits.value() == Some(&false);
        assert_eq!(misses, !answer.why.is_empty(), "{}", line(answer));
    }
}
