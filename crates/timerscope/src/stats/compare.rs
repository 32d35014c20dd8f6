//! Whether one run's figure differs from another's.
//!
//! Each run's figure gets limits of its own (see `serial` and `profile`), and the
//! limits of the difference follow from them by Zou and Donner's method of
//! variance estimates recovery ("Construction of confidence limits about
//! effect measures", Statistics in Medicine, 2008). It keeps what a single
//! standard error would lose: the limits of a 99 % quantile reach much
//! further up than down. For means it is Welch's test.

use super::estimate::{Estimate, Figure};
use super::{Counted, student};

/// What a comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figure became lower.
    Lower,
    /// The figure became higher.
    Higher,
    /// No difference was found, and none beyond the margin is possible.
    Same,
    /// The values do not say.
    CannotTell,
}

/// How strict a comparison is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The chance, from 0 to 1, of claiming a difference where there is none.
    /// Whoever compares several figures at once divides it among them.
    pub doubt: f64,
    /// Differences up to this share of the smaller figure do not matter.
    pub margin_share: f64,
    /// Nor do those up to this many ns: the step of the clock, for instance.
    pub margin_ns: f64,
    /// Two runs of the same condition may lie apart by this share of the
    /// smaller figure, which neither of them shows.
    pub apart_share: f64,
}

impl Default for Terms {
    /// A doubt of 5 %, and a margin of 5 %; runs of the same condition lie
    /// apart by no more than they show themselves.
    fn default() -> Self {
        Self {
            doubt: 0.05,
            margin_share: 0.05,
            margin_ns: 0.0,
            apart_share: 0.0,
        }
    }
}

/// Two runs' figure side by side, in ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The figure of the first run.
    pub before: f64,
    /// The figure of the second run.
    pub after: f64,
    /// `after` less `before`.
    pub difference: f64,
    /// The least that the true difference may be; `None` if unbounded.
    pub low: Option<f64>,
    /// The most that the true difference may be; `None` if unbounded.
    pub high: Option<f64>,
    /// The difference that would not matter.
    pub margin: f64,
    /// The difference that two runs of the same condition may have, or the
    /// margin if that is more.
    pub apart: f64,
    /// What it comes to.
    pub verdict: Verdict,
    /// How sure that is, from 0 to 1. If `Same`: that the difference is
    /// within the margin. Otherwise: that there is one.
    pub confidence: f64,
    /// How sure, from 0 to 1, that the difference is within the margin,
    /// whatever the verdict.
    pub within: f64,
    /// How sure, from 0 to 1, that it is beyond what two runs of the same
    /// condition may have.
    pub beyond: f64,
}

/// Compares a figure of two runs at the usual [`Terms`].
///
/// Both in ns, each in the order of time: values that follow each other are
/// allowed to depend on each other. `None` if a run is empty or the quantile
/// asked for is not between 0 and 1.
///
/// A difference is claimed where the 95 % interval leaves out zero, however
/// small it is: [`Comparison::matters`] tells. What makes two runs of the
/// same condition differ as wholes shows in one run each only as far as it
/// also changes within them.
///
/// ```
/// use timerscope::stats::{Figure, Verdict, compare};
///
/// let before: Vec<i64> = (0..500).map(|i| 1_000 + i * 7 % 100).collect();
/// let after: Vec<i64> = before.iter().map(|wait| wait + 100).collect();
/// let found = compare(&before, &after, Figure::Quantile(0.5)).unwrap();
/// assert_eq!(found.verdict, Verdict::Higher);
/// assert_eq!(found.difference, 100.0);
///
/// let few = compare(&before[..20], &after[..20], Figure::Mean).unwrap();
/// assert_eq!(few.verdict, Verdict::CannotTell);
/// ```
#[must_use]
pub fn compare(
    before: &[i64],
    after: &[i64],
    figure: Figure,
) -> Option<Comparison> {
    compare_at(before, after, figure, &Terms::default())
}

/// Compares a figure of two runs at terms of one's own; see [`compare`].
#[must_use]
pub fn compare_at(
    before: &[i64],
    after: &[i64],
    figure: Figure,
    terms: &Terms,
) -> Option<Comparison> {
    let before = Estimate::in_order(before, figure)?;
    let after = Estimate::in_order(after, figure)?;
    Some(Pair { before, after }.judge(terms))
}

