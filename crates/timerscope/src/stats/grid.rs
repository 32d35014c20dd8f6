//! The grid that waits end on.

use super::lattice::{Lattice, Pile, TIGHT, longest_step, search};
use super::law::{Asked, laws, words};
use super::{Counted, Law, modes};
use crate::machine::Span;

/// The step whose multiples waits end on, and how the multiple follows from
/// the span.
///
/// A grid shows in how long waits take when a task waits again as soon as it
/// woke, or when the timer counts ticks. Waits that begin at random end on
/// the grid, too, but their durations do not show it.
///
/// ```
/// use timerscope::machine::Span;
/// use timerscope::stats::{Counted, Grid, Law};
///
/// // What Linux at 250 Hz does with ITIMER_VIRTUAL, 20 waits each.
/// let rows = [
///     (1, 8_000), (1_562, 8_000), (3_125, 8_000), (6_250, 12_000),
///     (12_500, 20_000), (25_000, 32_000), (50_000, 56_000),
///     (100_000, 104_000),
/// ]
/// .map(|(asked_us, took_us)| {
///     let took = Counted::from_pairs([(took_us * 1_000, 20)]);
///     (Span::from_us(asked_us), took)
/// });
/// let grid = Grid::find(&rows).unwrap();
/// assert_eq!(grid.laws, [Law::CeilPlus(1)]);
/// assert_eq!(
///     grid.sentence(),
///     "every wait ends on a multiple of 4 ms, one more than the span needs",
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The step in ns, estimated from the waits: 9999850 where a clock counts
    /// a tick of 10 ms so.
    pub step_ns: f64,
    /// The share of all waits that end near a multiple: within an eighth of
    /// a step, after the wake latency that all have in common.
    pub share: f64,
    /// Every law that all rows obey: two where the rows cannot tell them
    /// apart, and [`Law::Irregular`] alone where none holds.
    pub laws: Vec<Law>,
    /// Whether several multiples were seen. If not, `step_ns` is the longest
    /// step that would do; a half or a third of it would do as well.
    pub certain: bool,
}

/// Waits longer than this, in ns, cannot tell fine steps apart.
const LONGEST: u64 = 1_000_000_000;

/// Piles below this share of their row are taken for disturbances.
const PILE: f64 = 0.1;

/// A grid explains at least this share of all waits.
const SHARE: f64 = 0.75;

/// Waits needed before one multiple alone is called a grid.
const FEWEST: u64 = 5;

impl Grid {
    /// Finds the grid behind rows of a span and how long its waits took.
    ///
    /// `None` where there is none, and where chance or the spans themselves
    /// would explain it: any waits lie on some fine grid, and waits of whole
    /// milliseconds that end 70 us late lie on that of the question. A wait
    /// is evidence only if it ends at least 0.3 steps after its span; several
    /// multiples are needed, reached from different spans or within a row.
    /// Where a single one is all there is, see [`Grid::certain`]. Spans and
    /// waits over a second are left aside, and so are steps outside 0.1 ms
    /// to 60 ms.
    #[must_use]
    pub fn find(rows: &[(Span, Counted)]) -> Option<Self> {
        let piles = piles(rows);
        if let Some(lattice) = search(&piles) {
            let share = share(rows, |at| lattice.holds(at));
            return (share >= SHARE)
                .then(|| Self::on(lattice, &piles, share, true));
        }
        let lattice = longest_step(&piles)?;
        let waits: u64 = rows.iter().map(|(_, took)| took.total()).sum();
        let tight = share(rows, |at| lattice.off(at).abs() <= TIGHT);
        if waits < FEWEST || tight < SHARE {
            return None;
        }
        let share = share(rows, |at| lattice.holds(at));
        Some(Self::on(lattice, &piles, share, false))
    }

    /// The same where the step, in ns, is known and need not be found.
    ///
    /// `None` where fewer waits end on it than a grid explains.
    #[must_use]
    pub fn known(rows: &[(Span, Counted)], step_ns: f64) -> Option<Self> {
        let lattice = Lattice { step: step_ns, lag: 0.0 };
        let share = share(rows, |at| lattice.holds(at));
        (share >= SHARE).then(|| Self::on(lattice, &piles(rows), share, true))
    }

