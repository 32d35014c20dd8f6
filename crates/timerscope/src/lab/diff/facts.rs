//! What a run tells about its machine, as names and values.

use serde_json::{Map, Value};

use crate::machine::{Known, Missing, MissingKind};

/// One thing that a run tells about its machine or itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name, as the path to it in an answer: `clock_source.current`.
    pub what: String,
    /// What is told.
    pub told: Known<Value>,
    /// What other runs of the same side tell, where it is something else.
    pub others: Vec<Known<Value>>,
}

/// Keys whose values change by themselves: counters since boot, and numbers
/// of processes.
const RESTLESS: [&str; 6] =
    ["stolen_ns", "idle_calls", "idle_sleeps", "entered", "energy_uj", "pid"];

/// What a number may change by before it counts as different, as the end of
/// its name, a share, and an amount. Invented: what such numbers do by
/// themselves from run to run.
const TOLERANCES: [(&str, f64, f64); 4] = [
    ("rate_error_ppm", 0.0, 10.0),
    ("frequency_hz", 1e-3, 0.0),
    ("run.stolen_cpus", 0.0, 0.001),
    ("run.busy_cpus", 0.0, 0.1),
];

impl Fact {
    pub(super) fn new(what: impl Into<String>, told: Known<Value>) -> Self {
        Self { what: what.into(), told, others: Vec::new() }
    }

    pub(super) fn known(
        what: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        Self::new(what, Known::Value(value.into()))
    }

    /// All that is told of it.
    fn all_told(&self) -> impl Iterator<Item = &Known<Value>> {
        std::iter::once(&self.told).chain(&self.others)
    }

    /// What is told, as one value: of runs that tell different things a list.
    pub(super) fn summed_up(&self) -> Known<Value> {
        if self.others.is_empty() {
            return self.told.clone();
        }
        let value = |told: &Known<Value>| {
            told.value().cloned().unwrap_or_else(|| "none".into())
        };
        Known::Value(Value::Array(self.all_told().map(value).collect()))
    }

    /// Whether `other` says the same of the same thing; of several runs a side
    /// whether any two of them do.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.all_told()
            .any(|one| other.all_told().any(|two| self.alike(one, two)))
    }

    fn alike(&self, one: &Known<Value>, two: &Known<Value>) -> bool {
        let (Known::Value(one), Known::Value(two)) = (one, two) else {
            let kind = |told: &Known<Value>| told.missing().map(|own| own.kind);
            return kind(one) == kind(two);
        };
        let tolerance =
            TOLERANCES.iter().find(|own| self.what.ends_with(own.0));
        match (tolerance, one.as_f64(), two.as_f64()) {
            (Some((_, share, amount)), Some(one), Some(two)) => {
                let allowed = share * one.abs().max(two.abs());
                (one - two).abs() <= allowed.max(*amount)
            }
            _ => one == two,
        }
    }

    /// Whether nobody could look: that is no value, and no difference.
    pub(super) fn is_untold(&self) -> bool {
        let kind = self.told.missing().map(|own| own.kind);
        kind.is_some_and(|kind| kind != MissingKind::Absent)
    }
}

/// Every value below `value`, each under its path.
///
/// `reason` says why the value at a path of an answer is `null`.
pub(super) fn facts(
    value: &Value,
    reason: &dyn Fn(&str) -> Option<Missing>,
) -> Vec<Fact> {
    let mut found = Vec::new();
    add(value, &Path::default(), reason, &mut found);
    found
}

/// The path of a value as we name it, and as `missing` does.
#[derive(Clone, Default)]
struct Path {
    name: String,
    place: String,
}

impl Path {
    fn key(&self, key: &str) -> Self {
        let under = |path: &str| {
            if path.is_empty() {
                key.to_owned()
            } else {
                format!("{path}.{key}")
            }
        };
        Self { name: under(&self.name), place: under(&self.place) }
    }

    fn item(&self, name: &str, index: usize) -> Self {
        let Self { name: own, place } = self;
        let place = format!("{place}[{index}]");
        Self { name: format!("{own}[{name}]"), place }
    }
}

fn add(
    value: &Value,
    path: &Path,
    reason: &dyn Fn(&str) -> Option<Missing>,
    found: &mut Vec<Fact>,
) {
    match value {
        Value::Object(object) => {
            if let Some(known) = only(object, "$known") {
                return add(known, path, reason, found);
            }
            if let Some(missing) = only(object, "$missing") {
                let missing = serde_json::from_value(missing.clone());
                let missing = missing.unwrap_or_else(|_| unexplained());
                found.push(Fact::new(&path.name, missing.into()));
                return;
            }
            for (key, value) in object {
                if !RESTLESS.contains(&key.as_str()) {
                    add(value, &path.key(key), reason, found);
                }
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (index, item) in items.iter().enumerate() {
                let mut keys = ["name", "process"].iter();
                let name = keys.find_map(|key| item[*key].as_str());
                let number = index.to_string();
                let path = path.item(name.unwrap_or(&number), index);
                add(item, &path, reason, found);
            }
        }
        Value::Null => {
            let missing = reason(&path.place).unwrap_or_else(unexplained);
            found.push(Fact::new(&path.name, missing.into()));
        }
        other => found.push(Fact::known(&path.name, other.clone())),
    }
}

fn unexplained() -> Missing {
    Missing::unknown("nobody wrote down why it is missing")
}

/// The value of `key`, if the object has no other.
fn only<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|_| object.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_of_a_machine_and_of_its_answer_are_the_same() {
        let machine = crate::lab::scripted::facts();
        let own = serde_json::to_value(&machine).unwrap();
        let own = facts(&own, &|_| None);
        let find = |what: &str| {
            own.iter().find(|fact| fact.what == what).map(|own| &own.told)
        };
        assert_eq!(find("tick_hz"), Some(&Known::Value(json!(250))));
        let via = find("clocks[monotonic].via");
        assert_eq!(via, Some(&Known::Value(json!("user-space"))));
        let interval = find("interval.current_ns").unwrap();
        assert_eq!(interval.missing().unwrap().kind, MissingKind::Absent);
        assert_eq!(find("stolen_ns"), None);
        let answer = json!({"interval": {"current_ns": null}, "cpus": [0, 1]});
        let why = Missing::absent("no such thing");
        let told = facts(&answer, &|place| {
            (place == "interval.current_ns").then(|| why.clone())
        });
        assert_eq!(told[0].told, Known::Missing(why));
        assert_eq!(told[1], Fact::known("cpus", json!([0, 1])));
    }

    #[test]
    fn numbers_that_never_stand_still_have_room() {
        let rate = |ppm: f64| Fact::known("rate_error_ppm", ppm);
        assert!(rate(-3.0).agrees(&rate(4.0)));
        assert!(!rate(-30.0).agrees(&rate(4.0)));
        let slack = |ns: u64| Fact::known("timer_slack_ns", ns);
        assert!(!slack(50_000).agrees(&slack(50_001)));
    }
}