/// Compares a figure of two runs of which only a histogram was kept.
///
/// Nobody can say any more how much the values depended on each other, so
/// each counts for a quarter of one, quantiles alone have an interval, and a
/// mean is always `CannotTell`. Give the width of a bin as
/// [`Terms::margin_ns`]: here a difference up to it is never claimed.
#[must_use]
pub fn compare_counted(
    before: &Counted,
    after: &Counted,
    figure: Figure,
    terms: &Terms,
) -> Option<Comparison> {
    let before = Estimate::of_counted(before, figure)?;
    let after = Estimate::of_counted(after, figure)?;
    let mut found = Pair { before, after }.judge(terms);
    let claimed = matches!(found.verdict, Verdict::Lower | Verdict::Higher);
    if claimed && found.difference.abs() <= terms.margin_ns {
        found.verdict = Verdict::CannotTell;
    }
    Some(found)
}

impl Comparison {
    /// Says whether the true difference may be more than the margin.
    #[must_use]
    pub fn matters(&self) -> bool {
        !within(self.margin, self.bounds())
    }

    /// Says whether the true difference is sure to be more than the margin.
    #[must_use]
    pub fn is_beyond_margin(&self) -> bool {
        self.is_beyond_by(self.margin)
    }

    /// Says whether the true difference is sure to be more than two runs of
    /// the same condition may have.
    #[must_use]
    pub fn is_beyond(&self) -> bool {
        self.is_beyond_by(self.apart)
    }

    fn is_beyond_by(&self, least: f64) -> bool {
        let (low, high) = self.bounds();
        low > least || high < -least
    }

    fn bounds(&self) -> (f64, f64) {
        let low = self.low.unwrap_or(f64::NEG_INFINITY);
        (low, self.high.unwrap_or(f64::INFINITY))
    }
}

struct Pair {
    before: Estimate,
    after: Estimate,
}

impl Pair {
    fn judge(&self, terms: &Terms) -> Comparison {
        let (before, after) = (self.before.at(), self.after.at());
        let smaller = before.abs().min(after.abs());
        let margin = (terms.margin_share * smaller).max(terms.margin_ns);
        let apart = margin.max(terms.apart_share * smaller);
        let freedom = self.freedom();
        let critical = student::critical(terms.doubt, freedom);
        let bounds = self.bounds(critical);
        let verdict = match bounds {
            (_, high) if high < 0.0 => Verdict::Lower,
            (low, _) if low > 0.0 => Verdict::Higher,
            bounds if within(margin, bounds) => Verdict::Same,
            _ => Verdict::CannotTell,
        };
        let sure = |holds: &dyn Fn((f64, f64)) -> bool| {
            let reached = largest(|critical| holds(self.bounds(critical)));
            1.0 - student::doubt(reached, freedom)
        };
        let differs = sure(&|(low, high)| low > 0.0 || high < 0.0);
        let beyond = sure(&|(low, high)| low > apart || high < -apart);
        let within = sure(&|bounds| within(margin, bounds));
        Comparison {
            before,
            after,
            difference: after - before,
            low: Some(bounds.0).filter(|low| low.is_finite()),
            high: Some(bounds.1).filter(|high| high.is_finite()),
            margin,
            apart,
            verdict,
            confidence: if verdict == Verdict::Same { within } else { differs },
            within,
            beyond,
        }
    }

    /// The limits of the difference at `critical` standard errors.
    fn bounds(&self, critical: f64) -> (f64, f64) {
        let (before_down, before_up) = self.before.limits(critical);
        let (after_down, after_up) = self.after.limits(critical);
        let difference = self.after.at() - self.before.at();
        (
            difference - after_down.hypot(before_up),
            difference + after_up.hypot(before_down),
        )
    }

    /// Welch's degrees of freedom, from the width of each run's limits.
    fn freedom(&self) -> f64 {
        let part = |run: &Estimate| {
            let (down, up) = run.limits(2.0);
            ((down + up).powi(2), run.freedom())
        };
        let (before, after) = (part(&self.before), part(&self.after));
        let welch = (before.0 + after.0).powi(2)
            / (before.0.powi(2) / before.1 + after.0.powi(2) / after.1);
        // Without any width, or with an infinite one.
        if welch.is_finite() { welch } else { before.1.min(after.1) }
    }
}

fn within(margin: f64, (low, high): (f64, f64)) -> bool {
    -margin <= low && high <= margin
}

/// The largest number up to 64 for which something holds that holds for
/// small ones if for any.
fn largest(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut yes, mut no) = (0.0, 64.0);
    for _ in 0..30 {
        let middle = f64::midpoint(yes, no);
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}
