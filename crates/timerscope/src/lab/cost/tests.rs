use super::ticking::{
    ALONE, SPEED, TICK_NS, Ticking, WAKE_UP_UJ, asked, played,
};
use super::{Basis, Cost, CostVerdict, Meter, Power, Window};
use crate::lab::play::{Silent, play};
use crate::lab::scripted::facts;
use crate::machine::{Known, Machine, Span};

fn near(known: &Known<f64>, expected: f64, share: f64) {
    let value = *known.value().unwrap();
    let far = expected.abs() * share;
    assert!((value - expected).abs() <= far, "{value} is not {expected}");
}

#[test]
fn the_loss_is_what_the_ticks_take_however_warm_it_gets() {
    let mut machine = Ticking { slows: 0.2, ..ALONE };
    let figures = played(asked(), &mut machine);
    assert_eq!(figures.verdict, CostVerdict::Costs);
    near(&figures.loss_percent, 4.84, 0.02);
    near(&figures.per_tick_ns, TICK_NS, 0.02);
    near(&figures.raised_by.ticks_per_s, 1_000.0, 0.0);
    let low = *figures.loss_low_percent.value().unwrap();
    let high = *figures.loss_high_percent.value().unwrap();
    assert!(low <= 4.84 && 4.84 <= high, "{low} {high}");
    assert!(figures.pairs >= 40);
}

#[test]
fn others_on_the_cpu_are_neither_a_loss_nor_a_gain() {
    // A scheduler moves the others away from a CPU that has a ticker, too.
    let others = (0.5, 0.2);
    let figures = played(asked(), &mut Ticking { others, ..ALONE });
    assert_eq!(figures.counted_by, Basis::CpuTime);
    near(&figures.others_share, 0.5, 0.001);
    near(&figures.loss_percent, 4.84, 0.001);
    near(&figures.baseline_per_s, SPEED, 0.001);

    let series = Cost { series: true, time: Span::from_s(41), ..asked() };
    let figures = played(series, &mut Ticking { others, ..ALONE });
    near(&figures.loss_percent, 4.84, 0.001);

    let figures = played(asked(), &mut { ALONE });
    assert_eq!(figures.counted_by, Basis::Time);
    near(&figures.others_share, 0.0, 0.0);
}

#[test]
fn a_tick_that_never_comes_costs_nothing() {
    let mut machine = Ticking { slows: 0.2, ..ALONE };
    let cost = Cost { period: Span::from_s(10), ..asked() };
    let figures = played(cost, &mut machine);
    assert_eq!(figures.verdict, CostVerdict::NoneShown);
    assert!(figures.per_tick_ns.missing().is_some());
    assert!(figures.seconds_for_one_percent.value().is_some());
}

#[test]
fn too_few_blocks_cannot_tell() {
    let mut machine = Ticking { slows: 0.2, ..ALONE };
    let cost = Cost { time: Span::from_s(1), ..asked() };
    let figures = played(cost, &mut machine);
    assert_eq!(figures.verdict, CostVerdict::CannotTell);
    assert!(figures.loss_low_percent.missing().is_some());
    assert!(figures.per_tick_ns.missing().is_some());
}

#[test]
fn the_series_of_the_article_is_raised_for_twenty_seconds_in_the_middle() {
    let mut machine = ALONE;
    let cost = Cost { series: true, time: Span::from_s(41), ..asked() };
    let figures = played(cost, &mut machine);
    assert_eq!(figures.series.len(), 41);
    let raised = |window: &Window| window.raised;
    assert_eq!(figures.series.iter().position(raised), Some(10));
    assert_eq!(figures.series.iter().rposition(raised), Some(29));
    near(&figures.baseline_per_s, SPEED, 0.001);
    near(&figures.loss_percent, 4.84, 0.001);
    assert_eq!(figures.verdict, CostVerdict::CannotTell);
    near(&figures.raised_by.ticks_per_s, 1_000.0, 0.0);
}

#[test]
fn power_is_measured_where_there_is_a_counter_and_else_a_model_says_so() {
    let mut machine = Ticking { meters: true, ..ALONE };
    let power = played(asked(), &mut machine).power;
    assert_eq!(power.source, "measured");
    assert_eq!(power.constants, []);
    near(&power.extra_watts, 1_000.0 * WAKE_UP_UJ / 1e6, 0.001);

    let mut machine = ALONE;
    // The article's own: 936 more ticks in a second.
    let cost = Cost { period: Span::from_ns(1_068_376), ..asked() };
    let figures = played(cost, &mut machine);
    assert_eq!(figures.power.source, "model");
    assert_eq!(figures.power.constants[0].name, "energy_per_wakeup_uj");
    near(&figures.power.extra_watts, 0.3, 0.01);
    near(&figures.fleet.map(|fleet| fleet.megawatts), 9.9, 0.01);
}

// On a laptop whose energy counters are for root alone the power was that of
// the model, though its battery tells it.
#[test]
fn a_battery_measures_where_no_counter_does_and_is_warned_of_where_it_is_slow()
{
    let mut machine = Ticking { battery: true, ..ALONE };
    let facts = machine.facts().unwrap();
    for (seconds, looked, slow) in [(10, 1, true), (3_600, 300, false)] {
        let cost = Cost { time: Span::from_s(seconds), ..asked() };
        let mut look = |raised| {
            let workload = cost.idle(&facts, raised);
            let saved = play(&mut machine, &facts, workload, &mut Silent);
            super::idle(&saved.unwrap())
        };
        let (quiet, ticked) = (look(false), look(true));
        assert_eq!(Span::from_ns(quiet.lasted_ns), Span::from_s(looked));
        let power = Power::of(&quiet, &ticked);
        assert_eq!(power.source, "measured");
        assert_eq!(power.meter, Some(Meter::Battery));
        near(&power.extra_watts, 1_000.0 * WAKE_UP_UJ / 1e6, 0.001);
        let warning = super::warning(&power, &ticked);
        assert_eq!(warning.is_some(), slow);
        if let Some(warning) = warning {
            assert!(warning.text.contains("lasted 1.0 s"), "{}", warning.text);
        }
    }
    let mut machine = Ticking { battery: true, meters: true, ..ALONE };
    let figures = played(asked(), &mut machine);
    assert_eq!(figures.power.meter, Some(Meter::Packages));
    assert_eq!(super::warning(&figures.power, &figures.idle), None);
}

#[test]
fn every_cost_that_can_be_asked_can_be_played() {
    let facts = facts();
    for series in [false, true] {
        for seconds in [1, 10, 41, 3_600] {
            let time = Span::from_s(seconds);
            let cost = Cost { time, series, ..asked() };
            for workload in [
                cost.busy(&facts),
                cost.idle(&facts, false),
                cost.idle(&facts, true),
            ] {
                assert_eq!(workload.faults(), [], "{series} {seconds}");
                assert!(workload.limit >= time.min(Span::from_s(2)));
            }
        }
    }
}

#[test]
fn without_a_number_of_machines_there_is_no_fleet() {
    let mut machine = Ticking { meters: true, ..ALONE };
    let power = played(asked(), &mut machine).power;
    assert!(super::fleet(&power, None).missing().is_some());
}
