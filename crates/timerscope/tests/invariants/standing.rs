//! Who has which CPU and who is ready for it, by the events alone.

use std::collections::BTreeMap;

use timerscope::machine::{Happening, Workload};
use timerscope::sim::Spec;
use timerscope::sim::rules::Sharing;
use timerscope::trace::{Event, Left, What};

use crate::levels::bases;
use crate::played::Played;

/// A task on a CPU.
#[derive(Clone, Copy, Debug)]
struct Runs {
    role: u32,
    /// The level it got the CPU with; a turn that ended without a rival may
    /// have lowered it since.
    level: u8,
    since: i64,
    at_tick: bool,
}

/// A task that is ready.
#[derive(Clone, Copy, Debug)]
struct Waits {
    /// The level it has at least.
    level: u8,
    since: i64,
}

/// A turn that an equal waits for the end of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) since: i64,
    pub(crate) at_tick: bool,
}

/// Who has which CPU, and who is ready for it.
pub(crate) struct Standing {
    bases: Vec<u8>,
    players: Vec<u32>,
    runs: Vec<Option<Runs>>,
    ready: Vec<BTreeMap<u32, Waits>>,
    last_tick: Vec<i64>,
}

impl Standing {
    pub(crate) fn new(spec: &Spec, workload: &Workload, run: &Played) -> Self {
        let cpus = spec.constants.cpus as usize;
        let bases = if spec.rules.sharing == Sharing::Levels {
            bases(run)
        } else {
            // Levels of Linux never change.
            Vec::new()
        };
        let cast = workload.cast();
        Self {
            bases,
            players: cast.iter().map(|role| role.player).collect(),
            runs: vec![None; cpus],
            ready: vec![BTreeMap::new(); cpus],
            last_tick: vec![-1; cpus],
        }
    }

    /// Takes an event in.
    pub(crate) fn see(&mut self, event: &Event) {
        let cpu = event.cpu.unwrap_or(0) as usize;
        let since = event.at;
        match event.what {
            What::Tick => self.last_tick[cpu] = since,
            What::Woke { role, level } => {
                self.ready[cpu].insert(role, Waits { level, since });
            }
            What::Ran { role, level } => {
                self.forget(role);
                let at_tick = self.last_tick[cpu] == since;
                self.runs[cpu] = Some(Runs { role, level, since, at_tick });
            }
            What::Left { role, why } => self.leaves(cpu, role, why, since),
            What::Ended { role } => self.forget(role),
            What::Happened { player, what: Happening::Suspend } => {
                for role in 0..self.players.len() as u32 {
                    if self.players[role as usize] == player {
                        self.forget(role);
                    }
                }
            }
            _ => {}
        }
    }

    fn leaves(&mut self, cpu: usize, role: u32, why: Left, since: i64) {
        let Some(had) = self.runs[cpu].take() else {
            panic!("{role} left CPU {cpu}, which it did not have");
        };
        assert_eq!(had.role, role, "left CPU {cpu}");
        let base = self.bases.get(role as usize).copied();
        let level = base.unwrap_or(had.level);
        match why {
            Left::Preempted | Left::TurnOver | Left::Yielded => {
                self.ready[cpu].insert(role, Waits { level, since });
            }
            Left::Waits | Left::Ended => {}
        }
    }

    fn forget(&mut self, role: u32) {
        for ready in &mut self.ready {
            ready.remove(&role);
        }
    }

    /// A task that waits while a lower one has its CPU, or nobody.
    pub(crate) fn unjust(&self) -> Option<String> {
        for (runs, ready) in self.runs.iter().zip(&self.ready) {
            let just = |waits: &Waits| {
                runs.is_some_and(|runs| runs.level >= waits.level)
            };
            let found = ready.iter().find(|(_, waits)| !just(waits));
            if let Some((role, waits)) = found {
                return Some(format!("{role} {waits:?} for {runs:?}"));
            }
        }
        None
    }

    /// Turns under way while somebody waits for their end who stands at least
    /// as high as the one who runs does without a boost.
    pub(crate) fn turns_with_equals(&self) -> Vec<Turn> {
        let cpus = self.runs.iter().zip(&self.ready);
        let turns = cpus.filter_map(|(runs, ready)| {
            let runs = (*runs)?;
            let base = self.bases[runs.role as usize];
            let equals = ready.values().filter(|own| own.level >= base);
            let came = equals.map(|own| own.since).min()?;
            let all_along = came <= runs.since;
            let at_tick = runs.at_tick && all_along;
            Some(Turn { since: came.max(runs.since), at_tick })
        });
        turns.collect()
    }
}
