//! From a name, or a person's own text, to a machine.

use toml::{Table, Value};

use super::change::apply;
use super::written::{Overlaid, checked};
use crate::machine::nearest;
use crate::sim::spec::Spec;

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
/// The longest text of a machine, and of changes.
const LONGEST_TEXT: usize = 1 << 16;
const LONGEST_CHANGES: usize = 1 << 12;

/// Why a machine cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct MachineError {
    /// What is wrong, with the line where there is one.
    pub why: String,
    /// The line itself, with its number.
    pub line: Option<String>,
    /// What to try.
    pub hint: String,
}

impl MachineError {
    pub(super) fn new(why: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { why: why.into(), line: None, hint: hint.into() }
    }
}

/// The machine of a name, with changed constants after commas:
/// `windows-10-2004,rule=h2`.
///
/// # Errors
///
/// When no machine has that name, or a change is none.
pub fn opened(name: &str) -> Result<Spec, MachineError> {
    let (name, changes) = match name.find([',', '?']) {
        Some(end) => (&name[..end], &name[end + 1..]),
        None => (name, ""),
    };
    changed(&Overlaid::builtin(builtin(name)?), changes)
}

/// The machine of a person's own text, with changes likewise.
///
/// # Errors
///
/// When the text is no machine; the error names the line.
pub fn read(text: &str, changes: &str) -> Result<Spec, MachineError> {
    if text.len() > LONGEST_TEXT {
        let why = "it is longer than 64 KiB";
        return Err(MachineError::new(why, "`like` takes over most of it"));
    }
    let own = Overlaid::read(text)?;
    // The text alone must be a machine, so that a fault is told of its line.
    let spec = checked(&own.table).map_err(|fault| own.located(&fault))?;
    if changes.is_empty() {
        return Ok(spec);
    }
    changed(&own, changes)
}

/// The whole table of a machine of the catalogue.
pub(super) fn builtin(name: &str) -> Result<Table, MachineError> {
    builtin_within(name, LIKE_LIMIT)
}

fn builtin_within(name: &str, left: usize) -> Result<Table, MachineError> {
    let found = CATALOGUE.iter().find(|(own, _)| *own == name);
    let Some((_, text)) = found else { return Err(unknown(name)) };
    let mut table: Table = toml::from_str(text)
        .map_err(|error| MachineError::new(error.to_string(), ""))?;
    let Some(like) = table.remove("like") else { return Ok(table) };
    if left == 0 {
        let why = "a chain of `like` is too long";
        return Err(MachineError::new(why, "a machine of its own"));
    }
    let name = like.as_str().unwrap_or_default();
    let mut base = builtin_within(name, left - 1)?;
    overlay(&mut base, table);
    Ok(base)
}

pub(super) fn unknown(name: &str) -> MachineError {
    let names = CATALOGUE.iter().map(|row| row.0);
    let shown: String = name.chars().take(60).collect();
    let why = format!("there is no machine `{}`", shown.escape_debug());
    let hint = match nearest(&shown, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => names.collect::<Vec<_>>().join(", "),
    };
    MachineError::new(why, hint)
}

/// Lays one machine's own table over that which it takes over. Whoever
/// changes a constant or a clock also answers for it.
pub(super) fn overlay(base: &mut Table, over: Table) {
    let constants = over.get("constants").and_then(Value::as_table);
    let constants = constants.into_iter().flat_map(Table::keys);
    let clocks = over.get("clock").and_then(Value::as_array);
    let name = |clock: &Value| clock.get("name")?.as_str().map(str::to_owned);
    let clocks = clocks.into_iter().flatten().filter_map(name);
    let orphans: Vec<String> = constants.cloned().chain(clocks).collect();
    if let Some(Value::Table(sources)) = base.get_mut("sources") {
        sources.retain(|key, _| !orphans.iter().any(|own| own == key));
    }
    lay(base, over);
}

fn lay(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => {
                lay(below, above);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn changed(own: &Overlaid, changes: &str) -> Result<Spec, MachineError> {
    if changes.len() > LONGEST_CHANGES {
        let why = "there are too many changes";
        return Err(MachineError::new(why, "a machine in a file of its own"));
    }
    let mut table = own.table.clone();
    for change in changes.split(',').filter(|piece| !piece.is_empty()) {
        let mut with = table.clone();
        apply(&mut with, change)?;
        checked(&with).map_err(|fault| {
            let change: String = change.chars().take(60).collect();
            let change = change.escape_debug();
            let why = format!("`{change}`: {}", fault.why);
            MachineError::new(why, fault.hint)
        })?;
        table = with;
    }
    checked(&table).map_err(|fault| own.located(&fault))
}
