//! A person's own text of a machine, with errors that point at the line.

use toml::de::DeTable;
use toml::{Table, Value};

use super::opened::{MachineError, builtin, overlay, unknown};
use crate::machine::{Fault, cure, find_path, line_at};
use crate::sim::spec::Spec;

/// Where the whole of a machine can be seen.
const WHOLE: &str = "a machine as `timerscope machines NAME --toml` prints one";

/// A machine's table with all it takes over, and the text it was read from.
pub(super) struct Overlaid<'a> {
    pub(super) table: Table,
    text: &'a str,
    /// What it takes over, and what it says itself.
    base: Option<Table>,
    own: Table,
}

impl<'a> Overlaid<'a> {
    /// One of the catalogue.
    pub(super) fn builtin(table: Table) -> Self {
        Self { own: table.clone(), table, text: "", base: None }
    }

    /// One of a person's own text.
    pub(super) fn read(text: &'a str) -> Result<Self, MachineError> {
        let mut own: Table = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| line_at(text, &span));
            let why = error.message().trim_end().replace('\n', "; ");
            at_line(line, &why, cure(&why).unwrap_or_else(|| WHOLE.into()))
        })?;
        let Some(like) = own.remove("like") else {
            return Ok(Self { table: own.clone(), text, base: None, own });
        };
        let name = like.as_str().unwrap_or_default();
        let base = builtin(name).map_err(|_| {
            let error = unknown(name);
            at_line(place(text, &["like".into()]), &error.why, error.hint)
        })?;
        let mut table = base.clone();
        overlay(&mut table, own.clone());
        Ok(Self { table, text, base: Some(base), own })
    }

    /// A fault with the line it is on.
    pub(super) fn located(&self, fault: &Fault) -> MachineError {
        let line = match (&fault.path[..], &self.base) {
            ([], None) => self.misread(),
            ([], Some(base)) => {
                self.culprit(base).and_then(|path| place(self.text, &path))
            }
            (path, _) => place(self.text, path),
        };
        let why = if fault.path.is_empty() {
            fault.why.clone()
        } else {
            fault.to_string()
        };
        at_line(line, &why, fault.hint.clone())
    }

    /// Where reading the text as a machine ends.
    fn misread(&self) -> Option<(usize, String)> {
        let error = toml::from_str::<Spec>(self.text).err()?;
        error.span().map(|span| line_at(self.text, &span))
    }

    /// Which of its own entries makes what it takes over no machine.
    fn culprit(&self, base: &Table) -> Option<Vec<String>> {
        let breaks = |over: Table| {
            let mut whole = base.clone();
            overlay(&mut whole, over);
            whole.try_into::<Spec>().is_err()
        };
        for (key, value) in &self.own {
            let Value::Table(section) = value else {
                let over = Table::from_iter([(key.clone(), value.clone())]);
                if breaks(over) {
                    return Some(vec![key.clone()]);
                }
                continue;
            };
            for (inner, value) in section {
                let one = Table::from_iter([(inner.clone(), value.clone())]);
                let over = Table::from_iter([(key.clone(), one.into())]);
                if breaks(over) {
                    return Some(vec![key.clone(), inner.clone()]);
                }
            }
        }
        None
    }
}

/// The machine of a table that has everything; else its first fault, which
/// has no path where it cannot even be read.
pub(super) fn checked(table: &Table) -> Result<Spec, Fault> {
    let spec: Spec =
        table.clone().try_into().map_err(|error: toml::de::Error| {
            let why = error.message().trim_end().replace('\n', "; ");
            let hint = cure(&why).unwrap_or_else(|| WHOLE.into());
            Fault { path: Vec::new(), why, hint }
        })?;
    match spec.faults().into_iter().next() {
        None => Ok(spec),
        Some(fault) => Err(fault),
    }
}

fn place(text: &str, path: &[String]) -> Option<(usize, String)> {
    let table = DeTable::parse(text).ok()?;
    find_path(&table, path).map(|span| line_at(text, &span))
}

fn at_line(
    line: Option<(usize, String)>,
    why: &str,
    hint: String,
) -> MachineError {
    let Some((number, line)) = line else {
        return MachineError::new(why, hint);
    };
    let mut error = MachineError::new(format!("line {number}: {why}"), hint);
    error.line = Some(format!("{number:>4} | {line}"));
    error
}
