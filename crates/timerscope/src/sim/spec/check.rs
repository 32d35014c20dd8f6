//! What makes a machine impossible.

use super::{Constants, Spec};
use crate::machine::Span;

/// The longest span of any constant.
const LONGEST: Span = Span::from_s(3600);
/// The shortest tick: a shorter one is only a long wait for the answer.
const SHORTEST_TICK: Span = Span::from_us(1);
/// The longest tick.
const LONGEST_TICK: Span = Span::from_s(10);
/// The most CPUs.
const MOST_CPUS: u32 = 128;
/// The most clocks.
const MOST_CLOCKS: usize = 64;
/// The most cycles of a reading.
const MOST_CYCLES: u64 = 1_000_000_000;
/// The longest name.
const LONGEST_NAME: usize = 64;

/// Something impossible in a machine, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFault {
    /// Which constant, or what else.
    pub at: String,
    /// What is wrong with it.
    pub why: String,
    /// What is allowed.
    pub hint: String,
}

impl Spec {
    /// Everything impossible in it; empty if it can be played on.
    #[must_use]
    pub fn faults(&self) -> Vec<SpecFault> {
        let mut check = Check(Vec::new());
        let c = &self.constants;
        if self.name.is_empty() || self.name.len() > LONGEST_NAME {
            check.fault("name", "no name, or a long one", "1 to 64 letters");
        }
        check.ticks(c);
        check.spans(c);
        check.numbers(c);
        check.clocks(self);
        check.0
    }
}

struct Check(Vec<SpecFault>);

impl Check {
    fn fault(&mut self, at: &str, why: &str, hint: &str) {
        let [at, why, hint] = [at, why, hint].map(str::to_owned);
        self.0.push(SpecFault { at, why, hint });
    }

    fn within(&mut self, at: &str, span: Span, least: Span, most: Span) {
        if span < least || span > most {
            let why = format!("{span}");
            let hint = format!("from {least} to {most}");
            self.fault(at, &why, &hint);
        }
    }

    fn most(&mut self, at: &str, number: u64, most: u64) {
        if number > most {
            let (why, hint) = (format!("{number}"), format!("{most} at most"));
            self.fault(at, &why, &hint);
        }
    }

    fn ticks(&mut self, c: &Constants) {
        let (least, most) = (SHORTEST_TICK, LONGEST_TICK);
        self.within("coarsest", c.coarsest, least, most);
        self.within("true-tick", c.true_tick, least, most);
        self.within("finest", c.finest, least, c.coarsest.max(least));
        for (at, own) in
            [("interval", c.interval), ("system-interval", c.system_interval)]
        {
            if let Some(own) = own {
                self.within(at, own, Span::from_ns(1), most);
            }
        }
        if c.system_interval.is_some() {
            let every = c.system_interval_every;
            self.within("system-interval-every", every, least, LONGEST);
            self.within(
                "system-interval-for",
                c.system_interval_for,
                Span::from_ns(1),
                every,
            );
        }
        let coarsest_ps = c.coarsest.ns().saturating_mul(1000);
        self.most("interval-grid-ps", c.interval_grid_ps, coarsest_ps);
        if c.tick_phases.len() > MOST_CPUS as usize {
            self.fault("tick-phases", "too many", "one for each CPU");
        }
        for phase in &c.tick_phases {
            self.within("tick-phases", *phase, Span::ZERO, c.coarsest);
        }
    }

    fn spans(&mut self, c: &Constants) {
        let own = [
            ("system-interval-every", c.system_interval_every),
            ("system-interval-for", c.system_interval_for),
            ("pass-overshoot", c.pass_overshoot),
            ("noise-from", c.noise_from),
            ("noise-to", c.noise_to),
            ("slack", c.slack),
            ("system-call", c.system_call),
            ("switch", c.switch),
            ("signal", c.signal),
            ("cross-wake", c.cross_wake),
            ("record", c.record),
            ("event-wait", c.event_wait),
            ("idle-exit", c.idle_exit),
            ("short-idle-exit", c.short_idle_exit),
            ("short-idle", c.short_idle),
            ("steal-least", c.steal_least),
            ("steal-most", c.steal_most),
            ("late-tick", c.late_tick),
            ("late-second", c.late_second),
            ("taken", c.taken),
        ];
        for (at, span) in own {
            self.within(at, span, Span::ZERO, LONGEST);
        }
        // An interrupt that takes as long as its interval leaves no time.
        let half = Span::from_ns(c.finest.ns() / 2);
        self.within("tick-cost", c.tick_cost, Span::ZERO, half);
        for (at, span) in
            [("quantum", c.quantum), ("round-robin", c.round_robin)]
        {
            self.within(at, span, Span::from_ns(1), LONGEST);
        }
        let day = Span::from_s(24 * 3600);
        self.within("slew-budget", c.slew_budget, Span::ZERO, day);
        if c.steal_least > c.steal_most {
            self.fault("steal-least", "over steal-most", "steal-most or less");
        }
    }

    fn numbers(&mut self, c: &Constants) {
        if !(1..=MOST_CPUS).contains(&c.cpus) {
            self.fault("cpus", &c.cpus.to_string(), "1 to 128");
        }
        if !(1_000..=100_000_000).contains(&c.cpu_khz) {
            let hint = "1000 (1 MHz) to 100000000 (100 GHz)";
            self.fault("cpu-khz", &c.cpu_khz.to_string(), hint);
        }
        let million = 1_000_000;
        for (at, number, most) in [
            ("steal-ppm", c.steal_ppm, million),
            ("late-tick-ppm", c.late_tick_ppm, million),
            ("user-ppm", c.user_ppm, million),
            ("boost", u64::from(c.boost), 15),
            ("event-boost", u64::from(c.event_boost), 15),
            ("work-ps", c.work_ps, 1_000_000_000_000),
            ("tick-nj", c.tick_nj, 1_000_000_000_000),
            ("wake-nj", c.wake_nj, 1_000_000_000_000),
            ("busy-uw", c.busy_uw, 1_000_000_000_000),
            ("moves-per-1000s", c.moves_per_1000s, 1_000_000_000),
            ("taken-per-1000s", c.taken_per_1000s, 1_000_000_000),
            ("taken-prof-per-1000s", c.taken_prof_per_1000s, 1_000_000_000),
            ("slew-ns-per-s", c.slew_ns_per_s, 1_000_000_000),
        ] {
            self.most(at, number, most);
        }
    }

    fn clocks(&mut self, spec: &Spec) {
        if spec.clocks.is_empty() || spec.clocks.len() > MOST_CLOCKS {
            self.fault("clock", "none, or too many", "1 to 64");
        }
        for (place, clock) in spec.clocks.iter().enumerate() {
            let at = format!("clock {}", clock.name);
            let before = &spec.clocks[..place];
            if before.iter().any(|other| other.name == clock.name) {
                self.fault(&at, "it is there twice", "each clock once");
            }
            self.within(&at, clock.unit, Span::from_ns(1), LONGEST);
            let most = clock.cycles.max(clock.loaded_cycles);
            self.most(&at, most, MOST_CYCLES);
        }
    }
}
