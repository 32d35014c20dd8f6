//! Two runs are compared by name or by file, and nothing of anybody else's is
//! written over. Of live numbers only laws are held.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::answers::has_the_shape;
use crate::typed::program;

/// Types a command line in `folder`, with the shelf in it, too.
fn typed(folder: &Path, args: &[&str]) -> Output {
    let mut command = program(folder, args);
    command.env("XDG_STATE_HOME", folder.join("state")).output().unwrap()
}

fn saved(folder: &Path, name: &str, more: &[&str]) -> Output {
    let wait = ["sleep", "-n", "60", "--wait", "clock-nanosleep"];
    let args = [&wait[..], &["--save", name], more].concat();
    let output = typed(folder, &args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output
}

fn object(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).expect(&said)
}

fn verdict<'a>(answer: &'a Value, figure: &str) -> &'a str {
    let changes = answer["result"]["changes"].as_array().unwrap();
    let own = changes.iter().find(|own| own["figure"] == figure).unwrap();
    own["verdict"].as_str().unwrap()
}

/// A copy of a recording in which each wait ended so late and a little more,
/// whatever the machine was busy with.
fn late(from: &Path, to: &Path, by_ns: i64) {
    let text = fs::read(from).unwrap();
    let mut saved: Value = serde_json::from_slice(&text).unwrap();
    for track in saved["tracks"].as_array_mut().unwrap() {
        for sample in track["samples"].as_array_mut().unwrap() {
            let number = sample[0].as_i64().unwrap();
            let due = sample[3].as_i64().unwrap();
            sample[4] = (due + by_ns + number % 7 * 1_000).into();
        }
    }
    fs::write(to, saved.to_string()).unwrap();
}

#[test]
fn later_waits_are_worse_and_the_other_way_better() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    saved(folder, "own.rec", &[]);
    let own = folder.join("own.rec");
    late(&own, &folder.join("run.rec"), 1_000_000);
    late(&own, &folder.join("late.rec"), 51_000_000);
    let worse = typed(folder, &["diff", "run.rec", "late.rec", "--json"]);
    assert_eq!(worse.status.code(), Some(1));
    let answer = object(&worse);
    has_the_shape("diff", &answer);
    assert_eq!(verdict(&answer, "p50"), "worse");
    for change in answer["result"]["changes"].as_array().unwrap() {
        assert_eq!(change["before"], change["before_ns"]);
        let by = |key: &str| change[key].as_f64().unwrap();
        assert!((by("after") - by("before") - 5e7).abs() < 1.0, "{change}");
    }
    let better = typed(folder, &["diff", "late.rec", "run.rec", "--json"]);
    assert_eq!(better.status.code(), Some(0));
    assert_eq!(verdict(&object(&better), "p50"), "better");
    let people = typed(folder, &["diff", "run.rec", "late.rec"]);
    let text = String::from_utf8(people.stdout).unwrap();
    assert!(text.contains("late.rec is worse: sleep/sleeper"), "{text}");
}

#[test]
fn runs_under_other_conditions_say_so_before_anything_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    saved(folder, "tight", &["--slack", "1ns"]);
    saved(folder, "loose", &["--slack", "1ms"]);
    let output = typed(folder, &["diff", "tight", "loose", "--json"]);
    let answer = object(&output);
    has_the_shape("diff", &answer);
    let first = &answer["result"]["differs"][0];
    assert_eq!(first["what"], "workload.slack_ns");
    assert_eq!(first["before"], 1);
    assert_eq!(first["after"], 1_000_000);
    let changes = answer["result"]["changes"].as_array().unwrap();
    assert!(changes.iter().all(|own| own["unlike"][0] == "slack_ns"));
    let worse = changes.iter().any(|own| own["verdict"] == "worse");
    assert_eq!(output.status.code(), Some(i32::from(worse)));
    let people = typed(folder, &["diff", "tight", "loose"]);
    let text = String::from_utf8(people.stdout).unwrap();
    assert!(text.contains("timer slack 1 ns, then 1 ms"), "{text}");
}

