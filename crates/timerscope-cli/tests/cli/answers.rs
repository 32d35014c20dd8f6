//! Every JSON answer has the shape that is promised, on the machine
//! that this test runs on. Of live numbers only laws are held.

use crate::typed::{answer, program, typed};
use serde_json::Value;

const SLEEPER: &str = r#"
schema = "timerscope-workload/1"

[[process]]
name = "app"

[[process.task]]
name = "sleeper"
actions = [
    { repeat = { until = { count = 20 }, body = [
        { wait = { how = "nanosleep", span = "100us" } },
    ] } },
    { repeat = { until = { count = 20 }, body = [
        { wait = { how = "poll", span = "1ms", keep = "histogram" } },
    ] } },
]
"#;

/// Where the nulls of an answer stand, outside of `missing`.
fn nulls(path: &str, value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Null => all.push(path.to_owned()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                nulls(&format!("{path}[{index}]"), item, all);
            }
        }
        Value::Object(object) => {
            for (key, item) in object {
                let dot = if path.is_empty() { "" } else { "." };
                nulls(&format!("{path}{dot}{key}"), item, all);
            }
        }
        _ => {}
    }
}

pub(crate) fn has_the_shape(command: &str, answer: &Value) {
    let keys: Vec<&str> =
        answer.as_object().unwrap().keys().map(String::as_str).collect();
    let promised = [
        "schema",
        "version",
        "command",
        "machine",
        "result",
        "missing",
        "warnings",
        "footprint",
    ];
    assert_eq!(keys, promised);
    assert_eq!(answer["schema"], "timerscope/1");
    assert_eq!(answer["command"], command);
    let native = answer["machine"]["name"] == "native";
    assert_eq!(answer["machine"]["simulated"], !native);
    assert!(answer["footprint"]["cpu_ns"].as_u64().unwrap() > 0);
    let mut empty = Vec::new();
    nulls("", answer, &mut empty);
    let entries = answer["missing"].as_array().unwrap();
    let path = |entry: &Value| entry["path"].as_str().unwrap().to_owned();
    let mut listed: Vec<String> = entries.iter().map(path).collect();
    empty.sort();
    listed.sort();
    assert_eq!(empty, listed, "each null has one entry in `missing`");
    for entry in entries {
        let kind = entry["kind"].as_str().unwrap();
        assert!(["absent", "refused", "failed", "unknown"].contains(&kind));
        assert!(!entry["why"].as_str().unwrap().is_empty(), "{entry}");
        assert!(entry["try"].is_string());
    }
}

pub(crate) fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "`{key}` is missing in {value}");
    }
}

#[test]
fn info_answers_as_promised() {
    let answer = answer(&["info", "--json"]);
    has_the_shape("info", &answer);
    let result = &answer["result"];
    has_keys(
        result,
        &[
            "interval",
            "tick_hz",
            "extra_ticks_per_s",
            "high_resolution_timers",
            "timer_slack_ns",
            "clock_source",
            "clock_event_device",
            "hardware_timers",
            "clocks",
            "waits",
            "requests",
            "rate_error_ppm",
            "synchronised",
            "virtual_machine",
            "scheduler",
        ],
    );
    has_keys(&result["interval"], &["coarsest_ns", "finest_ns", "current_ns"]);
    assert!(result.get("name").is_none(), "that is in `machine`");
}

#[test]
fn clocks_answer_as_promised() {
    let answer = answer(&["clocks", "--json"]);
    has_the_shape("clocks", &answer);
    let clocks = answer["result"]["clocks"].as_array().unwrap();
    for clock in clocks {
        has_keys(
            clock,
            &[
                "name",
                "nominal_step_ns",
                "observed_step_ns",
                "cost_ns",
                "cost_cycles",
                "via",
            ],
        );
        let name = &clock["name"];
        // A reading takes time, and a clock that stood still has no step.
        assert!(clock["cost_ns"].as_f64().unwrap() > 0.0, "{name}");
        assert!(clock["observed_step_ns"].as_f64().unwrap() > 0.0, "{name}");
    }
    assert!(clocks.iter().any(|clock| clock["name"] == "monotonic"));
}

