//! A run becomes a timeline, at once or when it is saved, and what is left
//! out of it is said. Of live numbers only laws are held.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::answers::has_the_shape;
use crate::typed::program;

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
    { repeat = { until = { count = 7 }, body = [
        { wait = { how = "poll", span = "1ms", keep = "histogram" } },
    ] } },
]
"#;

/// It asks for 1 ms and is hidden for a while.
const HIDDEN: &str = r#"
schema = "timerscope-workload/1"

[[process]]
name = "player"
script = [{ at = "60ms", what = "hide" }, { at = "120ms", what = "show" }]

[[process.task]]
name = "loop"
actions = [
    { request = "1ms" },
    { repeat = { until = { span = "160ms" }, body = [
        { wait = { how = "sleep", span = "1ms" } },
    ] } },
    { withdraw = "1ms" },
]
"#;

const LEFT_OUT: &str = "7 samples are left out";

/// Types a command line in `folder`, with that workload in it.
fn typed(folder: &Path, args: &[&str]) -> Output {
    fs::write(folder.join("sleeper.toml"), SLEEPER).unwrap();
    program(folder, args).output().unwrap()
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|own| own == text.as_bytes())
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_run_and_its_recording_give_the_same_timeline() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = [
        "run",
        "sleeper.toml",
        "--json",
        "--save",
        "./run.rec",
        "--timeline",
        "run.pftrace",
    ];
    let run = typed(folder, &run);
    assert!(run.status.success(), "{}", stderr(&run));
    let saved = ["timeline", "./run.rec", "-o", "saved.pftrace", "--json"];
    let saved = typed(folder, &saved);
    assert!(saved.status.success(), "{}", stderr(&saved));

    let bytes = fs::read(folder.join("run.pftrace")).unwrap();
    assert_eq!(bytes, fs::read(folder.join("saved.pftrace")).unwrap());
    for name in ["app", "sleeper", "wait nanosleep 100 us", LEFT_OUT] {
        assert!(has(&bytes, name), "{name}");
    }
    for output in [&run, &saved] {
        let warnings = json(output)["warnings"].to_string();
        assert!(warnings.contains(LEFT_OUT), "{warnings}");
        assert!(stderr(output).contains(LEFT_OUT), "{}", stderr(output));
    }
    let answer = json(&saved);
    has_the_shape("timeline", &answer);
    assert!(answer["result"]["slices"].as_u64().unwrap() >= 20);
}

#[test]
fn a_simulated_run_also_shows_cpus_ticks_requests_and_the_interval() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("hidden.toml"), HIDDEN).unwrap();
    let drawn = |file: &str| {
        let run = ["run", "hidden.toml", "--on", "windows-11", "--seed", "1"];
        let output = typed(folder, &[&run[..], &["--timeline", file]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read(folder.join(file)).unwrap()
    };
    let bytes = drawn("one.pftrace");
    for name in [
        "CPU 0",
        "tick",
        "player/loop",
        "requests",
        "1 ms",
        "hide",
        "interval in force (us)",
        "waiting",
        "wait sleep 1 ms",
    ] {
        assert!(has(&bytes, name), "{name}");
    }
    assert!(bytes == drawn("again.pftrace"), "one seed, one timeline");
}

#[test]
fn a_timeline_that_cannot_be_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (file, more, why) in [
        ("a.json", &[][..], "a Perfetto trace"),
        ("sleeper.toml", &[][..], "a Perfetto trace"),
        ("a", &["-o", "a"][..], "both the answer and the timeline"),
        ("no/a", &[][..], "its folder is not there"),
    ] {
        let args = ["run", "sleeper.toml", "--timeline", file];
        let output = typed(folder, &[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    let text = fs::read_to_string(folder.join("sleeper.toml")).unwrap();
    assert_eq!(text, SLEEPER);
}

#[test]
fn what_is_no_recording_has_no_timeline() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = typed(folder, &["timeline", "./sleeper.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a recording"));
    assert!(!folder.join("timerscope.pftrace").exists());
}
