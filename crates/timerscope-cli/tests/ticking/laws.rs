//! What must hold of a kernel that ticks 250 times a second.

use serde_json::Value;

use crate::asked::Answers;

/// 250 Hz.
pub(crate) const TICK_NS: f64 = 4e6;
/// A wait ends at a tick if half of the times it ends within this share of one.
const NEAR: f64 = 0.05;

pub(crate) fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"))
}

/// Half of a row's waits take at most so many ticks.
pub(crate) fn ticks(row: &Value) -> f64 {
    number(row, "p50_ns") / TICK_NS
}

/// It knows its tick, and whether waits can end between two.
pub(crate) fn tells_its_tick(answers: &Answers, high_resolution: bool) {
    let info = answers.info();
    assert_eq!(info["tick_hz"], 250, "{info}");
    assert_eq!(info["high_resolution_timers"], high_resolution, "{info}");
    let interval = &info["interval"]["current_ns"];
    if high_resolution {
        assert!(interval.is_null(), "{interval}");
    } else {
        assert_eq!(*interval, 4_000_000);
    }
    assert_eq!(info["timer_slack_ns"], 50_000, "{info}");
}

/// A wait in step with the tick ends at the first tick past its span.
pub(crate) fn waits_end_at_ticks(answers: &Answers) {
    for row in answers.waits() {
        let span = number(row, "span_ns") / TICK_NS;
        let expected = span.floor() + 1.0;
        let (wait, took) = (&row["wait"], ticks(row));
        // A wait of whole ticks may end on either side of the last.
        let whole = span.fract() < 1e-9;
        let near = |expected: f64| (took - expected).abs() <= NEAR;
        assert!(
            near(expected) || whole && near(span),
            "{wait} of {span} ticks took {took}"
        );
    }
}

/// A short wait does not wait for a tick.
pub(crate) fn short_waits_end_between_ticks(answers: &Answers) {
    let short = |row: &&Value| number(row, "span_ns") < TICK_NS / 4.0;
    let rows: Vec<&Value> = answers.waits().iter().filter(short).collect();
    assert!(!rows.is_empty());
    for row in rows {
        let late = number(row, "lateness_p50_ns") / TICK_NS;
        assert!(late < 0.5, "{} is {late} ticks late", row["wait"]);
    }
}

/// CPU time is counted in ticks, and the tick under way does not count.
pub(crate) fn cpu_timers_end_one_tick_past_their_span(answers: &Answers) {
    for row in answers.cpu_waits() {
        let span = number(row, "span_ns") / TICK_NS;
        let (wait, took) = (&row["wait"], ticks(row));
        let expected = span.ceil() + 1.0;
        assert!(
            (took - expected).abs() <= NEAR,
            "{wait} of {span} ticks took {took}"
        );
    }
}

/// A wait of 1 ms with 5 ms of slack ends at the next tick, whose interrupt
/// comes anyway, and not when the slack is used up.
pub(crate) fn slack_lasts_until_a_tick(answers: &Answers) {
    let row = answers.slack_wait();
    assert_eq!(row["slack_ns"], 5_000_000);
    let took = ticks(row);
    assert!((took - 1.0).abs() <= NEAR, "{took} ticks");
}

/// Waits that count real time never end before their span.
pub(crate) fn no_wait_is_early(answers: &Answers) {
    for row in answers.waits() {
        assert_eq!(row["early"], 0, "{row}");
    }
}

/// `explain` finds out by which rule it ends waits, and nothing else.
pub(crate) fn explains_itself(answers: &Answers, rule: &str) {
    let said = answers.explained();
    assert_eq!(said["rule"], rule, "{said}");
    let verdict = &said["verdict"];
    assert!(verdict == "certain" || verdict == "likely", "{said}");
}

/// It counts time by this device, of this frequency, and reading it needs a
/// system call.
pub(crate) fn counts_by(answers: &Answers, source: &str, hz: u64) {
    let info = answers.info();
    assert_eq!(info["clock_source"]["current"], source);
    let timers = info["hardware_timers"].as_array().unwrap();
    let own = timers.iter().find(|timer| timer["name"] == source).unwrap();
    assert_eq!(own["in_use"], true, "{own}");
    assert_eq!(own["frequency_hz"], hz, "{own}");
    let clocks = answers.clocks();
    let clock = clocks.iter().find(|clock| clock["name"] == "monotonic");
    assert_eq!(clock.unwrap()["via"], "system-call", "{clock:?}");
}

/// Half of a booted kernel's waits take what those of the imagined one do.
pub(crate) fn takes_the_same(booted: &Answers, imagined: &Answers) {
    for (real, model) in booted.beside(imagined) {
        let (real_ticks, model_ticks) = (ticks(real), ticks(model));
        assert!(
            (real_ticks - model_ticks).abs() <= NEAR,
            "{} of {} ns: {real_ticks} and {model_ticks} ticks",
            real["wait"],
            real["span_ns"]
        );
    }
}
