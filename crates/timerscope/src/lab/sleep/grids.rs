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
    /// Whether several multiples were seen or the step is the machine's tick;
    /// else a half or a third of the step would do as well.
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

/// One grid for each wait of `rows`, in their order; `tick_ns` is the machine's
/// tick, if it has one.
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
        let found =
            Grid::find(&took).map(|grid| Found::new(&took, grid, tick_ns));
        WaitGrid { wait, grid: grid(wait, found, beside) }
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
    found: Option<Found>,
    beside: impl Fn() -> Option<GridFigure>,
) -> GridFigure {
    match found {
        Some(found) if found.grid.laws != [Law::Irregular] => found.told(wait),
        Some(found) => beside().unwrap_or_else(|| found.told(wait)),
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

/// A step that waits show by themselves, and the grid that is told of.
struct Found {
    /// As it was measured.
    step_ns: f64,
    /// With the machine's tick in place of that, if it is the same.
    grid: Grid,
}

impl Found {
    fn new(rows: &[(Span, Counted)], grid: Grid, tick_ns: Option<u64>) -> Self {
        let tick = tick_ns.map_or(f64::NAN, |tick| tick as f64);
        let ticks = (grid.step_ns / tick).round();
        // A few waits of a busy machine show a step to some thousandths.
        let off = (grid.step_ns / ticks - tick).abs();
        let own = Self { step_ns: grid.step_ns, grid: grid.clone() };
        if ticks.is_nan() || ticks < 1.0 || off > tick / 300.0 {
            return own;
        }
        if grid.certain {
            let named = Grid { step_ns: tick, ..grid };
            return if ticks > 1.0 { own } else { Self { grid: named, ..own } };
        }
        // Of waits that end on one multiple only, the tick tells which.
        let known = Grid::known(rows, tick);
        let step_ns = grid.step_ns / ticks;
        known.map_or(own, |grid| Self { step_ns, grid })
    }

    fn told(&self, wait: WaitKind) -> GridFigure {
        GridFigure {
            step_ns: Known::Value(self.step_ns),
            share: Known::Value(self.grid.share),
            law: Known::Value(self.grid.law()),
            certain: self.grid.certain,
            says: Known::Value(self.grid.sentence()),
            waits: vec![wait],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of waits of `asked_ms` that all end at about `ended_us`.
    fn told(asked_ms: u64, ended_us: i64, tick_ns: Option<u64>) -> GridFigure {
        let waits = (-20..=20).map(|n| (ended_us + n) * 1_000);
        let rows = [(Span::from_ms(asked_ms), waits.collect::<Counted>())];
        let grid = Grid::find(&rows).unwrap();
        Found::new(&rows, grid, tick_ns).told(WaitKind::Nanosleep)
    }

    // On a kernel that only ticks, waits of 1 ms were said to end on a
    // multiple of 3.99 ms, and those of 4 ms on one of 7.99 ms, "a half or a
    // third" of which would do as well.
    #[test]
    fn a_tick_that_the_machine_tells_is_called_by_its_name() {
        let rows = [(1, 3_990, 3.99e6), (4, 7_990, 3.995e6)];
        for (asked_ms, ended_us, measured) in rows {
            let known = told(asked_ms, ended_us, Some(4_000_000));
            let says = known.says.value().unwrap();
            assert!(says.contains("on a multiple of 4 ms, "), "{says}");
            assert!(known.certain && !says.contains("rule out"), "{says}");
            // What was measured stays.
            let step_ns = *known.step_ns.value().unwrap();
            assert!((step_ns - measured).abs() < 1e3, "{step_ns}");
        }
    }

    #[test]
    fn a_step_that_is_not_the_ticks_is_not_called_so() {
        let unknown = told(1, 3_990, None);
        assert!(!unknown.certain);
        for tick_ns in [0, 3_950_000, 4_050_000, 8_000_000] {
            assert_eq!(told(1, 3_990, Some(tick_ns)), unknown, "{tick_ns}");
        }
    }

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