    fn on(lattice: Lattice, piles: &[Pile], share: f64, certain: bool) -> Self {
        let laws = laws_of(lattice, piles);
        Self { step_ns: lattice.step, share, laws, certain }
    }

    /// Names the laws for JSON: `ceil+1`, or `ceil+0 or floor+1` where the
    /// rows cannot tell two apart.
    #[must_use]
    pub fn law(&self) -> String {
        let names: Vec<String> =
            self.laws.iter().map(ToString::to_string).collect();
        names.join(" or ")
    }

    /// Says it in one sentence, without a full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let percent = (self.share * 100.0).floor();
        let who = if self.share >= 0.995 {
            "every wait ends".to_owned()
        } else {
            format!("{percent} % of the waits end")
        };
        let step = readable(self.step_ns);
        let rule = words(&self.laws);
        let doubt = if self.certain {
            ""
        } else {
            "; these waits do not rule out a half or a third of that step"
        };
        format!("{who} on a multiple of {step}, {rule}{doubt}")
    }
}

/// Rounds to the fewest digits that change the step by less than a
/// thousandth: 3.9987 ms is called 4 ms, 10.0498 ms stays 10.05 ms.
fn readable(step_ns: f64) -> Span {
    let rounded = |digits: i32| {
        let place = step_ns.max(1.0).log10().floor() as i32 + 1 - digits;
        let unit = 10_f64.powi(place);
        (step_ns / unit).round() * unit
    };
    let near = |step: &f64| (step - step_ns).abs() < step_ns / 1_000.0;
    let step = (1..4).map(rounded).find(near).unwrap_or_else(|| rounded(4));
    Span::from_ns(step.round() as u64)
}

/// Where the waits of each row pile up.
fn piles(rows: &[(Span, Counted)]) -> Vec<Pile> {
    let of_row = |(row, (span, took)): (usize, &(Span, Counted))| {
        let span = span.ns() as f64;
        modes(took).into_iter().map(move |mode| Pile {
            row,
            span,
            at: mode.at_ns as f64,
            weight: mode.share,
        })
    };
    let longest = LONGEST as f64;
    rows.iter()
        .enumerate()
        .flat_map(of_row)
        .filter(|pile| pile.weight >= PILE)
        .filter(|pile| pile.span <= longest && pile.at <= longest)
        .collect()
}

/// The share of all waits, not over a second, that end where `holds` says.
fn share(rows: &[(Span, Counted)], holds: impl Fn(f64) -> bool) -> f64 {
    let (mut held, mut all) = (0.0, 0.0);
    let short = rows.iter().filter(|(span, _)| span.ns() <= LONGEST);
    for (at, count) in short.flat_map(|(_, took)| took.pairs()) {
        let at = *at as f64;
        if at > LONGEST as f64 {
            continue;
        }
        all += *count as f64;
        held += if holds(at) { *count as f64 } else { 0.0 };
    }
    held / f64::max(all, 1.0)
}

/// A row has a multiple of its own if this share of its waits ends on it.
const TYPICAL: f64 = 0.6;

/// The laws that the rows' typical multiples obey.
fn laws_of(lattice: Lattice, piles: &[Pile]) -> Vec<Law> {
    let near = piles.iter().filter(|pile| lattice.holds(pile.at));
    let (mut squares, mut count, mut highest) = (0.0, 0.0, 1.0_f64);
    for pile in near.clone() {
        squares += lattice.off(pile.at).powi(2);
        count += 1.0;
        highest = highest.max(lattice.multiple(pile.at));
    }
    // An error of the step grows with the multiple.
    let drift = 2.0 * (squares / f64::max(count, 1.0)).sqrt() / highest;
    let asked: Vec<Asked> = near
        .filter(|pile| pile.weight >= TYPICAL)
        .map(|pile| {
            let steps = pile.span / lattice.step;
            let multiple = lattice.multiple(pile.at);
            Asked { steps, multiple, slip: 0.01 + drift * steps }
        })
        .collect();
    let rows = piles.chunk_by(|one, next| one.row == next.row).count();
    if (asked.len() as f64) < SHARE * rows as f64 {
        return vec![Law::Irregular];
    }
    laws(&asked)
}
