//! How a run ended.

use super::casting::programs;
use super::program::{Code, UNCOUNTED};
use super::setup::Stage;
use super::task::{FINISHED, State};
use super::world::{Over, World};
use crate::machine::{
    Action, AskError, Battery, Counters, Cut, Ended, Ending, Known, Listener,
    Meters as Around, Missing, Note, Outcome, RoleEnding, Warning,
};
use crate::sim::spec::Kernel;
use crate::trace::Event;

/// The number of the first process; that of a real one means nothing here.
const FIRST_PID: u32 = 1000;
/// So many are introduced at a time: the notes of a million take memory, too.
const CROWD: usize = 10_000;

/// Plays a workload in a world of its own.
pub(in crate::sim) fn play(
    stage: &Stage<'_>,
    seen: &mut dyn Listener,
    watcher: Option<&mut dyn FnMut(&Event)>,
) -> Result<Ending, AskError> {
    let programs = programs(stage.spec, stage.workload)?;
    // They live as long as the run, which is less than the watcher does.
    let watcher = watcher.map(|watcher| watcher as &mut dyn FnMut(&Event));
    let mut world = World::new(stage, &programs, seen, watcher);
    let goes_on = world.introduce();
    world.start();
    let over = if goes_on { world.go() } else { Over::Listener };
    Ok(world.end_run(over))
}

impl World<'_> {
    /// Tells who takes part; whether to go on.
    fn introduce(&mut self) -> bool {
        for role in 0..self.tasks.len() as u32 {
            let pid = FIRST_PID + self.tasks[role as usize].player;
            let tid = FIRST_PID + self.players.len() as u32 + role;
            self.teller.notes.push(Note::Started { role, pid, tid });
            if self.teller.notes.len() == CROWD && !self.tell_now() {
                return false;
            }
        }
        self.tell_now()
    }

    fn end_run(mut self, over: Over) -> Ending {
        for cpu in 0..self.cpus.len() {
            self.charge(cpu);
            let own = &self.cpus[cpu];
            let over = (own.free_at - self.now).max(0);
            self.meters.busy_ns += (own.ticking - over).max(0) as u64;
        }
        if over != Over::Complete {
            self.cut_all();
        }
        self.tell_now();
        let lasted = self.ruler().max(0) as u64;
        let cut = |by| Ended::Cut { by, at_ns: lasted };
        let mut warnings = self.warnings();
        let ended = match over {
            Over::Complete => Ended::Complete,
            Over::Limit => cut(Cut::Limit),
            Over::Listener => cut(Cut::Listener),
            Over::TooMuch(why) => {
                warnings.push(Warning::new("simulator-limit", why));
                cut(Cut::Limit)
            }
        };
        Ending {
            ended,
            lasted_ns: lasted,
            roles: (0..self.tasks.len()).map(|id| self.role(id)).collect(),
            meters: Around { before: zero(), after: self.counters() },
            warnings,
            digest: Some(self.digest.written()),
        }
    }

    /// What is under way when the run is cut is told as interrupted.
    fn cut_all(&mut self) {
        for id in 0..self.tasks.len() as u32 {
            let task = &self.tasks[id as usize];
            let Some(op) = self.op(id) else { continue };
            let under_way = task.state != State::Done
                && (1..super::act::DONE).contains(&task.phase)
                && op.code.action().is_some();
            if under_way {
                let ended = self.ruler();
                self.keep(id, op, Outcome::Interrupted, ended, 0);
            }
        }
    }

    fn role(&self, id: usize) -> RoleEnding {
        let task = &self.tasks[id];
        let program = &self.programs[task.program as usize];
        let count = |place: &u16| {
            let place = *place;
            (place != UNCOUNTED)
                .then(|| self.counts[task.counts as usize + usize::from(place)])
        };
        let slack = if self.spec.has_slack() {
            Known::Value(program.slack as u64)
        } else {
            Missing::absent("this system allows no slack").into()
        };
        RoleEnding {
            policy: Known::Value(self.policy(id)),
            slack_ns: slack,
            cpu_ns: Known::Value(task.cpu_ns),
            switches: Known::Value(u64::from(task.switches)),
            pid: Some(FIRST_PID + task.player),
            tid: Some(FIRST_PID + (self.players.len() + id) as u32),
            finished: task.has(FINISHED),
            counts: program.counted.iter().map(count).collect(),
            lost: 0,
            pauses: 0,
        }
    }

    fn policy(&self, id: usize) -> String {
        let task = &self.tasks[id];
        let program = &self.programs[task.program as usize];
        match (self.spec.kernel, task.base) {
            (Kernel::Linux, 0) => "SCHED_OTHER".to_owned(),
            (Kernel::Linux, level) if program.takes_turns => {
                format!("SCHED_RR {level}")
            }
            (Kernel::Linux, level) => format!("SCHED_FIFO {level}"),
            (_, level) => format!("level {level}"),
        }
    }

    /// Energy is counted by what costs it (W-S8.cost).
    fn counters(&self) -> Counters {
        let constants = &self.spec.constants;
        let nanojoules = u128::from(self.meters.ticks)
            * u128::from(constants.tick_nj)
            + u128::from(self.meters.wakeups) * u128::from(constants.wake_nj)
            + u128::from(self.meters.busy_ns) * u128::from(constants.busy_uw)
                / 1_000_000;
        Counters {
            stolen_ns: Known::Value(self.meters.stolen_ns),
            switches: Known::Value(self.meters.switches),
            wakeups: Known::Value(self.meters.wakeups),
            idle_wakeups: Known::Value(self.meters.idle_wakeups),
            ticks: Known::Value(self.meters.ticks),
            busy_ns: Known::Value(self.meters.busy_ns),
            energy_uj: Known::Value((nanojoules / 1000) as u64),
            battery: no_battery(),
        }
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let asks = |op: &super::program::Op<'_>| {
            matches!(
                op.code,
                Code::Do(Action::Request(_) | Action::Withdraw(_))
            )
        };
        let any = self.programs.iter().any(|p| p.ops.iter().any(asks));
        if any && self.spec.kernel != Kernel::Windows {
            warnings.push(Warning::new(
                "no-requests",
                format!(
                    "{} has no requests for an interval: they were told as absent, and the run went on",
                    self.spec.system
                ),
            ));
        }
        let mut tasks = self.workload.processes.iter().flat_map(|p| &p.tasks);
        if !self.spec.has_slack() && tasks.any(|task| task.slack.is_some()) {
            let system = &self.spec.system;
            warnings.push(Warning::new(
                "no-slack",
                format!(
                    "{system} has no timer slack: what was asked for changed nothing"
                ),
            ));
        }
        warnings
    }
}

fn zero() -> Counters {
    let zero = || Known::Value(0);
    Counters {
        stolen_ns: zero(),
        switches: zero(),
        wakeups: zero(),
        idle_wakeups: zero(),
        ticks: zero(),
        busy_ns: zero(),
        energy_uj: zero(),
        battery: no_battery(),
    }
}

fn no_battery() -> Known<Battery> {
    Missing::absent("a simulated machine has no battery").into()
}
