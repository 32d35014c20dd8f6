//! Recordings as one side of a comparison.

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
        Self::of_recordings(std::slice::from_ref(saved))
    }

    /// Makes a side of all that one command played, one after another on the
    /// same machine; a row then begins with the title of what was played.
    #[must_use]
    pub fn of_recordings(runs: &[Saved]) -> Self {
        let (first, several) = (runs.first(), runs.len() > 1);
        let own = first.map(|saved| serde_json::to_value(&saved.facts));
        let own = own.and_then(Result::ok).unwrap_or_default();
        let text = |of: fn(&Saved) -> &String| first.map(of).cloned();
        let mut side = Self {
            kind: Kind::Recording,
            about: text(|saved| &saved.workload.title).unwrap_or_default(),
            system: text(|saved| &saved.facts.system).unwrap_or_default(),
            all_facts: true,
            facts: run(runs),
            rows: runs
                .iter()
                .flat_map(|saved| titled(saved, several))
                .collect(),
            step_ns: runs.iter().map(step_ns).fold(0.0, f64::max),
        };
        // An option in the facts is one that a machine need not have.
        let none = || Missing::absent("there is none");
        side.facts.extend(facts(&own, &|_| Some(none())));
        number_equals(&mut side.rows);
        side
    }
}

/// The step of the clock that a run was measured with, as its ruler saw it.
fn step_ns(saved: &Saved) -> f64 {
    let ruler = ruler::figures(saved);
    let step = ruler.and_then(|own| own.step_ns.value().copied());
    step.map_or(0.0, |step| step.max(0) as f64)
}

/// What the machine went through meanwhile, and how it all ended.
fn run(runs: &[Saved]) -> Vec<Fact> {
    let lasted: f64 =
        runs.iter().map(|saved| saved.ending.lasted_ns as f64).sum();
    let share = |counter: fn(&Counters) -> &Known<u64>| {
        let each = runs.iter().map(|saved| saved.ending.meters.delta(counter));
        let sum = |one: Known<u64>, two: Known<u64>| {
            one.and_then(|one| two.map(|two| one.saturating_add(two)))
        };
        let all = each.reduce(sum).unwrap_or(Known::Value(0));
        all.map(|delta| json!(delta as f64 / lasted.max(1.0)))
    };
    let cut = runs.iter().find_map(|saved| match &saved.ending.ended {
        Ended::Complete => None,
        Ended::Cut { by, .. } => Some(format!("cut: {by}")),
    });
    let ended = cut.unwrap_or_else(|| "complete".to_owned());
    vec![
        Fact::known("run.ended", ended),
        Fact::new("run.busy_cpus", share(|own| &own.busy_ns)),
        Fact::new("run.stolen_cpus", share(|own| &own.stolen_ns)),
    ]
}

/// The rows of one of several runs say which it is.
fn titled(saved: &Saved, several: bool) -> Vec<Row> {
    let mut rows = rows(saved);
    for row in rows.iter_mut().filter(|_| several) {
        row.what = format!("{}: {}", saved.workload.title, row.what);
    }
    rows
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
                let row = row(&cast, step.action, track, &conditions);
                add(&mut rows, row);
            }
        }
    }
    rows
}

