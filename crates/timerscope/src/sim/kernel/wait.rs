//! Arming timers and what happens when they expire.

use super::task::{BURNING, CUT, FIRED, State};
use super::world::World;
use crate::machine::WaitKind;
use crate::sim::queue::Entry;
use crate::sim::rules::{CpuTimers, Deadline, Expiry, Rounding};
use crate::sim::spec::Kernel;
use crate::trace::What;

impl World<'_> {
    /// Arms the timer of a wait of `span`, from now.
    pub(super) fn arm(&mut self, id: u32, how: WaitKind, span: i64) {
        if how.counts_cpu_time() {
            return self.arm_cpu_timer(id, how, span);
        }
        let span = whole_units(span.max(0), how.unit_ns() as i64);
        let now = self.ruler();
        if how == WaitKind::WaitableTimerHighResolution {
            // Rounded up, whatever is in force (W-T9).
            let step = self.costs.high_resolution;
            let key = now + (span + step - 1) / step * step;
            return self.arm_own(id, key, key);
        }
        let linux = self.spec.kernel == Kernel::Linux;
        if linux && how == WaitKind::SocketTimeout {
            // The kernel counts these in whole ticks, and one more, whatever
            // ends its other timers (L-7).
            let tick = self.costs.coarsest;
            let ticks = (span + tick - 1) / tick + 1;
            let key = (now.div_euclid(tick) + ticks) * tick;
            return self.arm_at(id, key);
        }
        if self.spec.rules.expiry == Expiry::AtTick {
            let key = self.tick_deadline(how, span);
            return self.arm_ticked(id, key);
        }
        let soft = now.saturating_add(span);
        let slack = if slack_applies(how) { self.slack_of(id) } else { 0 };
        self.arm_own(id, soft, soft.saturating_add(slack));
    }

    /// When a timer that waits for a tick is due, on the machine's clock
    /// (W-T3, OB-1, OB-2, OB-8).
    fn tick_deadline(&self, how: WaitKind, span: i64) -> i64 {
        let now = self.ruler();
        let tick = self.costs.coarsest;
        if how.is_interval_timer() {
            let short = span > 0 && span < tick;
            let rounded =
                short && self.spec.rules.rounding == Rounding::OneTick;
            return now + if rounded { tick } else { span };
        }
        match self.spec.rules.deadline {
            Deadline::Now => now.saturating_add(span),
            Deadline::LastTick => {
                self.ruler_at(self.last_tick).saturating_add(span)
            }
            Deadline::WholeTicks => {
                let ticks = (span + tick - 1) / tick + 1;
                let period = self.costs.true_tick;
                // Half a tick less, so that none is missed by a hair.
                let last = ticks.saturating_mul(period) - period / 2;
                self.ruler_at(self.last_tick.saturating_add(last))
            }
        }
    }

    /// Arms a timer without slack that is due at a time of the machine's
    /// clock.
    pub(super) fn arm_at(&mut self, id: u32, due: i64) {
        match self.spec.rules.expiry {
            Expiry::AtTick => self.arm_ticked(id, due),
            Expiry::AtOnce => self.arm_own(id, due, due),
        }
    }

    /// Whether a timer due then has expired by now.
    pub(super) fn has_rung(&self, due: i64) -> bool {
        let looked = match self.spec.rules.expiry {
            Expiry::AtTick => self.ruler_at(self.last_tick),
            Expiry::AtOnce => self.ruler(),
        };
        due <= looked
    }

    fn next_arming(&mut self, id: u32) -> u32 {
        // 0 says that no timer is armed.
        self.armed = self.armed.wrapping_add(1).max(1);
        self.tasks[id as usize].timer = self.armed;
        self.armed
    }

    fn arm_own(&mut self, id: u32, soft: i64, hard: i64) {
        let seq = self.next_arming(id);
        let task = &mut self.tasks[id as usize];
        task.soft = soft;
        let cpu = usize::from(task.cpu);
        self.own[cpu].push(Entry { key: hard, seq, id });
        self.note(Some(cpu), What::Armed { role: id, due: soft });
        self.keep_lean(cpu);
    }

    fn arm_ticked(&mut self, id: u32, key: i64) {
        let seq = self.next_arming(id);
        let task = &self.tasks[id as usize];
        let (cpu, player) = (usize::from(task.cpu), task.player as usize);
        let entry = Entry { key, seq, id };
        if self.players[player].looked_at {
            self.ticked.push(entry);
        } else {
            self.passed.push(entry);
        }
        self.note(Some(cpu), What::Armed { role: id, due: key });
    }

    /// A timer that counts CPU time: in ticks (OB-2, OB-3, L-3).
    fn arm_cpu_timer(&mut self, id: u32, how: WaitKind, span: i64) {
        let tick = self.costs.coarsest;
        let whole = (span + tick - 1) / tick;
        let ticks = match self.spec.rules.cpu_timers {
            CpuTimers::Ticks => whole.max(1),
            CpuTimers::OneMore => whole + 1,
        };
        self.arm_ticks(id, how, ticks);
    }

    /// Arms a timer that counts CPU time for so many ticks.
    pub(super) fn arm_ticks(&mut self, id: u32, how: WaitKind, ticks: i64) {
        let tick = self.costs.coarsest;
        let task = &mut self.tasks[id as usize];
        task.soft = ticks;
        let (cpu, player) = (usize::from(task.cpu), task.player as usize);
        let prof = how == WaitKind::ItimerProf;
        self.players[player].cpu_timers.push((id, prof));
        self.note(Some(cpu), What::Armed { role: id, due: ticks * tick });
    }

    /// Lateness that a task's waits are allowed (L-1).
    fn slack_of(&self, id: u32) -> i64 {
        let task = &self.tasks[id as usize];
        self.programs[task.program as usize].slack
    }

    /// Cancelled timers do not pile up.
    #[inline]
    fn keep_lean(&mut self, cpu: usize) {
        if self.own[cpu].len() > 4 * self.tasks.len() + 1024 {
            let tasks = &self.tasks;
            let live =
                |entry: &Entry| tasks[entry.id as usize].timer == entry.seq;
            self.own[cpu].retain(live);
        }
    }

    /// Timers with interrupts of their own that are served now (L-1): by
    /// their own interrupt or by any earlier one past their due time.
    #[inline]
    pub(super) fn expiries(&mut self) {
        let reading = self.ruler();
        for cpu in 0..self.cpus.len() {
            let hard = self.own[cpu].next_key();
            let interrupted = hard.is_some_and(|key| key <= reading)
                || hard.is_some() && self.ticked_now(cpu);
            if interrupted {
                self.serve(cpu, reading);
            }
        }
    }

    /// Whether a tick of this CPU is being handled now.
    fn ticked_now(&self, cpu: usize) -> bool {
        let period = self.period();
        self.cpus[cpu].tick_due - period == self.now
    }

    fn serve(&mut self, cpu: usize, reading: i64) {
        while let Some(entry) = self.own[cpu].pop() {
            let task = &self.tasks[entry.id as usize];
            if task.timer != entry.seq {
                continue;
            }
            if task.soft > reading {
                self.own[cpu].push(entry);
                break;
            }
            self.expire(entry);
        }
    }

    /// A timer expires, unless it was cancelled.
    #[inline]
    pub(super) fn expire(&mut self, entry: Entry) {
        let task = &mut self.tasks[entry.id as usize];
        if task.timer != entry.seq {
            return;
        }
        task.timer = 0;
        if self.awaits_event(entry.id) {
            self.time_out(entry.id);
        }
        self.fire(entry.id);
    }

    pub(super) fn awaits_event(&self, id: u32) -> bool {
        let task = &self.tasks[id as usize];
        self.programs[task.program as usize].ops[task.pc as usize].awaits
    }

    /// A task's timer has expired: it is woken, or stops burning.
    #[inline]
    pub(super) fn fire(&mut self, id: u32) {
        let task = &mut self.tasks[id as usize];
        task.flags |= FIRED;
        let cpu = usize::from(task.cpu);
        let (state, burning) = (task.state, task.has(BURNING));
        self.note(Some(cpu), What::Expired { role: id });
        match state {
            State::Blocked => self.woken.push(id),
            State::Running if burning => {
                let from = self.cpus[cpu].free_at.max(self.now);
                self.burst_end[cpu] = from + self.costs.signal;
            }
            _ => {}
        }
    }

    /// Cuts short what a task waits for.
    pub(super) fn cut_wait(&mut self, id: u32) {
        let task = &mut self.tasks[id as usize];
        let waits = task.state == State::Blocked || task.has(BURNING);
        if !waits {
            return;
        }
        task.flags |= CUT;
        task.timer = 0;
        let player = task.player as usize;
        self.players[player].cpu_timers.retain(|entry| entry.0 != id);
        self.leave_queues(id);
        self.fire(id);
    }

    /// What is left of the span until a point, for a call that takes spans.
    pub(super) fn until(&self, point: i64) -> i64 {
        point.saturating_sub(self.ruler()).max(0)
    }
}

/// Whether a call returns at once when its span is nothing.
pub(super) fn returns_at_once(how: WaitKind) -> bool {
    matches!(
        how,
        WaitKind::Poll
            | WaitKind::Ppoll
            | WaitKind::Select
            | WaitKind::Pselect
            | WaitKind::EpollWait
            | WaitKind::EpollPwait2
            | WaitKind::Sigtimedwait
            | WaitKind::ThreadSleep
    )
}

/// Whether the timer slack of a thread delays a wait (L-1, L-2).
pub(in crate::sim) fn slack_applies(how: WaitKind) -> bool {
    !how.is_interval_timer()
        && !matches!(
            how,
            WaitKind::Timerfd
                | WaitKind::PosixTimer
                | WaitKind::IoUringTimeout
                | WaitKind::SocketTimeout
        )
}

/// A span in whole units of a call, rounded up.
fn whole_units(span: i64, unit: i64) -> i64 {
    // Nearly every call takes nanoseconds, and a division takes long.
    if unit == 1 { span } else { (span + unit - 1) / unit * unit }
}
