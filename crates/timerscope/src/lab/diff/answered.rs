//! A JSON answer as one side of a comparison.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::facts::facts;
use super::side::number_equals;
use super::{Fact, Kind, Measure, Row, Side, Values};
use crate::machine::{Known, Missing, Span};
use crate::stats::Counted;

/// Keys that say which row of a list one is, in the order of its name.
const NAMES: [&str; 17] = [
    "id",
    "process",
    "task",
    "name",
    "kind",
    "variant",
    "wait",
    "span_ns",
    "cpus",
    "competitors",
    "request_ns",
    "clock",
    "against",
    "machine",
    "way",
    "rate_hz",
    "how",
];

/// Keys that say under which conditions a row was measured.
const CONDITIONS: [&str; 7] =
    ["slack_ns", "policy", "priority", "cpu", "phase", "load", "interval_ns"];

/// Keys of figures, and how each is to be taken. What is not here is not
/// compared: extremes, deviations, counts.
const FIGURES: [(&str, Measure); 16] = [
    ("p50_ns", Measure::Took),
    ("p90_ns", Measure::Took),
    ("p99_ns", Measure::Took),
    ("mean_ns", Measure::Took),
    ("lateness_p50_ns", Measure::Lateness),
    ("lateness_p90_ns", Measure::Lateness),
    ("lateness_p99_ns", Measure::Lateness),
    ("sleep_mean_ns", Measure::Took),
    ("observed_step_ns", Measure::Took),
    ("cost_ns", Measure::Took),
    ("per_switch_ns", Measure::Took),
    ("per_tick_ns", Measure::Took),
    ("round_trips_per_s", Measure::Rate),
    ("baseline_per_s", Measure::Rate),
    ("raised_per_s", Measure::Rate),
    ("loss_percent", Measure::Percent),
];

/// Larger counts and times are not ours: a hundred days in ns.
const MOST: u64 = 1 << 53;

/// The most rows that one answer may have.
const MOST_ROWS: usize = 10_000;

impl Side {
    /// Makes a side of a JSON answer of any command.
    ///
    /// # Errors
    ///
    /// When it is the answer of nothing that can be compared: of a command
    /// that failed, or with numbers that are none.
    pub fn of_answer(answer: &Value) -> Result<Self, String> {
        let Some(command) = answer["command"].as_str() else {
            return Err(match answer["error"]["what"].as_str() {
                Some(what) => format!(
                    "it is the answer of a command that failed: {}",
                    cut(what)
                ),
                None => "it has no `command`".to_owned(),
            });
        };
        let result = &answer["result"];
        let all_facts = command == "info";
        let mut reader = Reader { rows: Vec::new(), fault: None };
        if !all_facts {
            reader.read(result, &Context::of(command));
        }
        if let Some(fault) = reader.fault {
            return Err(fault);
        }
        let system = answer["machine"]["system"].as_str().unwrap_or("unknown");
        let mut side = Self {
            kind: Kind::Answer,
            about: cut(command),
            system: cut(system),
            all_facts,
            facts: told(answer, all_facts),
            rows: reader.rows,
            step_ns: result["ruler"]["step_ns"].as_f64().unwrap_or(0.0),
        };
        number_equals(&mut side.rows);
        Ok(side)
    }
}

/// What the answer tells about the machine, and the run as far as it does.
fn told(answer: &Value, all_facts: bool) -> Vec<Fact> {
    let result = &answer["result"];
    let times = (result["stolen_ns"].as_f64(), result["lasted_ns"].as_f64());
    let mut told = Vec::new();
    if let (Some(stolen), Some(lasted)) = times {
        told.push(Fact::known("run.stolen_cpus", stolen / lasted.max(1.0)));
    }
    told.extend(facts(&answer["machine"], &|path| {
        reason(answer, "machine", path)
    }));
    if all_facts {
        told.extend(facts(result, &|path| reason(answer, "result", path)));
    }
    told
}

