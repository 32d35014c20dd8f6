//! Everything there is in a simulated run, and the loop that owns its time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::costs::Costs;
use super::cpu::Cpu;
use super::player::Player;
use super::program::Program;
use super::script::Turn;
use super::signal::Signal;
use super::steps::Stepping;
use super::task::{Frame, Task};
use super::tell::Teller;
use crate::machine::{Random, Workload};
use crate::sim::chance::Chance;
use crate::sim::digest::Digest;
use crate::sim::limits::Limits;
use crate::sim::queue::Queue;
use crate::sim::spec::Spec;
use crate::trace::{Event, What};

/// A time that never comes.
pub(super) const NEVER: i64 = i64::MAX;

/// Everything there is in a simulated run. Times are nanoseconds since the
/// common start, on a clock that nobody slews.
pub(in crate::sim) struct World<'a> {
    pub(super) spec: &'a Spec,
    pub(super) workload: &'a Workload,
    pub(super) costs: Costs,
    pub(super) limits: Limits,
    pub(super) now: i64,
    pub(super) programs: &'a [Program<'a>],
    pub(super) tasks: Vec<Task>,
    pub(super) frames: Vec<Frame>,
    pub(super) counts: Vec<u64>,
    pub(super) players: Vec<Player>,
    pub(super) signals: Vec<Signal>,
    pub(super) cpus: Vec<Cpu>,
    /// When each CPU's next tick is handled.
    pub(super) tick_at: Vec<i64>,
    /// When what each CPU does is done.
    pub(super) burst_end: Vec<i64>,
    /// Timers with an interrupt of their own, by CPU.
    pub(super) own: Vec<Queue>,
    /// Timers that each tick looks at.
    pub(super) ticked: Queue,
    /// Timers that only passes look at (W-T6).
    pub(super) passed: Queue,
    /// The latest arming of any timer.
    pub(super) armed: u32,
    /// Tasks to be woken before anything else happens.
    pub(super) woken: Vec<u32>,
    /// What is to come at a time of its own.
    pub(super) script: BinaryHeap<Reverse<(i64, u64, Turn)>>,
    pub(super) scripted: u64,
    /// Which entry of the script ends each timed loop that is under way.
    pub(super) loops: BTreeMap<(u32, u8), u64>,
    pub(super) stepping: BTreeMap<u32, Stepping>,
    /// Streams of random phases, by role.
    pub(super) phases: BTreeMap<u32, Random>,
    /// The interval in force.
    pub(super) interval: i64,
    /// Whether the system itself now requests one.
    pub(super) system_asks: bool,
    /// When the last tick of the first CPU was due.
    pub(super) last_tick: i64,
    /// When the last pass over silent processes was, how many ticks ago, and
    /// after how many the next one is.
    pub(super) pass_at: i64,
    pub(super) pass_ticks: i64,
    pub(super) pass_needs: i64,
    pub(super) meters: Meters,
    pub(super) chance: Chance,
    pub(super) digest: Digest,
    pub(super) watcher: Option<&'a mut (dyn FnMut(&Event) + 'a)>,
    pub(super) teller: Teller<'a>,
    /// Tasks of processes that the run waits for, and not ended yet.
    pub(super) awaited: usize,
    pub(super) events: u64,
    pub(super) at_once: u64,
}

/// What the machine counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Meters {
    pub(super) stolen_ns: u64,
    pub(super) switches: u64,
    pub(super) wakeups: u64,
    pub(super) idle_wakeups: u64,
    pub(super) ticks: u64,
    pub(super) busy_ns: u64,
}

/// Why a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Complete,
    Limit,
    Listener,
    /// The simulator's own limit, in words.
    TooMuch(String),
}

impl World<'_> {
    /// Plays until it is over. Ticks come before expiries, those before
    /// wake-ups, those before ends of bursts, and the script last.
    pub(super) fn go(&mut self) -> Over {
        let limit = self.workload.limit.ns().min(NEVER as u64 - 1) as i64;
        loop {
            if self.awaited == 0 {
                return Over::Complete;
            }
            let next = self.next_time();
            if next > limit {
                self.now = limit;
                return Over::Limit;
            }
            if let Some(why) = self.exceeds(next) {
                return Over::TooMuch(why);
            }
            self.now = next;
            self.ticks();
            self.expiries();
            self.wake_all();
            if !self.bursts() && !self.turns() {
                return Over::Listener;
            }
        }
    }

    #[inline]
    fn next_time(&mut self) -> i64 {
        let mut next = NEVER;
        for end in &self.burst_end {
            next = next.min(*end);
        }
        if next <= self.now {
            // Nothing is before that.
            return self.now;
        }
        next = next.min(self.next_turn());
        for cpu in 0..self.cpus.len() {
            next = next.min(self.tick_at[cpu]);
            if let Some(key) = self.own[cpu].next_key() {
                next = next.min(self.real(key));
            }
        }
        next.max(self.now)
    }

    /// Whether a limit of the simulator is passed, in words.
    #[inline]
    fn exceeds(&mut self, next: i64) -> Option<String> {
        self.events += 1;
        self.at_once = if next > self.now { 0 } else { self.at_once + 1 };
        if self.events <= self.limits.events
            && self.at_once <= self.limits.at_once
        {
            return None;
        }
        Some(self.limits.exceeded(self.events, self.at_once))
    }

    /// Tells everybody who watches.
    #[inline]
    pub(super) fn note(&mut self, cpu: Option<usize>, what: What) {
        let cpu = cpu.map(|cpu| cpu as u32);
        let event = Event { at: self.now, cpu, what };
        self.digest.add(&event);
        if let Some(watcher) = &mut self.watcher {
            watcher(&event);
        }
    }

    /// Bursts that are over now; whether there were any.
    #[inline]
    fn bursts(&mut self) -> bool {
        let mut any = false;
        for cpu in 0..self.cpus.len() {
            if self.burst_end[cpu] <= self.now {
                any = true;
                self.burst_ended(cpu);
            }
        }
        any
    }
}
