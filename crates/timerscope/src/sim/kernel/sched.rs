//! Who gets a CPU (W-S0 to W-S7, L-6).

use super::task::{CROSS, NO_BOOST, State, TIMED_OUT};
use super::world::{NEVER, World};
use crate::machine::Action;
use crate::sim::rules::{
    Boost, Charge, IdleTick, Preemption, Remainder, Sharing, Spent,
};
use crate::sim::spec::Kernel;
use crate::trace::{Left, What};

/// Levels from here on are never boosted (W-S3).
const REAL_TIME: u8 = 16;
/// The highest level that a boost reaches.
const TOP_DYNAMIC: u8 = 15;
/// The weight of nice 0.
const UNIT: i64 = 1024;

/// CPU time as virtual time: the heavier, the slower it passes.
#[inline]
fn by_weight(ns: i64, weight: i64) -> i64 {
    // Nearly everybody has that weight, and a division takes long.
    if weight == UNIT { ns } else { ns * UNIT / weight }
}

impl World<'_> {
    /// Wakes everybody who is to be woken; whether there was anybody.
    #[inline]
    pub(super) fn wake_all(&mut self) -> bool {
        let any = !self.woken.is_empty();
        if any {
            self.wake_them();
        }
        any
    }

    fn wake_them(&mut self) {
        // Waking sets burst ends; nobody runs yet, so nobody else is woken.
        let mut woken = std::mem::take(&mut self.woken);
        for id in woken.drain(..) {
            self.wake(id);
        }
        self.woken = woken;
    }

    pub(super) fn wake(&mut self, id: u32) {
        let task = &self.tasks[id as usize];
        if !matches!(task.state, State::Blocked | State::Held) {
            return;
        }
        let player = &self.players[task.player as usize];
        let (suspended, foreground) = (player.suspended, player.foreground);
        if suspended {
            self.tasks[id as usize].state = State::Held;
            return;
        }
        self.boost(id, foreground);
        self.tasks[id as usize].state = State::Ready;
        self.meters.wakeups += 1;
        let cpu = self.place(id);
        self.tasks[id as usize].cpu = cpu as u8;
        self.join(cpu, id);
        let level = self.tasks[id as usize].level;
        self.note(Some(cpu), What::Woke { role: id, level });
        match self.cpus[cpu].current {
            None => self.dispatch(cpu, id),
            Some(current) if self.beats(id, current, cpu) => {
                self.preempt(cpu, id);
            }
            Some(_) => self.enqueue(cpu, id, false),
        }
    }

    /// The level it wakes with (W-S3, W-S5).
    #[inline]
    fn boost(&mut self, id: u32, foreground: bool) {
        let constants = &self.spec.constants;
        let (by_timer, by_event) = (constants.boost, constants.event_boost);
        let on = self.spec.rules.boost == Boost::On;
        let fair = self.spec.rules.sharing == Sharing::Fair;
        let by_event_now = on && self.awaits_event(id);
        let task = &mut self.tasks[id as usize];
        let by_event_now = by_event_now && !task.has(TIMED_OUT);
        let spent = task.take(NO_BOOST);
        task.level = task.base;
        if !on || fair || spent || task.base >= REAL_TIME {
            return;
        }
        let own = if foreground { by_timer } else { 0 };
        let more = if by_event_now { by_event } else { 0 };
        task.level = (task.base + own + more).min(TOP_DYNAMIC);
    }

    /// The CPU a woken task goes to: the one it was on if that is free, else
    /// any free one, else the one whose task it beats, else its own.
    #[inline]
    fn place(&self, id: u32) -> usize {
        let task = &self.tasks[id as usize];
        let own = usize::from(task.cpu);
        if self.cpus.len() == 1 {
            return 0;
        }
        let may = self.programs[task.program as usize].cpus;
        let allowed = |cpu: &usize| may >> *cpu & 1 == 1;
        let all = || (0..self.cpus.len()).filter(allowed);
        let fallback =
            if allowed(&own) { own } else { all().next().unwrap_or(0) };
        if self.cpus[fallback].current.is_none() {
            return fallback;
        }
        if let Some(free) = all().find(|cpu| self.cpus[*cpu].current.is_none())
        {
            return free;
        }
        let level = |cpu: usize| {
            let current = self.cpus[cpu].current.unwrap_or(0);
            self.tasks[current as usize].level
        };
        if level(fallback) < task.level {
            return fallback;
        }
        let least = all().min_by_key(|cpu| level(*cpu)).unwrap_or(fallback);
        if level(least) < task.level { least } else { fallback }
    }

    /// Whether a woken task takes the CPU from the running one (W-S1, L-6).
    #[inline]
    fn beats(&self, id: u32, current: u32, _cpu: usize) -> bool {
        let (own, other) =
            (&self.tasks[id as usize], &self.tasks[current as usize]);
        if self.spec.rules.preemption == Preemption::AtTick {
            return false;
        }
        if own.level != other.level
            || self.spec.rules.sharing == Sharing::Levels
        {
            return own.level > other.level;
        }
        own.level == 0 && self.deadline(id) < self.deadline(current)
    }

    /// The virtual deadline of a fair task (L-6).
    #[inline]
    fn deadline(&self, id: u32) -> i64 {
        let task = &self.tasks[id as usize];
        let weight = self.programs[task.program as usize].weight;
        let left = (self.costs.quantum - task.used).max(0);
        task.virtual_time.saturating_add(by_weight(left, weight))
    }

    #[inline]
    fn is_fair(&self, id: u32) -> bool {
        self.spec.rules.sharing == Sharing::Fair
            && self.tasks[id as usize].level == 0
    }

    pub(super) fn enqueue(&mut self, cpu: usize, id: u32, head: bool) {
        self.tasks[id as usize].state = State::Ready;
        if self.is_fair(id) {
            let deadline = self.deadline(id);
            self.cpus[cpu].ready.push_fair(id, deadline);
        } else {
            self.cpus[cpu].ready.push(&mut self.tasks, id, head);
        }
    }

    /// A fair task that comes to a CPU is behind nobody who is there (L-6).
    #[inline]
    fn join(&mut self, cpu: usize, id: u32) {
        if self.is_fair(id) {
            let floor = self.cpus[cpu].virtual_time;
            let task = &mut self.tasks[id as usize];
            task.virtual_time = task.virtual_time.max(floor);
        }
    }

    /// Gives a free CPU to a task.
    pub(super) fn dispatch(&mut self, cpu: usize, id: u32) {
        self.leave_idle(cpu);
        self.cpus[cpu].current = Some(id);
        if usize::from(self.tasks[id as usize].cpu) != cpu {
            self.join(cpu, id);
        }
        let fair = self.is_fair(id);
        let task = &mut self.tasks[id as usize];
        task.state = State::Running;
        task.cpu = cpu as u8;
        if fair {
            let own = &mut self.cpus[cpu].virtual_time;
            *own = task.virtual_time.max(*own);
        }
        // The way from another CPU is no time of the task's own: it uses up
        // none of its quantum.
        let (way, switch) = if task.take(CROSS) {
            (self.costs.cross_wake, 0)
        } else {
            (0, self.costs.switch)
        };
        let from = self.cpus[cpu].free_at.max(self.now) + way;
        self.cpus[cpu].free_at = from;
        self.burst_end[cpu] = from + switch + task.rest;
        self.meters.switches += 1;
        let level = self.tasks[id as usize].level;
        self.note(Some(cpu), What::Ran { role: id, level });
        if self.tick_at[cpu] == NEVER && self.burst_end[cpu] > self.now {
            self.resume_ticks(cpu);
        }
    }

    /// An idle CPU answers an interrupt (L-5).
    fn leave_idle(&mut self, cpu: usize) {
        let since = self.cpus[cpu].idle_since;
        if since == NEVER {
            return;
        }
        self.cpus[cpu].idle_since = NEVER;
        if since == self.now {
            return;
        }
        self.meters.idle_wakeups += 1;
        let exit = if self.now - since < self.costs.short_idle {
            self.costs.short_idle_exit
        } else {
            self.costs.idle_exit
        };
        self.cpus[cpu].free_at = self.cpus[cpu].free_at.max(self.now + exit);
    }

    /// Charges the running task with the time since it was last charged.
    #[inline]
    pub(super) fn charge(&mut self, cpu: usize) {
        let from = self.cpus[cpu].free_at;
        if from >= self.now {
            return;
        }
        self.cpus[cpu].free_at = self.now;
        // A busy CPU is busy in its interrupts, too.
        let ticking = std::mem::take(&mut self.cpus[cpu].ticking);
        self.meters.busy_ns += ticking as u64;
        let Some(id) = self.cpus[cpu].current else { return };
        let used = self.now - from;
        let fair = self.is_fair(id);
        let by_time = fair || self.spec.rules.charge == Charge::ByTime;
        let task = &mut self.tasks[id as usize];
        task.cpu_ns += used as u64;
        if by_time {
            task.used += used;
        }
        self.meters.busy_ns += used as u64;
        if fair {
            let weight = self.programs[task.program as usize].weight;
            task.virtual_time += by_weight(used, weight);
            // Whoever waits meanwhile keeps what it is behind.
            if self.cpus[cpu].ready.len == 0 {
                let own = &mut self.cpus[cpu].virtual_time;
                *own = task.virtual_time.max(*own);
            }
        }
    }

    /// Takes the CPU from the running task, which stays ready in no queue.
    pub(super) fn stop_running(
        &mut self,
        cpu: usize,
        why: Left,
    ) -> Option<u32> {
        self.charge(cpu);
        let id = self.cpus[cpu].current.take()?;
        let left = self.burst_end[cpu]
            .saturating_sub(self.cpus[cpu].free_at.max(self.now));
        self.burst_end[cpu] = NEVER;
        self.note(Some(cpu), What::Left { role: id, why });
        self.put_down(id, left.max(0));
        Some(id)
    }

    fn preempt(&mut self, cpu: usize, id: u32) {
        let Some(loser) = self.stop_running(cpu, Left::Preempted) else {
            return;
        };
        let winner_base = self.tasks[id as usize].base;
        let fresh = self.spec.rules.remainder == Remainder::Fresh;
        let task = &mut self.tasks[loser as usize];
        if fresh && winner_base <= task.base && !self.spec_is_fair() {
            self.tasks[loser as usize].used = 0;
        }
        self.enqueue(cpu, loser, true);
        self.dispatch(cpu, id);
    }

    fn spec_is_fair(&self) -> bool {
        self.spec.rules.sharing == Sharing::Fair
    }

    /// The running task waits (W-S5).
    pub(super) fn block(&mut self, cpu: usize) {
        let Some(id) = self.stop_running(cpu, Left::Waits) else { return };
        let quantum = self.turn(id);
        let spent = self.spec.rules.spent == Spent::LosesBoost;
        let fair = self.is_fair(id);
        let task = &mut self.tasks[id as usize];
        task.state = State::Blocked;
        task.switches += 1;
        if fair {
            task.used = 0;
        } else if task.used >= quantum {
            task.used = 0;
            if spent {
                task.flags |= NO_BOOST;
            }
        }
        self.pick(cpu);
    }

    /// The running task gives way to an equal, if there is one.
    pub(super) fn give_way(&mut self, cpu: usize) {
        let Some(id) = self.cpus[cpu].current else { return };
        let level = self.tasks[id as usize].level;
        if self.cpus[cpu].ready.top().is_none_or(|top| top < level) {
            self.tasks[id as usize].used = 0;
            self.burst_end[cpu] = self.now;
            return;
        }
        let Some(id) = self.stop_running(cpu, Left::Yielded) else { return };
        self.tasks[id as usize].used = 0;
        self.enqueue(cpu, id, false);
        self.pick(cpu);
    }

    /// Gives a free CPU to the next one, its own or another's; else it idles.
    pub(super) fn pick(&mut self, cpu: usize) {
        if let Some(id) = self.cpus[cpu].ready.pop(&self.tasks) {
            self.dispatch(cpu, id);
            return;
        }
        if let Some((other, id)) = self.stealable(cpu) {
            self.cpus[other].ready.remove(&mut self.tasks, id);
            self.dispatch(cpu, id);
            return;
        }
        self.cpus[cpu].idle_since = self.now;
        self.may_stop_ticks(cpu);
    }

    /// An idle CPU of Linux stops its tick (L-4), unless a timer of its own
    /// is due so soon that the sleep is predicted to be short.
    pub(super) fn may_stop_ticks(&mut self, cpu: usize) {
        let stops = self.spec.kernel == Kernel::Linux
            && self.spec.rules.idle_tick == IdleTick::Skipped;
        if !stops || self.cpus[cpu].current.is_some() {
            return;
        }
        let kept = self.spec.constants.kept_ticks as i64 * self.period();
        let soon = self.ruler().saturating_add(kept);
        let short = self.own[cpu].next_key().is_some_and(|key| key <= soon);
        if !short {
            self.tick_at[cpu] = NEVER;
        } else if self.tick_at[cpu] == NEVER {
            self.resume_ticks(cpu);
        }
    }

    /// The highest ready task of another CPU that may run on this one.
    fn stealable(&self, cpu: usize) -> Option<(usize, u32)> {
        let others = (0..self.cpus.len())
            .filter(|other| self.cpus[*other].ready.len > 0);
        let mut best: Option<(u8, usize, u32)> = None;
        for other in others {
            let may = |id: u32| {
                let program = self.tasks[id as usize].program;
                self.programs[program as usize].cpus >> cpu & 1 == 1
            };
            let Some(id) = self.cpus[other].ready.first(&self.tasks, may)
            else {
                continue;
            };
            let level = self.tasks[id as usize].level;
            if best.is_none_or(|best| level > best.0) {
                best = Some((level, other, id));
            }
        }
        best.map(|(_, other, id)| (other, id))
    }

    /// How long a task's turn is.
    #[inline]
    fn turn(&self, id: u32) -> i64 {
        let task = &self.tasks[id as usize];
        let program = &self.programs[task.program as usize];
        match (self.spec.rules.sharing, task.level) {
            (Sharing::Fair, 1..) if program.takes_turns => {
                self.costs.round_robin
            }
            (Sharing::Fair, 1..) => NEVER,
            _ => self.costs.quantum,
        }
    }

    /// At a tick: a turn that is over ends, and the highest runs (W-S2, W-S4).
    pub(super) fn end_turn(&mut self, cpu: usize) {
        let Some(id) = self.cpus[cpu].current else { return };
        let fair = self.is_fair(id);
        let over = self.tasks[id as usize].used >= self.turn(id);
        if over {
            let task = &mut self.tasks[id as usize];
            task.used = 0;
            task.level = task.base;
        }
        let level = self.tasks[id as usize].level;
        let Some(top) = self.cpus[cpu].ready.top() else { return };
        let beaten = if fair && top == 0 {
            let first = self.cpus[cpu].ready.first_deadline();
            over && first.is_some_and(|first| first < self.deadline(id))
        } else {
            top > level || over && top == level
        };
        if !beaten {
            return;
        }
        let why = if over { Left::TurnOver } else { Left::Preempted };
        self.stop_running(cpu, why);
        self.enqueue(cpu, id, !over);
        self.pick(cpu);
    }

    /// Whether an action is a wait without a span, which only gives way.
    pub(super) fn only_gives_way(&self, action: &Action) -> bool {
        let Action::Wait { how, span, .. } = action else { return false };
        let windows = self.spec.kernel == Kernel::Windows;
        span.ns() == 0 && (windows || super::wait::returns_at_once(*how))
    }
}