#[test]
fn sleep_answers_as_promised_and_keeps_its_laws() {
    let answer = answer(&[
        "sleep",
        "--wait",
        "nanosleep,timerfd,itimer-virtual",
        "--span",
        "1ms,50us",
        "-n",
        "20",
        "--min",
        "60us",
        "--json",
    ]);
    has_the_shape("sleep", &answer);
    let result = &answer["result"];
    has_keys(result, &["rows", "ruler", "grid", "stolen_ns"]);
    has_keys(&result["ruler"], &["clock", "step_ns", "cost_ns", "action_ns"]);
    has_keys(&result["grid"], &["step_ns", "share", "law"]);
    let rows = result["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        keeps_its_laws(row);
    }
}

fn keeps_its_laws(row: &Value) {
    has_keys(
        row,
        &[
            "modes",
            "histogram",
            "over",
            "slack_ns",
            "policy",
            "priority",
            "cpu",
            "phase",
            "load",
            "interval_ns",
        ],
    );
    let of = |key: &str| row[key].as_f64().unwrap();
    let list = |key: &str| row[key].as_array().unwrap().clone();
    let times = |key: &str| row[key].as_u64().unwrap();
    assert_eq!(times("count") + times("interrupted"), 20);
    let order = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"];
    assert!(order.is_sorted_by_key(|key| of(key)), "{row}");
    assert!(of("min_ns") <= of("mean_ns") && of("mean_ns") <= of("max_ns"));
    assert!(of("stddev_ns") >= 0.0);
    let counted: u64 =
        list("histogram").iter().map(|pair| pair[1].as_u64().unwrap()).sum();
    assert_eq!(counted, times("count"));
    if row["wait"] != "itimer-virtual" {
        // CPU time may pass in two tasks; real time may not pass early.
        assert_eq!(times("early"), 0);
        assert!(of("min_ns") >= of("span_ns"));
    }
    for long in list("over") {
        let index = long[0].as_u64().unwrap();
        assert!((1..=20).contains(&index), "{long}");
        assert!(long[1].as_i64().unwrap() > 60_000, "{long}");
    }
}

#[test]
fn conditions_are_told_as_they_were_asked_for() {
    let row = |more: &[&str]| {
        let mut args = vec!["sleep", "-n", "3", "--json"];
        args.extend(more);
        answer(&args)["result"]["rows"][0].clone()
    };
    let row = row(&[
        "--slack",
        "1us",
        "--phase",
        "random",
        "--priority",
        "nice:5",
        "--load",
        "below",
        "--cpu",
        "0",
    ]);
    assert_eq!(row["slack_ns"], 1_000);
    assert_eq!(row["phase"], "random");
    assert_eq!(row["priority"], "nice:5");
    assert_eq!(row["policy"], "SCHED_OTHER");
    assert_eq!(row["load"], "below");
    assert_eq!(row["cpu"], 0);
}

#[test]
fn a_workload_is_played_and_told_task_by_task() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("w.toml"), SLEEPER).unwrap();
    let args = ["run", "w.toml", "--json"];
    let output = program(folder.path(), &args).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    has_the_shape("run", &answer);
    let result = &answer["result"];
    has_keys(result, &["tasks", "ending", "meters"]);
    let task = &result["tasks"][0];
    has_keys(task, &["process", "task", "pid", "tid", "outcomes"]);
    assert_eq!(task["outcomes"]["met"], 40);
    // One of its steps keeps no whole samples.
    let pairs = task["histogram"].as_array().unwrap();
    let counted: u64 = pairs.iter().map(|pair| pair[1].as_u64().unwrap()).sum();
    assert_eq!(counted, 40);
    assert_eq!(result["ending"], "complete");
}

#[test]
fn a_report_names_its_page_and_its_finding() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["report", "--for", "2s", "-o", "page.html", "--json"];
    let output = program(folder.path(), &args).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    has_the_shape("report", &answer);
    let result = &answer["result"];
    assert_eq!(result["path"], "page.html");
    assert!(!result["headline"]["finding"].as_str().unwrap().is_empty());
    assert!(result["sections"].as_array().unwrap().len() >= 4);
    let page = std::fs::read_to_string(folder.path().join("page.html"));
    assert!(page.unwrap().contains("<svg"));
    // A page of ours may be written anew.
    let again = program(folder.path(), &args).output().unwrap();
    assert!(again.status.success());
}

