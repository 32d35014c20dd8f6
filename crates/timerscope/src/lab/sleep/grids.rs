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

/// One grid for each wait of `rows`, in their order; the machine's tick, if
/// it has one, is that of timers of CPU time.
pub(super) fn grids(rows: &[Row], tick_ns: Option<u64>) -> Vec<WaitGrid> {
    let mut waits: Vec<WaitKind> = Vec::new();
    for row in rows {
        if !waits.contains(&row.wait) {
            waits.push(row.wait);
        }
    }
    let of = |wait: WaitKind| {
        let of = |values: fn(&Row) -> &Counted| -> Vec<(Span, Counted)> {
            let rows = rows.iter().filter(|row| row.wait == wait);
            rows.map(|row| (Span::from_ns(row.span_ns), values(row).clone()))
                .collect()
        };
        let (took, counted) =
            (of(|row| &row.took.values), of(|row| &row.counted));
        let ticks = tick_ns.filter(|_| wait.counts_cpu_time());
        let beside = || ticks.and_then(|tick| of_medians(wait, &counted, tick));
        WaitGrid { wait, grid: grid(wait, &took, beside) }
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

/// The grid that the waits show by themselves, else what `beside` makes of
/// them.
fn grid(
    wait: WaitKind,
    rows: &[(Span, Counted)],
    beside: impl Fn() -> Option<GridFigure>,
) -> GridFigure {
    match Grid::find(rows) {
        Some(grid) if grid.laws != [Law::Irregular] => told(wait, &grid),
        Some(grid) => beside().unwrap_or_else(|| told(wait, &grid)),
        None => {
            beside().unwrap_or_else(|| none("its waits end on no common step"))
        }
    }
}

/// The law of a timer of CPU time beside others. CPU time is charged a whole
/// tick at a time, to whoever runs when it comes: single waits get more or
/// less than they are charged, and their medians still what they asked for.
///
/// The step is not looked for here but known to be the tick.
fn of_medians(
    wait: WaitKind,
    rows: &[(Span, Counted)],
    tick_ns: u64,
) -> Option<GridFigure> {
    let more = |(span, took): &(Span, Counted)| {
        let ticks = took.quantile(0.5)? as f64 / tick_ns as f64;
        let whole = ticks.round() - span.ns().div_ceil(tick_ns) as f64;
        on_tick(ticks).then_some(whole as i64)
    };
    let more: Vec<i64> = rows.iter().filter_map(more).collect();
    let alike = |own: &i64| more.iter().filter(|other| *other == own).count();
    let usual = more.iter().copied().max_by_key(alike)?;
    let agree = alike(&usual);
    if usual < 0 || (agree as f64) < MOST * rows.len() as f64 {
        return None;
    }
    let step = Span::from_ns(tick_ns);
    let needs = match usual {
        0 => "as many as the span needs".to_owned(),
        1 => "one more than the span needs".to_owned(),
        more => format!("{more} more than the span needs"),
    };
    let spans = if agree == rows.len() {
        "each span".to_owned()
    } else {
        format!("{agree} of {} spans", rows.len())
    };
    let says = format!(
        "the median wait of {spans} ends on a tick ({step}), {needs}, \
         counted in CPU time; beside others single waits get more or less \
         than they are charged"
    );
    Some(GridFigure {
        step_ns: Known::Value(tick_ns as f64),
        share: Known::Value(share_on_ticks(rows, tick_ns)),
        law: Known::Value(format!("ceil+{usual}")),
        certain: rows.len() > 1,
        says: Known::Value(says),
        waits: vec![wait],
    })
}

/// Of so many spans the medians must obey a law: a median of few waits may be
/// off where the CPU is shared.
const MOST: f64 = 0.8;

/// Whether so many ticks are nearly whole ones.
fn on_tick(ticks: f64) -> bool {
    (ticks - ticks.round()).abs() <= 0.125
}

fn share_on_ticks(rows: &[(Span, Counted)], tick_ns: u64) -> f64 {
    let (mut on, mut all) = (0, 0);
    for (took, count) in rows.iter().flat_map(|(_, took)| took.pairs()) {
        all += count;
        on += count * u64::from(on_tick(*took as f64 / tick_ns as f64));
    }
    on as f64 / f64::max(all as f64, 1.0)
}

fn told(wait: WaitKind, grid: &Grid) -> GridFigure {
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

#[cfg(test)]
mod tests {
    use super::*;

    // Beside a load the law of CPU-time timers was not seen: the waits took
    // as much longer as the load took of the CPU.
    #[test]
    fn medians_show_the_law_where_single_waits_are_smeared() {
        let ms = 1_000_000;
        let row = |asked_ms: u64, ticks: i64| {
            let smeared = (-20..=20).map(|n| ticks * 4 * ms + n * ms / 5);
            (Span::from_ms(asked_ms), smeared.collect::<Counted>())
        };
        let rows = [row(1, 2), row(5, 3), row(9, 4), row(30, 9)];
        let grid = of_medians(WaitKind::ItimerProf, &rows, 4_000_000).unwrap();
        assert_eq!(grid.law, Known::Value("ceil+1".to_owned()));
        let says = grid.says.value().unwrap();
        let said = "the median wait of each span ends on a tick (4 ms), one \
                    more than the span needs, counted in CPU time; beside";
        assert!(says.starts_with(said), "{says}");
        assert!(grid.share.value().is_some_and(|share| *share < 0.5));
    }
}
