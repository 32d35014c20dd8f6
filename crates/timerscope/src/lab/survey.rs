//! Everything about a machine's timer in a given time: what `report` tells.

use serde::Serialize;

use super::clocks::{self, ClockFigures, Clocks};
use super::cost::{self, Cost, CostFigures};
use super::frames::{self, FrameFigures, Frames};
use super::play::Plays;
use super::quantum::{self, Quantum, QuantumFigures};
use super::sleep::{self, Sleep, SleepFigures};
use super::switch::{self, Switch, SwitchFigures, Variant};
use super::wake::{self, Setter, Wake, WakeFigures};
use super::{Load, headline};
use crate::machine::{
    AskError, Cut, Ended, Facts, Known, Listener, Machine, Missing, Saved,
    Span, WaitKind, Warning, Workload,
};

pub use super::headline::Finding;

/// A survey that takes about so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survey {
    /// How long all of it may take.
    pub time: Span,
}

/// What a survey found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurveyFigures {
    /// The one thing to take away.
    pub headline: Finding,
    /// What each clock shows and costs.
    pub clocks: Known<ClockFigures>,
    /// Every wait at 1 ms.
    pub waits: Known<SleepFigures>,
    /// The plainest wait again, without timer slack.
    pub unslacked: Known<SleepFigures>,
    /// Some waits over a sweep of spans.
    pub sweep: Known<SleepFigures>,
    /// How late waiters run, set on another CPU and on the same.
    pub wake: Known<WakeFigures>,
    /// How fast two threads hand each other the turn.
    pub switch: Known<SwitchFigures>,
    /// How long a thread runs before its equal.
    pub quantum: Known<QuantumFigures>,
    /// What a tick of 1 ms costs.
    pub cost: Known<CostFigures>,
    /// What it is good for.
    pub frames: Known<FrameFigures>,
    /// What the runs had to say besides.
    pub warnings: Vec<Warning>,
    /// Who cut it short, if anybody did.
    #[serde(skip)]
    pub cut: Option<Cut>,
}

/// Every wait is made with this span.
pub const SPAN: Span = Span::from_ms(1);

/// The spans of the sweep.
const SWEEP: &str = "16ms..1us";
/// The waits of the sweep: one that is precise, one in whole milliseconds,
/// one on the timer wheel, one on ticks.
const SWEPT: [WaitKind; 4] = [
    WaitKind::Nanosleep,
    WaitKind::Poll,
    WaitKind::SocketTimeout,
    WaitKind::ItimerVirtual,
];
/// From this time on there is more than waits and clocks in a survey.
const LONG: Span = Span::from_s(10);
/// Fewer waits than this in a row say little.
const FEW: u64 = 5;
/// More waits than this in a row say no more.
const MANY: u64 = 1_000;

impl Survey {
    /// How the clocks are looked at, in about a tenth of the time.
    #[must_use]
    pub fn clocks(self) -> Clocks {
        let watch = Span::from_ns(self.time.ns() / 20).min(Span::from_s(1));
        Clocks { load: Load::None, watch }
    }

    /// What a tick of 1 ms costs, in a seventh of the time.
    #[must_use]
    pub fn cost(self) -> Option<Cost> {
        let time = Span::from_ns(self.time.ns() / 7).min(Span::from_s(20));
        let period = Span::from_ms(1);
        let cost = Cost { period, time, cpu: None, series: false, seed: 1 };
        self.is_long().then_some(cost)
    }

    /// Sixty frames in a second, in a twelfth of the time.
    #[must_use]
    pub fn frames(self) -> Option<Frames> {
        let time = Span::from_ns(self.time.ns() / 12).min(Span::from_s(10));
        let frames = Frames { rates: vec![60], time };
        self.is_long().then_some(frames)
    }

    /// Every wait the machine has at 1 ms, in about a quarter of the time.
    #[must_use]
    pub fn waits(self, facts: &Facts) -> Sleep {
        let waits: Vec<WaitKind> =
            facts.waits.iter().map(|fact| fact.name).collect();
        let sleep = Sleep { waits, ..Sleep::of(WaitKind::Nanosleep, SPAN) };
        self.fitted(facts, sleep, 24)
    }

