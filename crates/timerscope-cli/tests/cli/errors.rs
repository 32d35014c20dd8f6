//! What goes wrong is told in one shape, with the right exit code, and leaves
//! nothing behind.

use std::fs;

use crate::typed::{program, typed};
use serde_json::Value;

#[test]
fn wrong_use_says_what_why_and_what_to_try() {
    let cases: [(&[&str], i32, &str); 15] = [
        (&["sleep", "--span", "-1ms"], 2, "cannot be negative"),
        (&["sleep", "--span", "1"], 2, "needs a unit"),
        (&["sleep", "-n", "1000000000000"], 2, "1000000000000"),
        (&["sleep", "-n", "0"], 2, "0 is not in"),
        (&["sleep", "--cpu", "4000"], 2, "CPU 4000"),
        (&["sleep", "--wait", "nanoslep"], 2, "did you mean `nanosleep`?"),
        (&["sleep", "--sweep", "1us..1ms"], 2, "longer span to the shorter"),
        (&["sleep", "--load-cpu", "0"], 2, "there is no load"),
        (&["sleep", "--json", "--csv"], 2, "several"),
        (&["sleep", "--wait", "sleep-ex"], 4, "does not have it"),
        (&["sleep", "--on", "windows-7"], 4, "no simulated machines"),
        (&["info", "--seed", "1"], 2, "--seed"),
        (&["report", "--for", "1ms"], 2, "from 2 s"),
        (&["run", "nowhere.toml"], 2, "nowhere.toml"),
        (&["slep"], 2, "slep"),
    ];
    for (args, code, said) in cases {
        let output = typed(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(text.starts_with("timerscope: "), "{text}");
        assert!(text.contains(said), "{args:?}: {text}");
        assert!(!text.contains("panicked"), "{text}");
        let json = args.contains(&"--json");
        assert_eq!(output.stdout.is_empty(), !json, "{args:?}");
    }
}

#[test]
fn with_json_an_error_is_an_object_too() {
    let output = typed(&["sleep", "--json", "--span", "-1ms"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["schema"], "timerscope/1");
    assert_eq!(object["error"]["code"], 2);
    for key in ["what", "why", "try"] {
        assert!(object["error"][key].is_string(), "{object}");
    }
    assert!(!output.stderr.is_empty());
}

#[test]
fn a_full_disk_is_refused_and_a_foreign_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let full = ["info", "-o", "/dev/full"];
    let output = program(folder.path(), &full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let own = folder.path().join("mine.html");
    fs::write(&own, "<p>mine</p>").unwrap();
    let report = ["report", "--for", "2s", "-o", "mine.html"];
    let output = program(folder.path(), &report).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&own).unwrap(), "<p>mine</p>");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_wrong_workload_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "schema = \"timerscope-workload/1\"\n\n[[process]]\nnam = 1\n";
    fs::write(folder.path().join("w.toml"), text).unwrap();
    let output = program(folder.path(), &["run", "w.toml"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("line 4"), "{said}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path(), &["info"]);
    let mut child =
        command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
