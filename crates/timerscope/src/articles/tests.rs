//! The tables and workloads hang together.

use std::collections::BTreeSet;

use super::data::{rows_of, workload};
use super::{ARTICLES, WORKLOADS, plays, rows};
use crate::sim::catalogue;

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
