//! The answer for programs, as the contract says: one JSON object.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::missing::part;
use crate::machine::{AskError, AskErrorKind, Facts, Known, Missing, Warning};

/// The version of the shape of answers.
pub const SCHEMA: &str = "timerscope/1";

/// What a process that ends says about how it went.
///
/// The numbers are part of the contract; 70 is `EX_SOFTWARE` of sysexits(3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Done.
    Done = 0,
    /// Done, and the machine or the command is not as asked.
    NotAsAsked = 1,
    /// Wrong use, or unreadable input.
    Wrong = 2,
    /// Refused by the system.
    Refused = 3,
    /// Not on this system.
    Absent = 4,
    /// Our bug.
    Bug = 70,
}

/// A whole answer of one command.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The command's name: `sleep`.
    pub command: String,
    /// The machine that was asked.
    pub machine: Machine,
    /// What was found, as the contract says for the command; made with
    /// [`Answer::new`].
    result: Value,
    missing: Vec<Value>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// The machine that was asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    name: String,
    system: String,
    simulated: bool,
    emulated_by: Known<String>,
    seed: Known<u64>,
    digest: Known<String>,
}

impl Answer {
    /// The answer of `command` on the machine of `facts`.
    ///
    /// Each [`Known`] in `result` becomes its value, or `null` and an entry
    /// in `missing`.
    ///
    /// # Errors
    ///
    /// When `result` cannot be JSON: our bug.
    pub fn new(
        command: &str,
        facts: &Facts,
        result: &impl Serialize,
        warnings: Vec<Warning>,
    ) -> Result<Self, AskError> {
        let mut missing = Vec::new();
        let result = part("result", written(result)?, &mut missing);
        let machine = Machine::of(facts);
        let command = command.to_owned();
        Ok(Self { command, machine, result, missing, warnings })
    }

    /// Adds the digest of all that a simulated machine played.
    pub fn add_digest(&mut self, digest: String) {
        self.machine.digest = Known::Value(digest);
    }

    /// The object itself; `footprint` is what the tool used.
    ///
    /// # Errors
    ///
    /// When `footprint` cannot be JSON: our bug.
    pub fn to_json(
        &self,
        footprint: &impl Serialize,
    ) -> Result<Value, AskError> {
        let mut missing = Vec::new();
        let machine = part("machine", written(&self.machine)?, &mut missing);
        missing.extend(self.missing.iter().cloned());
        let footprint = part("footprint", written(footprint)?, &mut missing);
        Ok(json!({
            "schema": SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "command": self.command,
            "machine": machine,
            "result": self.result,
            "missing": missing,
            "warnings": written(&self.warnings)?,
            "footprint": footprint,
        }))
    }
}

impl Machine {
    fn of(facts: &Facts) -> Self {
        let known = |why| move || Missing::absent(why).into();
        let emulated_by = facts.emulated_by.clone();
        Self {
            name: facts.name.clone(),
            system: facts.system.clone(),
            simulated: facts.simulated,
            emulated_by: emulated_by.map_or_else(
                known("no emulator stands between us and the system"),
                Known::Value,
            ),
            seed: facts.seed.map_or_else(
                || Missing::absent("only simulated machines have one").into(),
                Known::Value,
            ),
            digest: if facts.simulated {
                Missing::absent("nothing was played").into()
            } else {
                Missing::absent("only simulated runs have one").into()
            },
        }
    }
}

/// The facts as the `result` of `info`: all but what `machine` says already.
#[must_use]
pub fn facts_result(facts: &Facts) -> Value {
    let mut value = serde_json::to_value(facts).unwrap_or_default();
    if let Value::Object(object) = &mut value {
        for key in ["name", "system", "simulated", "emulated_by", "seed"] {
            object.shift_remove(key);
        }
    }
    value
}

/// The object that stands for an error.
#[must_use]
pub fn error_json(error: &AskError) -> Value {
    let code = ExitCode::of(error.kind) as u8;
    let hint = error.hint.as_deref().unwrap_or("");
    let mut object = Map::new();
    object.insert("schema".to_owned(), SCHEMA.into());
    let mut told = json!({"code": code, "what": error.what, "why": error.why});
    if !error.lines.is_empty() {
        told["lines"] = json!(error.lines);
    }
    told["try"] = hint.into();
    object.insert("error".to_owned(), told);
    Value::Object(object)
}

impl ExitCode {
    /// The exit code of an error.
    #[must_use]
    pub fn of(kind: AskErrorKind) -> Self {
        match kind {
            AskErrorKind::Wrong => Self::Wrong,
            AskErrorKind::Refused => Self::Refused,
            AskErrorKind::Absent => Self::Absent,
            AskErrorKind::Bug => Self::Bug,
        }
    }
}

fn written(value: &impl Serialize) -> Result<Value, AskError> {
    serde_json::to_value(value).map_err(|error| {
        AskError::bug("cannot write the answer", error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::scripted::facts;

    #[test]
    fn an_answer_has_the_shape_of_the_contract() {
        let facts = facts();
        let result = facts_result(&facts);
        let answer = Answer::new("info", &facts, &result, Vec::new()).unwrap();
        let unknown: Known<u64> = Missing::unknown("not asked").into();
        let footprint = json!({"cpu_ns": unknown});
        let answer = answer.to_json(&footprint).unwrap();
        assert_eq!(answer["schema"], SCHEMA);
        assert_eq!(answer["machine"]["name"], "scripted");
        assert_eq!(answer["result"]["interval"]["current_ns"], Value::Null);
        assert_eq!(answer["result"]["tick_hz"], 250);
        assert_eq!(answer["result"].get("name"), None);
        assert_eq!(nulls("", &answer), listed(&answer["missing"]));
    }

    fn nulls(path: &str, value: &Value) -> Vec<String> {
        let mut all = match value {
            Value::Null => vec![path.trim_start_matches('.').to_owned()],
            Value::Array(items) => (0..)
                .zip(items)
                .flat_map(|(i, item)| nulls(&format!("{path}[{i}]"), item))
                .collect(),
            Value::Object(object) => object
                .iter()
                .flat_map(|(key, item)| nulls(&format!("{path}.{key}"), item))
                .collect(),
            _ => Vec::new(),
        };
        all.sort();
        all
    }

    fn listed(missing: &Value) -> Vec<String> {
        let entries = missing.as_array().unwrap().iter();
        let mut all: Vec<String> = entries
            .map(|entry| entry["path"].as_str().unwrap().to_owned())
            .collect();
        all.sort();
        all
    }

    #[test]
    fn an_error_is_told_in_four_parts() {
        let error = AskError::refused("cannot x", "y").or_try("z");
        assert_eq!(
            error_json(&error),
            json!({
                "schema": "timerscope/1",
                "error":
                    {"code": 3, "what": "cannot x", "why": "y", "try": "z"},
            })
        );
    }
}