/// Why the value at `path` of a part of an answer is `null`.
fn reason(answer: &Value, part: &str, path: &str) -> Option<Missing> {
    let path = format!("{part}.{path}");
    let entries = answer["missing"].as_array()?;
    let entry = entries.iter().find(|own| own["path"] == path.as_str())?;
    Some(Missing {
        kind: serde_json::from_value(entry["kind"].clone()).ok()?,
        why: entry["why"].as_str().unwrap_or_default().to_owned(),
        hint: entry["try"].as_str().map(str::to_owned),
    })
}

/// What the objects around a row say about it.
#[derive(Clone, Default)]
struct Context {
    /// Names that stand before those of the row itself.
    names: Vec<String>,
    conditions: Vec<Fact>,
}

impl Context {
    fn of(command: &str) -> Self {
        // Its recording has this one task.
        let played = if command == "sleep" { "sleep/sleeper:" } else { "" };
        let names = Some(played).filter(|own| !own.is_empty());
        Self {
            names: names.map(str::to_owned).into_iter().collect(),
            conditions: Vec::new(),
        }
    }

    fn within(&self, object: &Map<String, Value>) -> Self {
        let mut inner = self.clone();
        inner.names.extend(name(object));
        for key in CONDITIONS {
            if let Some(value) = object.get(key) {
                let told = match value {
                    Value::Null if key == "cpu" => Known::Value("any".into()),
                    Value::Null => Missing::unknown("it was not told").into(),
                    Value::Number(cpu) if key == "cpu" => {
                        Known::Value(cpu.to_string().into())
                    }
                    other => Known::Value(other.clone()),
                };
                inner.conditions.retain(|own| own.what != key);
                inner.conditions.push(Fact::new(key, told));
            }
        }
        inner
    }
}

/// The name of an object among its like: `wait nanosleep 1 ms`.
fn name(object: &Map<String, Value>) -> Option<String> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).map(cut);
    if let (Some(process), Some(task)) = (text("process"), text("task")) {
        return Some(format!("{process}/{task}:"));
    }
    let part = |key: &&str| {
        let value = object.get(*key)?;
        match (*key, value) {
            ("wait", Value::String(wait)) => {
                Some(format!("wait {}", cut(wait)))
            }
            ("span_ns" | "request_ns", value) => {
                Some(Span::from_ns(value.as_u64()?).to_string())
            }
            ("rate_hz", Value::Number(rate)) => Some(format!("{rate} Hz")),
            ("cpus" | "competitors", Value::Number(count)) => {
                Some(format!("{count} {key}"))
            }
            (_, Value::String(text)) => Some(cut(text)),
            _ => None,
        }
    };
    let parts: Vec<String> = NAMES.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// What is read of a text that somebody else may have written.
fn cut(text: &str) -> String {
    text.chars().take(100).collect()
}

struct Reader {
    rows: Vec<Row>,
    fault: Option<String>,
}

impl Reader {
    fn read(&mut self, value: &Value, around: &Context) {
        match value {
            Value::Object(object) => self.read_object(object, around),
            Value::Array(items) => {
                for item in items {
                    self.read(item, around);
                }
            }
            _ => {}
        }
    }

    fn read_object(&mut self, object: &Map<String, Value>, around: &Context) {
        let own = around.within(object);
        if let Some(samples) = object.get("samples") {
            return self.samples(samples, object, &own);
        }
        let wait = object.contains_key("wait");
        let span = object.get("span_ns").and_then(Value::as_i64);
        if let Some(histogram) = object.get("histogram") {
            let late = span.filter(|_| wait);
            let measure = match late {
                Some(_) => Measure::Lateness,
                None if object.contains_key("competitors") => Measure::Turn,
                None => Measure::Took,
            };
            match pairs(histogram, late.unwrap_or(0)) {
                Ok(values) => self.row(&own, measure, values),
                Err(fault) => self.fault = Some(fault),
            }
        } else {
            self.alone(object, &own);
        }
        for (key, value) in object {
            // The ruler is the measuring's own cost, the rest repeats rows.
            let inner = !matches!(
                key.as_str(),
                "ruler" | "histogram" | "modes" | "over" | "meters" | "steps"
            );
            if inner && (value.is_object() || value.is_array()) {
                self.read(value, &own);
            }
        }
    }

