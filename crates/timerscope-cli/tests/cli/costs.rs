//! What a tick costs and what it is good for, answered in the promised shape.
//! Of live numbers only laws are held.

use serde_json::Value;

use crate::answers::{has_keys, has_the_shape};
use crate::typed::{answer, typed};

#[test]
fn cost_answers_as_promised_and_its_interval_holds_its_loss() {
    let answer = answer(&[
        "cost",
        "--for",
        "4s",
        "--rate",
        "2kHz",
        "--machines",
        "33e6",
        "--json",
    ]);
    has_the_shape("cost", &answer);
    let result = &answer["result"];
    has_keys(
        result,
        &[
            "baseline_per_s",
            "raised_per_s",
            "loss_percent",
            "loss_low_percent",
            "loss_high_percent",
            "per_tick_ns",
            "verdict",
            "baseline_interval_ns",
            "series",
            "power",
            "fleet",
        ],
    );
    has_keys(&result["power"], &["extra_watts", "source", "constants"]);
    let of = |key: &str| result[key].as_f64().unwrap();
    assert!(of("baseline_per_s") > 0.0 && of("raised_per_s") > 0.0);
    let low = of("loss_low_percent");
    let high = of("loss_high_percent");
    assert!(low <= of("loss_percent") && of("loss_percent") <= high);
    let verdict = result["verdict"].as_str().unwrap();
    assert_eq!(verdict == "costs", low > 0.0, "{low} {high}");
    assert_eq!(verdict == "none-shown", low <= 0.0 && high >= 0.0);
    let series = result["series"].as_array().unwrap();
    let raised = |block: &&Value| block["raised"] == true;
    assert_eq!(series.iter().filter(raised).count() * 2, series.len());
    assert_eq!(result["fleet"]["machines"], 33e6);
    let watts = result["power"]["extra_watts"].as_f64().unwrap();
    let megawatts = result["fleet"]["megawatts"].as_f64().unwrap();
    assert!((megawatts - watts * 33.0).abs() < 1e-6);
}

#[test]
fn a_series_is_raised_in_the_middle_and_says_that_it_cannot_tell() {
    let answer = answer(&["cost", "--series", "--for", "4s", "--json"]);
    has_the_shape("cost", &answer);
    let result = &answer["result"];
    let series = result["series"].as_array().unwrap();
    let raised: Vec<bool> =
        series.iter().map(|one| one["raised"] == true).collect();
    assert_eq!(raised, [false, true, true, false]);
    assert_eq!(result["verdict"], "cannot-tell");
    assert!(result["loss_low_percent"].is_null());
    assert!(result["fleet"].is_null());
}

#[test]
fn frames_are_drawn_by_each_way_of_waiting() {
    let answer = answer(&["frames", "--rate", "60", "--for", "2s", "--json"]);
    has_the_shape("frames", &answer);
    let rows = answer["result"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        has_keys(row, &["cpu_share", "wakeups_per_s", "energy"]);
        assert_eq!(row["rate_hz"], 60);
        assert_eq!(row["frames"], 24);
        let of = |key: &str| row[key].as_i64().unwrap();
        let order = ["frame_p50_ns", "frame_p99_ns", "frame_max_ns"];
        assert!(order.is_sorted_by_key(|key| of(key)), "{row}");
        // No way of waiting ends before its time.
        assert!(of("lateness_p50_ns") >= 0, "{row}");
    }
}

#[test]
fn slack_is_swept_between_the_ends_that_were_asked_for() {
    let args = ["sweep", "--from", "2ms", "--to", "100us", "-n", "5", "--json"];
    let answer = answer(&args);
    has_the_shape("sweep", &answer);
    let result = &answer["result"];
    assert_eq!(result["knob"], "timer-slack");
    let rows = result["rows"].as_array().unwrap();
    let moved = rows.iter().filter(|row| row["wait"] == "nanosleep");
    let asked: Vec<u64> =
        moved.map(|row| row["request_ns"].as_u64().unwrap()).collect();
    assert_eq!(asked, [2_000_000, 1_000_000, 500_000, 100_000]);
    for row in rows {
        has_keys(row, &["interval_ns", "clock_step_ns", "spoiled_by"]);
        let mean = row["sleep_mean_ns"].as_f64().unwrap();
        // CPU time may pass in two tasks; real time may not pass early.
        assert!(mean >= 1e6 || row["wait"] == "itimer-virtual", "{row}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_what_can() {
    let cases: [(&[&str], &str); 5] = [
        (&["cost", "--for", "1ms"], "from 1 s"),
        (&["cost", "--rate", "often"], "such as"),
        (&["cost", "--machines", "-1"], "-1"),
        (&["frames", "--rate", "0"], "0"),
        (&["sweep", "--from", "0ns"], "1ns"),
    ];
    for (args, said) in cases {
        let output = typed(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
}
