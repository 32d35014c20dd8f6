//! ARTICLES.md says what the tables say.
//!
//! `UPDATE=1 cargo test -p timerscope --test published` writes its tables
//! anew.
#![expect(clippy::disallowed_methods, reason = "a test keeps a page")]

use std::fmt::Write as _;
use std::path::Path;

use timerscope::articles::{ARTICLES, Answer};
use timerscope::report::articles::{Misses, misses};

use crate::played::ALL;

/// One line for each table: how many rows fit, and what plays the first.
fn map(article: &str) -> String {
    let mut page = String::from(
        "| table | rows | fit | miss | its first row, to be typed | digest |\n\
         |---|--:|--:|--:|---|---|\n",
    );
    let own = ALL.iter().filter(|answer| answer.article == article);
    let own: Vec<Answer> = own.cloned().collect();
    for table in own.chunk_by(|one, other| one.table == other.table) {
        let fits = |wanted| {
            let own = table.iter().map(|row| row.fits.value());
            own.filter(|fits| *fits == Some(&wanted)).count()
        };
        let Answer { table: name, command, digest, runs, .. } = &table[0];
        let several =
            if *runs > 1 { format!(" to {runs}") } else { String::new() };
        let _ = writeln!(
            page,
            "| {name} | {} | {} | {} | `{command}`{several} | {digest} |",
            table.len(),
            fits(true),
            fits(false),
        );
    }
    page
}

/// The rows that do not fit, those with one reason together.
fn missed() -> String {
    let mut page = String::from("| table | rows | why |\n|---|---|---|\n");
    for Misses { table, rows, why } in misses(&ALL) {
        let _ = writeln!(page, "| {table} | {} | {why} |", rows.join("; "));
    }
    page
}

/// The page with the table of that name replaced.
fn with(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name} -->\n");
    let (before, rest) = page.split_once(&mark).expect(name);
    let (_, after) = rest.split_once("<!-- end -->").expect(name);
    format!("{before}{mark}{table}<!-- end -->{after}")
}

#[test]
fn the_tables_of_the_page_are_those_of_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARTICLES.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let mut now = with(&page, "misses", &missed());
    for (article, _) in ARTICLES {
        now = with(&now, article, &map(article));
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(now == page, "UPDATE=1 cargo test -p timerscope --test published");
}
