//! Every measuring command can be saved and compared, by its recordings and
//! by its answer. Of live numbers only laws are held.

use std::path::Path;

use serde_json::Value;

use crate::answers::has_the_shape;
use crate::typed::program;

/// Compares a run with itself, which can neither be better nor worse.
fn compared(folder: &Path, run: &str) -> Value {
    let mut command = program(folder, &["diff", run, run, "--json"]);
    command.env("XDG_STATE_HOME", folder.join("state"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{run}: {said}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    has_the_shape("diff", &answer);
    for key in ["differs", "only_before", "only_after"] {
        assert_eq!(answer["result"][key], Value::Array(vec![]), "{run}");
    }
    answer["result"]["changes"].clone()
}

#[test]
fn every_measuring_command_is_saved_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (command, more) in [
        ("wake", &["-n", "20", "--setter", "other-cpu,same-cpu"][..]),
        ("switch", &["--for", "50ms"]),
        ("quantum", &["--for", "500ms", "--priority", "normal,nice:5"]),
        ("sweep", &["-n", "3", "--from", "1us", "--to", "1ms"]),
        ("cost", &["--for", "1s"]),
        ("frames", &["--for", "1s"]),
        ("clocks", &["--drift", "100ms"]),
    ] {
        let file = format!("{command}.json");
        let own = [command, "--json", "-o", &file, "--save", command];
        let mut typed = program(folder, &[&own[..], more].concat());
        typed.env("XDG_STATE_HOME", folder.join("state"));
        let output = typed.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {said}");
        for run in [command, &file] {
            let changes = compared(folder, run);
            assert_ne!(changes, Value::Array(vec![]), "{run}");
        }
    }
}

#[test]
fn the_answers_of_all_other_commands_can_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for args in [
        &["--json"][..],
        &["info", "--json"],
        &["sleep", "-n", "5", "--json"],
        &["report", "--for", "2s", "-o", "page.html", "--json"],
    ] {
        let output = program(folder, args).output().unwrap();
        std::fs::write(folder.join("a.json"), output.stdout).unwrap();
        compared(folder, "a.json");
    }
}
