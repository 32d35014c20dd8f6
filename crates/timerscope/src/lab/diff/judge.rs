//! A verdict on each figure that two runs share.

use super::figures::DOUBT;
use super::groups::common;
use super::pairs::Pair;
use super::{Change, Measure, Values, Verdict};
use crate::machine::{Known, Missing};
use crate::stats::{
    self, Comparison, Counted, Figure, Terms, compare_at, compare_counted,
};

/// Differences up to this share of a figure do not matter.
pub(super) const MARGIN: f64 = 0.05;

/// Two runs of the same condition may lie apart by this share of a time as
/// wholes (which CPU, how deep it sleeps, who else is on the host), and no
/// single run shows that. Fitted: of 40 pairs of runs of 1 s on a virtual
/// machine the medians of lateness lay up to 40 % apart, all but one of them
/// surely by less than a third.
const APART: f64 = 1.0 / 3.0;

/// With fewer values nothing is said: see `stats`, which cuts a run into at
/// least six blocks of eight.
pub(super) const FEWEST: u64 = 48;

/// With fewer values nothing is said of the 99th percentile: twenty above
/// it.
const FEWEST_FOR_P99: u64 = 2_000;

/// With fewer values nothing is said of the mean or the 90th percentile of
/// times. A whole run of 100 ms may lie apart from the next of the same
/// condition (which CPU, how deep it slept before): of 40 such pairs 9 means
/// and 2 90th percentiles differed surely, none of 1 s did so by chance.
const FEWEST_FOR_TAIL: u64 = 1_000;

/// The figures of a row of which the values are there.
pub(super) const FIGURES: [(&str, Figure); 4] = [
    ("p50", Figure::Quantile(0.5)),
    ("p90", Figure::Quantile(0.9)),
    ("p99", Figure::Quantile(0.99)),
    ("mean", Figure::Mean),
];

/// Judges figures, the doubt being shared among all of them (Bonferroni).
pub(super) struct Judge {
    shared_by: usize,
    step_ns: f64,
}

impl Judge {
    /// One for these rows, measured by a clock of this step.
    pub(super) fn new(pairs: &[Pair<'_>], step_ns: f64) -> Self {
        let figures = |pair: &Pair<'_>| {
            if let Some(common) = common(pair) {
                return common.len();
            }
            let can = |(name, figure): &&(&str, Figure)| {
                obstacle(pair, name, *figure).is_none()
            };
            shown(pair).filter(can).count()
        };
        Self { shared_by: pairs.iter().map(figures).sum(), step_ns }
    }

    /// Among how many figures the doubt is shared.
    pub(super) fn shared_by(&self) -> usize {
        self.shared_by
    }

    /// The step of the clock behind all of them, in ns.
    pub(super) fn step_ns(&self) -> f64 {
        self.step_ns
    }

    /// Every figure of a row.
    pub(super) fn changes(&self, pair: &Pair<'_>) -> Vec<Change> {
        if let Some(common) = common(pair) {
            return self.between(pair, &common);
        }
        let (before, after) = (&pair.before.values, &pair.after.values);
        if let (Values::Alone(old), Values::Alone(new)) = (before, after) {
            return alone(pair, old, new);
        }
        shown(pair)
            .filter_map(|(name, figure)| self.change(pair, name, *figure))
            .collect()
    }

    fn change(
        &self,
        pair: &Pair<'_>,
        name: &str,
        figure: Figure,
    ) -> Option<Change> {
        let found = self.compared(pair, figure)?;
        let at = (found.before, found.after);
        let change = blank(pair, name, pair.before.measure, at);
        if let Some(why) = obstacle(pair, name, figure) {
            return Some(unsaid(change, &why));
        }
        Some(self.judged(change, &found))
    }

    fn compared(&self, pair: &Pair<'_>, figure: Figure) -> Option<Comparison> {
        let time = pair.before.measure.is_time();
        let (before, after) = (&pair.before.values, &pair.after.values);
        let doubt = DOUBT / self.shared_by.max(1) as f64;
        let margin_ns = if time { self.step_ns } else { 0.0 };
        let apart_share = if time { APART } else { MARGIN };
        let terms =
            Terms { doubt, margin_share: MARGIN, margin_ns, apart_share };
        if let (Values::InOrder(old), Values::InOrder(new)) = (before, after) {
            return compare_at(old, new, figure, &terms);
        }
        let (old, old_width) = counted(before)?;
        let (new, new_width) = counted(after)?;
        let margin_ns = margin_ns.max(old_width).max(new_width);
        let terms = Terms { margin_ns, ..terms };
        compare_counted(&old, &new, figure, &terms)
    }

    /// A change is claimed only where it is sure to be more than what a second
    /// run of the same condition may have.
    fn judged(&self, change: Change, found: &Comparison) -> Change {
        let verdict = match found.verdict {
            stats::Verdict::Lower | stats::Verdict::Higher
                if found.is_beyond() =>
            {
                direction(&change)
            }
            // It may be sure to differ, and too little to matter to anybody.
            _ if !found.matters() => Verdict::Same,
            _ => Verdict::CannotTell,
        };
        let sure = match verdict {
            Verdict::Same => found.within,
            _ => found.beyond,
        };
        let because = (verdict == Verdict::CannotTell)
            .then(|| doubtful(change.measure, found).to_owned());
        let doubt = (1.0 - sure) * self.shared_by.max(1) as f64;
        let bound = |bound: Option<f64>| {
            let why = "these values set no limit to it";
            bound.map_or_else(|| Missing::unknown(why).into(), Known::Value)
        };
        Change {
            verdict,
            confidence: Known::Value((1.0 - doubt).clamp(0.0, 1.0)),
            because,
            low: bound(found.low),
            high: bound(found.high),
            ..change
        }
    }
}

