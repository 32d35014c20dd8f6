//! Whether a machine makes sense, before anything is played on it.

use super::ranges::{Range, ranges};
use super::{Constants, Kernel, MACHINE_SCHEMA, Spec};
use crate::machine::{ClockKind, Fault, Span, nearest};
use crate::sim::rules::Status;

/// The longest name of a machine, of a host, and the longest description.
const LONGEST_NAME: usize = 64;
const LONGEST_TEXT: usize = 300;
/// The most cycles of one reading of a clock: a billion readings of it still
/// fit 63 bits of nanoseconds on the slowest CPU.
const MOST_CYCLES: u64 = 1_000_000;
/// The coarsest unit of a clock.
const COARSEST_UNIT: Span = Span::from_s(60);

impl Spec {
    /// Everything that is wrong with it; empty if nothing is.
    ///
    /// A machine without faults plays every workload without overflowing.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut checker = Checker { faults: Vec::new() };
        checker.names(self);
        for range in ranges(&self.constants) {
            checker.range(&range);
        }
        checker.constants(&self.constants);
        checker.sources(self);
        checker.clocks(self);
        checker.faults
    }
}

struct Checker {
    faults: Vec<Fault>,
}

impl Checker {
    fn fault(&mut self, path: &str, why: impl Into<String>, hint: &str) {
        let path = path.split('.').map(str::to_owned).collect();
        self.faults.push(Fault { path, why: why.into(), hint: hint.into() });
    }

    fn names(&mut self, spec: &Spec) {
        if spec.schema != MACHINE_SCHEMA {
            let why = format!("unknown schema `{}`", shown(&spec.schema));
            let hint = format!("this version reads `{MACHINE_SCHEMA}`");
            self.fault("schema", why, &hint);
        }
        let odd = |c: char| c.is_control() || matches!(c, ',' | '?');
        if spec.name.is_empty() || spec.name.contains(odd) {
            let why = format!("`{}` is no name", shown(&spec.name));
            self.fault("name", why, "letters, digits and dashes");
        }
        let host = spec.guest_of.as_deref().unwrap_or_default();
        self.text("name", &spec.name, LONGEST_NAME);
        self.text("system", &spec.system, LONGEST_TEXT);
        self.text("guest-of", host, LONGEST_NAME);
    }

    fn text(&mut self, path: &str, text: &str, most: usize) {
        if text.chars().count() > most || text.contains(char::is_control) {
            let why = "it is too long, or no plain text";
            self.fault(path, why, &format!("at most {most} letters"));
        }
    }

    fn range(&mut self, range: &Range) {
        if (range.least..=range.most).contains(&range.value) {
            return;
        }
        let said = |value: u64| range.said(value);
        let why = format!(
            "{} is {}",
            said(range.value),
            if range.value < range.least { "too little" } else { "too much" }
        );
        let hint =
            format!("from {} to {}", said(range.least), said(range.most));
        self.fault(&format!("constants.{}", range.key), why, &hint);
    }

