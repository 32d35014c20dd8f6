//! Random workloads: processes, tasks, and what happens to them.

use proptest::prelude::*;
use proptest::sample::select;
use timerscope::machine::{
    Action, Class, Cue, Happening, Phase, Priority, Process, Span, Task, Until,
    WaitKind, Workload,
};
use timerscope::sim::Spec;
use timerscope::sim::spec::Kernel;

use crate::actions::{EVENTS, Raw, all, any_raw, paced};

/// How long a random workload is played, in milliseconds.
pub(crate) const LASTS_MS: u64 = 60;

/// A workload that fits any machine.
#[derive(Clone, Debug)]
pub(crate) struct Script(Vec<RawProcess>);

#[derive(Clone, Debug)]
struct RawProcess {
    class: usize,
    tasks: Vec<RawTask>,
    cues: Vec<(u64, Happening)>,
}

#[derive(Clone, Debug)]
struct RawTask {
    copies: u32,
    cpu: Option<u32>,
    priority: usize,
    random_phase: bool,
    for_ever: bool,
    body: Vec<Raw>,
}

/// Everything that may happen to a process.
pub(crate) const HAPPENINGS: [Happening; 9] = [
    Happening::Show,
    Happening::Hide,
    Happening::Foreground,
    Happening::Background,
    Happening::Battery,
    Happening::Mains,
    Happening::Suspend,
    Happening::Resume,
    Happening::Kill,
];

fn any_task() -> impl Strategy<Value = RawTask> {
    let body = prop::collection::vec(any_raw(), 1..5);
    let cpu = prop::option::of(0..4_u32);
    (1..3_u32, cpu, 0..64_usize, any::<bool>(), any::<bool>(), body).prop_map(
        |(copies, cpu, priority, random_phase, for_ever, body)| RawTask {
            copies,
            cpu,
            priority,
            random_phase,
            for_ever,
            body,
        },
    )
}

/// Any workload to whose processes only these things happen.
pub(crate) fn any_script(
    happenings: &[Happening],
) -> impl Strategy<Value = Script> {
    let cue = (0..LASTS_MS * 1000, select(happenings.to_vec()));
    let process = (
        0..64_usize,
        prop::collection::vec(any_task(), 1..3),
        prop::collection::vec(cue, 0..4),
    )
        .prop_map(|(class, tasks, cues)| RawProcess { class, tasks, cues });
    prop::collection::vec(process, 1..4).prop_map(Script)
}

impl Script {
    /// The same without requests.
    pub(crate) fn silent(mut self) -> Self {
        for task in self.0.iter_mut().flat_map(|own| &mut own.tasks) {
            let body = std::mem::take(&mut task.body);
            task.body = body.into_iter().map(Raw::silent).collect();
        }
        self
    }

    /// The workload on a machine.
    pub(crate) fn on(&self, spec: &Spec) -> Workload {
        let processes = self.0.iter().enumerate();
        let processes = processes.map(|(number, own)| own.on(number, spec));
        let mut workload = Workload::new(processes.collect());
        workload.events = EVENTS.map(str::to_owned).to_vec();
        workload.limit = Span::from_ms(LASTS_MS);
        workload
    }
}

impl RawProcess {
    fn on(&self, number: usize, spec: &Spec) -> Process {
        let class = class(spec.kernel, self.class);
        let tasks = self.tasks.iter().enumerate();
        let tasks = tasks.map(|(number, own)| own.on(number, spec)).collect();
        let mut process = Process::new(format!("process-{number}"), tasks);
        process.class = class;
        let cue = |(us, what): &(u64, Happening)| Cue {
            at: Span::from_us(*us),
            what: *what,
        };
        process.script = self.cues.iter().map(cue).collect();
        process
    }
}

impl RawTask {
    fn on(&self, number: usize, spec: &Spec) -> Task {
        let body = all(&self.body, spec);
        let actions = if self.for_ever {
            vec![for_ever(paced(body, spec))]
        } else {
            body
        };
        let mut task = Task::new(format!("task-{number}"), actions);
        task.copies = self.copies;
        task.cpus = self.cpu.into_iter().collect();
        task.priority = priority(spec.kernel, self.priority);
        if self.random_phase {
            task.phase = Phase::Random;
        }
        task
    }
}

/// A body that is repeated until the run ends.
pub(crate) fn for_ever(body: Vec<Action>) -> Action {
    let until = Until::Forever;
    Action::Repeat { until, keep: timerscope::machine::Keep::Nothing, body }
}

fn class(kernel: Kernel, number: usize) -> Class {
    const ALL: [Class; 6] = [
        Class::Normal,
        Class::Idle,
        Class::Below,
        Class::Above,
        Class::High,
        Class::Realtime,
    ];
    let known = if kernel == Kernel::Openbsd { 5 } else { 6 };
    ALL[number % known]
}

fn priority(kernel: Kernel, number: usize) -> Priority {
    use Priority as P;
    let all: &[Priority] = match kernel {
        Kernel::Windows => &[
            P::Normal,
            P::Below,
            P::Above,
            P::Realtime,
            P::Idle,
            P::Level(14),
            P::Level(15),
            P::Level(16),
        ],
        Kernel::Openbsd => {
            &[P::Normal, P::Below, P::Above, P::Idle, P::Batch, P::Nice(9)]
        }
        Kernel::Linux => &[
            P::Normal,
            P::Below,
            P::Above,
            P::Realtime,
            P::Idle,
            P::Fifo(40),
            P::RoundRobin(40),
            P::Nice(9),
        ],
    };
    all[number % all.len()]
}

/// A process with one task.
pub(crate) fn lone(name: &str, cpu: u32, actions: Vec<Action>) -> Process {
    let mut task = Task::new("task", actions);
    task.cpus = vec![cpu];
    Process::new(name, vec![task])
}

/// One that the run does not wait for.
pub(crate) fn beside(name: &str, cpu: u32, actions: Vec<Action>) -> Process {
    let mut process = lone(name, cpu, actions);
    process.background = true;
    process
}

/// A workload without events.
pub(crate) fn workload(processes: Vec<Process>, limit_ms: u64) -> Workload {
    let mut workload = Workload::new(processes);
    workload.limit = Span::from_ms(limit_ms);
    workload
}

/// A sleep of whole milliseconds by the plainest call of the machine.
pub(crate) fn sleep(spec: &Spec, ms: u64) -> Action {
    let how = match spec.kernel {
        Kernel::Windows => WaitKind::Sleep,
        Kernel::Linux | Kernel::Openbsd => WaitKind::Nanosleep,
    };
    Action::wait(how, Span::from_ms(ms))
}