    /// The plainest wait without slack, in a twentieth of the time.
    #[must_use]
    pub fn unslacked(self, facts: &Facts) -> Sleep {
        let slack = Some(Span::from_ns(1));
        let sleep = Sleep { slack, ..Sleep::of(sleep::plainest(facts), SPAN) };
        self.fitted(facts, sleep, 5)
    }

    /// Some waits over a sweep of spans, in about a quarter of the time.
    #[must_use]
    pub fn sweep(self, facts: &Facts) -> Sleep {
        let has =
            |wait: &WaitKind| facts.waits.iter().any(|fact| fact.name == *wait);
        let waits: Vec<WaitKind> = SWEPT.into_iter().filter(has).collect();
        let all: Vec<Span> = SWEEP
            .parse::<sleep::Sweep>()
            .map(|sweep| sweep.spans())
            .unwrap_or_default();
        let every = |step: usize| {
            let spans = all.iter().copied().step_by(step).collect();
            let waits = waits.clone();
            let sleep = Sleep { waits, spans, ..Sleep::of(SWEPT[0], SPAN) };
            self.fitted(facts, sleep, 24)
        };
        // Rather fewer spans than rows that say little.
        let fits = |sleep: &Sleep| sleep.count >= FEW;
        (1..=2).map(every).find(fits).unwrap_or_else(|| every(3))
    }

    /// How late waiters run, in about a fiftieth of the time.
    #[must_use]
    pub fn wake(self, facts: &Facts) -> Wake {
        let setters = vec![Setter::OtherCpu, Setter::SameCpu];
        let wake = Wake { setters, count: 1, ..Wake::by(Setter::SameCpu) };
        let count = self.part(2) / wake.expected(facts).ns().max(1);
        Wake { count: count.clamp(1, MANY), ..wake }
    }

    /// How fast two threads hand over by two calls, in about a fifteenth of
    /// the time.
    #[must_use]
    pub fn switch(self) -> Switch {
        let (variants, blocks) = ([1, 2], 3);
        let counts = variants.len() as u64 * u64::from(blocks);
        // Each count takes a little longer than it counts.
        let block = Span::from_ns(self.part(4) / counts);
        let variants = variants.map(|cpus| (Variant::SetThenWait, cpus));
        let all = Switch::all(blocks, block);
        Switch { variants: variants.to_vec(), ..all }
    }

    /// How long a thread runs before its equal, in a twentieth of the time.
    #[must_use]
    pub fn quantum(self) -> Quantum {
        Quantum::pair(Span::from_ns(self.part(5)).min(Span::from_s(10)))
    }

    /// Whether there is time for more than waits and clocks.
    fn is_long(self) -> bool {
        self.time >= LONG
    }

    fn part(self, percent: u64) -> u64 {
        self.time.ns() / 100 * percent
    }

    /// As many waits in each row as fit into a part of the time.
    fn fitted(self, facts: &Facts, sleep: Sleep, percent: u64) -> Sleep {
        let once = Sleep { count: 1, ..sleep.clone() }.expected(facts);
        let count = (self.part(percent) / once.ns().max(1)).clamp(2, MANY);
        Sleep { count, ..sleep }
    }
}

