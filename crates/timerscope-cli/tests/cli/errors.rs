//! What goes wrong is told in one shape, with the right exit code, and leaves
//! nothing behind.

use std::fs;

use crate::typed::{program, typed};
use serde_json::Value;

#[test]
fn wrong_use_says_what_why_and_what_to_try() {
    let cases: [(&[&str], i32, &str); 24] = [
        (&["sleep", "--span", "-1ms"], 2, "cannot be negative"),
        (&["sleep", "--span", "1"], 2, "needs a unit"),
        (&["sleep", "-n", "1000000000000"], 2, "from 1 to 1000000000"),
        (&["sleep", "-n", "0"], 2, "from 1 to"),
        (&["sleep", "-n", "-5"], 2, "a count cannot be negative"),
        (&["wake", "-n", "-5"], 2, "a count cannot be negative"),
        (&["sleep", "--priority", "hard"], 2, "nice:-20..19, batch, idle\n"),
        (&["sleep", "-o", "a.json"], 2, "add --json"),
        (&["info", "-o", "a.html"], 2, "timerscope report"),
        (&["report", "-o", "a.pdf"], 2, "HTML or plain text"),
        (&["run", "."], 2, "one of the files in it"),
        (&["info", "-o", "/dev/null/a.txt"], 3, "Not a directory"),
        (&["--json", "--csv"], 2, "--csv"),
        (&["sleep", "--cpu", "4000"], 2, "CPU 4000"),
        (&["sleep", "--wait", "nanoslep"], 2, "try: `nanosleep`"),
        (&["sleep", "--sweep", "1us..1ms"], 2, "longer span to the shorter"),
        (&["sleep", "--load-cpu", "0"], 2, "there is no load"),
        (&["sleep", "--json", "--csv"], 2, "several"),
        (&["sleep", "--wait", "sleep-ex"], 4, "does not have it"),
        (&["sleep", "--on", "windows-95"], 2, "no machine `windows-95`"),
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
        assert!(text.contains("\n  try: "), "{args:?}: {text}");
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

// Arguments that are no text made the program panic while it told another
// error.
#[test]
fn arguments_that_are_no_text_are_wrong_use() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    let cases: [&[&str]; 4] =
        [&["sleep", "--wait"], &["run"], &[], &["report", "--for"]];
    for before in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut command = program(folder.path(), before);
        let output = command.arg(bytes).arg("--json").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{before:?}: {text}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["error"]["code"], 2, "{object}");
        assert_ne!(object["error"]["try"], "", "{object}");
    }
}

// `--save /dev/full` said that the recording was none; a limit on the size
// of files ended the program by a signal, without a word.
#[test]
fn what_cannot_be_saved_says_that_the_disk_is_full() {
    let typed = ["sleep", "-n", "3", "--save", "/dev/full"];
    let output = crate::typed::typed(&typed);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("No space left"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_timerscope");
    let typed = format!("ulimit -f 0; exec {program} info -o facts.txt");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &typed]).current_dir(folder.path());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("too large"), "{text}");
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
    assert!(said.contains("try: did you mean `name`?"), "{said}");
    let json = ["run", "w.toml", "--json"];
    let output = program(folder.path(), &json).output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["error"]["lines"][0], "   4 | nam = 1");
    assert!(!object["error"]["why"].as_str().unwrap().contains('\n'));
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
