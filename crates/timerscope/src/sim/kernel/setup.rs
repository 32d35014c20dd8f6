//! A world at the common start of a run.

use std::collections::{BTreeMap, BinaryHeap};

use super::costs::{Costs, ns};
use super::cpu::Cpu;
use super::player::Player;
use super::program::Program;
use super::script::Turn;
use super::signal::Signal;
use super::task::{Frame, NO_BOOST, State, Task};
use super::tell::{BATCH, Teller};
use super::world::{Meters, NEVER, World};
use crate::machine::{Listener, Process, Workload};
use crate::sim::chance::Chance;
use crate::sim::digest::Digest;
use crate::sim::limits::Limits;
use crate::sim::queue::Queue;
use crate::sim::rules::Expiry;
use crate::sim::spec::Spec;
use crate::trace::{Event, What};

/// What a run is made of.
pub(in crate::sim) struct Stage<'a> {
    pub(in crate::sim) spec: &'a Spec,
    pub(in crate::sim) workload: &'a Workload,
    pub(in crate::sim) limits: Limits,
    pub(in crate::sim) seed: u64,
    /// How many runs this machine has played before.
    pub(in crate::sim) play: u64,
}

impl<'a> World<'a> {
    /// The world of a run, and everybody in it; it has not started.
    pub(in crate::sim) fn new(
        stage: &Stage<'a>,
        programs: &'a [Program<'a>],
        seen: &'a mut (dyn Listener + 'a),
        watcher: Option<&'a mut (dyn FnMut(&Event) + 'a)>,
    ) -> Self {
        let (spec, workload) = (stage.spec, stage.workload);
        let costs = Costs::new(spec);
        let cpus = spec.constants.cpus.clamp(1, 128) as usize;
        let mut world = World {
            spec,
            workload,
            interval: costs.coarsest,
            costs,
            limits: stage.limits.clone(),
            now: 0,
            programs,
            tasks: Vec::new(),
            frames: Vec::new(),
            counts: Vec::new(),
            players: Vec::new(),
            signals: vec![Signal::default(); workload.events.len()],
            cpus: (0..cpus).map(|_| Cpu::new()).collect(),
            tick_at: vec![NEVER; cpus],
            burst_end: vec![NEVER; cpus],
            own: (0..cpus).map(|_| Queue::new()).collect(),
            ticked: Queue::new(),
            passed: Queue::new(),
            armed: 0,
            woken: Vec::new(),
            script: BinaryHeap::new(),
            scripted: 0,
            loops: BTreeMap::new(),
            stepping: BTreeMap::new(),
            phases: BTreeMap::new(),
            system_asks: false,
            last_tick: 0,
            pass_at: 0,
            pass_ticks: 0,
            pass_needs: 1,
            meters: Meters::default(),
            chance: Chance::new(stage.seed, stage.play),
            digest: Digest::new(),
            watcher,
            teller: Teller { seen, samples: Vec::new(), notes: Vec::new() },
            awaited: 0,
            events: 0,
            at_once: 0,
        };
        world.cast();
        world
    }

    /// Processes and tasks, in the order of the workload's cast.
    fn cast(&mut self) {
        let workload = self.workload;
        let mut first = 0;
        for (number, process) in (0..).zip(&workload.processes) {
            for _ in 0..process.copies {
                self.add_player(number, process, first);
            }
            first += process.tasks.len() as u32;
        }
    }

    fn add_player(&mut self, number: u32, process: &Process, first: u32) {
        let from = self.tasks.len() as u32;
        let player = self.players.len() as u32;
        for (program, task) in (first..).zip(&process.tasks) {
            for _ in 0..task.copies {
                self.add_task(program, player);
            }
        }
        let end = self.tasks.len() as u32;
        if !process.background {
            self.awaited += (end - from) as usize;
        }
        for (cue, place) in process.script.iter().zip(0..) {
            let turn = Turn::Cue { player, cue: place };
            self.schedule(ns(cue.at), turn);
        }
        let mut player = Player {
            process: number,
            tasks: (from, end),
            requests: Vec::new(),
            hidden: false,
            foreground: true,
            suspended: false,
            background: process.background,
            cpu_timers: Vec::new(),
            looked_at: false,
        };
        player.looked_at = self.is_looked_at(&player);
        self.players.push(player);
    }

    fn add_task(&mut self, number: u32, player: u32) {
        let program = &self.programs[number as usize];
        let cpu = program.cpus.trailing_zeros() as u8;
        let base = program.base;
        let (frame, counts) = (self.frames.len(), self.counts.len());
        self.frames.resize(frame + usize::from(program.frames), Frame::BLANK);
        self.counts.resize(counts + usize::from(program.counts), 0);
        self.tasks.push(Task {
            due: 0,
            began: 0,
            soft: 0,
            rest: 0,
            used: 0,
            virtual_time: 0,
            cpu_ns: 0,
            timer: 0,
            next: 0,
            pc: 0,
            frame: frame as u32,
            program: number,
            player,
            switches: 0,
            counts: counts as u32,
            expired: 0,
            cpu,
            base,
            level: base,
            state: State::Blocked,
            phase: 0,
            flags: 0,
        });
    }

    /// Ticks begin, and everybody wakes.
    pub(super) fn start(&mut self) {
        let constants = &self.spec.constants;
        if constants.system_interval.is_some() {
            let every = ns(constants.system_interval_every);
            self.schedule(every.max(1), Turn::System { asks: true });
        }
        for cpu in 0..self.cpus.len() {
            let phase = self.spec.constants.tick_phases.get(cpu);
            self.cpus[cpu].tick_due = phase.map_or(0, |phase| ns(*phase));
            if cpu == 0 || self.spec.rules.expiry == Expiry::AtTick {
                self.plan_first_tick(cpu);
            }
        }
        self.plan_pass();
        let interval_ns = self.interval;
        self.note(None, What::Interval { interval_ns });
        self.arbitrate();
        self.plan_move();
        self.plan_take();
        self.schedule(BATCH, Turn::Tell);
        for id in 0..self.tasks.len() as u32 {
            // A beginning is no end of a wait: nobody is boosted for it.
            self.tasks[id as usize].flags |= NO_BOOST;
            self.wake(id);
        }
    }

    fn plan_first_tick(&mut self, cpu: usize) {
        if self.cpus[cpu].tick_due > 0 {
            self.cpus[cpu].tick_due -= self.period();
        }
        self.plan_tick(cpu);
    }
}
