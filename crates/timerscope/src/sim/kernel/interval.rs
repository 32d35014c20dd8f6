//! Which interval is in force (W-T1, W-T2, W-T7).

use super::player::Player;
use super::world::World;
use crate::sim::rules::{Change, Expiry, Looks};
use crate::sim::spec::Kernel;
use crate::trace::What;

/// Picoseconds in a nanosecond.
const PS: i128 = 1000;

impl World<'_> {
    /// Adds a request; `None` where the system has no requests.
    pub(super) fn request(&mut self, id: u32, asked: i64) -> Option<i64> {
        if self.spec.kernel != Kernel::Windows {
            return None;
        }
        let player = self.tasks[id as usize].player;
        self.note(None, What::Requested { player, interval_ns: asked });
        let requests = &mut self.players[player as usize].requests;
        match requests.iter_mut().find(|request| request.0 == asked) {
            Some(request) => request.1 += 1,
            None => requests.push((asked, 1)),
        }
        self.arbitrate();
        Some(self.interval)
    }

    /// Withdraws one request of exactly `asked`; whether there was one.
    pub(super) fn withdraw(&mut self, id: u32, asked: i64) -> Option<bool> {
        if self.spec.kernel != Kernel::Windows {
            return None;
        }
        let player = self.tasks[id as usize].player;
        let requests = &mut self.players[player as usize].requests;
        let place = requests.iter().position(|request| request.0 == asked);
        if let Some(place) = place {
            requests[place].1 -= 1;
            if requests[place].1 == 0 {
                requests.remove(place);
            }
        }
        let held = place.is_some();
        self.note(None, What::Withdrew { player, interval_ns: asked, held });
        self.arbitrate();
        Some(held)
    }

    /// Settles the interval in force after anything that may change it.
    pub(super) fn arbitrate(&mut self) {
        if self.spec.kernel != Kernel::Windows {
            return;
        }
        self.look_at_players();
        let interval = self.due_interval();
        if interval == self.interval {
            return;
        }
        self.interval = interval;
        self.note(None, What::Interval { interval_ns: interval });
        self.plan_pass();
        if self.spec.rules.change == Change::NewPeriod {
            for cpu in 0..self.cpus.len() {
                self.cpus[cpu].tick_due = self.now;
                self.plan_tick(cpu);
            }
        }
    }

    /// The least of all requests that count, within what the hardware has
    /// (W-T1).
    fn due_interval(&self) -> i64 {
        let constants = &self.spec.constants;
        let asked = self
            .players
            .iter()
            .filter(|player| self.honoured(player))
            .flat_map(|player| player.requests.iter().map(|one| one.0));
        let other = constants.interval.map(super::costs::ns);
        let system = constants.system_interval.map(super::costs::ns);
        let system = system.filter(|_| self.system_asks);
        let least = asked.chain(other).chain(system).min();
        least.map_or(self.costs.coarsest, |least| self.granted(least))
    }

    /// What the hardware makes of a request.
    fn granted(&self, asked: i64) -> i64 {
        if asked >= self.costs.coarsest {
            return self.costs.coarsest;
        }
        let asked = asked.max(self.costs.finest);
        let grid = i128::from(self.spec.constants.interval_grid_ps);
        if grid == 0 {
            return asked;
        }
        let steps = i128::from(asked) * PS / grid;
        ((steps.max(1) * grid) / PS).max(1) as i64
    }

    /// Timers of a process whose requests came or went are looked at in
    /// other interrupts from now on (W-T6).
    fn look_at_players(&mut self) {
        for number in 0..self.players.len() {
            let looked_at = self.is_looked_at(&self.players[number]);
            if looked_at == self.players[number].looked_at {
                continue;
            }
            self.players[number].looked_at = looked_at;
            self.move_timers(number as u32, looked_at);
        }
    }

    pub(super) fn is_looked_at(&self, player: &Player) -> bool {
        self.spec.rules.looks == Looks::Everyone || self.honoured(player)
    }

    fn move_timers(&mut self, player: u32, looked_at: bool) {
        if self.spec.rules.expiry == Expiry::AtOnce {
            return;
        }
        let tasks = &self.tasks;
        let mut moved = Vec::new();
        let (from, to) = if looked_at {
            (&mut self.passed, &mut self.ticked)
        } else {
            (&mut self.ticked, &mut self.passed)
        };
        from.retain(|entry| {
            let own = tasks[entry.id as usize].player == player;
            if own {
                moved.push(*entry);
            }
            !own
        });
        moved.sort_by_key(|entry| (entry.key, entry.seq));
        for entry in moved {
            to.push(entry);
        }
    }
}
