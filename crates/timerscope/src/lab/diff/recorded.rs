//! A recording as one side of a comparison.

use serde_json::{Value, json};

use super::facts::facts;
use super::side::number_equals;
use super::{Fact, Kind, Measure, Row, Side, Values};
use crate::lab::{Load, ruler};
use crate::machine::{
    Action, Counters, Ended, Known, Missing, Role, RoleEnding, Sample, Saved,
    Track, Until,
};
use crate::stats::Counted;

impl Side {
    /// Makes a side of a recording: a row for each kept step of each task.
    ///
    /// The ruler that a run begins with measures the measuring and is no
    /// row.
    #[must_use]
    pub fn of_recording(saved: &Saved) -> Self {
        let own = serde_json::to_value(&saved.facts).unwrap_or_default();
        let step = ruler::figures(saved).and_then(|ruler| {
            ruler.step_ns.value().map(|step| (*step).max(0) as f64)
        });
        let mut side = Self {
            kind: Kind::Recording,
            about: saved.workload.title.clone(),
            system: saved.facts.system.clone(),
            all_facts: true,
            facts: run(saved),
            rows: rows(saved),
            step_ns: step.unwrap_or(0.0),
        };
        // An option in the facts is one that a machine need not have.
        let none = || Missing::absent("there is none");
        side.facts.extend(facts(&own, &|_| Some(none())));
        number_equals(&mut side.rows);
        side
    }
}

/// What the machine went through meanwhile, and how it all ended.
fn run(saved: &Saved) -> Vec<Fact> {
    let ending = &saved.ending;
    let share = |counter: fn(&Counters) -> &Known<u64>| {
        let lasted = ending.lasted_ns.max(1) as f64;
        let delta = ending.meters.delta(counter);
        delta.map(|delta| json!(delta as f64 / lasted))
    };
    let ended = match &ending.ended {
        Ended::Complete => "complete".to_owned(),
        Ended::Cut { by, .. } => format!("cut: {by}"),
    };
    vec![
        Fact::known("run.ended", ended),
        Fact::new("run.busy_cpus", share(|own| &own.busy_ns)),
        Fact::new("run.stolen_cpus", share(|own| &own.stolen_ns)),
    ]
}

fn rows(saved: &Saved) -> Vec<Row> {
    let prefix = ruler::prefix(&saved.facts);
    let ruled = |action: &Action| {
        prefix.iter().any(|own| own == action || own.body().contains(action))
    };
    let told = |action: &Action| !ruled(action) && !is_question(action);
    let mut rows = Vec::new();
    for (role, cast) in (0..).zip(saved.workload.cast()) {
        let conditions = conditions(saved, role, &cast);
        for (number, step) in (0..).zip(cast.task.steps()) {
            let track = saved.recording.track(role, number);
            if let Some(track) = track.filter(|_| told(step.action)) {
                rows.push(row(&cast, step.action, track, &conditions));
            }
        }
    }
    rows
}

fn row(
    cast: &Role<'_>,
    action: &Action,
    track: &Track,
    conditions: &[Fact],
) -> Row {
    let (process, task) = (&cast.process.name, &cast.task.name);
    let measure = measure(action, track.is_whole());
    Row {
        what: format!("{process}/{task}: {action}"),
        conditions: conditions.to_vec(),
        measure,
        values: values(track, measure),
    }
}

/// Whether an action is there for its value, so that how long it took says
/// nothing.
fn is_question(action: &Action) -> bool {
    matches!(
        action,
        Action::Steps { .. }
            // A longer turn is neither better nor worse.
            | Action::Runs { .. }
            | Action::AskInterval { .. }
            | Action::Request(_)
            | Action::Withdraw(_)
    )
}

/// What of an action is worth comparing.
fn measure(action: &Action, whole: bool) -> Measure {
    match action {
        Action::Wait { .. }
        | Action::Ring { .. }
        | Action::WaitUntil { .. }
        | Action::Await { .. }
        | Action::SetAwait { .. } => Measure::Lateness,
        // In a given time, how often is the question; a histogram has lost
        // the answer.
        Action::Repeat { until: Until::Span(_), .. }
        | Action::Spin { until: Until::Span(_), .. }
            if whole =>
        {
            Measure::Rate
        }
        _ => Measure::Took,
    }
}

fn values(track: &Track, measure: Measure) -> Values {
    if !track.is_whole() {
        let pairs = match measure {
            Measure::Lateness => track.lateness(),
            _ => track.took(),
        };
        return Values::counted(Counted::from_pairs(pairs));
    }
    let value = |sample: &Sample| match measure {
        Measure::Lateness => sample.lateness_ns(),
        Measure::Took => sample.took_ns(),
        Measure::Rate => per_s(sample.value, sample.took_ns()),
    };
    let counted = track.samples.iter().filter(|sample| sample.counts());
    Values::InOrder(counted.map(value).collect())
}

fn per_s(times: i64, took_ns: i64) -> i64 {
    (times as f64 * 1e9 / took_ns.max(1) as f64).round() as i64
}

/// What of the workload decides a task's figures.
fn conditions(saved: &Saved, number: u32, role: &Role<'_>) -> Vec<Fact> {
    let (task, process) = (role.task, role.process);
    let cpus: Vec<String> = task.cpus.iter().map(u32::to_string).collect();
    let mut others = saved.workload.processes.iter();
    let load = others.find(|other| other.background);
    let load = load
        .filter(|load| *load != process)
        .map_or(Load::None, |load| Load::between(process, task, load));
    let ran = saved.ending.roles.get(number as usize);
    let told = |what: fn(&RoleEnding) -> Known<Value>| ran.map(what);
    let slack = told(|own| own.slack_ns.clone().map(Value::from));
    let policy = told(|own| {
        own.policy.clone().map(|policy| policy_alone(&policy).into())
    });
    let mut all = vec![
        Fact::known(
            "cpu",
            if cpus.is_empty() { "any".to_owned() } else { cpus.join(",") },
        ),
        Fact::known("priority", task.priority.to_string()),
        Fact::known("phase", json!(task.phase)),
        Fact::known("load", json!(load)),
    ];
    all.extend(slack.map(|slack| Fact::new("slack_ns", slack)));
    all.extend(policy.map(|policy| Fact::new("policy", policy)));
    all
}

/// The policy without its level: `SCHED_OTHER` of `SCHED_OTHER, nice 0`.
fn policy_alone(policy: &str) -> &str {
    policy.split(',').next().unwrap_or(policy)
}
