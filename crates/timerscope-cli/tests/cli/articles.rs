//! `timerscope articles`: each row's command does what the row says.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::answers::{has_keys, has_the_shape};
use crate::typed::{answer, program, typed};

const ROW: [&str; 11] = [
    "article",
    "table",
    "row",
    "command",
    "seed",
    "digest",
    "published",
    "model",
    "criterion",
    "status",
    "fits",
];

fn rows(answer: &Value) -> Vec<Value> {
    answer["result"]["rows"].as_array().unwrap().clone()
}

/// The digest that a row's command tells, typed where the workloads are.
fn digest(command: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], "timerscope", "{command}");
    let args = [&words[1..], &["--json"]].concat();
    let output = program(&root, &args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["machine"]["digest"].as_str().unwrap().to_owned()
}

#[test]
fn each_row_has_a_command_that_plays_just_what_it_shows() {
    let all = answer(&["articles", "--json"]);
    has_the_shape("articles", &all);
    let rows = rows(&all);
    assert!(rows.len() > 300, "only {} rows", rows.len());
    let mut commands = BTreeMap::new();
    for row in &rows {
        has_keys(row, &ROW);
        assert!(row["model"].is_number(), "{row}");
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let seed = format!("--seed {}", row["seed"]);
        assert!(text("command").ends_with(&seed), "{row}");
        commands.insert(text("command"), text("digest"));
    }
    for (command, told) in commands {
        assert_eq!(digest(&command), told, "{command}");
    }
}

#[test]
fn one_article_is_a_part_of_all_and_csv_has_the_same_rows() {
    let name = "cygwin-precise-time";
    let some = rows(&answer(&["articles", name, "--json"]));
    assert_eq!(some.len(), 8);
    assert!(some.iter().all(|row| row["article"] == name));
    let csv = String::from_utf8(typed(&["articles", name, "--csv"]).stdout);
    assert_eq!(csv.unwrap().lines().count(), 9);
    let text = String::from_utf8(typed(&["articles", name]).stdout).unwrap();
    for shown in ["QEMU/KVM", "cycles", "8 of 8 rows fit", "clock-reads-idle"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
}

#[test]
fn an_article_that_is_none_is_wrong_use_and_says_which_there_are() {
    let output = typed(&["articles", "great-rule"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("great-rule-change"), "{told}");
}
