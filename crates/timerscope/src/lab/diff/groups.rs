//! A verdict on figures of which each run tells one number.

use super::figures::DOUBT;
use super::judge::{Judge, MARGIN, TURNS, blank, direction, unsaid};
use super::pairs::Pair;
use super::several::PerRun;
use super::{Change, Measure, Values, Verdict};
use crate::machine::Known;
use crate::stats::{Shift, runs_needed};

/// Figures of which both sides have numbers, if both are of several runs.
pub(super) fn common<'a>(
    pair: &Pair<'a>,
) -> Option<Vec<(&'a PerRun, &'a PerRun)>> {
    let (Values::Runs(before), Values::Runs(after)) =
        (&pair.before.values, &pair.after.values)
    else {
        return None;
    };
    let both = before.iter().filter_map(|old| {
        let like =
            |new: &&PerRun| new.name == old.name && new.measure == old.measure;
        Some((old, after.iter().find(like)?))
    });
    Some(both.collect())
}

impl Judge {
    /// How many runs a side, at least, so that any figure can be told.
    pub(super) fn runs_needed(&self) -> Option<u64> {
        runs_needed(self.doubt())
    }

    /// The doubt that falls to one figure.
    fn doubt(&self) -> f64 {
        DOUBT / self.shared_by().max(1) as f64
    }

    /// Every figure that both sides have numbers of.
    pub(super) fn between(
        &self,
        pair: &Pair<'_>,
        figures: &[(&PerRun, &PerRun)],
    ) -> Vec<Change> {
        let change = |(old, new): &(&PerRun, &PerRun)| {
            let at = (middle(&old.at)?, middle(&new.at)?);
            let change = blank(pair, &old.name, old.measure, at);
            let Some(shift) = Shift::of(&old.at, &new.at) else {
                let why = "more than a hundred runs a side are not compared";
                return Some(unsaid(change, why));
            };
            let Some(limits) = shift.limits(self.doubt()) else {
                let count = (old.at.len(), new.at.len());
                return Some(unsaid(change, &self.too_few(&shift, count)));
            };
            Some(self.parted(change, &shift, limits))
        };
        figures.iter().filter_map(change).collect()
    }

    /// Unlike that of single runs, a verdict does not wait for the difference
    /// to be beyond what matters: the runs show how they vary as wholes.
    fn parted(
        &self,
        change: Change,
        shift: &Shift,
        (low, high): (f64, f64),
    ) -> Change {
        let margin = MARGIN * change.before.abs().min(change.after.abs());
        let step = if change.measure.is_time() { self.step_ns() } else { 0.0 };
        let margin = margin.max(step);
        let within = |(low, high): (f64, f64)| -margin <= low && high <= margin;
        let apart = |(low, high): (f64, f64)| low > 0.0 || high < 0.0;
        let verdict = match (low, high) {
            limits if within(limits) => Verdict::Same,
            limits if apart(limits) => direction(&change),
            _ => Verdict::CannotTell,
        };
        let sure = match verdict {
            Verdict::Same => shift.sure(within),
            _ => shift.sure(apart),
        };
        let because = (verdict == Verdict::CannotTell).then(|| {
            let turns = change.measure == Measure::Turn;
            let why = match apart((low, high)) {
                true if turns => TURNS,
                true => "one side ends early and the other late",
                false => "the runs of a side differ as much as the sides do",
            };
            why.to_owned()
        });
        let doubt = (1.0 - sure) * self.shared_by().max(1) as f64;
        Change {
            verdict,
            confidence: Known::Value((1.0 - doubt).clamp(0.0, 1.0)),
            because,
            low: Known::Value(low),
            high: Known::Value(high),
            ..change
        }
    }

    /// Why so many runs cannot say anything, whatever their numbers are.
    fn too_few(
        &self,
        shift: &Shift,
        (before, after): (usize, usize),
    ) -> String {
        let luck = shift.least_doubt() * 100.0;
        let needed = self.runs_needed().map_or_else(String::new, |runs| {
            format!("; {runs} runs a side are the least that can")
        });
        format!(
            "{before} against {after} runs cannot show a difference, however \
             large: luck alone parts them so in {luck:.2} % of cases, and \
             {:.2} % are allowed{needed}",
            self.doubt() * 100.0,
        )
    }
}

fn middle(runs: &[f64]) -> Option<f64> {
    let mut sorted = runs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[sorted.len() / 2]))
}
