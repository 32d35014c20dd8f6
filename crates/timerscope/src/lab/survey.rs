//! Everything about a machine's timer in a given time: what `report` tells.

use serde::Serialize;

use super::clocks::{self, ClockFigures, Clocks};
use super::cost::{self, Cost, CostFigures};
use super::frames::{self, FrameFigures, Frames};
use super::play;
use super::sleep::{self, Sleep, SleepFigures};
use super::{Load, headline};
use crate::machine::{
    AskError, Cut, Ended, Facts, Known, Listener, Machine, Missing, Saved,
    Span, WaitKind, Warning,
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
/// Fewer waits than this in a row say little.
const FEW: u64 = 5;
/// More waits than this in a row say no more.
const MANY: u64 = 1_000;
/// A shorter survey looks at no work and no frames: too few say nothing.
const WORTH_IT: Span = Span::from_s(10);

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
        (self.time >= WORTH_IT).then_some(cost)
    }

    /// Sixty frames in a second, in a twelfth of the time.
    #[must_use]
    pub fn frames(self) -> Option<Frames> {
        let time = Span::from_ns(self.time.ns() / 12).min(Span::from_s(10));
        let frames = Frames { rates: vec![60], time };
        (self.time >= WORTH_IT).then_some(frames)
    }

    /// Every wait the machine has at 1 ms, in about a quarter of the time.
    #[must_use]
    pub fn waits(self, facts: &Facts) -> Sleep {
        let waits: Vec<WaitKind> =
            facts.waits.iter().map(|fact| fact.name).collect();
        let sleep = Sleep { waits, ..Sleep::of(WaitKind::Nanosleep, SPAN) };
        self.fitted(facts, sleep, 28)
    }

    /// The plainest wait without slack, in a twentieth of the time.
    #[must_use]
    pub fn unslacked(self, facts: &Facts) -> Sleep {
        let slack = Some(Span::from_ns(1));
        let sleep = Sleep { slack, ..Sleep::of(plainest(facts), SPAN) };
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
            self.fitted(facts, sleep, 28)
        };
        // Rather fewer spans than rows that say little.
        let fits = |sleep: &Sleep| sleep.count >= FEW;
        (1..=2).map(every).find(fits).unwrap_or_else(|| every(3))
    }

    /// As many waits in each row as fit into a part of the time.
    fn fitted(self, facts: &Facts, sleep: Sleep, percent: u64) -> Sleep {
        let once = Sleep { count: 1, ..sleep.clone() }.expected(facts);
        let time = self.time.ns() / 100 * percent;
        let count = (time / once.ns().max(1)).clamp(2, MANY);
        Sleep { count, ..sleep }
    }
}

fn plainest(facts: &Facts) -> WaitKind {
    let has =
        |wait: &WaitKind| facts.waits.iter().any(|fact| fact.name == *wait);
    [WaitKind::Nanosleep, WaitKind::Sleep]
        .into_iter()
        .find(has)
        .unwrap_or(WaitKind::ThreadSleep)
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
    let mut runs = Runs { machine, facts, also, cut: None, warnings: vec![] };
    let clocks = runs.play(&survey.clocks().workload(facts))?;
    let waits = runs.play(&survey.waits(facts).workload(facts))?;
    let unslacked = runs.play(&survey.unslacked(facts).workload(facts))?;
    let sweep = runs.play(&survey.sweep(facts).workload(facts))?;
    let cost = runs.cost(survey.cost())?;
    let frames = runs.frames(survey.frames())?;
    let (warnings, cut) = (runs.warnings, runs.cut);
    let slept =
        |saved: Known<Saved>| saved.map(|saved| sleep::figures(&saved, None));
    let mut figures = SurveyFigures {
        headline: Finding::default(),
        clocks: clocks.map(|saved| clocks::figures(&saved)),
        waits: slept(waits),
        unslacked: slept(unslacked),
        sweep: slept(sweep),
        cost,
        frames,
        warnings,
        cut,
    };
    figures.headline = headline::headline(facts, &figures);
    Ok(figures)
}

fn too_short() -> Missing {
    let why = format!("a survey of less than {WORTH_IT} has no time for it");
    Missing::unknown(why).or_try("--for 20s")
}

struct Runs<'a> {
    machine: &'a mut dyn Machine,
    facts: &'a Facts,
    also: &'a mut dyn Listener,
    cut: Option<Cut>,
    warnings: Vec<Warning>,
}

impl Runs<'_> {
    fn cost(
        &mut self,
        cost: Option<Cost>,
    ) -> Result<Known<CostFigures>, AskError> {
        let Some(cost) = cost else { return Ok(too_short().into()) };
        let quiet = self.play(&cost.idle(self.facts, false))?;
        let ticked = self.play(&cost.idle(self.facts, true))?;
        let busy = self.play(&cost.busy(self.facts))?;
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
        for (rate, how) in frames.loops() {
            let workload = frames.workload(self.facts, rate, how);
            match self.play(&workload)? {
                Known::Value(saved) => runs.push(((rate, how), saved)),
                Known::Missing(missing) => return Ok(missing.into()),
            }
        }
        Ok(Known::Value(frames::figures(&runs)))
    }

    fn play(
        &mut self,
        workload: &crate::machine::Workload,
    ) -> Result<Known<Saved>, AskError> {
        if self.cut.is_some() {
            let why = "the survey was stopped before it came to this";
            return Ok(Missing::unknown(why).or_try("let it finish").into());
        }
        let workload = workload.clone();
        let saved = play(self.machine, self.facts, workload, self.also)?;
        if let Ended::Cut { by, .. } = &saved.ending.ended {
            let text = format!("The survey was cut short, because {by}.");
            self.warnings.push(Warning::new("cut-short", text));
            self.cut = Some(by.clone());
        }
        for warning in &saved.ending.warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
        Ok(Known::Value(saved))
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
    let all = slept.chain([clocks]).chain(cost).chain(frames);
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
        assert!(figures.cost.missing().is_some(), "2 s are too short");
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
