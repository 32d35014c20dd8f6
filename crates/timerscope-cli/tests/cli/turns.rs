//! `wake`, `switch` and `quantum` answer with their rows, on the machine that
//! this test runs on. Of live numbers only laws are held.

use serde_json::Value;

use crate::typed::{answer, typed};

fn rows(answer: &Value) -> &[Value] {
    answer["result"]["rows"].as_array().unwrap()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("`{key}` in {row}"))
}

fn has(row: &Value, keys: &[&str]) {
    for key in keys {
        assert!(row.get(key).is_some(), "`{key}` is missing in {row}");
    }
}

#[test]
fn wake_tells_each_wake_up_from_its_setting() {
    let setters = "same-cpu,below-spinning";
    let args =
        ["wake", "--setter", setters, "-n", "50", "--min", "1ns", "--json"];
    let answer = answer(&args);
    let kinds: Vec<&Value> =
        rows(&answer).iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, ["same-cpu", "below-spinning"]);
    for row in rows(&answer) {
        has(row, &["mean_ns", "p99_ns", "histogram", "set_before"]);
        assert_eq!(row["count"], 50);
        let [least, half, most] =
            ["min_ns", "p50_ns", "max_ns"].map(|key| number(row, key));
        assert!(0.0 < least && least <= half && half <= most, "{row}");
        let over = row["over"].as_array().unwrap();
        assert_eq!((over.len(), &over[0][0]), (50, &Value::from(1)));
        let counted = row["histogram"].as_array().unwrap().iter();
        let counted: u64 = counted.map(|pair| pair[1].as_u64().unwrap()).sum();
        assert_eq!(counted, 50);
    }
}

#[test]
fn a_setter_that_is_none_is_wrong_use() {
    let output = typed(&["wake", "--setter", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("below-spinning"), "{said}");
    let idle = ["wake", "--setter", "below-spinning", "--priority", "idle"];
    assert_eq!(typed(&idle).status.code(), Some(2));
}

#[test]
fn switch_has_four_rows_each_counted_or_with_its_reason() {
    let answer = answer(&["switch", "--for", "250ms", "--json"]);
    let place = |row: &Value| {
        let cpus = row["cpus"].as_u64().unwrap();
        (row["variant"].as_str().unwrap().to_owned(), cpus)
    };
    let mut places: Vec<_> = rows(&answer).iter().map(place).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 4);
    let missing = answer["missing"].as_array().unwrap();
    for (index, row) in rows(&answer).iter().enumerate() {
        let Some(rate) = row["round_trips_per_s"].as_f64() else {
            let path = format!("result.rows[{index}].round_trips_per_s");
            assert!(missing.iter().any(|entry| entry["path"] == path));
            continue;
        };
        let trip = 2.0 * number(row, "per_switch_ns") * rate;
        assert!((trip - 1e9).abs() < 1.0, "{row}");
        assert!(number(row, "slowest_per_s") <= rate + 1.0, "{row}");
        assert!(number(row, "fastest_per_s") >= rate - 1.0, "{row}");
    }
}

#[test]
fn quantum_has_a_row_for_each_priority() {
    let priorities = "normal,nice:10";
    let args =
        ["quantum", "--priority", priorities, "--for", "300ms", "--json"];
    let answer = answer(&args);
    has(&answer["result"], &["tick_ns", "scheduler"]);
    let keys = ["count", "p50_ns", "modes", "interval_ns", "disturbances"];
    for (row, priority) in rows(&answer).iter().zip(["normal", "nice:10"]) {
        has(row, &keys);
        assert_eq!(row["priority"], priority);
        assert_eq!(row["competitors"], 2);
        let counted = row["histogram"].as_array().unwrap().iter();
        let counted: u64 = counted.map(|pair| pair[1].as_u64().unwrap()).sum();
        assert_eq!(row["count"], counted);
    }
}

#[test]
fn turns_come_as_csv() {
    let heads = [
        (&["wake", "--setter", "same-cpu", "-n", "5"][..], "kind,count,"),
        (&["switch", "--for", "50ms"], "variant,cpus,round_trips_per_s,"),
        (&["quantum", "--for", "50ms"], "priority,policy,competitors,"),
    ];
    for (args, head) in heads {
        let output = typed(&[args, &["--csv"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(head), "{args:?}: {text}");
        assert!(text.lines().count() >= 2, "{text}");
    }
}

#[test]
fn times_that_tell_nothing_are_wrong_use() {
    for args in [["switch", "--for", "1us"], ["quantum", "--for", "1us"]] {
        let output = typed(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
