//! The tables and the workloads, as they are written.

use toml::{Table, Value};

use super::Row;
use crate::machine::{AskError, Workload};

/// Declares texts that lie in one folder, by name.
macro_rules! texts {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!($folder, $name, ".toml")))),*]
    };
}

/// The articles: name and tables.
pub const ARTICLES: &[(&str, &str)] = texts!("data/":
    "openbsd-setitimer",
    "windows-timer-articles",
    "great-rule-change",
    "megawatts-wasted",
    "cygwin-precise-time",
    "measured-later",
    "linux",
);

/// What plays them: name and text of each workload of `workloads/articles`.
pub const WORKLOADS: &[(&str, &str)] = texts!("../../../../workloads/articles/":
    "browser",
    "bystanders",
    "clock-reads-idle",
    "clock-reads-loaded",
    "event-from-below",
    "game-minimised-keeps",
    "game-minimised-releases",
    "idle-sleeper",
    "interval-sweep",
    "interval-watched",
    "linux-ticks",
    "linux-waits",
    "player-paused-keeps",
    "player-paused-releases",
    "quantum",
    "requester-minimised",
    "silent-sleeper",
    "sleep-test-1",
    "sleep-test-2",
    "sleep-test-3",
    "sleep-test-4",
    "sleep-test-5",
    "switch-perf-one-call-1",
    "switch-perf-one-call-2",
    "switch-perf-two-calls-1",
    "switch-perf-two-calls-2",
    "three-requests",
    "throughput",
    "timer-c",
    "timer-rearmed",
);

/// The workload of that name.
pub(super) fn workload(name: &str) -> Result<Workload, AskError> {
    let what = || format!("cannot play the workload `{name}`");
    let found = WORKLOADS.iter().find(|(own, _)| *own == name);
    let Some((_, text)) = found else {
        return Err(AskError::bug(what(), "there is none".to_owned()));
    };
    Workload::from_toml(text).map_err(|error| error.ask_error(what()))
}

/// Every row of every article, in their order.
#[must_use]
pub fn rows() -> Vec<Row> {
    let read = |(name, text): &(&str, &str)| {
        rows_of(text).unwrap_or_else(|why| {
            unreachable!("a test reads the tables of {name}: {why}")
        })
    };
    ARTICLES.iter().flat_map(read).collect()
}

/// The rows of one article. What stands above a table holds for all of them,
/// what stands in a table for all of its rows, and a row has the last word.
pub(super) fn rows_of(text: &str) -> Result<Vec<Row>, String> {
    let mut article: Table =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for mut table in taken(&mut article, "tables") {
        let own = taken(&mut table, "rows");
        let deviation = table.remove("deviation");
        for (number, row) in own.into_iter().enumerate() {
            let mut whole = article.clone();
            lay(&mut whole, table.clone());
            lay(&mut whole, row);
            numbered(&mut whole, number);
            let of_sd = deviation_row(&mut whole, deviation.as_ref());
            for whole in [Some(whole), of_sd].into_iter().flatten() {
                let named = whole.get("row").map(Value::to_string);
                let row = whole.try_into::<Row>();
                rows.push(row.map_err(|error| {
                    format!("{}: {error}", named.unwrap_or_default())
                })?);
            }
        }
    }
    Ok(rows)
}

/// The tables of an array, taken out.
fn taken(table: &mut Table, key: &str) -> Vec<Table> {
    let Some(Value::Array(all)) = table.remove(key) else { return vec![] };
    let table = |value| match value {
        Value::Table(table) => Some(table),
        _ => None,
    };
    all.into_iter().filter_map(table).collect()
}

/// Lays one table over another, tables in it likewise.
fn lay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => {
                lay(below, above);
            }
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

/// With `first`, the rows are about one action after the other.
fn numbered(whole: &mut Table, number: usize) {
    let Some(Value::Integer(first)) = whole.remove("first") else { return };
    let nth = first + number as i64;
    if let Some(Value::Table(figure)) = whole.get_mut("figure") {
        figure.entry("nth").or_insert(Value::Integer(nth));
    }
}

/// The row that holds the published deviation of another, where the table
/// has such: with what `deviation` says, and `why` where it `sd-misses`.
fn deviation_row(
    whole: &mut Table,
    deviation: Option<&Value>,
) -> Option<Table> {
    let misses = whole.remove("sd-misses").is_some();
    let mut over = deviation?.as_table()?.clone();
    let why = over.remove("why")?;
    let sd = whole.get("sd")?.clone();
    if sd.is_str() {
        // One that could not be computed is no deviation to hold a mean to.
        whole.remove("sd");
    }
    let mut row = whole.clone();
    for key in ["sd", "misses", "criterion"] {
        row.remove(key);
    }
    let name = row.get("row")?.as_str()?.to_owned();
    row.insert("row".into(), format!("{name}, deviation").into());
    row.insert("published".into(), sd);
    if misses {
        row.insert("misses".into(), why);
    }
    lay(&mut row, over);
    Some(row)
}
