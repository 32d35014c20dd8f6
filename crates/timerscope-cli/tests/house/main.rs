//! The house rules that no compiler and no lint keeps.
//!
//! Which room may lean on which ([`rooms`]), which crate on which
//! ([`crates`]), and what a source may look like ([`tidy`]). Each rule is a
//! function from one file to its [findings](finding::Finding), tested on small
//! texts; here they are held against the files of this workspace.

mod crates;
mod finding;
mod rooms;
mod source;
mod tidy;
mod tokens;
mod views;

use finding::Finding;
use source::{Source, workspace};

/// Fails with every finding of `check`, so that one run shows all of them.
fn hold(check: fn(&Source) -> Vec<Finding>) {
    let findings: Vec<String> = workspace()
        .iter()
        .flat_map(check)
        .map(|finding| finding.to_string())
        .collect();
    assert!(findings.is_empty(), "\n\n{}\n", findings.join("\n\n"));
}

#[test]
fn every_room_leans_only_where_it_may() {
    hold(rooms::check);
}

#[test]
fn every_crate_leans_only_where_it_may() {
    hold(crates::check);
}

#[test]
fn every_file_is_tidy() {
    hold(tidy::check);
}

#[test]
fn the_checks_see_every_crate_and_the_papers_beside_them() {
    let paths: Vec<String> =
        workspace().into_iter().map(|source| source.path).collect();
    for expected in [
        ".ci/run",
        "CONTRIBUTING.md",
        "Cargo.toml",
        "crates/timerscope/src/machine/mod.rs",
        "crates/timerscope-native/src/lib.rs",
        "crates/timerscope-cli/src/main.rs",
        "crates/timerscope-cli/tests/house/main.rs",
    ] {
        assert!(paths.iter().any(|path| path == expected), "{expected}");
    }
    assert!(!paths.iter().any(|path| path.starts_with("target/")));
}
