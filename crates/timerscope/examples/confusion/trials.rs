//! Machines whose rules are known, disguised, and what `explain` makes of
//! them.

use timerscope::explain::{
    Candidate, Explained, Verdict, explain, known, same_rules,
};
use timerscope::lab::play::Silent;
use timerscope::machine::{Machine, Random, Span};
use timerscope::sim::catalogue::opened;
use timerscope::sim::spec::Kernel;
use timerscope::sim::{Sim, Spec};

/// What another process requests all the while, if any does.
pub(crate) const BACKGROUNDS: [Option<Span>; 3] =
    [None, Some(Span::from_ms(8)), Some(Span::from_ms(1))];

/// One machine under test.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// Its rules.
    pub(crate) truth: Spec,
    /// Whose chance it has, and by how much its constants are off.
    pub(crate) seed: u64,
    /// What another process requests.
    pub(crate) background: Option<Span>,
    /// Whether its constants are off.
    pub(crate) disguised: bool,
}

/// How an answer compares with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The machine itself was named.
    Exact,
    /// Another one was, whose rules of timers are the same.
    SameRules,
    /// The truth was among those that fit, and none was named.
    Among,
    /// Nothing was named, and the truth was not among those that fit.
    Nothing,
    /// Another rule was called likely.
    LikelyWrong,
    /// Another rule was called certain.
    CertainWrong,
}

impl Trial {
    /// Whether the trial can be had on this kernel.
    pub(crate) fn makes_sense(&self) -> bool {
        self.background.is_none() || self.truth.kernel == Kernel::Windows
    }

    /// The machine that is asked, disguised.
    pub(crate) fn machine(&self) -> Sim {
        let mut spec = self.truth.clone();
        if self.disguised {
            disguise(&mut spec, self.seed);
        }
        spec.constants.interval = self.background;
        assert_eq!(spec.faults(), [], "{}", spec.name);
        Sim::new(spec, self.seed)
    }

    /// What is found out of these candidates.
    pub(crate) fn explained(&self, candidates: &[Candidate]) -> Explained {
        let mut machine = self.machine();
        let mut facts = machine.facts().unwrap();
        // What it is called may not help.
        "unknown".clone_into(&mut facts.name);
        "unknown".clone_into(&mut facts.system);
        explain(&mut machine, &facts, candidates, &mut Silent).unwrap()
    }
}

/// What an answer is worth.
pub(crate) fn outcome(name: &str, truth: &Spec, answer: &Explained) -> Outcome {
    let same = |rule: &str| same_rules(&opened(rule).unwrap(), truth);
    let Some(rule) = answer.rule.value() else {
        let mut fits = answer.candidates.iter().filter(|one| one.fits);
        let among = fits.any(|one| same(&one.rule));
        return if among { Outcome::Among } else { Outcome::Nothing };
    };
    match answer.verdict {
        _ if rule == name => Outcome::Exact,
        _ if same(rule) => Outcome::SameRules,
        Verdict::Certain => Outcome::CertainWrong,
        _ => Outcome::LikelyWrong,
    }
}

/// All candidates but the machine itself.
pub(crate) fn without(name: &str) -> Vec<Candidate> {
    let mut all = known();
    all.retain(|one| one.rule != name);
    all
}

/// Every constant that is no rule up to 30 % off, each by itself.
fn disguise(spec: &mut Spec, seed: u64) {
    let mut chance = Random::new(seed ^ 0x5eed);
    let mut off = |span: Span| {
        let percent = 70 + chance.below(61);
        Span::from_ns(span.ns() * percent / 100)
    };
    let c = &mut spec.constants;
    let alike = c.finest == c.coarsest;
    let odd_tick = c.coarsest.ns() - c.true_tick.ns();
    c.coarsest = off(c.coarsest);
    c.true_tick = Span::from_ns(c.coarsest.ns() - odd_tick);
    for phase in &mut c.tick_phases {
        *phase = Span::from_ns(phase.ns() * 2 / 3);
    }
    c.finest = if alike { c.coarsest } else { off(c.finest) };
    for span in [
        &mut c.pass_overshoot,
        &mut c.noise_from,
        &mut c.noise_to,
        &mut c.slack,
        &mut c.system_call,
        &mut c.switch,
        &mut c.signal,
        &mut c.cross_wake,
        &mut c.record,
        &mut c.idle_exit,
        &mut c.short_idle_exit,
        &mut c.tick_cost,
        &mut c.late_tick,
        &mut c.late_second,
        &mut c.taken,
        &mut c.steal_least,
    ] {
        *span = off(*span);
    }
    if c.idle_exit == Span::ZERO {
        c.idle_exit = off(Span::from_us(20));
    }
    c.steal_most = Span::from_ns(c.steal_least.ns() * 12 / 5);
    let grids = [0, 5_333_333, 97_656_250, 166_566_667];
    if spec.kernel == Kernel::Windows {
        c.interval_grid_ps = grids[chance.below(4) as usize];
    }
    let ppm = 70 + chance.below(61);
    for number in [&mut c.steal_ppm, &mut c.late_tick_ppm, &mut c.work_ps] {
        *number = *number * ppm / 100;
    }
}