#[test]
fn a_run_beside_itself_is_no_worse_whatever_it_was_written_as() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    saved(folder, "run.rec", &["--json", "-o", "run.json"]);
    for (one, two) in [
        ("run.rec", "run.rec"),
        ("run.rec", "run.json"),
        ("run.json", "run.rec"),
    ] {
        let output = typed(folder, &["diff", one, two, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{one} {two}");
        let answer = object(&output);
        has_the_shape("diff", &answer);
        assert_eq!(answer["result"]["only_before"], Value::Array(vec![]));
        assert_eq!(answer["result"]["only_after"], Value::Array(vec![]));
        assert_eq!(answer["result"]["differs"], Value::Array(vec![]));
        for change in answer["result"]["changes"].as_array().unwrap() {
            let worse =
                ["better", "worse"].iter().any(|own| change["verdict"] == *own);
            assert!(!worse, "{change}");
        }
    }
}

#[test]
fn answers_of_info_and_of_clocks_can_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for command in ["info", "clocks"] {
        let file = format!("{command}.json");
        typed(folder, &[command, "--json", "-o", &file]);
        let output = typed(folder, &["diff", &file, &file, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        let answer = object(&output);
        has_the_shape("diff", &answer);
        assert_eq!(answer["result"]["differs"], Value::Array(vec![]));
    }
    let text = fs::read(folder.join("info.json")).unwrap();
    let mut other: Value = serde_json::from_slice(&text).unwrap();
    other["result"]["timer_slack_ns"] = 7.into();
    fs::write(folder.join("other.json"), other.to_string()).unwrap();
    let args = ["diff", "info.json", "other.json", "--json"];
    let answer = object(&typed(folder, &args));
    assert_eq!(answer["result"]["differs"][0]["what"], "timer_slack_ns");
    assert_eq!(answer["result"]["differs"][0]["after"], 7);
}

#[test]
fn what_cannot_be_read_is_wrong_use_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("folder.d")).unwrap();
    let pipe = folder.join("pipe.x");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    fs::write(folder.join("own"), "{}").unwrap();
    for (name, text) in [
        ("empty.x", String::new()),
        ("text.x", "not JSON".to_owned()),
        ("other.x", "{\"schema\":\"other/1\"}".to_owned()),
        ("deep.x", "[".repeat(100_000)),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    for (name, said) in [
        ("nowhere.x", "no such file"),
        ("nobody", "no run was saved under this name"),
        ("own", "./own for the file here"),
        ("a b", "letters, digits"),
        ("folder.d", "it is a folder"),
        ("pipe.x", "no plain file"),
        ("empty.x", "it is empty"),
        ("text.x", "neither a saved recording nor a JSON answer"),
        ("other.x", "schema `other/1`"),
        ("deep.x", "neither a saved recording"),
    ] {
        let output = typed(folder, &["diff", name, name]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {text}");
        assert!(text.contains(said), "{name}: {text}");
    }
}

#[test]
fn a_saved_run_is_written_over_and_said_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let first = saved(folder, "mine", &[]);
    let text = String::from_utf8(first.stdout).unwrap();
    assert!(text.contains("The recording is saved as"), "{text}");
    let kept = folder.join("state/timerscope/mine.json");
    assert!(kept.is_file());
    let again = object(&saved(folder, "mine", &["--json"]));
    assert_eq!(again["warnings"][0]["code"], "saved-again");
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    let args = ["sleep", "-n", "1", "--save", "notes.txt"];
    let output = typed(folder, &args);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["notes.txt", "state"]);
}

#[test]
fn runs_of_workloads_and_clocks_are_saved_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let workload = "schema = \"timerscope-workload/1\"\n[[process]]\n\
        name = \"app\"\n[[process.task]]\nname = \"sleeper\"\nactions = [ \
        { repeat = { until = { count = 60 }, body = [ \
        { wait = { how = \"poll\", span = \"1ms\" } } ] } } ]\n";
    fs::write(folder.join("w.toml"), workload).unwrap();
    for args in [
        &["run", "w.toml", "--json", "-o", "run.json", "--save", "r"][..],
        &["clocks", "--json", "-o", "clocks.json", "--save", "c"],
    ] {
        let output = typed(folder, args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {said}");
    }
    let output = typed(folder, &["diff", "r", "run.json", "--json"]);
    let answer = object(&output);
    assert_eq!(
        answer["result"]["changes"][0]["row"],
        "app/sleeper: wait poll 1 ms"
    );
    assert!(["same", "cannot-tell"].contains(&verdict(&answer, "p90")));
    let output = typed(folder, &["diff", "c", "c", "--json"]);
    assert!(
        !object(&output)["result"]["changes"].as_array().unwrap().is_empty()
    );
}

#[test]
fn several_runs_a_side_are_compared_as_wholes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    saved(folder, "own.rec", &[]);
    let own = folder.join("own.rec");
    let names = |side: &str| -> Vec<String> {
        (0..5).map(|run| format!("{side}{run}.rec")).collect()
    };
    for (place, (one, two)) in names("a").iter().zip(names("b")).enumerate() {
        let wanders = place as i64 * 300_000;
        late(&own, &folder.join(one), 2_000_000 + wanders);
        late(&own, &folder.join(two), 9_000_000 - wanders);
    }
    let compared = |runs: usize, more: &[&str]| {
        let (before, after) = (names("a"), names("b"));
        let mut args = vec!["diff", "--before"];
        args.extend(before[..runs].iter().map(String::as_str));
        args.push("--after");
        args.extend(after[..runs].iter().map(String::as_str));
        args.extend(more);
        typed(folder, &args)
    };
    let output = compared(5, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer = object(&output);
    has_the_shape("diff", &answer);
    assert_eq!(verdict(&answer, "p50"), "worse");
    assert_eq!(answer["result"]["before"]["runs"][4], "a4.rec");
    let output = compared(2, &["--json"]);
    assert_eq!(output.status.code(), Some(0));
    let answer = object(&output);
    has_the_shape("diff", &answer);
    assert_eq!(verdict(&answer, "p50"), "cannot-tell");
    assert_eq!(answer["result"]["runs_needed"], 5);
    let text = String::from_utf8(compared(2, &[]).stdout).unwrap();
    assert!(text.contains("Save 5 runs or more a side"), "{text}");
    for args in [
        &["diff", "--before", "a0.rec"][..],
        &["diff", "a0.rec"],
        &[
            "diff", "a0.rec", "b0.rec", "--before", "a1.rec", "--after",
            "b1.rec",
        ],
        &["diff", "--before", "a0.rec", "a0.rec", "--after", "b0.rec"],
    ] {
        assert_eq!(typed(folder, args).status.code(), Some(2), "{args:?}");
    }
}
