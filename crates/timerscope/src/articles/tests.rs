//! The tables and workloads hang together.

use std::collections::BTreeSet;

use super::criterion::Pair;
use super::data::{rows_of, workload};
use super::{ARTICLES, Criterion, Kind, Published, WORKLOADS, plays, rows};
use crate::sim::catalogue;
use crate::sim::rules::Status;

#[test]
fn every_table_is_read_and_named_once() {
    let mut named = BTreeSet::new();
    for (name, text) in ARTICLES {
        let rows = rows_of(text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(!rows.is_empty(), "{name} has no rows");
        for row in rows {
            assert_eq!(row.article, *name);
            let key = (row.article, row.table, row.row);
            assert!(named.insert(key.clone()), "twice: {key:?}");
        }
    }
}

#[test]
fn every_workload_is_sound_and_played() {
    let rows = rows();
    let played: BTreeSet<&str> =
        rows.iter().map(|row| row.play.as_str()).collect();
    let there: BTreeSet<&str> = WORKLOADS.iter().map(|own| own.0).collect();
    assert_eq!(played, there);
    for name in there {
        if let Err(error) = workload(name) {
            panic!("{name}: {error}: {}", error.why);
        }
    }
}

#[test]
fn every_machine_and_every_change_of_it_is_one() {
    for play in plays(&rows()) {
        catalogue::opened(&play.on).expect(&play.on);
    }
    for row in rows() {
        let changed = format!("{},{}", row.on, row.moves);
        catalogue::opened(&changed).expect(&changed);
    }
}

#[test]
fn both_tables_of_timer_c_are_there_whole() {
    let rows = rows();
    let own = rows.iter().filter(|row| {
        row.play == "timer-c" && row.published.number().is_some()
    });
    let means = own.filter(|row| !row.row.ends_with("deviation"));
    assert_eq!(means.count(), 120);
}

#[test]
fn the_series_is_there_one_by_one() {
    let rows = rows();
    let own = rows.iter().filter(|row| row.row.starts_with("window "));
    assert_eq!(own.count(), 41);
}

fn met(
    criterion: &Criterion,
    published: Option<f64>,
    model: f64,
) -> Option<bool> {
    let pair = Pair { published, sd: Some(20.0), model, apart: 0.0 };
    criterion.is_met(&pair)
}

#[test]
fn one_distance_is_enough_and_every_bound_has_to_hold() {
    let near = Criterion {
        percent: Some(1.0),
        errors: Some(3.0),
        ..Criterion::default()
    };
    // A standard error is a tenth of the deviation: 2, and three are 6.
    assert_eq!(met(&near, Some(100.0), 105.0), Some(true));
    assert_eq!(met(&near, Some(100.0), 107.0), Some(false));
    assert_eq!(met(&near, Some(1000.0), 1009.0), Some(true));
    let tick = Criterion { tick: Some(4.0), ..near.clone() };
    assert_eq!(met(&tick, Some(100.0), 101.0), Some(true));
    assert_eq!(met(&tick, Some(100.0), 103.0), Some(false));
    let above = Criterion { above: Some(100.0), ..near };
    assert_eq!(met(&above, Some(100.0), 99.0), Some(false));
    assert_eq!(met(&above, None, 101.0), Some(true));
}

#[test]
fn words_alone_hold_nothing_to_anything() {
    let percent = Criterion { percent: Some(1.0), ..Criterion::default() };
    assert_eq!(met(&percent, None, 1.0), None);
    assert_eq!(met(&Criterion::default(), Some(1.0), 1.0), None);
}

const SMALL: &str = r#"
article = "small"
source = "nobody"
status = "invented"

[[tables]]
table = "one"
play = "timer-c"
on = "linux-6"
unit = "us"
figure.of = "timer"
first = 20
moves = "hz=100"
deviation = { figure.kind = "deviation", criterion.factor = 2, why = "load" }
rows = [
  { row = "a", published = 1, sd = 2.0, sd-misses = true },
  { row = "b", published = "none", sd = "-nan", status = "fitted" },
]
"#;

#[test]
fn a_row_takes_what_its_table_says_and_has_the_last_word() {
    let rows = rows_of(SMALL).unwrap();
    let named: Vec<&str> = rows.iter().map(|row| row.row.as_str()).collect();
    assert_eq!(named, ["a", "a, deviation", "b", "b, deviation"]);
    let numbers: Vec<usize> = rows.iter().map(|row| row.figure.nth).collect();
    assert_eq!(numbers, [20, 20, 21, 21]);
    assert_eq!(
        (rows[0].status, rows[2].status),
        (Status::Invented, Status::Fitted)
    );
    assert_eq!(rows[1].published, Published::Number(2.0));
    assert_eq!(rows[1].figure.kind, Kind::Deviation);
    assert_eq!(rows[1].misses.as_deref(), Some("load"));
    assert_eq!((rows[0].sd, rows[1].sd, rows[2].sd), (Some(2.0), None, None));
    assert_eq!(rows[3].published, Published::Words("-nan".into()));
    assert_eq!(rows[3].misses, None);
}

#[test]
fn a_word_that_is_none_is_told_with_its_row() {
    let wrong = SMALL.replace("status = \"fitted\"", "statsu = \"fitted\"");
    let error = rows_of(&wrong).unwrap_err();
    assert!(error.contains("\"b\"") && error.contains("statsu"), "{error}");
}