/// Plays the whole survey and says what it found.
///
/// A run that was stopped leaves what comes after it unknown.
///
/// # Errors
///
/// When the machine refuses a part of it.
pub fn survey(
    machine: &mut dyn Machine,
    facts: &Facts,
    survey: Survey,
    also: &mut dyn Listener,
) -> Result<SurveyFigures, AskError> {
    let plays = Plays::new(machine, facts, also);
    let mut runs = Runs { plays, facts, warnings: vec![] };
    let clocks = runs.play(survey.clocks().workload(facts))?;
    let waits = runs.play(survey.waits(facts).workload(facts))?;
    let unslacked = runs.play(survey.unslacked(facts).workload(facts))?;
    let sweep = runs.play(survey.sweep(facts).workload(facts))?;
    let (wake, switch) = (survey.wake(facts), survey.switch());
    let quantum = survey.quantum();
    let long = survey.is_long();
    let wakes = runs.play_all(long, wake.workloads(facts))?;
    let switches = runs.play_all(long, switch.workloads(facts))?;
    let turns = runs.play_all(long, quantum.workloads(facts))?;
    let cost = runs.cost(survey.cost())?;
    let frames = runs.frames(survey.frames())?;
    let (warnings, cut) = (runs.warnings, runs.plays.cut);
    let slept =
        |saved: Known<Saved>| saved.map(|saved| sleep::figures(&saved, None));
    let mut figures = SurveyFigures {
        headline: Finding::default(),
        clocks: clocks.map(|saved| clocks::figures(&saved)),
        waits: slept(waits),
        unslacked: slept(unslacked),
        sweep: slept(sweep),
        wake: wakes.map(|runs| wake::figures(&wake, &runs)),
        switch: switches.map(|runs| switch::figures(&switch, &runs)),
        quantum: turns.map(|runs| quantum::figures(&quantum, &runs)),
        cost,
        frames,
        warnings,
        cut,
    };
    figures.headline = headline::headline(facts, &figures);
    Ok(figures)
}

fn too_short() -> Missing {
    let why = format!("a survey of less than {LONG} has no time for it");
    Missing::unknown(why).or_try("--for 20s")
}

struct Runs<'a> {
    plays: Plays<'a>,
    facts: &'a Facts,
    warnings: Vec<Warning>,
}

impl Runs<'_> {
    fn cost(
        &mut self,
        cost: Option<Cost>,
    ) -> Result<Known<CostFigures>, AskError> {
        let Some(cost) = cost else { return Ok(too_short().into()) };
        let quiet = self.play(cost.idle(self.facts, false))?;
        let ticked = self.play(cost.idle(self.facts, true))?;
        let busy = self.play(cost.busy(self.facts))?;
        Ok(quiet.and_then(|quiet| {
            ticked.and_then(|ticked| {
                busy.map(|busy| cost::figures(&busy, &quiet, &ticked, None))
            })
        }))
    }

    fn frames(
        &mut self,
        frames: Option<Frames>,
    ) -> Result<Known<FrameFigures>, AskError> {
        let Some(frames) = frames else { return Ok(too_short().into()) };
        let mut runs = Vec::new();
        for (rate, how) in frames.loops(self.facts) {
            let workload = frames.workload(self.facts, rate, how);
            match self.play(workload)? {
                Known::Value(saved) => runs.push(((rate, how), saved)),
                Known::Missing(missing) => return Ok(missing.into()),
            }
        }
        Ok(Known::Value(frames::figures(&runs)))
    }

    /// Each of these, if there is time for them.
    fn play_all(
        &mut self,
        long: bool,
        workloads: Vec<Result<Workload, AskError>>,
    ) -> Result<Known<Vec<Known<Saved>>>, AskError> {
        if !long {
            let why = format!("this needs a survey of {LONG} or longer");
            let missing = Missing::unknown(why).or_try("--for 20s");
            return Ok(missing.into());
        }
        let workloads = workloads.into_iter();
        let runs = workloads.map(|workload| self.play_one(workload));
        Ok(Known::Value(runs.collect::<Result<_, _>>()?))
    }

    fn play(&mut self, workload: Workload) -> Result<Known<Saved>, AskError> {
        self.play_one(Ok(workload))
    }

    fn play_one(
        &mut self,
        workload: Result<Workload, AskError>,
    ) -> Result<Known<Saved>, AskError> {
        let run = self.plays.play(workload)?;
        if let Some(saved) = run.value()
            && let Ended::Cut { by, .. } = &saved.ending.ended
        {
            let text = format!("The survey was cut short, because {by}.");
            self.warnings.push(Warning::new("cut-short", text));
        }
        let warnings = run.value().map(|saved| &saved.ending.warnings);
        for warning in warnings.into_iter().flatten() {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
        Ok(run)
    }
}

