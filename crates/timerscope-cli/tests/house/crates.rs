//! Which crate of the workspace may lean on which.

use toml::{Table, Value};

use crate::finding::Finding;
use crate::source::Source;

/// Each crate and the crates of this workspace it may lean on.
const CRATES: &[(&str, &[&str])] = &[
    ("timerscope", &[]),
    ("timerscope-native", &["timerscope"]),
    ("timerscope-cli", &["timerscope", "timerscope-native"]),
];

/// Finds what a crate's manifest says and may not, or does not and must.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let is_crate = source
        .below("crates")
        .and_then(|place| place.strip_suffix("/Cargo.toml"))
        .is_some_and(|name| !name.contains('/'));
    if !is_crate {
        return vec![];
    }
    let manifest: Table = match source.text.parse() {
        Ok(manifest) => manifest,
        Err(error) => {
            let what = format!("not a manifest: {error}");
            return vec![source.finding(1, what, "mend the file")];
        }
    };
    let mut findings = arrows(source, &manifest);
    findings.extend(lints(source, &manifest));
    findings
}

fn arrows(source: &Source, manifest: &Table) -> Vec<Finding> {
    let name = text_at(manifest, &["package", "name"]).unwrap_or_default();
    let Some((_, may)) = CRATES.iter().find(|(it, _)| *it == name) else {
        let what = format!("crate `{name}` has no row in the table of arrows");
        let cure = "add it, with the crates it may lean on, to \
                    tests/house/crates.rs";
        return vec![source.finding(1, what, cure)];
    };
    dependencies(manifest)
        .into_iter()
        .filter(|other| CRATES.iter().any(|(it, _)| it == other))
        .filter(|other| !may.contains(&other.as_str()))
        .map(|other| {
            let what = format!("{name} -> {other}: no such arrow");
            let cure = "move what needs both crates to one that may know \
                        both";
            source.finding(line_of(source, &other), what, cure)
        })
        .collect()
}

fn lints(source: &Source, manifest: &Table) -> Option<Finding> {
    let inherits = manifest
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .and_then(Value::as_bool);
    (inherits != Some(true)).then(|| {
        let what = "does not inherit the workspace's lints";
        source.finding(1, what, "add `[lints]` with `workspace = true`")
    })
}

/// The packages that a manifest depends on, for whatever purpose and target.
fn dependencies(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values);
    let mut found = vec![];
    for table in tables.filter_map(Value::as_table).chain([manifest]) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let entries = table.get(kind).and_then(Value::as_table);
            for (key, value) in entries.into_iter().flatten() {
                let renamed = value.get("package").and_then(Value::as_str);
                found.push(renamed.unwrap_or(key).to_owned());
            }
        }
    }
    found
}

fn text_at<'a>(manifest: &'a Table, path: &[&str; 2]) -> Option<&'a str> {
    manifest.get(path[0])?.get(path[1])?.as_str()
}

fn line_of(source: &Source, name: &str) -> usize {
    let names = |line: &str| line.contains(name) && !line.contains("name =");
    source.text.lines().position(names).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, rest: &str) -> Vec<(usize, String)> {
        let text = format!(
            "[package]\nname = \"{name}\"\n{rest}\n[lints]\nworkspace = true\n"
        );
        let path = format!("crates/{name}/Cargo.toml");
        let findings = check(&Source::new(&path, &text));
        findings.into_iter().map(|it| (it.line, it.what)).collect()
    }

    #[test]
    fn an_arrow_of_the_table_is_fine() {
        let rest = "[dependencies]\ntimerscope.workspace = true\nlibc = \"0\"";
        assert_eq!(said("timerscope-native", rest), []);
    }

    #[test]
    fn an_arrow_against_the_table_is_found_wherever_it_hides() {
        let what = "timerscope -> timerscope-native: no such arrow".to_owned();
        for rest in [
            "[dependencies]\ntimerscope-native.workspace = true",
            "[dev-dependencies]\ntimerscope-native = { path = \"\" }",
            "[build-dependencies]\nnative = { package = \"timerscope-native\" }",
            "[target.'cfg(unix)'.dependencies]\ntimerscope-native = \"1\"",
        ] {
            assert_eq!(said("timerscope", rest), [(4, what.clone())], "{rest}");
        }
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_found() {
        let what = "crate `attic` has no row in the table of arrows";
        assert_eq!(said("attic", ""), [(1, what.into())]);
    }

    #[test]
    fn a_crate_without_the_lints_is_found() {
        let text = "[package]\nname = \"timerscope\"\n";
        let source = Source::new("crates/timerscope/Cargo.toml", text);
        assert!(check(&source)[0].what.contains("lints"));
    }

    #[test]
    fn a_text_that_is_no_manifest_is_found() {
        let source = Source::new("crates/timerscope/Cargo.toml", "[");
        assert!(check(&source)[0].what.contains("not a manifest"));
    }

    #[test]
    fn other_files_are_left_alone() {
        assert!(check(&Source::new("Cargo.toml", "[")).is_empty());
    }
}
