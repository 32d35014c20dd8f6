//! Clock interrupts: what they look at, charge and cost.

use super::act::Doing;
use super::costs::ns;
use super::task::JUMPED;
use super::world::{NEVER, World};
use crate::machine::ClockKind;
use crate::sim::chance::{between, exponential, happens};
use crate::sim::rules::{Charge, Expiry, IdleTick, Looks, Noise, Sharing};
use crate::sim::spec::Kernel;
use crate::trace::What;

const SECOND: i64 = 1_000_000_000;

impl World<'_> {
    /// How long a tick lasts now; the default may really be a little shorter
    /// than the kernel believes (OB-4).
    pub(super) fn period(&self) -> i64 {
        if self.interval == self.costs.coarsest {
            self.costs.true_tick
        } else {
            self.interval
        }
    }

    /// Plans the tick after the one that was last due. Ticks that should
    /// have come while the CPU was away are one.
    pub(super) fn plan_tick(&mut self, cpu: usize) {
        let period = self.period();
        let mut due = self.cpus[cpu].tick_due.saturating_add(period);
        if due <= self.now {
            let behind = (self.now - due) / period + 1;
            due = due.saturating_add(behind.saturating_mul(period));
        }
        self.cpus[cpu].tick_due = due;
        self.tick_at[cpu] = due.saturating_add(self.tick_delay(due));
    }

    /// The first tick of a CPU that has been idle without any.
    pub(super) fn resume_ticks(&mut self, cpu: usize) {
        let period = self.period();
        let behind = (self.now - self.cpus[cpu].tick_due).div_euclid(period);
        self.cpus[cpu].tick_due += behind * period;
        self.plan_tick(cpu);
    }

    /// How late a tick is handled (OB-7).
    fn tick_delay(&mut self, due: i64) -> i64 {
        let constants = &self.spec.constants;
        let mut delay = 0;
        if happens(&mut self.chance.late, constants.late_tick_ppm) {
            let mean = ns(constants.late_tick);
            delay = exponential(&mut self.chance.late, mean);
        }
        let once = ns(constants.late_second);
        if once > 0 && due.rem_euclid(SECOND) < self.costs.true_tick {
            delay = delay.max(once);
        }
        delay
    }

    /// Ticks of all CPUs that are due now.
    #[inline]
    pub(super) fn ticks(&mut self) {
        for cpu in 0..self.cpus.len() {
            if self.tick_at[cpu] <= self.now {
                self.tick(cpu);
            }
        }
    }

    fn tick(&mut self, cpu: usize) {
        if self.steal(cpu) {
            return;
        }
        self.note(Some(cpu), What::Tick);
        if cpu == 0 {
            self.last_tick = self.cpus[0].tick_due;
            self.pass_ticks += 1;
        }
        self.plan_tick(cpu);
        self.count_tick(cpu);
        self.charge(cpu);
        self.charge_tick(cpu);
        self.interrupt(cpu, self.costs.tick);
        if self.cpus[cpu].current.is_some() {
            self.cpus[cpu].ticking += self.costs.tick;
        }
        if cpu == 0 && self.spec.rules.expiry == Expiry::AtTick {
            self.look_at_timers();
        }
        self.end_turn(cpu);
        self.may_stop_ticks(cpu);
    }

    /// The host takes the CPU away just before a tick, which comes when it
    /// is back (W-S10).
    fn steal(&mut self, cpu: usize) -> bool {
        let constants = &self.spec.constants;
        if self.cpus[cpu].stolen_until == self.now {
            return false;
        }
        if !happens(&mut self.chance.steal, constants.steal_ppm) {
            return false;
        }
        let (least, most) =
            (ns(constants.steal_least), ns(constants.steal_most));
        let for_ns = between(&mut self.chance.steal, least, most).max(1);
        self.note(Some(cpu), What::Stolen { for_ns });
        self.meters.stolen_ns += for_ns as u64;
        self.charge(cpu);
        self.interrupt(cpu, for_ns);
        self.cpus[cpu].stolen_until = self.now + for_ns;
        self.cpus[cpu].free_at = self.now + for_ns;
        self.tick_at[cpu] = self.now + for_ns;
        true
    }

    fn count_tick(&mut self, cpu: usize) {
        let idle = self.cpus[cpu].current.is_none();
        let due = cpu == 0
            && (self.ticked.next_key().is_some_and(|key| key <= self.ruler())
                || self.pass_is_due()
                    && self
                        .passed
                        .next_key()
                        .is_some_and(|key| key <= self.ruler()));
        // Where the tick itself stops (L-4), one that comes is taken.
        let skipped = self.spec.rules.idle_tick == IdleTick::Skipped
            && self.spec.kernel != Kernel::Linux;
        if idle && !due && skipped {
            return;
        }
        self.meters.ticks += 1;
        if idle && !due {
            self.meters.idle_wakeups += 1;
        }
    }

    /// An interrupt takes CPU time from whoever runs (W-S8.cost).
    pub(super) fn interrupt(&mut self, cpu: usize, takes: i64) {
        let Some(id) = self.cpus[cpu].current else { return };
        if takes == 0 {
            return;
        }
        let from = self.cpus[cpu].free_at.max(self.now);
        self.cpus[cpu].free_at = from + takes;
        if self.spec.rules.charge == Charge::ByTime {
            // A quantum is time since the thread got the CPU, interrupts
            // included; else none would ever be a whole number of ticks.
            self.tasks[id as usize].used += takes;
        }
        match self.doing(id) {
            Doing::Computes => {
                self.burst_end[cpu] = self.burst_end[cpu].saturating_add(takes);
            }
            Doing::Watches { gap } if takes > gap => {
                let task = &mut self.tasks[id as usize];
                task.flags |= JUMPED;
                task.soft = self.now;
                self.burst_end[cpu] = self.now + takes;
            }
            Doing::Watches { .. } | Doing::Looks => {
                if self.burst_end[cpu] != NEVER {
                    let end = self.burst_end[cpu].max(self.now + takes);
                    self.burst_end[cpu] = end;
                }
            }
        }
    }

    /// What a tick charges to whoever it finds running (W-S2.xp, OB-3, L-3).
    fn charge_tick(&mut self, cpu: usize) {
        let Some(id) = self.cpus[cpu].current else { return };
        if self.spec.rules.charge == Charge::ByTick
            && self.spec.rules.sharing == Sharing::Levels
        {
            self.tasks[id as usize].used += self.interval;
        }
        if self.cpus[cpu].taken_until > self.now {
            return;
        }
        let player = self.tasks[id as usize].player as usize;
        if self.players[player].cpu_timers.is_empty() {
            return;
        }
        let user = happens(&mut self.chance.user, self.spec.constants.user_ppm);
        let timers = self.players[player].cpu_timers.clone();
        for (timer, counts_kernel) in timers {
            if counts_kernel || user {
                self.tasks[timer as usize].soft -= 1;
                if self.tasks[timer as usize].soft <= 0 {
                    self.players[player]
                        .cpu_timers
                        .retain(|entry| entry.0 != timer);
                    self.fire(timer);
                }
            }
        }
    }

    /// Looks at the timers that this tick is to look at (W-T5, W-T6).
    fn look_at_timers(&mut self) {
        let reading = self.ruler();
        while self.ticked.next_key().is_some_and(|key| key <= reading) {
            let Some(entry) = self.ticked.pop() else { break };
            self.expire(entry);
        }
        if !self.pass_is_due() {
            return;
        }
        self.pass_at = self.last_tick;
        self.pass_ticks = 0;
        self.plan_pass();
        while self.passed.next_key().is_some_and(|key| key <= reading) {
            let Some(entry) = self.passed.pop() else { break };
            self.expire(entry);
        }
    }

    fn pass_is_due(&self) -> bool {
        if self.spec.rules.looks == Looks::H4 {
            let default = self.costs.coarsest;
            return self.last_tick.div_euclid(default)
                > self.pass_at.div_euclid(default);
        }
        self.pass_ticks >= self.pass_needs
    }

    /// Draws after how many ticks the next pass is (W-T6, W-T8).
    pub(super) fn plan_pass(&mut self) {
        let constants = &self.spec.constants;
        let (interval, default) = (self.interval, self.costs.coarsest);
        let looks = self.spec.rules.looks;
        let overshoot = ns(constants.pass_overshoot);
        let Some(ticks) = looks.pass_ticks(interval, default, overshoot) else {
            return;
        };
        let band = ns(constants.noise_from)..=ns(constants.noise_to);
        self.pass_needs = ticks;
        if self.spec.rules.noise == Noise::Band
            && ticks >= 2
            && band.contains(&interval)
        {
            let early = constants.noise_early_percent;
            let late = 100 - constants.noise_late_percent;
            self.pass_needs += match self.chance.pass.below(100) {
                drawn if drawn < early => -1,
                drawn if drawn >= late => 1,
                _ => 0,
            };
        }
    }

    /// When a clock that moves at ticks moves next.
    pub(super) fn next_move(&self, clock: ClockKind) -> i64 {
        let default = self.costs.coarsest;
        match self.clock(clock).map(|clock| clock.moves) {
            Some(crate::sim::spec::Moves::AtDefaultTick) => {
                self.real((self.ruler().div_euclid(default) + 1) * default)
            }
            _ => self.tick_at[0],
        }
    }
}