/// How long a survey takes on the machine of `facts`, on the long side.
#[must_use]
pub fn duration(facts: &Facts, survey: Survey) -> Span {
    let sleeps =
        [survey.waits(facts), survey.unslacked(facts), survey.sweep(facts)];
    let clocks = survey.clocks().watch.ns().saturating_mul(2);
    let cost = survey.cost().map(|cost| cost.time.ns());
    let frames = survey.frames().map(|frames| frames.time.ns());
    let slept = sleeps.iter().map(|sleep| sleep.expected(facts).ns());
    let others = [
        survey.wake(facts).expected(facts).ns(),
        survey.switch().expected().ns(),
        survey.quantum().expected().ns(),
    ];
    let others = others.into_iter().filter(|_| survey.is_long());
    let all = slept.chain(others).chain([clocks]).chain(cost).chain(frames);
    Span::from_ns(all.fold(0, u64::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::Silent;
    use crate::lab::scripted::{Scripted, facts};
    use crate::machine::{Batch, Verdict};

    #[test]
    fn a_survey_fits_its_time_however_short() {
        let facts = facts();
        for seconds in [2, 5, 20, 300] {
            let time = Span::from_s(seconds);
            let survey = Survey { time };
            let takes = duration(&facts, survey);
            assert!(takes <= time, "{takes} of {time}");
            assert!(survey.waits(&facts).count >= FEW);
            assert!(survey.sweep(&facts).count >= 2);
        }
    }

    #[test]
    fn a_survey_tells_every_wait_and_every_clock() {
        let mut machine = Scripted::default();
        let facts = facts();
        let asked = Survey { time: Span::from_s(2) };
        let figures = survey(&mut machine, &facts, asked, &mut Silent).unwrap();
        let waits = figures.waits.value().unwrap();
        assert_eq!(waits.rows.len(), facts.waits.len());
        let clocks = figures.clocks.value().unwrap();
        assert_eq!(clocks.clocks.len(), facts.clocks.len());
        assert_eq!(figures.headline.code, "timer-slack");
        assert!(figures.wake.missing().is_some());
    }

    #[test]
    fn a_survey_of_more_than_waits_takes_its_time() {
        let facts = facts();
        let time = Span::from_s(20);
        let asked = Survey { time };
        let machine = &mut Scripted::default();
        let figures = survey(machine, &facts, asked, &mut Silent).unwrap();
        let wake = figures.wake.value().unwrap();
        assert!(wake.rows.iter().all(|row| row.late.count > 100));
        let switch = figures.switch.value().unwrap();
        let rates = switch.rows.iter().map(|row| &row.round_trips_per_s);
        assert!(rates.into_iter().all(|rate| rate.value().is_some()));
        let quantum = figures.quantum.value().unwrap();
        assert!(quantum.rows[0].ran.count > 100);
    }

    #[test]
    fn a_survey_with_time_tells_what_a_tick_costs_and_is_good_for() {
        let mut machine = Scripted::default();
        let asked = Survey { time: Span::from_s(20) };
        let facts = facts();
        let figures = survey(&mut machine, &facts, asked, &mut Silent).unwrap();
        let cost = figures.cost.value().unwrap();
        assert!(cost.pairs >= 10, "{}", cost.pairs);
        // The script's CPU loses nothing to a tick.
        assert_eq!(cost.loss_percent, Known::Value(0.0));
        let frames = figures.frames.value().unwrap();
        assert_eq!(frames.rows.len(), 5);
    }

    struct Impatient;

    impl Listener for Impatient {
        fn hear(&mut self, _: &Batch<'_>) -> Verdict {
            Verdict::Stop
        }
    }

    #[test]
    fn what_a_stopped_survey_did_not_reach_is_unknown() {
        let mut machine = Scripted::default();
        let facts = facts();
        let asked = Survey { time: Span::from_s(2) };
        let figures =
            survey(&mut machine, &facts, asked, &mut Impatient).unwrap();
        assert!(figures.clocks.value().is_some());
        assert!(figures.sweep.missing().is_some());
        assert_eq!(figures.cut, Some(Cut::Listener));
        assert_eq!(figures.warnings[0].code, "cut-short");
    }
}
