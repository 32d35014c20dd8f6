//! A rule's id leads to its code, and to what would notice its loss.
#![expect(clippy::disallowed_methods, reason = "a test reads the sources")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use timerscope::sim::catalogue::{CATALOGUE, opened};

/// Everything under `sim/` but the declarations of rules.
fn code(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            code(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&fs::read_to_string(path).expect("text"));
        }
    }
}

#[test]
fn each_rule_in_force_is_named_where_it_is_done() {
    let mut done = String::new();
    let sim = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sim");
    code(&sim.join("kernel"), &mut done);
    for (name, _) in CATALOGUE {
        let spec = opened(name).unwrap();
        let chosen = spec.rules.chosen(spec.kernel);
        for rule in spec.rules_in_force() {
            // A choice is done where its key is asked for.
            let choice = chosen.iter().find(|own| own.rule.id == rule.id);
            let found = match choice {
                Some(own) => done.contains(&format!("rules.{}", own.key)),
                None => done.contains(rule.id),
            };
            assert!(found, "{name}: no code bears {}", rule.id);
            assert!(!rule.says.is_empty() && !rule.source.is_empty());
            assert!(!rule.falsified_by.is_empty(), "{}", rule.id);
        }
    }
}

#[test]
fn a_constant_that_does_something_says_how_sure_it_is() {
    for (name, _) in CATALOGUE {
        for (constant, value, said) in opened(name).unwrap().constants_told() {
            let off = ["0", "0s", "0ns"].contains(&value.as_str());
            let status = said.split(':').next().unwrap_or_default();
            let known = ["fitted", "predicted", "measured", "invented"]
                .contains(&status);
            assert!(off || known, "{name}: {constant} = {value}: `{said}`");
        }
    }
}

/// One of `invariants/mutations.toml`, which `.ci/mutate` tries.
#[derive(serde::Deserialize)]
struct Mutation {
    rule: String,
    file: String,
    old: String,
    new: String,
    test: String,
}

fn mutations() -> Vec<Mutation> {
    #[derive(serde::Deserialize)]
    struct List {
        mutation: Vec<Mutation>,
    }
    let text = include_str!("invariants/mutations.toml");
    toml::from_str::<List>(text).expect("a list").mutation
}

#[test]
fn each_rule_and_each_rival_is_broken_by_a_mutation() {
    let broken: BTreeSet<String> =
        mutations().into_iter().map(|own| own.rule).collect();
    let mut known = BTreeSet::new();
    for (name, _) in CATALOGUE {
        let spec = opened(name).unwrap();
        let chosen = spec.rules.chosen(spec.kernel).into_iter();
        let rivals = chosen.flat_map(|own| own.rivals).map(|own| own.1);
        for rule in spec.rules_in_force().into_iter().chain(rivals) {
            known.insert(rule.id.to_owned());
        }
    }
    assert_eq!(broken, known);
}

// Else the first change of its line would make a mutation one that is never
// tried, unseen until somebody runs them all.
#[test]
fn each_mutation_finds_its_line_and_its_test() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invariants");
    let sim = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sim");
    for own in mutations() {
        let code = fs::read_to_string(sim.join(&own.file)).unwrap();
        // `.ci/mutate` reads lines.
        let old = own.old.replace("\\n", "\n");
        assert_eq!(code.matches(&old).count(), 1, "{}: {old}", own.file);
        assert_ne!(own.old, own.new);
        let (module, test) = own.test.split_once("::").unwrap();
        let file = tests.join(module).with_extension("rs");
        let found = fs::read_to_string(file).unwrap();
        assert!(found.contains(&format!("fn {test}")), "{}", own.test);
    }
}
