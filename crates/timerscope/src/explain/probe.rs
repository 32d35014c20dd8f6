//! One question that a machine can be asked.

use crate::machine::{
    Action, Cue, Happening, Keep, Meanwhile, Phase, Process, Span, System,
    Task, WaitKind, Workload,
};

/// One question that a machine can be asked: how long waits take under these
/// conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// By which call.
    pub how: WaitKind,
    /// How long, as asked.
    pub span: Span,
    /// How many waits.
    pub count: u64,
    /// The interval that the waiting process itself requests.
    pub own: Option<Span>,
    /// The interval that another process requests meanwhile.
    pub other: Option<Span>,
    /// Whether the waiting process's window is hidden.
    pub hidden: bool,
    /// When the waits begin within a tick.
    pub phase: Phase,
    /// The waiting thread's slack; the system's default if none is given.
    pub slack: Option<Span>,
}

/// Long enough for the other process to have requested, and for the window to
/// be hidden.
const SETTLE: Span = Span::from_ms(60);
/// When the window is hidden: once the request has been made.
const HIDE: Span = Span::from_ms(20);
/// The longest a wait may take on average; what a probe showed until it is cut
/// short counts.
const LONGEST: u64 = 250_000_000;

impl Probe {
    /// So many waits, by a process that requests nothing, beside nobody.
    #[must_use]
    pub fn of(how: WaitKind, span: Span, count: u64) -> Self {
        Self {
            how,
            span,
            count,
            own: None,
            other: None,
            hidden: false,
            phase: Phase::Sync,
            slack: None,
        }
    }

    /// Whether intervals can be asked for where this call is.
    pub(super) fn asks(&self) -> bool {
        self.how.system() == System::Windows
    }

    /// What is to be played.
    #[must_use]
    pub fn workload(&self) -> Workload {
        let mut actions: Vec<Action> =
            self.own.map(Action::Request).into_iter().collect();
        if self.asks() {
            actions.push(self.quiet(SETTLE));
        }
        let ask = Action::AskInterval { keep: Keep::Everything };
        let asked = || self.asks().then(|| ask.clone());
        actions.extend(asked());
        actions.push(Action::repeat(self.count, vec![self.wait()]));
        actions.extend(asked());
        let (slack, phase) = (self.slack, self.phase);
        let task = Task { slack, phase, ..Task::new("sleeper", actions) };
        let hide = Cue { at: HIDE, what: Happening::Hide };
        let script = if self.hidden { vec![hide] } else { Vec::new() };
        let sleeper = Process { script, ..Process::new("asked", vec![task]) };
        let helper = self.other.map(|interval| self.helper(interval));
        let processes = [Some(sleeper), helper].into_iter().flatten();
        Workload {
            title: format!("which rule is in force: {}", self.says()),
            limit: Span::from_ns(self.count.saturating_mul(LONGEST)),
            ..Workload::new(processes.collect())
        }
    }

    fn wait(&self) -> Action {
        let meanwhile = if self.how.counts_cpu_time() {
            Meanwhile::Burn
        } else {
            Meanwhile::Block
        };
        let (how, span, keep) = (self.how, self.span, Keep::Everything);
        Action::Wait { how, span, meanwhile, keep }
    }

    fn quiet(&self, span: Span) -> Action {
        let (meanwhile, keep) = (Meanwhile::Block, Keep::Nothing);
        Action::Wait { how: self.how, span, meanwhile, keep }
    }

    /// Another process, which does nothing but request.
    fn helper(&self, interval: Span) -> Process {
        let rest = self.quiet(Span::from_s(30));
        let actions = vec![Action::Request(interval), rest];
        let task = Task::new("requester", actions);
        let background = true;
        Process { background, ..Process::new("helper", vec![task]) }
    }

    /// The same with so many times as many waits.
    pub(super) fn longer(&self, times: u64) -> Self {
        Self { count: self.count.saturating_mul(times), ..self.clone() }
    }

    /// What is asked, in words: `sleep of 1 ms while another process
    /// requests 2 ms`.
    #[must_use]
    pub fn says(&self) -> String {
        let mut said = format!("{} of {}", self.how, self.span);
        if let Some(own) = self.own {
            said = format!("{said}, itself requesting {own}");
        }
        if self.hidden {
            said.push_str(", its window hidden");
        }
        if let Some(other) = self.other {
            said = format!("{said} while another process requests {other}");
        }
        if let Some(slack) = self.slack {
            said = format!("{said} with {slack} of slack");
        }
        if self.phase == Phase::Random {
            said.push_str(" at random phase");
        }
        said
    }

    /// The command that asks the same, where one does.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        if self.hidden {
            return None;
        }
        if let Some(other) = self.other {
            let other = other.written();
            let plain = self.span == Span::from_ms(1) && self.own.is_none();
            let command =
                format!("timerscope sweep --from {other} --to {other}");
            return plain.then_some(command);
        }
        let mut command = format!(
            "timerscope sleep --wait {} --span {} -n {}",
            self.how,
            self.span.written(),
            self.count
        );
        if let Some(own) = self.own {
            command = format!("{command} --hold {}", own.written());
        }
        if let Some(slack) = self.slack {
            command = format!("{command} --slack {}", slack.written());
        }
        if self.phase == Phase::Random {
            command.push_str(" --phase random");
        }
        Some(command)
    }
}
