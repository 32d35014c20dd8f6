//! Calibrating a machine whose constants are known gives them back.
#![expect(clippy::unwrap_used, reason = "a test may stop at a fault")]

use std::collections::BTreeMap;

use timerscope::explain::{
    Calibrated, Listed, Verdict, calibrate, explain_list, known,
};
use timerscope::lab::play::{Silent, play};
use timerscope::lab::sleep::{Sleep, rows};
use timerscope::machine::{AskErrorKind, Machine, Span, WaitKind};
use timerscope::sim::catalogue::{opened, read};
use timerscope::sim::{Sim, Spec};

const BOX: &str = "linux-6,wake-latency=80us,hz=300,slack=120us,switch=1500ns,\
                   system-call=410ns,tick-cost=7us,cross-wake=9us";

fn calibrated(name: &str) -> Calibrated {
    let mut sim = Sim::new(opened(name).unwrap(), 7);
    let facts = sim.facts().unwrap();
    calibrate(&mut sim, &facts, &mut Silent).unwrap()
}

fn median(spec: Spec, how: WaitKind, span: Span) -> i64 {
    let mut sim = Sim::new(spec, 3);
    let facts = sim.facts().unwrap();
    let workload = Sleep::of(how, span).workload(&facts);
    let saved = play(&mut sim, &facts, workload, &mut Silent).unwrap();
    *rows(&saved, None)[0].took.p50_ns.value().unwrap()
}

#[test]
fn constants_come_back_within_two_percent_or_50_ns() {
    let found = calibrated(BOX);
    assert_eq!(found.like, "linux-6");
    let spec = read(&found.toml, "").unwrap();
    let (own, model) = (opened(BOX).unwrap(), spec.clone());
    let told = |spec: &Spec| -> BTreeMap<String, u64> {
        let constants = spec.constants_told().into_iter();
        constants
            .filter_map(|(key, value, _)| {
                let span: Span = value.parse().ok()?;
                Some((key, span.ns()))
            })
            .collect()
    };
    let (own, model) = (told(&own), told(&model));
    for key in [
        "coarsest",
        "true-tick",
        "idle-exit",
        "short-idle-exit",
        "slack",
        "switch",
        "system-call",
        "tick-cost",
        "cross-wake",
    ] {
        let (own, model) = (own[key], model[key]);
        let off = own.abs_diff(model);
        assert!(off <= 50 || off * 50 <= own, "{key}: {own} came as {model}");
    }
}

#[test]
fn its_predictions_are_the_figures_of_the_machine() {
    let spec = read(&calibrated(BOX).toml, "").unwrap();
    for (how, us) in [
        (WaitKind::Nanosleep, 1_000),
        (WaitKind::Nanosleep, 300),
        (WaitKind::Timerfd, 2_500),
        (WaitKind::ItimerProf, 9_000),
    ] {
        let span = Span::from_us(us);
        let own = median(opened(BOX).unwrap(), how, span);
        let model = median(spec.clone(), how, span);
        assert!((own - model).abs() <= own / 100, "{how}: {own} {model}");
    }
}

#[test]
fn what_does_not_show_is_said_and_not_made_up() {
    let found = calibrated("linux-lowres");
    assert_eq!(found.like, "linux-lowres");
    let latency = found.constants.iter().find(|own| own.key == "idle-exit");
    assert!(latency.unwrap().value.value().is_none());
    assert!(found.toml.contains("# idle-exit could not be measured"));
    assert!(read(&found.toml, "").is_ok());
}

#[test]
fn only_linux_is_calibrated() {
    let mut sim = Sim::new(opened("windows-7").unwrap(), 7);
    let facts = sim.facts().unwrap();
    let error = calibrate(&mut sim, &facts, &mut Silent).unwrap_err();
    assert_eq!(error.kind, AskErrorKind::Absent);
}

#[test]
fn a_list_of_waits_is_never_certain_but_rules_out_what_it_can() {
    let text = "1.06ms\n1.07\n1.08\n".repeat(20);
    let lists = Listed::read(text.as_bytes(), Span::from_ms(1)).unwrap();
    let answer = explain_list(&lists, &known());
    assert_ne!(answer.verdict, Verdict::Certain);
    let fit = |rule: &str| {
        answer.candidates.iter().find(|one| one.rule == rule).unwrap().fits
    };
    assert!(fit("linux-6"));
    assert!(!fit("openbsd-6.9") && !fit("windows-10-1909"));
}