/// Whether the second figure is the better one; both are known to differ.
pub(super) fn direction(change: &Change) -> Verdict {
    let (before, after) = (change.before, change.after);
    let better = match change.measure {
        Measure::Rate => after > before,
        Measure::Took | Measure::Percent => after < before,
        Measure::Turn => return Verdict::CannotTell,
        // Early is no better than late.
        Measure::Lateness
            if before.min(after) < 0.0 && before.max(after) > 0.0 =>
        {
            return Verdict::CannotTell;
        }
        Measure::Lateness => after.abs() < before.abs(),
    };
    if better { Verdict::Better } else { Verdict::Worse }
}

/// The figures worth telling of a row.
fn shown(
    pair: &Pair<'_>,
) -> impl Iterator<Item = &'static (&'static str, Figure)> {
    let few = fewest(pair).is_some_and(|count| count < FEWEST);
    // Of a handful of values the middle one says all there is to say; the
    // upper ones of rates are the good ones.
    let rate = pair.before.measure == Measure::Rate;
    FIGURES.iter().filter(move |(name, figure)| match figure {
        Figure::Mean => !few,
        Figure::Quantile(_) => *name == "p50" || !(few || rate),
    })
}

/// Why it is not said which of two turns is the better.
pub(super) const TURNS: &str =
    "they differ, and a longer turn is neither better nor worse";

/// Why a difference between two runs is not called one between conditions.
const SINGLE: &str = "they differ, and so may two runs of the same: compare \
                      several a side (--before, --after)";

/// Why values that are there do not say.
fn doubtful(measure: Measure, found: &Comparison) -> &'static str {
    let differs =
        matches!(found.verdict, stats::Verdict::Lower | stats::Verdict::Higher);
    match differs {
        true if found.is_beyond() && measure == Measure::Turn => TURNS,
        true if found.is_beyond() => "one run ends early and the other late",
        true if found.is_beyond_margin() => SINGLE,
        true => "they differ, but perhaps by less than matters",
        false => "these values fit a difference that matters, and none at all",
    }
}

/// Why no verdict on a figure is possible, whatever the values are.
fn obstacle(pair: &Pair<'_>, name: &str, figure: Figure) -> Option<String> {
    let ordered = |values: &Values| matches!(values, Values::InOrder(_));
    let in_order = ordered(&pair.before.values) && ordered(&pair.after.values);
    if pair.before.measure != pair.after.measure {
        return Some("the two runs measured different things".to_owned());
    }
    let Some(count) = fewest(pair) else {
        return Some("one run tells only the figure".to_owned());
    };
    if count < FEWEST {
        return Some(format!("one run has fewer than {FEWEST} values"));
    }
    let needs = match name {
        "p99" => FEWEST_FOR_P99,
        "p90" | "mean" if pair.before.measure.is_time() => FEWEST_FOR_TAIL,
        _ => 0,
    };
    if count < needs {
        return Some(format!(
            "{name} needs {needs} values, and one run has fewer"
        ));
    }
    if figure == Figure::Mean && !in_order {
        return Some("the order of the values is lost".to_owned());
    }
    None
}

/// How many values the run with fewer of them has.
fn fewest(pair: &Pair<'_>) -> Option<u64> {
    let (before, after) = (&pair.before.values, &pair.after.values);
    Some(before.count()?.min(after.count()?))
}

fn counted(values: &Values) -> Option<(Counted, f64)> {
    match values {
        Values::InOrder(values) => {
            Some((values.iter().copied().collect(), 0.0))
        }
        Values::Counted(values, width) => Some((values.clone(), *width)),
        Values::Alone(_) | Values::Runs(_) => None,
    }
}

/// Figures with nothing behind them, side by side.
fn alone(
    pair: &Pair<'_>,
    old: &[(String, Measure, f64)],
    new: &[(String, Measure, f64)],
) -> Vec<Change> {
    let both = old.iter().filter_map(|(name, measure, before)| {
        let (.., after) = new.iter().find(|own| own.0 == *name)?;
        Some((name, *measure, (*before, *after)))
    });
    both.map(|(name, measure, at)| {
        let why = "an answer tells this figure and not the values behind it";
        unsaid(blank(pair, name, measure, at), why)
    })
    .collect()
}

/// A change without its verdict.
pub(super) fn blank(
    pair: &Pair<'_>,
    figure: &str,
    measure: Measure,
    (before, after): (f64, f64),
) -> Change {
    let row = &pair.before.what;
    let time = measure.is_time();
    let word = match measure {
        Measure::Lateness => "lateness ",
        _ => "",
    };
    let word = if figure.starts_with("lateness") { "" } else { word };
    let unsaid = || Missing::unknown("nothing was compared").into();
    Change {
        what: format!("{row}, {word}{figure}"),
        row: row.clone(),
        figure: figure.to_owned(),
        measure,
        before,
        after,
        before_ns: time.then_some(before),
        after_ns: time.then_some(after),
        low: unsaid(),
        high: unsaid(),
        verdict: Verdict::CannotTell,
        confidence: unsaid(),
        because: None,
        unlike: pair.unlike.iter().map(|own| own.what.clone()).collect(),
    }
}

/// A change of which nothing can be said, and why.
pub(super) fn unsaid(change: Change, why: &str) -> Change {
    let missing = || Missing::unknown(why).into();
    Change {
        low: missing(),
        high: missing(),
        confidence: missing(),
        because: Some(why.to_owned()),
        ..change
    }
}