    /// What one constant has to do with another.
    fn constants(&mut self, c: &Constants) {
        if c.finest > c.coarsest {
            let why = "the finest interval is coarser than the coarsest";
            self.fault("constants.finest", why, "at most `coarsest`");
        }
        let (half, twice) = (c.coarsest.ns() / 2, c.coarsest.ns() * 2);
        if !(half..=twice).contains(&c.true_tick.ns()) {
            let why = "it is far from `coarsest`";
            self.fault("constants.true-tick", why, "nearly `coarsest`");
        }
        if c.interval_grid_ps / 1000 > c.finest.ns() {
            let why = "the grid is coarser than the finest interval";
            let hint = "at most `finest`, in picoseconds";
            self.fault("constants.interval-grid-ps", why, hint);
        }
        if c.tick_cost.ns() > c.finest.ns().min(c.true_tick.ns()) / 2 {
            let why = "interrupts would leave less than half of a CPU";
            let hint = "at most half of `finest`";
            self.fault("constants.tick-cost", why, hint);
        }
        if c.steal_least > c.steal_most {
            let why = "the least is more than the most";
            self.fault("constants.steal-least", why, "at most `steal-most`");
        }
        if c.system_interval_for > c.system_interval_every {
            let why = "it is longer than the time from one to the next";
            let hint = "at most `system-interval-every`";
            self.fault("constants.system-interval-for", why, hint);
        }
        if c.noise_early_percent + c.noise_late_percent > 100 {
            let why = "more passes are early or late than there are";
            let hint = "at most 100 with `noise-early-percent`";
            self.fault("constants.noise-late-percent", why, hint);
        }
        if c.tick_phases.len() > c.cpus as usize {
            let why = format!("{} phases", c.tick_phases.len());
            let hint = "one for each of `cpus`, at most";
            self.fault("constants.tick-phases", why, hint);
        }
        if c.tick_phases.iter().any(|phase| *phase >= c.coarsest) {
            let why = "a phase of a whole tick or more";
            let hint = "each shorter than `coarsest`";
            self.fault("constants.tick-phases", why, hint);
        }
    }

    /// Each source is one of a constant or a clock, and begins with how sure
    /// it is.
    fn sources(&mut self, spec: &Spec) {
        let told = spec.constants_told();
        let mut known: Vec<&str> =
            told.iter().map(|own| own.0.as_str()).collect();
        known.extend(["interval", "system-interval", "tick-phases"]);
        for clock in ClockKind::of(spec.kernel.system()) {
            known.push(clock.name());
        }
        for (key, text) in &spec.sources {
            let path = format!("sources.{key}");
            if !known.contains(&key.as_str()) {
                let why = format!("no constant or clock is `{}`", shown(key));
                let hint = match nearest(key, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the name of a constant or a clock".to_owned(),
                };
                self.fault(&path, why, &hint);
            } else if Status::of(text).is_none() {
                let why = "it does not say how sure that is";
                let hint = "`fitted: by what`, or `predicted`, `measured`, \
                            `invented` likewise";
                self.fault(&path, why, hint);
            }
            self.text(&path, text, LONGEST_TEXT);
        }
    }

    fn clocks(&mut self, spec: &Spec) {
        let own: Vec<ClockKind> = ClockKind::of(spec.kernel.system()).collect();
        if spec.clocks.is_empty() {
            self.fault("clock", "no clock", "add a [[clock]]");
        }
        for (index, clock) in spec.clocks.iter().enumerate() {
            let at = format!("clock.{index}");
            if spec.clocks[..index].iter().any(|o| o.name == clock.name) {
                let why = format!("`{}` stands there twice", clock.name);
                self.fault(&format!("{at}.name"), why, "one of each");
            }
            if !own.contains(&clock.name) {
                let whose = spec.kernel.word();
                let why = format!("`{}` is no clock of {whose}", clock.name);
                let names: Vec<_> = own.iter().map(|own| own.name()).collect();
                self.fault(&format!("{at}.name"), why, &names.join(", "));
            }
            if clock.unit == Span::ZERO || clock.unit > COARSEST_UNIT {
                let why = format!("a unit of {}", clock.unit);
                self.fault(&format!("{at}.unit"), why, "from 1ns to 60s");
            }
            let readings = [
                ("cycles", clock.cycles),
                ("loaded-cycles", clock.loaded_cycles),
            ];
            for (key, cycles) in readings {
                if cycles > MOST_CYCLES {
                    let why = format!("{cycles} cycles");
                    let hint = format!("at most {MOST_CYCLES}");
                    self.fault(&format!("{at}.{key}"), why, &hint);
                }
            }
        }
    }
}

impl Kernel {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Windows => "windows",
            Self::Openbsd => "openbsd",
            Self::Linux => "linux",
        }
    }
}

fn shown(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { '?' } else { c });
    plain.take(LONGEST_NAME).collect()
}
