//! What comes at a time of its own: cues, loops whose time is up, chance.

use std::cmp::Reverse;

use super::costs::ns;
use super::task::State;
use super::world::{NEVER, World};
use crate::sim::chance::exponential;
use crate::trace::{Left, What};

/// What comes at a time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// The listener is told.
    Tell,
    /// Something happens to a process: which one, and which cue of it.
    Cue { player: u32, cue: u32 },
    /// A loop's time is up.
    LoopOver { role: u32, depth: u8 },
    /// A loop's time has been up for long.
    LoopCut { role: u32, depth: u8 },
    /// The system itself requests an interval, or withdraws it.
    System { asks: bool },
    /// A running task moves to another CPU (OB-6).
    Move,
    /// Somebody outside takes the CPU of a burning task (OB-7).
    Take,
}

const THOUSAND_SECONDS: i64 = 1_000_000_000_000;

impl World<'_> {
    /// Puts something into the script; returns its number.
    pub(super) fn schedule(&mut self, at: i64, turn: Turn) -> u64 {
        self.scripted += 1;
        self.script.push(Reverse((at, self.scripted, turn)));
        self.scripted
    }

    #[inline]
    pub(super) fn next_turn(&self) -> i64 {
        self.script.peek().map_or(NEVER, |turn| turn.0.0)
    }

    /// Takes what is due; whether the run shall go on.
    pub(super) fn turns(&mut self) -> bool {
        while self.next_turn() <= self.now {
            let Some(Reverse((_, number, turn))) = self.script.pop() else {
                break;
            };
            match turn {
                Turn::Tell => {
                    if !self.tell() {
                        return false;
                    }
                }
                Turn::Cue { player, cue } => self.cue(player, cue),
                Turn::LoopOver { role, depth } => {
                    self.loop_over(number, role, depth);
                }
                Turn::LoopCut { role, depth } => {
                    self.loop_cut(number, role, depth);
                }
                Turn::System { asks } => self.system_turn(asks),
                Turn::Move => self.move_turn(),
                Turn::Take => self.take_turn(),
            }
        }
        true
    }

    fn cue(&mut self, player: u32, cue: u32) {
        let cast = self.players[player as usize].process as usize;
        let process = &self.workload.processes[cast];
        let what = process.script[cue as usize].what;
        self.happen(player, what);
    }

    fn system_turn(&mut self, asks: bool) {
        let constants = &self.spec.constants;
        let for_ns = ns(constants.system_interval_for).max(1);
        let rest = (ns(constants.system_interval_every) - for_ns).max(1);
        let next = if asks { for_ns } else { rest };
        self.system_asks = asks;
        self.schedule(self.now + next, Turn::System { asks: !asks });
        self.arbitrate();
    }

    /// Plans the next of what happens so often in 1000 s.
    pub(super) fn plan_move(&mut self) {
        let rate = self.spec.constants.moves_per_1000s as i64;
        if rate > 0 && self.cpus.len() > 1 {
            let mean = THOUSAND_SECONDS / rate;
            let next = exponential(&mut self.chance.moves, mean).max(1);
            self.schedule(self.now + next, Turn::Move);
        }
    }

    fn move_turn(&mut self) {
        self.plan_move();
        let running = |cpu: &usize| self.cpus[*cpu].current.is_some();
        let Some(from) = (0..self.cpus.len()).find(running) else { return };
        let Some(id) = self.cpus[from].current else { return };
        let may = self.programs[self.tasks[id as usize].program as usize].cpus;
        let free: Vec<usize> = (0..self.cpus.len())
            .filter(|cpu| {
                self.cpus[*cpu].current.is_none() && may >> *cpu & 1 == 1
            })
            .collect();
        if free.is_empty() {
            return;
        }
        let choice = self.chance.moves.below(free.len() as u64) as usize;
        let to = free[choice];
        self.stop_running(from, Left::Preempted);
        self.tasks[id as usize].state = State::Ready;
        self.dispatch(to, id);
        self.pick(from);
    }

    /// Plans when somebody outside next takes the CPU.
    pub(super) fn plan_take(&mut self) {
        let constants = &self.spec.constants;
        let rate = constants.taken_per_1000s.max(constants.taken_prof_per_1000s)
            as i64;
        if rate > 0 {
            let mean = THOUSAND_SECONDS / rate;
            let next = exponential(&mut self.chance.taken, mean).max(1);
            self.schedule(self.now + next, Turn::Take);
        }
    }

    /// Drawn as often as the more frequent of the two kinds; the other is
    /// thinned out.
    fn take_turn(&mut self) {
        self.plan_take();
        let running = |cpu: &usize| self.cpus[*cpu].current.is_some();
        let Some(cpu) = (0..self.cpus.len()).find(running) else { return };
        let Some(id) = self.cpus[cpu].current else { return };
        let player = self.tasks[id as usize].player as usize;
        let Some(prof) = self.players[player]
            .cpu_timers
            .iter()
            .find(|timer| timer.0 == id)
            .map(|timer| timer.1)
        else {
            return;
        };
        let constants = &self.spec.constants;
        let (plain, profiled) =
            (constants.taken_per_1000s, constants.taken_prof_per_1000s);
        let own = if prof { profiled } else { plain };
        if self.chance.taken.below(plain.max(profiled).max(1)) >= own {
            return;
        }
        let mean = ns(constants.taken);
        let for_ns = exponential(&mut self.chance.taken, mean).max(1);
        self.charge(cpu);
        self.note(Some(cpu), What::Stolen { for_ns });
        self.cpus[cpu].free_at = self.now + for_ns;
        self.cpus[cpu].taken_until = self.now + for_ns;
    }
}
