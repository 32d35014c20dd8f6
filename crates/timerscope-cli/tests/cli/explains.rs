//! Which rule is in force, as a person and a program ask it.

use std::fs;

use serde_json::Value;

use crate::answers::{has_keys, has_the_shape};
use crate::typed::{answer, program, typed};

fn explained(args: &[&str]) -> Value {
    let answer = answer(&[&["explain"], args, &["--json"]].concat());
    has_the_shape("explain", &answer);
    let result = &answer["result"];
    let keys = ["rule", "verdict", "because", "candidates", "next_test"];
    has_keys(result, &keys);
    has_keys(result, &["parts", "tests", "follows"]);
    let verdict = result["verdict"].as_str().unwrap();
    assert!(["certain", "likely", "cannot-tell"].contains(&verdict));
    assert!(!result["because"].as_array().unwrap().is_empty());
    for candidate in result["candidates"].as_array().unwrap() {
        let fit = candidate["fit"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&fit), "{candidate}");
    }
    answer
}

#[test]
fn a_machine_is_found_out_and_twice_the_same() {
    for (machine, rule, verdict) in [
        ("windows-10-2004", Some("windows-10-2004"), "certain"),
        ("windows-7", None, "cannot-tell"),
        ("windows-10-2004,rule=h2", Some("windows-10-2004,rule=h2"), "likely"),
        ("linux-lowres", Some("linux-lowres"), "certain"),
    ] {
        let args = ["--on", machine, "--seed", "1"];
        let (one, other) = (explained(&args), explained(&args));
        let result = &one["result"];
        assert_eq!(result["rule"].as_str(), rule, "{machine}");
        assert_eq!(result["verdict"], verdict, "{machine}");
        assert_eq!(result, &other["result"]);
        assert_eq!(one["machine"], other["machine"]);
    }
}

// Of a real machine, which may be busy, only laws are held.
#[test]
fn this_machine_is_not_taken_for_another_system() {
    let answer = explained(&[]);
    let rule = answer["result"]["rule"].as_str();
    assert!(rule.is_none_or(|rule| !rule.starts_with("windows")), "{rule:?}");
    let windows = answer["result"]["candidates"].as_array().unwrap().iter();
    let windows = windows
        .filter(|one| one["rule"].as_str().unwrap().starts_with("windows"));
    assert!(windows.clone().count() > 0);
    for one in windows {
        assert_eq!(one["fits"], false, "{one}");
    }
}

#[test]
fn people_get_the_verdict_first_then_figures_reasons_and_what_to_do() {
    let output = typed(&["explain", "--on", "windows-8", "--seed", "1"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let place = |what: &str| {
        text.find(what).unwrap_or_else(|| panic!("{what}: {text}"))
    };
    let verdict = place("Cannot tell: windows-7, windows-8");
    let next = place("timerscope cost");
    let figures = place("while another process requests 2 ms");
    let reasons = place("Not windows-10-2004");
    assert!(verdict < next && next < figures && figures < reasons);
}

#[test]
fn a_list_of_waits_is_explained_as_far_as_it_tells() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("plain.txt"), "15.99\n16.0 ms\n15990us\n".repeat(20)).unwrap();
    let machine = ["--on", "windows-7", "--seed", "1", "--hold", "1ms"];
    let own = ["--json", "-o", &at("sleep.json"), "--save", &at("saved.json")];
    typed(&[&["sleep"], &machine[..], &own[..]].concat());
    for (file, in_, out) in [
        ("plain.txt", "windows-10-2004", "linux-6"),
        ("sleep.json", "windows-7", "windows-10-1909"),
        ("saved.json", "windows-7", "windows-10-1909"),
    ] {
        let answer = explained(&[&at(file)]);
        let fits = |rule: &str| {
            let all = answer["result"]["candidates"].as_array().unwrap();
            all.iter().find(|one| one["rule"] == rule).unwrap()["fits"]
                .as_bool()
                .unwrap()
        };
        assert!(fits(in_) && !fits(out), "{file}: {answer}");
        assert_ne!(answer["result"]["verdict"], "certain");
        let next = answer["result"]["next_test"].as_str().unwrap();
        assert!(next.contains("timerscope explain"), "{next}");
    }
}

#[test]
fn a_file_that_is_no_list_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    for (text, why) in [
        ("1\n2\nthree\n", "line 3"),
        ("", "no numbers"),
        ("{\"schema\":\"timerscope/1\"}", "no rows"),
    ] {
        fs::write(folder.path().join("list.txt"), text).unwrap();
        let args = ["explain", "list.txt"];
        let output = program(folder.path(), &args).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_calibrated_machine_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let machine = ["--on", "linux-6,hz=300,wake-latency=80us", "--seed", "1"];
    let own = ["explain", "--calibrate", "-o", "own.toml"];
    let args = [&own[..], &machine[..]].concat();
    let output = program(folder.path(), &args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(folder.path().join("own.toml")).unwrap();
    assert!(text.contains("could not be measured") || text.contains("fitted"));
    let p50 = |on: &str| {
        let args = ["sleep", "--on", on, "--seed", "2", "--json"];
        let output = program(folder.path(), &args).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["result"]["rows"][0]["p50_ns"].as_i64().unwrap()
    };
    let (own, model) = (p50(machine[1]), p50("own.toml"));
    assert!((own - model).abs() < 5_000, "{own} {model}");
    let windows = ["explain", "--calibrate", "--on", "windows-7"];
    assert_eq!(typed(&windows).status.code(), Some(4));
}
