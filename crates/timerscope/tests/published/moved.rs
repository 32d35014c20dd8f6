//! No figure is written down: each follows its machine.

use std::collections::BTreeMap;

use timerscope::articles::{Row, rows};

use crate::played::answered;

/// Each row with one run, on its machine or on a changed one.
fn changed(by: impl Fn(&Row) -> String) -> Vec<Row> {
    let change = |row: &Row| Row { on: by(row), runs: 1, ..row.clone() };
    rows().iter().map(change).collect()
}

#[test]
fn a_changed_constant_moves_the_rows_of_each_table() {
    let before = answered(&changed(|row| row.on.clone()));
    let moves = |row: &Row| format!("{},{}", row.on, row.moves);
    let after = answered(&changed(moves));
    let mut tables: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    for (before, after) in before.iter().zip(&after) {
        let table = (&before.article, &before.table);
        let (moved, all) = tables.entry(table).or_default();
        *moved += usize::from(before.model.value() != after.model.value());
        *all += 1;
    }
    for (table, (moved, all)) in tables {
        println!("{table:?}: {moved} of {all} moved");
        assert!(moved * 2 > all, "{table:?}: {moved} of {all} moved");
    }
}
