//! Commands on machines that are imagined: here numbers are exact.

use serde_json::Value;

use crate::answers::{has_keys, has_the_shape};
use crate::typed::{answer, program, typed};

const MACHINES: [&str; 13] = [
    "windows-xp",
    "windows-7",
    "windows-8",
    "windows-8-vm",
    "windows-10-1909",
    "windows-10-2004",
    "windows-11",
    "windows-11-global",
    "windows-server-2008-vm",
    "openbsd-6.9",
    "openbsd-7.0",
    "linux-6",
    "linux-lowres",
];

const COMMANDS: [&[&str]; 8] = [
    &["info"],
    &["clocks"],
    &["sleep", "-n", "20"],
    &["wake", "-n", "10"],
    &["quantum"],
    &["cost", "--for", "2s"],
    &["frames", "--for", "2s"],
    &["run", "../../workloads/frame-limiter.toml"],
];

fn on(command: &[&str], machine: &str) -> std::process::Output {
    let rest = ["--on", machine, "--seed", "1", "--json"];
    program(env!("CARGO_MANIFEST_DIR").as_ref(), &[command, &rest].concat())
        .output()
        .unwrap()
}

#[test]
fn every_command_answers_on_every_machine_and_twice_the_same() {
    for machine in MACHINES {
        for command in COMMANDS {
            let (one, other) = (on(command, machine), on(command, machine));
            let told = String::from_utf8_lossy(&one.stderr).into_owned();
            let code = one.status.code();
            // What a machine does not have is no failure: a tick alone, for
            // instance, that nobody can raise.
            assert!(
                matches!(code, Some(0 | 4)),
                "{machine} {command:?}: {code:?} {told}"
            );
            let json = |output: &std::process::Output| -> Value {
                serde_json::from_slice(&output.stdout).unwrap()
            };
            let (one, other) = (json(&one), json(&other));
            if code == Some(4) {
                assert!(one["error"]["why"].is_string(), "{one}");
                continue;
            }
            has_the_shape(command[0], &one);
            assert_eq!(one["result"], other["result"], "{machine} {command:?}");
            assert_eq!(one["machine"], other["machine"]);
            assert_eq!(one["machine"]["name"], machine);
            assert_eq!(one["machine"]["simulated"], true);
            assert_eq!(one["machine"]["seed"], 1);
        }
    }
}

#[test]
fn switches_cost_what_the_machine_says_and_wait_for_no_tick() {
    // Of many counts one is enough to be exact.
    let rows = value(&["switch", "--on", "windows-7"], "/result/rows");
    let published = [320_000.0, 220_000.0, 80_000.0, 90_000.0];
    for (row, published) in rows.as_array().unwrap().iter().zip(published) {
        let per_s = row["round_trips_per_s"].as_f64().unwrap();
        let off = (per_s / published - 1.0).abs();
        assert!(off < 0.12, "{row}: {published} were published");
    }
}

fn value(args: &[&str], path: &str) -> Value {
    let args = [args, &["--seed", "1", "--json"]].concat();
    answer(&args).pointer(path).unwrap().clone()
}

#[test]
fn a_turn_is_2_ticks_on_a_client_12_on_a_server_and_whole_ticks_anywhere() {
    for (machine, from, to) in [
        ("windows-7", 31.1, 31.3),
        ("windows-server-2008-vm,steal-ppm=0", 187.0, 187.6),
        ("windows-7,quantum=10ms,interval=8ms", 15.9, 16.0),
        ("windows-7,quantum=10ms,interval=1ms", 9.4, 10.0),
    ] {
        let p50 = value(&["quantum", "--on", machine], "/result/rows/0/p50_ns");
        let ms = p50.as_f64().unwrap() / 1e6;
        assert!((from..=to).contains(&ms), "{machine}: {ms} ms");
    }
}

#[test]
fn a_request_helps_whom_the_rule_of_the_machine_says() {
    for (machine, hold, ms) in [
        ("windows-7", true, 1.0),
        ("windows-10-1909", true, 2.0),
        ("windows-10-2004", true, 2.0),
        ("windows-7,interval=1ms", false, 1.0),
        ("windows-10-1909,interval=1ms", false, 2.0),
        ("windows-10-2004,interval=1ms", false, 16.0),
        ("windows-10-2004,interval=9ms", false, 9.0),
        ("windows-11-global,interval=1ms", false, 2.0),
        ("windows-10-2004,interval=2ms,rule=h2", false, 14.0),
    ] {
        let mut args = vec!["sleep", "--on", machine, "--wait", "sleep"];
        if hold {
            args.extend(["--hold", "1ms"]);
        }
        let p50 = value(&args, "/result/rows/0/p50_ns");
        let own = p50.as_f64().unwrap() / 1e6;
        assert!((own - ms).abs() < 0.02, "{machine}: {own} and not {ms} ms");
    }
}

