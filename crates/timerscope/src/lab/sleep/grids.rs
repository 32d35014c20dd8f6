//! The steps that waits end on.

use serde::Serialize;

use super::Row;
use crate::machine::{Known, Missing, Span, WaitKind};
use crate::stats::{Counted, Grid, Law};

/// A step that waits end on, and which multiple a span gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridFigure {
    /// The step.
    pub step_ns: Known<f64>,
    /// The share of the waits that end on it.
    pub share: Known<f64>,
    /// The rule, as a formula: `ceil+1`; several where these spans cannot
    /// tell them apart.
    pub law: Known<String>,
    /// Whether several multiples were seen; else a half or a third of the
    /// step would do as well.
    pub certain: bool,
    /// All of it in one sentence.
    pub says: Known<String>,
    /// The waits it was found in.
    pub waits: Vec<WaitKind>,
}

/// The step that the waits of one kind end on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitGrid {
    /// The wait.
    pub wait: WaitKind,
    /// Its step.
    #[serde(flatten)]
    pub grid: GridFigure,
}

/// One grid for each wait of `rows`, in their order.
pub(super) fn grids(rows: &[Row]) -> Vec<WaitGrid> {
    let mut waits: Vec<WaitKind> = Vec::new();
    for row in rows {
        if !waits.contains(&row.wait) {
            waits.push(row.wait);
        }
    }
    let of = |wait: WaitKind| {
        let rows = rows.iter().filter(|row| row.wait == wait);
        let spans: Vec<(Span, Counted)> = rows
            .map(|row| (Span::from_ns(row.span_ns), row.took.values.clone()))
            .collect();
        WaitGrid { wait, grid: grid(wait, &spans) }
    };
    waits.into_iter().map(of).collect()
}

/// The grid that most waits share; the first of those found, in a draw.
pub(super) fn chief(grids: &[WaitGrid]) -> GridFigure {
    let mut chief: Option<GridFigure> = None;
    for WaitGrid { grid, .. } in grids {
        let like = grids.iter().filter(|other| same(grid, &other.grid));
        let waits: Vec<WaitKind> = like.map(|other| other.wait).collect();
        let most = chief.as_ref().map_or(0, |own| own.waits.len());
        if waits.len() > most {
            chief = Some(GridFigure { waits, ..grid.clone() });
        }
    }
    chief.unwrap_or_else(|| none("the waits end on no common step"))
}

/// Whether two waits have the same law on the same step, which is measured
/// to a thousandth or so.
fn same(a: &GridFigure, b: &GridFigure) -> bool {
    let (Some(one), Some(other)) = (a.step_ns.value(), b.step_ns.value())
    else {
        return false;
    };
    (one - other).abs() <= one / 200.0 && a.law == b.law
}

fn none(why: &str) -> GridFigure {
    let missing = Missing::absent(why);
    GridFigure {
        step_ns: missing.clone().into(),
        share: missing.clone().into(),
        law: missing.clone().into(),
        certain: false,
        says: missing.into(),
        waits: Vec::new(),
    }
}

fn grid(wait: WaitKind, rows: &[(Span, Counted)]) -> GridFigure {
    let Some(grid) = Grid::find(rows) else {
        return none("its waits end on no common step");
    };
    let laws: Vec<String> = grid.laws.iter().map(Law::to_string).collect();
    GridFigure {
        step_ns: Known::Value(grid.step_ns),
        share: Known::Value(grid.share),
        law: Known::Value(laws.join(" or ")),
        certain: grid.certain,
        says: Known::Value(grid.sentence()),
        waits: vec![wait],
    }
}