/// Adds a row; counts of one loop after another are one row, as only
/// together they say how a count varies.
fn add(rows: &mut Vec<Row>, row: Row) {
    let like = rows.iter_mut().find(|own| {
        own.measure == Measure::Rate
            && own.what == row.what
            && own.conditions == row.conditions
    });
    match (like.map(|own| &mut own.values), row.values) {
        (Some(Values::InOrder(own)), Values::InOrder(more)) => own.extend(more),
        (_, values) => rows.push(Row { values, ..row }),
    }
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
            | Action::Read { times: 1, .. }
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
        Action::Runs { .. } => Measure::Turn,
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
        Measure::Rate => per_s(sample.value, sample.took_ns()),
        _ => sample.took_ns(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play_all};
    use crate::lab::quantum::Quantum;
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::switch::Switch;
    use crate::lab::wake::{Setter, Wake};
    use crate::machine::{AskError, RecordingError, Span, Workload};

    fn played(workloads: Vec<Result<Workload, AskError>>) -> Vec<Saved> {
        let machine = &mut Scripted::default();
        let runs = play_all(machine, &facts(), workloads, &mut Silent).unwrap();
        runs.iter().map(|run| run.value().unwrap().clone()).collect()
    }

    fn written(runs: &[Saved]) -> Vec<u8> {
        let mut text = Vec::new();
        for saved in runs {
            saved.write(&mut text).unwrap();
        }
        text
    }

    fn wakes() -> Vec<Saved> {
        let setters = vec![Setter::OtherCpu, Setter::SameCpu];
        let wake = Wake { setters, ..Wake::by(Setter::OtherCpu) };
        played(wake.workloads(&facts()))
    }

    #[test]
    fn what_was_played_one_after_another_is_one_file_and_reads_back() {
        let (runs, text) = (wakes(), written(&wakes()));
        let again = Saved::read_all(&text[..]).unwrap();
        assert_eq!(again.len(), 2);
        for (one, two) in runs.iter().zip(&again) {
            assert_eq!(one.workload, two.workload);
            assert_eq!(one.ending, two.ending);
        }
        let error = Saved::read(&text[..]).unwrap_err();
        assert!(matches!(error, RecordingError::Several(2)), "{error}");
        let cut = text.len() - 50;
        assert!(Saved::read_all(&text[..cut]).is_err());
        assert!(Saved::read_all(&b" \n"[..]).is_err());
        let side = Side::read(&text[..]).unwrap();
        assert_eq!(side, Side::of_recordings(&runs));
    }

    #[test]
    fn a_row_of_several_runs_says_which_run_it_is_of() {
        let runs = wakes();
        let rows = Side::of_recordings(&runs).rows;
        let what: Vec<&str> = rows.iter().map(|row| &row.what[..]).collect();
        assert_eq!(
            what,
            [
                "how late a waiter runs, its event set other-cpu: \
                 wake/waiter: await go",
                "how late a waiter runs, its event set same-cpu: \
                 wake/waiter: await go",
            ]
        );
        let alone = Side::of_recording(&runs[0]).rows;
        assert_eq!(alone[0].what, "wake/waiter: await go");
        assert_eq!(alone[0].values, rows[0].values);
    }

    // Five counts were five rows of one value each.
    #[test]
    fn counts_of_one_loop_are_one_row_in_the_order_of_time() {
        let switch = Switch::all(5, Span::from_ms(10));
        let runs = played(switch.workloads(&facts()));
        let side = Side::of_recordings(&runs);
        assert_eq!(side.rows.len(), runs.len());
        for row in &side.rows {
            assert_eq!(row.measure, Measure::Rate);
            assert_eq!(row.values.count(), Some(5), "{}", row.what);
        }
    }

    #[test]
    fn turns_of_equal_threads_are_compared_and_neither_is_better() {
        let quantum = Quantum::pair(Span::from_s(1));
        let runs = played(quantum.workloads(&facts()));
        let before = Side::of_recordings(&runs);
        let mut after = before.clone();
        for row in &mut after.rows {
            assert_eq!(row.measure, Measure::Turn);
            let Values::InOrder(turns) = &mut row.values else {
                panic!("{row:?}");
            };
            assert!(turns.len() > 48, "{}", turns.len());
            for turn in turns {
                *turn *= 2;
            }
        }
        let figures = super::super::diff(("a", &before), ("b", &after));
        let p50 = figures.changes.iter().find(|own| own.figure == "p50");
        let p50 = p50.unwrap();
        assert!((p50.after - 2.0 * p50.before).abs() < 1e-6);
        assert_eq!(p50.verdict, super::super::Verdict::CannotTell);
        let because = p50.because.as_deref().unwrap();
        assert!(because.contains("neither better nor worse"), "{because}");
    }
}