#[test]
fn machines_lists_rules_and_a_file_of_one_is_the_same_machine() {
    let all = answer(&["machines", "--json"]);
    has_the_shape("machines", &all);
    let machines = all["result"]["machines"].as_array().unwrap();
    let names: Vec<&str> =
        machines.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, MACHINES);
    for machine in machines {
        for rule in machine["rules"].as_array().unwrap() {
            has_keys(rule, &["id", "says", "status", "source"]);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["windows-11", "openbsd-7.0", "linux-6"] {
        let text = typed(&["machines", name, "--toml"]);
        std::fs::write(folder.path().join("own.toml"), text.stdout).unwrap();
        let digest = |machine: &str| {
            let args = ["sleep", "--on", machine, "--seed", "7", "--json"];
            let output = program(folder.path(), &args).output().unwrap();
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            answer["machine"]["digest"].as_str().unwrap().to_owned()
        };
        assert_eq!(digest(name), digest("own.toml"), "{name}");
    }
}

#[test]
fn a_machine_that_is_none_is_wrong_use_and_says_what_there_is() {
    for (machine, says) in [
        ("windows-9", "windows-7"),
        ("windows-7,rule=h7", "h7"),
        ("windows-7,cpus=0", "1 to 128"),
        ("nowhere.toml", "nowhere.toml"),
    ] {
        let output = typed(&["sleep", "--on", machine]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{machine}: {told}");
        assert!(told.contains(says), "{machine}: {told}");
    }
}

/// Words that only Linux has.
const OF_LINUX: [&str; 10] = [
    "prctl",
    "slack",
    "nanosleep",
    "CONFIG_",
    "futex",
    "/proc",
    "timerfd",
    "SCHED_",
    "CLOCK_MONOTONIC",
    "Linux",
];

#[test]
fn a_report_on_each_machine_advises_what_that_system_has() {
    let folder = tempfile::tempdir().unwrap();
    for machine in MACHINES {
        let args =
            ["report", "--on", machine, "--seed", "1", "-o", "page.html"];
        let output = program(folder.path(), &args).output().unwrap();
        assert!(output.status.success(), "{machine}");
        let text = String::from_utf8(output.stdout).unwrap();
        let (finding, advice) = match machine {
            "linux-6" => ("the 50 us of timer slack", "prctl"),
            "linux-lowres" => ("on a tick of the clock (4 ms)", "highres=off"),
            "openbsd-6.9" | "openbsd-7.0" => ("one comes every 10 ms", "whole"),
            // Its host lets it have no other tick.
            "windows-server-2008-vm" => ("one comes every 15.625 ms", "whole"),
            "windows-xp" | "windows-7" | "windows-8" | "windows-8-vm" => {
                ("until somebody requests finer", "timeBeginPeriod(1)")
            }
            _ => ("until somebody requests finer", "HIGH_RESOLUTION"),
        };
        assert!(text.contains(finding), "{machine}: {text}");
        assert!(text.contains(advice), "{machine}: {text}");
        let page = std::fs::read_to_string(folder.path().join("page.html"));
        let page = page.unwrap();
        assert!(page.contains("SIMULATED"), "{machine}");
        // Nobody asks there for what it does not have.
        assert!(!page.contains("has no timer slack"), "{machine}");
        if machine.starts_with("windows") {
            let word = OF_LINUX.iter().find(|word| page.contains(**word));
            assert_eq!(word, None, "{machine}");
        }
    }
}

#[test]
fn slack_where_there_is_none_is_told() {
    let warned = |machine| {
        let slack = ["sleep", "-n", "5", "--slack", "1ns"];
        let output = on(&slack, machine);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let all = answer["warnings"].as_array().unwrap().clone();
        all.iter().any(|warning| warning["code"] == "no-slack")
    };
    assert!(warned("windows-7") && warned("openbsd-7.0"));
    assert!(!warned("linux-6") && !warned("linux-lowres"));
}

#[test]
fn each_rule_and_each_clock_is_told_with_how_sure_it_is() {
    const WORDS: [&str; 4] = ["fitted", "predicted", "measured", "invented"];
    let all = answer(&["machines", "--json"]);
    for machine in all["result"]["machines"].as_array().unwrap() {
        let name = machine["name"].as_str().unwrap();
        let told = |list: &str| machine[list].as_array().unwrap().clone();
        for one in told("rules").iter().chain(&told("clocks")) {
            let status = one["status"].as_str().unwrap();
            assert!(WORDS.contains(&status), "{name}: {one}");
        }
        let text = typed(&["machines", name]).stdout;
        let text = String::from_utf8(text).unwrap();
        let wrong_if = text.matches("  wrong if ").count();
        assert_eq!(wrong_if, told("rules").len(), "{name}");
    }
}

#[test]
fn slack_that_moves_nothing_is_not_said_to_move_anything() {
    let said = |machine| {
        let output = typed(&["sweep", "--on", machine, "--seed", "1"]);
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said("linux-lowres").contains("Nothing moves: each waits"));
    assert!(said("linux-6").contains("Only what ends by a high-resolution"));
}
