//! Whether a workload makes sense, before anything is started.

use std::fmt::Write as _;

use super::{Action, Keep, Meanwhile, Process, Span, Task, Until, Workload};

/// Something wrong in a workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", self.place())]
pub struct Fault {
    /// Where, as the keys and indices that lead there:
    /// `process`, `0`, `task`, `1`, `actions`, `0`, `wait`, `span`.
    pub path: Vec<String>,
    /// What is wrong.
    pub why: String,
    /// What is allowed there.
    pub hint: String,
}

/// The most actions a task may have, nested ones included.
const MOST_STEPS: usize = 1_000;
/// The deepest nesting of loops.
const MOST_DEPTH: usize = 16;
/// The most running tasks and players of a workload.
const MOST_ROLES: u64 = 2_000_000;
/// The most running processes, and the most events.
const MOST_PLAYERS: u64 = 512;
const MOST_EVENTS: usize = 256;
/// The most actions of all running tasks together.
const MOST_PLAYED: u64 = 8_000_000;
/// The most repetitions of one loop, readings, or changes.
const MOST_TIMES: u64 = 1_000_000_000;
/// The longest run.
const LONGEST: Span = Span::from_s(7 * 24 * 3600);
/// The longest name.
const LONGEST_NAME: usize = 64;

impl Fault {
    /// The path in a person's form: `process[0].task[1].actions[0].wait.span`.
    #[must_use]
    pub fn place(&self) -> String {
        let mut place = String::new();
        for part in &self.path {
            if part.bytes().all(|b| b.is_ascii_digit()) {
                let _ = write!(place, "[{part}]");
            } else {
                let dot = if place.is_empty() { "" } else { "." };
                let _ = write!(place, "{dot}{part}");
            }
        }
        place
    }
}

impl Workload {
    /// Everything that is wrong with it on any machine; empty if nothing is.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut checker =
            Checker { workload: self, at: vec![], faults: vec![] };
        checker.workload();
        checker.faults
    }
}

struct Checker<'a> {
    workload: &'a Workload,
    at: Vec<String>,
    faults: Vec<Fault>,
}

impl<'a> Checker<'a> {
    fn fault(&mut self, key: &str, why: impl Into<String>, hint: &str) {
        let mut path = self.at.clone();
        if !key.is_empty() {
            path.extend(key.split('.').map(str::to_owned));
        }
        self.faults.push(Fault { path, why: why.into(), hint: hint.into() });
    }

    /// Runs `check` with `keys` added to the place.
    fn inside(&mut self, keys: &[&str], check: impl FnOnce(&mut Self)) {
        let depth = self.at.len();
        self.at.extend(keys.iter().map(|key| (*key).to_owned()));
        check(self);
        self.at.truncate(depth);
    }

    fn workload(&mut self) {
        let workload = self.workload;
        if workload.schema != super::WORKLOAD_SCHEMA {
            let why = format!("unknown schema `{}`", shown(&workload.schema));
            let hint =
                format!("this version reads `{}`", super::WORKLOAD_SCHEMA);
            self.fault("schema", why, &hint);
        }
        self.span("limit", workload.limit, LONGEST);
        if workload.limit == Span::ZERO {
            self.fault("limit", "a run of no length", "give it some time");
        }
        if workload.processes.is_empty() {
            self.fault("", "no process", "add a [[process]] with a task");
        }
        if workload.events.len() > MOST_EVENTS {
            let why = format!("{} events", workload.events.len());
            self.fault("events", why, &format!("at most {MOST_EVENTS}"));
        }
        self.names("events", workload.events.iter().map(String::as_str));
        self.names(
            "process",
            workload.processes.iter().map(|process| process.name.as_str()),
        );
        if !workload.processes.is_empty()
            && workload.processes.iter().all(|process| process.background)
        {
            let why = "every process is a background one";
            self.fault("process", why, "one must decide when the run ends");
        }
        self.roles();
        for (index, process) in workload.processes.iter().enumerate() {
            let index = index.to_string();
            self.inside(&["process", &index], |c| c.process(process));
        }
    }

    fn roles(&mut self) {
        let (mut players, mut roles, mut played) = (0_u64, 0_u64, 0_u64);
        for process in &self.workload.processes {
            players = players.saturating_add(u64::from(process.copies));
            for task in &process.tasks {
                let copies = u64::from(process.copies)
                    .saturating_mul(u64::from(task.copies));
                let steps = task.steps().len() as u64;
                roles = roles.saturating_add(copies);
                played = played.saturating_add(copies.saturating_mul(steps));
            }
        }
        if players > MOST_PLAYERS {
            let why = format!("{players} running processes");
            let hint = format!("at most {MOST_PLAYERS}, copies counted");
            self.fault("process", why, &hint);
        } else if roles > MOST_ROLES {
            let why = format!("{roles} running tasks");
            let hint = format!("at most {MOST_ROLES}, copies counted");
            self.fault("process", why, &hint);
        } else if played > MOST_PLAYED {
            let why = format!("{played} actions of all running tasks");
            let hint = format!("at most {MOST_PLAYED}, copies counted");
            self.fault("process", why, &hint);
        }
    }

