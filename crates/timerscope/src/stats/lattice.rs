//! The search for a step that explains where waits end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Steps that are looked for, in ns: well below the finest tick in use
/// (0.5 ms) to just above the coarsest (the PC's first, 54.9 ms).
const STEPS: RangeInclusive<f64> = 0.1e6..=60e6;

/// How far from a multiple a wait may end, as a share of the step.
pub(super) const NEAR: f64 = 0.125;

/// The wake latency that all waits may have in common, in steps.
const LAG: RangeInclusive<f64> = -0.1..=0.2;

/// A wait that ends sooner than this after its span, in steps, would have
/// ended there without a grid, too: it is no evidence.
const LATE: f64 = 0.3;

/// The share of the piles that must lie on the grid.
const MOST: f64 = 0.75;

/// Chance must explain a grid less often than this for each ms of its step,
/// for the finer the step the more of them are tried. Set, like `CHANCE`, so
/// that smooth lateness is taken for a grid once in a hundred tables at most.
const CHANCE_PER_MS: f64 = 0.0015;

/// Chance must explain a grid less often than this in any case.
const CHANCE: f64 = 0.015;

/// Even an exact multiple is not held against chance more than this.
const FINEST: f64 = 0.015;

/// Where many waits of one row end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile {
    /// Which row.
    pub row: usize,
    /// The span asked, in ns.
    pub span: f64,
    /// Where they end, in ns.
    pub at: f64,
    /// Their share of the row.
    pub weight: f64,
}

/// Multiples of a step, all of them later by a common lag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    /// In ns.
    pub step: f64,
    /// In ns.
    pub lag: f64,
}

impl Lattice {
    /// The multiple, at least 1, that is nearest to `at`.
    pub(super) fn multiple(self, at: f64) -> f64 {
        ((at - self.lag) / self.step).round().max(1.0)
    }

    /// How far `at` is from its multiple, in steps.
    pub(super) fn off(self, at: f64) -> f64 {
        (at - self.lag) / self.step - self.multiple(at)
    }

    /// Whether `at` is near a multiple.
    pub(super) fn holds(self, at: f64) -> bool {
        self.off(at).abs() <= NEAR
    }

    /// The best line through the piles near its multiples.
    fn refined(self, piles: &[Pile]) -> Self {
        let mut sums = [0.0; 5];
        for pile in piles.iter().filter(|pile| self.holds(pile.at)) {
            let (w, k) = (pile.weight, self.multiple(pile.at));
            let terms = [w, w * k, w * k * k, w * pile.at, w * k * pile.at];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        let [w, k, kk, at, k_at] = sums;
        let spread = w * kk - k * k;
        if w <= 0.0 {
            return self;
        }
        // Through one multiple any step and lag would do: take no lag.
        let step = if spread < 1e-9 * w * kk {
            at / k
        } else {
            (w * k_at - k * at) / spread
        };
        let lag = (at - step * k) / w;
        let (low, high) = (LAG.start() * step, LAG.end() * step);
        if (low..=high).contains(&lag) {
            return Self { step, lag };
        }
        let lag = if lag < low { low } else { high };
        Self { step: (k_at - lag * k) / kk, lag }
    }

    /// How often chance would put as many piles as close to the multiples of
    /// some step this long or longer.
    ///
    /// What counts is not how many piles there are but in how many different
    /// ways they get there: spans of whole steps that are all late by the
    /// same time show one way.
    fn chance(self, piles: &[Pile]) -> f64 {
        let mut ways: BTreeMap<Way, Offset> = BTreeMap::new();
        let (mut missed, mut longest) = (BTreeSet::new(), self.step);
        for pile in piles {
            if !self.holds(pile.at) {
                missed.insert((pile.at / self.step / NEAR) as i64);
            } else if pile.at - pile.span >= LATE * self.step {
                let off = Offset::of(self.off(pile.at), pile.weight);
                ways.entry(self.way(pile)).or_default().add(off);
                longest = longest.max(pile.at);
            }
        }
        let ways = without_a_floor(ways);
        let mut off: Vec<f64> = ways.values().map(|o| o.mean().abs()).collect();
        off.sort_by(f64::total_cmp);
        (longest / self.step) * luck(&off, missed.len())
    }

    fn way(self, pile: &Pile) -> Way {
        let (multiple, asked) = (self.multiple(pile.at), pile.span / self.step);
        Way {
            multiple: multiple as i64,
            phase: (asked.fract() / NEAR) as i64,
            more: (multiple - asked.floor()) as i64,
        }
    }
}

/// How a span gets to its multiple.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    multiple: i64,
    /// Which eighth of a step the span ends in.
    phase: i64,
    /// The multiple, less the whole steps of the span.
    more: i64,
}

