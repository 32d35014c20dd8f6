//! From a name, or a person's own text, to a machine.

use toml::{Table, Value};

use crate::machine::Span;
use crate::sim::spec::{MACHINE_SCHEMA, Spec};

/// The machines that are built in: name and text.
pub const CATALOGUE: [(&str, &str); 13] = [
    ("windows-xp", include_str!("windows-xp.toml")),
    ("windows-7", include_str!("windows-7.toml")),
    ("windows-8", include_str!("windows-8.toml")),
    ("windows-8-vm", include_str!("windows-8-vm.toml")),
    ("windows-10-1909", include_str!("windows-10-1909.toml")),
    ("windows-10-2004", include_str!("windows-10-2004.toml")),
    ("windows-11", include_str!("windows-11.toml")),
    ("windows-11-global", include_str!("windows-11-global.toml")),
    ("windows-server-2008-vm", include_str!("windows-server-2008-vm.toml")),
    ("openbsd-6.9", include_str!("openbsd-6.9.toml")),
    ("openbsd-7.0", include_str!("openbsd-7.0.toml")),
    ("linux-6", include_str!("linux-6.toml")),
    ("linux-lowres", include_str!("linux-lowres.toml")),
];

/// How long a chain of `like` may be.
const LIKE_LIMIT: usize = 8;

/// Why a machine cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct MachineError {
    /// What is wrong, with the line where there is one.
    pub why: String,
    /// What to try.
    pub hint: String,
}

impl MachineError {
    fn new(why: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { why: why.into(), hint: hint.into() }
    }
}

/// The machine of a name, with changed constants after commas:
/// `windows-10-2004,rule=h2`.
///
/// # Errors
///
/// When no machine has that name, or a change is none.
pub fn opened(name: &str) -> Result<Spec, MachineError> {
    let (name, changes) = split(name);
    changed(builtin(name)?, &changes)
}

/// The machine of a person's own text, with changes likewise.
///
/// # Errors
///
/// When the text is no machine; the error names the line.
pub fn read(text: &str, changes: &str) -> Result<Spec, MachineError> {
    let table: Table = toml::from_str(text).map_err(|error| {
        MachineError::new(
            error.to_string(),
            "a machine as `timerscope machines NAME --toml` prints one",
        )
    })?;
    changed(whole(table, LIKE_LIMIT)?, &pieces(changes))
}

fn split(name: &str) -> (&str, Vec<&str>) {
    let end = name.find([',', '?']).unwrap_or(name.len());
    let changes = name.get(end + 1..).unwrap_or("");
    (&name[..end], pieces(changes))
}

fn pieces(changes: &str) -> Vec<&str> {
    changes.split(',').filter(|piece| !piece.is_empty()).collect()
}

fn builtin(name: &str) -> Result<Table, MachineError> {
    let found = CATALOGUE.iter().find(|(own, _)| *own == name);
    let Some((_, text)) = found else {
        let names: Vec<&str> = CATALOGUE.iter().map(|row| row.0).collect();
        let why = format!("there is no machine `{name}`");
        return Err(MachineError::new(why, names.join(", ")));
    };
    let table = toml::from_str(text)
        .map_err(|error| MachineError::new(error.to_string(), ""))?;
    whole(table, LIKE_LIMIT)
}

/// A table with everything it takes over from another.
fn whole(mut table: Table, left: usize) -> Result<Table, MachineError> {
    let Some(like) = table.remove("like") else { return Ok(table) };
    if left == 0 {
        let why = "a chain of `like` is too long";
        return Err(MachineError::new(why, "a machine of its own"));
    }
    let name = like.as_str().unwrap_or_default();
    let mut base = builtin(name)?;
    overlay(&mut base, table);
    Ok(base)
}

fn overlay(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => {
                overlay(below, above);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn changed(mut table: Table, changes: &[&str]) -> Result<Spec, MachineError> {
    for change in changes {
        apply(&mut table, change)?;
    }
    let spec: Spec = table.try_into().map_err(|error: toml::de::Error| {
        MachineError::new(
            error.message().to_owned(),
            "a machine as `timerscope machines NAME --toml` prints one",
        )
    })?;
    if spec.schema != MACHINE_SCHEMA {
        let why = format!("it is written in `{}`", spec.schema);
        return Err(MachineError::new(why, MACHINE_SCHEMA));
    }
    match spec.faults().into_iter().next() {
        Some(fault) => {
            let why = format!("`{}` is impossible: {}", fault.at, fault.why);
            Err(MachineError::new(why, fault.hint))
        }
        None => Ok(spec),
    }
}

/// Constants that a machine need not have.
const OPTIONAL: [&str; 2] = ["interval", "system-interval"];

fn apply(table: &mut Table, change: &str) -> Result<(), MachineError> {
    let Some((key, value)) = change.split_once('=') else {
        let why = format!("`{change}` changes nothing");
        return Err(MachineError::new(why, "key=value"));
    };
    match key {
        "rule" => set(table, "rules", "looks", value.into()),
        "hz" => {
            let hz: u64 = value.parse().unwrap_or(0);
            if !(1..=100_000).contains(&hz) {
                let why = format!("`{value}` is no rate of a tick");
                return Err(MachineError::new(why, "hz=1000"));
            }
            let tick = Span::from_ns(1_000_000_000 / hz).written();
            for key in ["coarsest", "finest", "true-tick"] {
                set(table, "constants", key, tick.clone().into());
            }
        }
        "slew" => {
            let rate = value.strip_suffix("/s").unwrap_or(value);
            let rate: Span = rate.parse().map_err(|_| {
                let why = format!("`{value}` is no rate of slewing");
                MachineError::new(why, "slew=5000us/s")
            })?;
            let rate = Value::Integer(rate.ns() as i64);
            set(table, "constants", "slew-ns-per-s", rate);
        }
        key => return set_by_key(table, key, value),
    }
    Ok(())
}

fn set(table: &mut Table, section: &str, key: &str, value: Value) {
    if let Some(Value::Table(section)) = table.get_mut(section) {
        section.insert(key.to_owned(), value);
    }
}

fn set_by_key(
    table: &mut Table,
    key: &str,
    value: &str,
) -> Result<(), MachineError> {
    for section in ["rules", "constants"] {
        let Some(Value::Table(own)) = table.get(section) else { continue };
        let value = match own.get(key) {
            Some(Value::Integer(_)) => {
                Value::Integer(value.parse().map_err(|_| {
                    let why = format!("`{key}={value}`: not a whole number");
                    MachineError::new(why, format!("{key}=1"))
                })?)
            }
            Some(_) => value.into(),
            None if section == "constants" && OPTIONAL.contains(&key) => {
                value.into()
            }
            None => continue,
        };
        set(table, section, key, value);
        return Ok(());
    }
    let why = format!("no rule or constant is called `{key}`");
    Err(MachineError::new(
        why,
        "one that `timerscope machines NAME` lists, `rule`, `hz` or `slew`",
    ))
}