    fn process(&mut self, process: &'a Process) {
        self.copies(process.copies);
        if process.tasks.is_empty() {
            let why = format!("process `{}` has no task", shown(&process.name));
            self.fault("", why, "add a [[process.task]] with actions");
        }
        let names = process.tasks.iter().map(|task| task.name.as_str());
        self.names("task", names);
        self.interval_timers(process);
        for (index, cue) in process.script.iter().enumerate() {
            let key = format!("script.{index}.at");
            self.span(&key, cue.at, self.workload.limit);
        }
        for (index, task) in process.tasks.iter().enumerate() {
            let index = index.to_string();
            self.inside(&["task", &index], |c| c.task(task));
        }
    }

    /// A process has one interval timer of each kind: two tasks on one would
    /// take each other's signals.
    fn interval_timers(&mut self, process: &Process) {
        let mut owners: Vec<(super::WaitKind, &str)> = Vec::new();
        for (index, task) in process.tasks.iter().enumerate() {
            let mut own: Vec<_> = task
                .steps()
                .iter()
                .filter_map(|step| step.action.wait_kind())
                .filter(|how| how.is_interval_timer())
                .collect();
            own.sort_unstable();
            own.dedup();
            for how in own {
                let other = owners.iter().find(|(timer, _)| *timer == how);
                let why = match other {
                    Some((_, other)) => format!(
                        "tasks `{}` and `{}` share the process's one {how}",
                        shown(other),
                        shown(&task.name)
                    ),
                    None if task.copies > 1 => format!(
                        "{} copies of task `{}` share the process's one {how}",
                        task.copies,
                        shown(&task.name)
                    ),
                    None => {
                        owners.push((how, &task.name));
                        continue;
                    }
                };
                let key = format!("task.{index}");
                self.fault(&key, why, "put each into a process of its own");
            }
        }
    }

    fn task(&mut self, task: &'a Task) {
        self.copies(task.copies);
        if let Some(slack) = task.slack {
            self.span("slack", slack, LONGEST);
        }
        if task.actions.is_empty() {
            let why = format!("task `{}` does nothing", shown(&task.name));
            self.fault("actions", why, "give it at least one action");
        }
        let steps = task.steps().len();
        if steps > MOST_STEPS {
            let hint = format!("at most {MOST_STEPS}, nested ones counted");
            self.fault("actions", format!("{steps} actions"), &hint);
        }
        self.actions("actions", &task.actions, Loops::default());
    }

    fn actions(&mut self, key: &str, actions: &'a [Action], loops: Loops) {
        if loops.depth > MOST_DEPTH {
            let hint = format!("at most {MOST_DEPTH}");
            return self.fault(key, "loops nested too deep", &hint);
        }
        for (index, action) in actions.iter().enumerate() {
            let index = index.to_string();
            self.inside(&[key, &index, action.name()], |c| {
                c.action(action, loops);
            });
        }
    }

    fn action(&mut self, action: &'a Action, loops: Loops) {
        let longest = LONGEST;
        match action {
            Action::Wait { how, span, meanwhile, keep } => {
                self.span("span", *span, longest);
                self.meanwhile(*how, *meanwhile);
                self.keep(*keep);
            }
            Action::Ring { .. } => self.ring(action),
            Action::WaitUntil { how, keep, .. } => {
                if how.counts_cpu_time() {
                    let why =
                        format!("{how} counts CPU time, which has no point");
                    self.fault("how", why, "take a wait that counts real time");
                }
                self.point("point", loops);
                self.keep(*keep);
            }
            Action::Every { period, until, body, .. } => {
                self.span("period", *period, longest);
                if *period == Span::ZERO {
                    let why = "a period of zero";
                    self.fault("period", why, "give it a length");
                }
                self.until(*until, loops);
                self.body(body, loops.deeper(true));
            }
            Action::Repeat { until, body, keep } => {
                self.until(*until, loops);
                self.keep(*keep);
                self.body(body, loops.deeper(false));
            }
            Action::Work { iterations, keep } => {
                self.times("iterations", *iterations);
                self.keep(*keep);
            }
            Action::Spin { until, keep } => {
                self.until(*until, loops);
                self.keep(*keep);
            }
            Action::Runs { gap, until, keep } => {
                self.span("gap", *gap, longest);
                self.until(*until, loops);
                self.keep(*keep);
            }
            Action::Set(event) => self.event("", event),
            Action::Await { event, timeout, keep } => {
                self.event("event", event);
                self.span("timeout", timeout.unwrap_or_default(), longest);
                self.keep(*keep);
            }
            Action::SetAwait { set, awaited, timeout, keep } => {
                self.event("set", set);
                self.event("await", awaited);
                self.span("timeout", timeout.unwrap_or_default(), longest);
                self.keep(*keep);
            }
            Action::Read { times, keep, .. } => {
                self.times("times", *times);
                self.keep(*keep);
            }
            Action::Steps { changes, keep, .. } => {
                self.times("changes", *changes);
                self.keep(*keep);
            }
            Action::AskInterval { keep } => self.keep(*keep),
            Action::Request(span) | Action::Withdraw(span) => {
                self.span("", *span, longest);
            }
            Action::Yield | Action::End => {}
        }
    }