/// The ways that count: those that differ by more than their multiple, and,
/// of one or two multiples only, the lowest but once. Waits of some least
/// length would show as much.
fn without_a_floor(ways: BTreeMap<Way, Offset>) -> BTreeMap<Way, Offset> {
    let lowest = ways.keys().next().map(|way| way.multiple);
    let multiples: BTreeSet<i64> =
        ways.keys().map(|way| way.multiple).collect();
    let few = multiples.len() < 3;
    let mut kept: BTreeMap<Way, Offset> = BTreeMap::new();
    for (way, off) in ways {
        let key = if few && Some(way.multiple) == lowest {
            Way { multiple: 0, phase: 0, more: 0 }
        } else {
            Way { multiple: 0, ..way }
        };
        kept.entry(key).or_default().add(off);
    }
    kept
}

/// A weighted sum of offsets from multiples, in steps.
#[derive(Clone, Copy, Debug, Default)]
struct Offset {
    sum: f64,
    weight: f64,
}

impl Offset {
    fn of(off: f64, weight: f64) -> Self {
        Self { sum: off * weight, weight }
    }

    fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.weight += other.weight;
    }

    fn mean(self) -> f64 {
        self.sum / self.weight
    }
}

/// How often points thrown anywhere come as close to multiples as `off` says
/// (in rising order), when `missed` more came close to none. The first point
/// is free: it fixes the step.
fn luck(off: &[f64], missed: usize) -> f64 {
    let all = off.len() + missed;
    let needed = (MOST * all as f64).max(2.0);
    (1..=off.len())
        .zip(off)
        .filter(|(count, _)| *count as f64 >= needed)
        .map(|(count, off)| {
            let width = 2.0 * off + FINEST;
            choices(all, count) * width.powf(count as f64 - 1.0)
        })
        .fold(1.0, f64::min)
}

/// The number of ways to choose `few` of `all`.
fn choices(all: usize, few: usize) -> f64 {
    (0..few).map(|i| (all - i) as f64 / (i + 1) as f64).product()
}

/// The longest step that holds as many piles as any, and that chance does
/// not explain.
pub(super) fn search(piles: &[Pile]) -> Option<Lattice> {
    let longest = piles.iter().map(|pile| pile.at).fold(0.0, f64::max);
    let all: f64 = piles.iter().map(|pile| pile.weight).sum();
    if longest <= *STEPS.start() {
        return None;
    }
    // Fine enough that the longest wait moves by a tenth of a step.
    let pace = 0.1 / longest;
    let slowest = 1.0 / STEPS.end();
    let tries = ((1.0 / STEPS.start() - slowest) / pace) as u64;
    let mut best: Option<Found> = None;
    for number in 0..=tries {
        let rate = slowest + number as f64 * pace;
        if !promising(rate, piles, all) {
            continue;
        }
        let found = Found::near(rate, piles, all);
        let limit = CHANCE.min(CHANCE_PER_MS * found.lattice.step / 1e6);
        let sound = STEPS.contains(&found.lattice.step)
            && found.held >= MOST
            && found.chance < limit;
        if sound && best.as_ref().is_none_or(|best| found.beats(best)) {
            best = Some(found);
        }
    }
    best.map(|found| found.stretched(piles, all))
}

