//! What a sleep experiment found out.

use serde::Serialize;

use super::grids::{GridFigure, WaitGrid, chief, grids};
use super::{Row, rows};
use crate::lab::{Ruler, ruler};
use crate::machine::{Known, Missing, Saved, Span};

/// What a run of waits found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SleepFigures {
    /// One row for each wait and span.
    pub rows: Vec<Row>,
    /// What measuring cost.
    pub ruler: Known<Ruler>,
    /// The step that the ends of the waits lie on.
    pub grid: GridFigure,
    /// The same for each wait by itself.
    pub grids: Vec<WaitGrid>,
    /// Time the host took from this guest meanwhile, over all CPUs.
    pub stolen_ns: Known<u64>,
    /// How long the run lasted.
    pub lasted_ns: u64,
}

/// Turns any run with waits in it into figures; waits longer than `min` are
/// listed, if one is given.
#[must_use]
pub fn figures(saved: &Saved, min: Option<Span>) -> SleepFigures {
    let rows = rows(saved, min);
    let grids = grids(&rows, tick_ns(saved, &rows));
    let unruled = || Missing::unknown("this run began without a ruler");
    SleepFigures {
        grid: chief(&grids),
        grids,
        rows,
        ruler: ruler::figures(saved)
            .map_or_else(|| unruled().into(), Known::Value),
        stolen_ns: saved.ending.meters.delta(|counters| &counters.stolen_ns),
        lasted_ns: saved.ending.lasted_ns,
    }
}

/// Between two ticks: the interval in force, where all share one, else what
/// the machine said.
fn tick_ns(saved: &Saved, rows: &[Row]) -> Option<u64> {
    let shared = rows.first().map(|row| &row.conditions.interval_ns);
    let hz = saved.facts.tick_hz.value().filter(|hz| **hz > 0);
    let own = hz.map(|hz| 1_000_000_000 / hz);
    shared.and_then(Known::value).copied().or(own)
}
