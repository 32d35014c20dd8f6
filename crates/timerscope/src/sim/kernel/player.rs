//! Processes: what they request, whether they are seen, and what happens to
//! them.

use super::task::State;
use super::world::World;
use crate::machine::Happening;
use crate::sim::rules::Window;
use crate::trace::{Left, What};

/// One process of the workload.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that a cue may change by itself"
)]
pub(super) struct Player {
    /// Its place among the workload's processes.
    pub(super) process: u32,
    /// Its tasks: the first, and behind the last.
    pub(super) tasks: (u32, u32),
    /// Requests that are live: interval, how many of it.
    pub(super) requests: Vec<(i64, u32)>,
    pub(super) hidden: bool,
    pub(super) foreground: bool,
    pub(super) suspended: bool,
    /// Whether the run does not wait for it.
    pub(super) background: bool,
    /// Tasks with a timer that counts CPU time, and whether it counts the
    /// kernel's too.
    pub(super) cpu_timers: Vec<(u32, bool)>,
    /// Whether every tick looks at its timers (W-T6).
    pub(super) looked_at: bool,
}

impl World<'_> {
    /// Whether a process has a request that counts (W-T7).
    pub(super) fn honoured(&self, player: &Player) -> bool {
        let seen = !player.hidden || self.spec.rules.window == Window::Ignored;
        seen && !player.requests.is_empty()
    }

    /// CPU time of the whole process that a task belongs to.
    pub(super) fn player_cpu_ns(&self, id: u32) -> i64 {
        let player = self.tasks[id as usize].player;
        let (first, end) = self.players[player as usize].tasks;
        let own = &self.tasks[first as usize..end as usize];
        own.iter().map(|task| task.cpu_ns as i64).sum()
    }

    /// Something happens to a process.
    pub(super) fn happen(&mut self, number: u32, what: Happening) {
        self.note(None, What::Happened { player: number, what });
        let player = &mut self.players[number as usize];
        match what {
            Happening::Show => player.hidden = false,
            Happening::Hide => player.hidden = true,
            Happening::Foreground => player.foreground = true,
            Happening::Background => player.foreground = false,
            // No rule of any machine of the catalogue looks at the battery.
            Happening::Battery | Happening::Mains => {}
            Happening::Suspend => self.suspend(number),
            Happening::Resume => self.resume(number),
            Happening::Kill => self.kill(number),
        }
        self.arbitrate();
    }

    fn own_tasks(&self, number: u32) -> std::ops::Range<u32> {
        let (first, end) = self.players[number as usize].tasks;
        first..end
    }

    fn suspend(&mut self, number: u32) {
        self.players[number as usize].suspended = true;
        for id in self.own_tasks(number) {
            self.take_off(id, State::Held);
        }
    }

    fn resume(&mut self, number: u32) {
        self.players[number as usize].suspended = false;
        for id in self.own_tasks(number) {
            if self.tasks[id as usize].state == State::Held {
                self.woken.push(id);
            }
        }
        self.wake_all();
    }

    fn kill(&mut self, number: u32) {
        for id in self.own_tasks(number) {
            self.end(id);
        }
    }

    /// A task is over: it takes no part any more.
    pub(super) fn end(&mut self, id: u32) {
        if self.tasks[id as usize].state == State::Done {
            return;
        }
        self.note(None, What::Ended { role: id });
        self.leave_queues(id);
        self.tasks[id as usize].timer = 0;
        let number = self.tasks[id as usize].player;
        let player = &mut self.players[number as usize];
        player.cpu_timers.retain(|timer| timer.0 != id);
        let background = player.background;
        self.take_off(id, State::Done);
        self.tasks[id as usize].state = State::Done;
        if !background {
            self.awaited -= 1;
        }
        if self
            .own_tasks(number)
            .all(|id| self.tasks[id as usize].state == State::Done)
        {
            // Killed or not, it takes its requests along (W-T2).
            self.players[number as usize].requests.clear();
            self.arbitrate();
        }
    }

    /// Takes a task off its CPU or out of its queue.
    fn take_off(&mut self, id: u32, to: State) {
        let task = &self.tasks[id as usize];
        let cpu = usize::from(task.cpu);
        match task.state {
            State::Running => {
                self.stop_running(cpu, Left::Ended);
                self.tasks[id as usize].state = to;
                self.pick(cpu);
            }
            State::Ready => {
                self.cpus[cpu].ready.remove(&mut self.tasks, id);
                self.tasks[id as usize].state = to;
            }
            State::Blocked | State::Held | State::Done => {}
        }
    }
}