#[test]
fn rows_come_as_csv_with_numbers_in_them() {
    let output = typed(&["sleep", "-n", "5", "--span", "1ms,2ms", "--csv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("wait,span_ns,count,early"));
    assert!(lines[2].starts_with("nanosleep,2000000,5,0,0,2"), "{text}");
}

#[test]
fn batches_come_as_lines_before_the_answer() {
    let output = typed(&["sleep", "-n", "50", "--jsonl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (answer, batches) = lines.split_last().unwrap();
    has_the_shape("sleep", answer);
    let samples = batches
        .iter()
        .flat_map(|batch| batch["samples"].as_array().unwrap().iter());
    let last = samples.filter(|sample| sample["number"] == 49);
    let last: Vec<_> = last.collect();
    assert!(!last.is_empty(), "the fiftieth wait was told");
    has_keys(last[0], &["role", "step", "began_ns", "due_ns", "ended_ns"]);
    // Samples of the ruler came among those that were asked for, and nothing
    // told them apart.
    let asked = |sample: &&&Value| sample["action"] == "wait nanosleep 1 ms";
    assert_eq!(last.iter().filter(asked).count(), 1);
    assert!(last.iter().all(|sample| sample["action"].is_string()));
}

#[test]
fn an_answer_goes_into_a_file_whole_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["sleep", "-n", "3", "--json", "-o", "a.json", "--save", "s.rec"];
    let output = program(folder.path(), &args).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.is_empty());
    let text = std::fs::read(folder.path().join("a.json")).unwrap();
    has_the_shape("sleep", &serde_json::from_slice(&text).unwrap());
    let saved = std::fs::File::open(folder.path().join("s.rec")).unwrap();
    let saved = timerscope::machine::Saved::read(saved).unwrap();
    let rows = timerscope::lab::sleep::rows(&saved, None);
    assert_eq!(rows[0].took.count, 3);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn one_screen_says_what_to_type_next() {
    let output = typed(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["timer slack", "200 waits of 1 ms", "timerscope report"] {
        assert!(text.contains(part), "{text}");
    }
}

// A wait that was named twice was measured once, a span twice.
#[test]
fn what_is_asked_for_twice_is_measured_once() {
    let waits = "nanosleep,nanosleep";
    let spans = "1ms,1000us,0,1ms";
    let typed =
        ["sleep", "--wait", waits, "--span", spans, "-n", "2", "--json"];
    let answer = answer(&typed);
    let rows = answer["result"]["rows"].as_array().unwrap();
    let asked: Vec<&Value> = rows.iter().map(|row| &row["span_ns"]).collect();
    assert_eq!(asked, [1_000_000, 0]);
    assert!(rows.iter().all(|row| row["count"] == 2), "{rows:?}");
}

// The one screen was for people alone.
#[test]
fn one_screen_is_also_an_answer_for_programs() {
    has_the_shape("glance", &answer(&["--json"]));
}

// Half of the commands had no example in their help.
#[test]
fn every_command_has_examples_in_its_help() {
    let help = typed(&["--help"]);
    let text = String::from_utf8(help.stdout).unwrap();
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let commands = list.lines().take_while(|line| !line.is_empty());
    let mut seen = 0;
    for line in commands.filter(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().unwrap();
        let indented = !line.starts_with("   ");
        if name == "help" || !indented {
            continue;
        }
        let text = String::from_utf8(typed(&[name, "--help"]).stdout).unwrap();
        assert!(text.contains("\nExample"), "{name}: {text}");
        seen += 1;
    }
    assert!(seen >= 8, "{seen} commands");
}

#[test]
fn packagers_get_completions_and_a_manual() {
    for args in [&["completions", "bash"][..], &["man"]] {
        let output = typed(args);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("timerscope"), "{text}");
    }
}