    /// Figures of which nothing else is told.
    fn alone(&mut self, object: &Map<String, Value>, own: &Context) {
        let figure = |(key, measure): &(&str, Measure)| {
            let value = object.get(*key)?.as_f64()?;
            let name = key.trim_end_matches("_ns").trim_end_matches("_per_s");
            let name = name.trim_end_matches("_percent");
            Some((name.replace('_', " "), *measure, value))
        };
        let figures: Vec<_> = FIGURES.iter().filter_map(figure).collect();
        if let Some((_, measure, _)) = figures.first() {
            self.row(own, *measure, Values::Alone(figures));
        }
    }

    /// The samples of a task, step by step.
    fn samples(
        &mut self,
        samples: &Value,
        task: &Map<String, Value>,
        own: &Context,
    ) {
        let list = |value: Option<&Value>| {
            value.and_then(Value::as_array).cloned().unwrap_or_default()
        };
        let mut by_step = BTreeMap::<u64, Vec<&Value>>::new();
        for sample in samples.as_array().into_iter().flatten() {
            let step = sample["step"].as_u64().unwrap_or(u64::MAX);
            by_step.entry(step).or_default().push(sample);
        }
        for step in list(task.get("steps")) {
            let number = step["step"].as_u64().unwrap_or(u64::MAX);
            let Some(samples) = by_step.remove(&number) else { continue };
            let action = step["action"].as_str().unwrap_or_default();
            let due = ["wait", "await", "set-await"];
            let due = due.iter().any(|own| action.starts_with(own));
            let (from, measure) = if due {
                ("due_ns", Measure::Lateness)
            } else {
                ("began_ns", Measure::Took)
            };
            let times = times(&samples, from);
            if !times.is_empty() {
                let mut own = own.clone();
                own.names.push(cut(action));
                self.row(&own, measure, Values::InOrder(times));
            }
        }
    }

    fn row(&mut self, own: &Context, measure: Measure, values: Values) {
        if self.rows.len() >= MOST_ROWS {
            self.fault = Some(format!("it has more than {MOST_ROWS} rows"));
            return;
        }
        let what = own.names.join(" ");
        let what = if what.is_empty() { "the whole".to_owned() } else { what };
        let conditions = own.conditions.clone();
        self.rows.push(Row { what, conditions, measure, values });
    }
}

/// From `from` to the end of each sample whose times count.
fn times(samples: &[&Value], from: &str) -> Vec<i64> {
    let counts = |own: &&&Value| {
        own["outcome"] == "met" || own["outcome"] == "timed-out"
    };
    let time = |own: &&Value| {
        let ended = own["ended_ns"].as_i64()?;
        Some(ended.saturating_sub(own[from].as_i64()?))
    };
    samples.iter().filter(counts).filter_map(time).collect()
}

/// The pairs of a histogram, each less `less` ns.
///
/// They may be exact, but nobody says so: three digits are assumed.
fn pairs(histogram: &Value, less: i64) -> Result<Values, String> {
    let wrong = || "its histogram is not made of pairs of numbers".to_owned();
    let items = histogram.as_array().ok_or_else(wrong)?;
    let pair = |item: &Value| {
        let ns = item[0].as_i64().filter(|ns| ns.unsigned_abs() <= MOST);
        let count = item[1].as_u64().filter(|count| *count <= MOST);
        let (ns, count) = ns.zip(count).ok_or_else(wrong)?;
        Ok((ns.saturating_sub(less), count))
    };
    let pairs: Result<Vec<_>, String> = items.iter().map(pair).collect();
    let counted = Counted::from_pairs(pairs?);
    let most = |q| counted.quantile(q).map_or(0, |ns| ns.saturating_add(less));
    let width = most(0.99).unsigned_abs() as f64 / 1_000.0;
    if counted.total() > MOST {
        return Err("its histogram counts more than can have been".to_owned());
    }
    Ok(Values::Counted(counted, width.max(1.0)))
}
