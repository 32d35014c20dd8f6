//! What work went on with and without the tick, as figures.

use serde::Serialize;

use super::ask::seconds;
use super::raise::verdict as verdict_of;
use super::windows::{Basis, Window, Windows, is_series};
use super::{Fleet, Idle, Power, Raise, fleet};
use crate::lab::ruler::known;
use crate::machine::{Action, Known, Missing, Saved, Span};
use crate::stats::{Block, Loss};

/// What a raised tick cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostFigures {
    /// Rounds of work in a second without it, median; a round adds up 1024
    /// integers.
    pub baseline_per_s: Known<f64>,
    /// Rounds of work in a second with it, median.
    pub raised_per_s: Known<f64>,
    /// The work lost; negative for a gain.
    pub loss_percent: Known<f64>,
    /// The least it may be, with a confidence of 95 %.
    pub loss_low_percent: Known<f64>,
    /// The most it may be.
    pub loss_high_percent: Known<f64>,
    /// The loss as CPU time for each tick; unknown where no loss was shown.
    pub per_tick_ns: Known<f64>,
    /// Whether work was lost.
    pub verdict: CostVerdict,
    /// How long a run would show a loss of 1 % nine times in ten.
    pub seconds_for_one_percent: Known<f64>,
    /// The interval in force before, where the system has one for everybody.
    pub baseline_interval_ns: Known<u64>,
    /// What raised the tick.
    pub raised_by: Raise,
    /// Pairs of blocks that the loss was taken from.
    pub pairs: u64,
    /// By what work is counted.
    pub counted_by: Basis,
    /// The share of the CPU that others had during the work.
    pub others_share: Known<f64>,
    /// Every block or window, in the order of time.
    pub series: Vec<Window>,
    /// The machine left alone.
    pub idle: Idle,
    /// The machine left alone but for the ticker.
    pub idle_raised: Idle,
    /// What the tick adds to an idle machine's power.
    pub power: Power,
    /// The same for many machines.
    pub fleet: Known<Fleet>,
    /// Time the host took from this guest during the work, over all CPUs.
    pub stolen_ns: Known<u64>,
}

/// Whether work was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostVerdict {
    /// The whole interval lies above zero.
    Costs,
    /// Zero is in the interval: no loss was shown at this length.
    NoneShown,
    /// There is no interval, or it says that work was gained.
    CannotTell,
}

/// Turns what was seen into figures: the work, and the two idle looks.
#[must_use]
pub fn figures(
    busy: &Saved,
    quiet: &Saved,
    ticked: &Saved,
    machines: Option<f64>,
) -> CostFigures {
    let (idle, idle_raised) = (super::idle(quiet), super::idle(ticked));
    let power = Power::of(&idle, &idle_raised);
    let windows = Windows::of(busy);
    let work = Work::of(busy, &windows);
    let raised_by = Raise::of(busy, &windows.all);
    // Only a real machine drifts, so that a series shows nothing.
    let shown = !raised_by.was_there()
        && (work.verdict == CostVerdict::Costs
            || is_series(busy) && busy.facts.simulated);
    let per_tick = |percent: f64| {
        if !shown {
            let why = "no loss was shown that could be divided among ticks";
            return Missing::unknown(why).into();
        }
        raised_by.extra_per_s.clone().and_then(|per_s| {
            if per_s > 0.0 {
                return Known::Value(percent / 100.0 * 1e9 / per_s);
            }
            Missing::unknown("there was not one tick").into()
        })
    };
    CostFigures {
        baseline_per_s: known(windows.middle(false)),
        raised_per_s: known(windows.middle(true)),
        per_tick_ns: work.percent.clone().and_then(per_tick),
        loss_percent: work.percent,
        loss_low_percent: work.low,
        loss_high_percent: work.high,
        verdict: verdict_of(&raised_by, work.verdict),
        seconds_for_one_percent: work.seconds_for_one_percent,
        baseline_interval_ns: busy.facts.interval.current_ns.clone(),
        raised_by,
        pairs: work.pairs,
        counted_by: windows.basis,
        others_share: windows.others,
        series: windows.all,
        idle,
        idle_raised,
        fleet: fleet(&power, machines),
        power,
        stolen_ns: busy.ending.meters.delta(|counters| &counters.stolen_ns),
    }
}

/// What the blocks say about the work.
struct Work {
    percent: Known<f64>,
    low: Known<f64>,
    high: Known<f64>,
    verdict: CostVerdict,
    seconds_for_one_percent: Known<f64>,
    pairs: u64,
}

impl Work {
    fn of(busy: &Saved, windows: &Windows) -> Self {
        let block = |window: &Window| Block {
            raised: window.raised,
            rate: window.per_s,
        };
        let blocks: Vec<Block> = windows.all.iter().map(block).collect();
        let missing = if is_series(busy) {
            let why = "one long raise cannot be told from a drift";
            Missing::unknown(why).or_try("leave out --series")
        } else {
            let why = "too few blocks were played";
            Missing::unknown(why).or_try("--for 10s")
        };
        let missing = || missing.clone().into();
        let loss = Loss::of(&blocks).filter(|_| !is_series(busy));
        let (low, high) = loss.and_then(|loss| loss.interval).unzip();
        let needed = loss.and_then(|loss| loss.blocks_needed(1.0));
        let percent = loss.map(|loss| loss.percent);
        Self {
            percent: percent
                .or_else(|| of_medians(windows))
                .map_or_else(missing, Known::Value),
            low: low.map_or_else(missing, Known::Value),
            high: high.map_or_else(missing, Known::Value),
            verdict: verdict(low.zip(high)),
            seconds_for_one_percent: needed
                .zip(beat(busy))
                .map(|(blocks, beat)| seconds(blocks, beat))
                .map_or_else(missing, Known::Value),
            pairs: loss.map_or(0, |loss| loss.pairs as u64),
        }
    }
}

fn verdict(interval: Option<(f64, f64)>) -> CostVerdict {
    match interval {
        Some((low, _)) if low > 0.0 => CostVerdict::Costs,
        Some((_, high)) if high >= 0.0 => CostVerdict::NoneShown,
        _ => CostVerdict::CannotTell,
    }
}

/// The loss between the two medians of a series, in percent.
fn of_medians(windows: &Windows) -> Option<f64> {
    let (without, with) = windows.middle(false).zip(windows.middle(true))?;
    Some(100.0 * (1.0 - with / without))
}

/// From one block to the next.
fn beat(saved: &Saved) -> Option<Span> {
    let cast = saved.workload.cast();
    match cast.first()?.task.actions.first()? {
        Action::Every { period, .. } => Some(*period),
        _ => None,
    }
}
