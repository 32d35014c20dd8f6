//! Changes after the name of a machine: `rule=h2`, `hz=1000`, `slew=1ms/s`,
//! `wake-latency=80us`.

use toml::{Table, Value};

use super::opened::MachineError;
use crate::machine::{Span, nearest};

/// Constants that a machine need not have.
const OPTIONAL: [&str; 2] = ["interval", "system-interval"];
/// Constants that a rate of the tick sets.
const OF_TICK: [&str; 3] = ["coarsest", "finest", "true-tick"];
/// Constants that a wake latency sets, whatever the stay.
const OF_LATENCY: [&str; 2] = ["idle-exit", "short-idle-exit"];

/// Makes one change.
pub(super) fn apply(
    table: &mut Table,
    change: &str,
) -> Result<(), MachineError> {
    let Some((key, value)) = change.split_once('=') else {
        let why = format!("`{}` changes nothing", shown(change));
        return Err(MachineError::new(why, "key=value"));
    };
    match key {
        "rule" => set(table, "rules", "looks", value.into()),
        "hz" => {
            let hz: u64 = value.parse().unwrap_or(0);
            if !(1..=100_000).contains(&hz) {
                let why = format!("`{}` is no rate of a tick", shown(value));
                return Err(MachineError::new(why, "hz=1000"));
            }
            let tick = Span::from_ns(1_000_000_000 / hz).written();
            for key in OF_TICK {
                set(table, "constants", key, tick.clone().into());
                answered(table, key, change);
            }
        }
        "wake-latency" => {
            for key in OF_LATENCY {
                set(table, "constants", key, value.into());
                answered(table, key, change);
            }
        }
        "slew" => {
            let rate = value.strip_suffix("/s").unwrap_or(value);
            let rate = rate.parse().ok().and_then(|rate: Span| {
                i64::try_from(rate.ns()).ok().map(Value::Integer)
            });
            let Some(rate) = rate else {
                let why = format!("`{}` is no rate of slewing", shown(value));
                return Err(MachineError::new(why, "slew=5000us/s"));
            };
            set(table, "constants", "slew-ns-per-s", rate);
            answered(table, "slew-ns-per-s", change);
        }
        key => return set_by_key(table, key, value, change),
    }
    Ok(())
}

fn set(table: &mut Table, section: &str, key: &str, value: Value) {
    if let Some(Value::Table(section)) = table.get_mut(section) {
        section.insert(key.to_owned(), value);
    }
}

/// A constant that a person has changed is nobody else's claim any more.
fn answered(table: &mut Table, key: &str, change: &str) {
    let sources = table.entry("sources").or_insert_with(|| Table::new().into());
    if let Value::Table(sources) = sources {
        let text = format!("invented: asked for by {}", shown(change));
        sources.insert(key.to_owned(), text.into());
    }
}

fn set_by_key(
    table: &mut Table,
    key: &str,
    value: &str,
    change: &str,
) -> Result<(), MachineError> {
    for section in ["rules", "constants"] {
        let Some(Value::Table(own)) = table.get(section) else { continue };
        let value = match own.get(key) {
            Some(Value::Integer(_)) => {
                Value::Integer(value.parse().map_err(|_| {
                    let why =
                        format!("`{}`: not a whole number", shown(change));
                    MachineError::new(why, format!("{key}=1"))
                })?)
            }
            Some(Value::Array(_)) => {
                let why = format!("`{key}` is a list");
                let hint = "a machine in a file of its own";
                return Err(MachineError::new(why, hint));
            }
            Some(_) => value.into(),
            None if section == "constants" && OPTIONAL.contains(&key) => {
                value.into()
            }
            None => continue,
        };
        set(table, section, key, value);
        if section == "constants" {
            answered(table, key, change);
        }
        return Ok(());
    }
    Err(unknown(table, key))
}

fn unknown(table: &Table, key: &str) -> MachineError {
    let sections = ["rules", "constants"].into_iter();
    let keys = sections
        .filter_map(|section| table.get(section)?.as_table())
        .flat_map(|own| own.keys().map(String::as_str))
        .chain(OPTIONAL)
        .chain(["rule", "hz", "slew", "wake-latency"]);
    let near = nearest(&shown(key), keys).map(str::to_owned);
    let why = format!("no rule or constant is called `{}`", shown(key));
    let hint = near.map_or_else(
        || {
            "one that `timerscope machines NAME` lists, `rule`, `hz` or `slew`"
                .to_owned()
        },
        |near| format!("did you mean `{near}`?"),
    );
    MachineError::new(why, hint)
}

fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    short.escape_debug().to_string()
}
