//! MACHINES.md says what the code says.
//!
//! `UPDATE=1 cargo test -p timerscope --test machines_page` writes its tables
//! anew.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test keeps a page")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use timerscope::sim::Spec;
use timerscope::sim::catalogue::{CATALOGUE, opened};
use timerscope::sim::rules::{Rule, Status};

fn specs() -> Vec<Spec> {
    CATALOGUE.iter().map(|row| opened(row.0).unwrap()).collect()
}

fn machines() -> String {
    let statuses =
        [Status::Fitted, Status::Predicted, Status::Measured, Status::Invented];
    let mut table = String::from(
        "| name | system | fitted | predicted | measured | invented |\n\
         |---|---|--:|--:|--:|--:|\n",
    );
    for spec in specs() {
        let rules = spec.rules_in_force();
        let _ = write!(table, "| `{}` | {} |", spec.name, spec.system);
        for status in statuses {
            let own = rules.iter().filter(|rule| rule.status == status);
            let _ = write!(table, " {} |", own.count());
        }
        table.push('\n');
    }
    table
}

fn rivals() -> String {
    let mut rows = BTreeMap::new();
    for spec in specs() {
        for own in spec.rules.chosen(spec.kernel) {
            let key = own.key.replace('_', "-");
            let mut all = own.rivals;
            all.push((own.word, own.rule));
            for (word, rule) in all {
                rows.entry((key.clone(), word)).or_insert(rule);
            }
        }
    }
    let mut table =
        String::from("| typed | id | what it does |\n|---|---|---|\n");
    for ((key, word), rule) in rows {
        let (id, says) = (rule.id, rule.says);
        let _ = writeln!(table, "| `{key}={word}` | {id} | {says} |");
    }
    table
}

fn invented() -> String {
    let mut rows: BTreeMap<(&str, &str), (Rule, &str)> = BTreeMap::new();
    for spec in specs() {
        let chosen = spec.rules.chosen(spec.kernel).into_iter();
        let rivals = chosen.flat_map(|own| own.rivals).map(|own| own.1);
        let whose = spec.kernel.word();
        for rule in spec.rules_in_force().into_iter().chain(rivals) {
            if rule.status == Status::Invented {
                rows.entry((rule.id, whose)).or_insert((rule, whose));
            }
        }
    }
    let mut table = String::from(
        "| id | on | the rule | source | what would show that it is wrong |\n\
         |---|---|---|---|---|\n",
    );
    for (rule, whose) in rows.into_values() {
        let Rule { id, says, source, falsified_by, .. } = rule;
        let _ = writeln!(
            table,
            "| {id} | {whose} | {says} | {source} | {falsified_by} |"
        );
    }
    table
}

/// The page with the table of that name replaced.
fn with(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name} -->\n");
    let (before, rest) = page.split_once(&mark).unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    format!("{before}{mark}{table}<!-- end -->{after}")
}

#[test]
fn the_tables_of_the_page_are_those_of_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../MACHINES.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let mut now = with(&page, "machines", &machines());
    now = with(&now, "rivals", &rivals());
    now = with(&now, "invented", &invented());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(
        now == page,
        "UPDATE=1 cargo test -p timerscope --test machines_page"
    );
}