/// A lattice with what speaks for it.
struct Found {
    lattice: Lattice,
    /// The share of the piles it holds.
    held: f64,
    chance: f64,
}

impl Found {
    fn near(rate: f64, piles: &[Pile], all: f64) -> Self {
        let rough = Lattice { step: 1.0 / rate, lag: 0.05 / rate };
        let lattice = rough.refined(piles).refined(piles).refined(piles);
        let held: f64 = piles
            .iter()
            .filter(|pile| lattice.holds(pile.at))
            .map(|pile| pile.weight)
            .sum();
        Self { lattice, held: held / all, chance: lattice.chance(piles) }
    }

    /// The longest multiple of its step that holds the same piles.
    fn stretched(self, piles: &[Pile], all: f64) -> Lattice {
        let most = (STEPS.end() / self.lattice.step) as u64;
        let longer = (2..=most).rev().find_map(|times| {
            let step = self.lattice.step * times as f64;
            let found = Self::near(1.0 / step, piles, all);
            let same = (found.lattice.step / step - 1.0).abs() < 0.05;
            (same && found.held >= self.held - 0.01).then_some(found.lattice)
        });
        longer.unwrap_or(self.lattice)
    }

    /// Whether it is better than one that was found before, at about the
    /// same step or a longer one. Every half of a step holds what the step
    /// holds, so a shorter one must hold more.
    fn beats(&self, longer: &Self) -> bool {
        let same = self.lattice.step > 0.95 * longer.lattice.step;
        let more = self.held > longer.held + if same { -0.01 } else { 0.05 };
        more && self.chance < longer.chance
    }
}

/// Whether most piles lie anywhere near multiples of `1 / rate`.
fn promising(rate: f64, piles: &[Pile], weight: f64) -> bool {
    let near = |pile: &&Pile| {
        let steps = pile.at * rate;
        let multiple = (steps - 0.05).round();
        multiple >= 1.0 && (steps - 0.05 - multiple).abs() <= 0.2
    };
    let held: f64 = piles.iter().filter(near).map(|pile| pile.weight).sum();
    held >= MOST * weight
}

/// How close to its multiple a pile must be where one multiple is all there
/// is to see, in steps.
pub(super) const TIGHT: f64 = 0.04;

/// Finer than any tick known: a single delay this short may be plain latency.
const FINEST_ALONE: f64 = 0.4e6;

/// The longest step that would do where the piles show no more than one
/// multiple, or the same delay after spans of whole steps.
pub(super) fn longest_step(piles: &[Pile]) -> Option<Lattice> {
    let mut rising = piles.to_vec();
    rising.sort_by(|one, other| one.at.total_cmp(&other.at));
    let first = rising.first()?.at;
    let all: f64 = piles.iter().map(|pile| pile.weight).sum();
    let share = |holds: &dyn Fn(&Pile) -> bool| {
        let held = piles.iter().filter(|pile| holds(pile));
        held.map(|pile| pile.weight).sum::<f64>() / all
    };
    let lattice = [1.0, 2.0]
        .map(|multiple| grown(first / multiple, &rising))
        .into_iter()
        .find(|grid| share(&|pile| grid.off(pile.at).abs() <= TIGHT) >= 0.9)?;
    let step = lattice.step;
    let late = share(&|pile| pile.at - pile.span >= LATE * step) >= MOST;
    let known = (FINEST_ALONE..=*STEPS.end()).contains(&step);
    (known && late).then_some(lattice)
}

/// A lattice without lag, corrected by each longer pile in turn.
fn grown(step: f64, rising: &[Pile]) -> Lattice {
    let mut lattice = Lattice { step, lag: 0.0 };
    let (mut squares, mut products) = (0.0, 0.0);
    for pile in rising.iter().filter(|pile| pile.at > 0.0) {
        if lattice.holds(pile.at) {
            let multiple = lattice.multiple(pile.at);
            squares += pile.weight * multiple * multiple;
            products += pile.weight * multiple * pile.at;
            lattice.step = products / squares;
        }
    }
    lattice
}