    fn ring(&mut self, action: &Action) {
        let Action::Ring { how, span, again, times, meanwhile, keep } = action
        else {
            return;
        };
        self.span("span", *span, LONGEST);
        self.span("again", *again, LONGEST);
        self.times("times", *times);
        self.meanwhile(*how, *meanwhile);
        self.keep(*keep);
        if !how.re_arms() {
            let why = format!("{how} does not re-arm itself");
            let hint = "ring by itimer-real, itimer-virtual, itimer-prof, \
                        posix-timer or timerfd";
            self.fault("how", why, hint);
        }
        if *again == Span::ZERO {
            self.fault("again", "a period of zero", "give it a length");
        }
    }

    fn meanwhile(&mut self, how: super::WaitKind, meanwhile: Meanwhile) {
        if how.counts_cpu_time() && meanwhile == Meanwhile::Block {
            let why = format!("{how} runs only while its process uses the CPU");
            self.fault("", why, "add meanwhile = \"burn\"");
        }
        if meanwhile == Meanwhile::Burn && !how.ends_by_signal() {
            let why = format!("{how} does not end by a signal");
            let hint = "burn meanwhile itimer-real, itimer-virtual, \
                        itimer-prof or posix-timer";
            self.fault("meanwhile", why, hint);
        }
    }

    fn body(&mut self, body: &'a [Action], loops: Loops) {
        if body.is_empty() {
            self.fault("body", "an empty loop", "give it at least one action");
        }
        self.actions("body", body, loops);
    }

    fn until(&mut self, until: Until, loops: Loops) {
        match until {
            Until::Forever => {}
            Until::Count(count) => self.times("until.count", count),
            Until::Span(span) => self.span("until.span", span, LONGEST),
            Until::Point(_) => self.point("until.point", loops),
        }
    }

    fn point(&mut self, key: &str, loops: Loops) {
        if !loops.in_every {
            let why = "a point, but no enclosing `every` to have one";
            self.fault(key, why, "put it into the body of an `every`");
        }
    }

    fn keep(&mut self, keep: Keep) {
        if let Keep::Over(span) = keep {
            self.span("keep.over", span, LONGEST);
        }
    }

    fn times(&mut self, key: &str, times: u64) {
        if times > MOST_TIMES {
            let hint = format!(
                "at most {MOST_TIMES}; to go on for a time, write \
                 until = {{ span = \"10s\" }}"
            );
            self.fault(key, format!("{times} times is too many"), &hint);
        }
    }

    fn span(&mut self, key: &str, span: Span, longest: Span) {
        if span > longest {
            let why = format!("{span} is too long");
            self.fault(key, why, &format!("at most {longest}"));
        }
    }

    fn copies(&mut self, copies: u32) {
        if copies == 0 {
            self.fault("copies", "no copy at all", "at least 1");
        }
    }

    fn event(&mut self, key: &str, event: &str) {
        if !self.workload.events.iter().any(|own| own == event) {
            let why = format!("event `{}` is not declared", shown(event));
            let hint = if self.workload.events.is_empty() {
                format!("add events = [\"{}\"] at the top", shown(event))
            } else {
                format!("declared are {}", self.workload.events.join(", "))
            };
            self.fault(key, why, &hint);
        }
    }

    fn names<'n>(&mut self, key: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen: Vec<&str> = Vec::new();
        for (index, name) in names.enumerate() {
            let key = match key {
                "events" => format!("events.{index}"),
                key => format!("{key}.{index}.name"),
            };
            let hint = "a name is 1 to 64 characters without control ones";
            if name.is_empty() {
                self.fault(&key, "an empty name", hint);
            } else if name.chars().count() > LONGEST_NAME {
                self.fault(&key, "a name that is too long", hint);
            } else if name.chars().any(char::is_control) {
                self.fault(&key, "a name with control characters", hint);
            } else if seen.contains(&name) {
                let why = format!("`{}` is there twice", shown(name));
                self.fault(&key, why, "give each a name of its own");
            }
            seen.push(name);
        }
    }
}

/// The loops around an action.
#[derive(Clone, Copy, Default)]
struct Loops {
    depth: usize,
    in_every: bool,
}

impl Loops {
    fn deeper(self, every: bool) -> Self {
        Self { depth: self.depth + 1, in_every: self.in_every || every }
    }
}

/// A name from outside, cut and without control characters.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}
