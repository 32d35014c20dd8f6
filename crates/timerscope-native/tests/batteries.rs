//! What batteries give is read from their gauges, and only while they give it.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::fs;
use std::path::Path;

use timerscope::machine::{Battery, Known, MissingKind};
use timerscope_native::linux::facts::{Root, counters};

/// A battery that gives 5 W and lacks 10 Wh, which are 36 kJ.
const BY_POWER: &[(&str, &str)] = &[
    ("BAT0/type", "Battery"),
    ("BAT0/status", "Discharging"),
    ("BAT0/power_now", "5000000"),
    ("BAT0/energy_full", "50000000"),
    ("BAT0/energy_now", "40000000"),
];
/// One that gives 0.5 A at 12 V, and lacks 1 Ah of 11 V: 11 Wh.
const BY_CURRENT: &[(&str, &str)] = &[
    ("BAT1/type", "Battery"),
    ("BAT1/status", "Discharging"),
    ("BAT1/current_now", "-500000"),
    ("BAT1/voltage_now", "12000000"),
    ("BAT1/charge_full", "4000000"),
    ("BAT1/charge_now", "3000000"),
    ("BAT1/voltage_min_design", "11000000"),
];

fn tree(parts: &[&[(&str, &str)]]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let supplies = folder.path().join("sys/class/power_supply");
    for (file, content) in parts.iter().copied().flatten() {
        write(&supplies, file, content);
    }
    folder
}

fn write(folder: &Path, file: &str, content: &str) {
    let place = folder.join(file);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, format!("{content}\n")).unwrap();
}

fn battery(parts: &[&[(&str, &str)]]) -> Known<Battery> {
    counters(&Root::at(tree(parts).path())).battery
}

fn figures(parts: &[&[(&str, &str)]]) -> (Option<u64>, Option<u64>) {
    let battery = battery(parts);
    let own = battery.value().unwrap();
    (own.power_uw.value().copied(), own.given_uj.value().copied())
}

fn kind<T>(known: &Known<T>) -> Option<MissingKind> {
    known.missing().map(|missing| missing.kind)
}

#[test]
fn a_battery_tells_by_power_and_energy_or_by_current_and_charge() {
    assert_eq!(figures(&[BY_POWER]), (Some(5_000_000), Some(36_000_000_000)));
    let by_current = (Some(6_000_000), Some(39_600_000_000));
    assert_eq!(figures(&[BY_CURRENT]), by_current);
    let both = (Some(11_000_000), Some(75_600_000_000));
    assert_eq!(figures(&[BY_POWER, BY_CURRENT]), both);
}

#[test]
fn only_batteries_that_feed_the_machine_are_added() {
    let resting = [("BAT1/status", "Not charging")];
    let one = figures(&[BY_POWER, BY_CURRENT, &resting]);
    assert_eq!(one, (Some(5_000_000), Some(36_000_000_000)));
    let mouse = [("BAT1/scope", "Device")];
    assert_eq!(figures(&[BY_POWER, BY_CURRENT, &mouse]), one);
    let fuller = [("BAT0/energy_now", "50000001")];
    assert_eq!(figures(&[BY_POWER, &fuller]).1, Some(0));
}

#[test]
fn on_mains_a_battery_says_nothing_of_what_the_machine_uses() {
    let plugged = [("AC/type", "Mains"), ("AC/online", "1")];
    for status in ["Charging", "Full", "Discharging", "Not charging"] {
        let own = [("BAT0/status", status)];
        let battery = battery(&[BY_POWER, &own, &plugged]);
        assert_eq!(kind(&battery), Some(MissingKind::Unknown), "{status}");
        let missing = battery.missing().unwrap();
        assert!(missing.why.contains("does not live from its battery"));
        assert_eq!(missing.hint.as_deref(), Some("unplug it from the mains"));
    }
    let unplugged = [("AC/type", "Mains"), ("AC/online", "0")];
    assert!(battery(&[BY_POWER, &unplugged]).value().is_some());
    let charging = [("BAT0/status", "Charging")];
    let battery = battery(&[BY_POWER, &charging]);
    assert_eq!(kind(&battery), Some(MissingKind::Unknown));
}

#[test]
fn no_battery_is_absent_and_a_mouse_has_none_for_the_machine() {
    let mouse = [("mouse/type", "Battery"), ("mouse/scope", "Device")];
    let plug = [("AC/type", "Mains"), ("AC/online", "1")];
    for parts in [&[][..], &[&mouse[..]], &[&plug[..]], &[&mouse, &plug]] {
        assert_eq!(kind(&battery(parts)), Some(MissingKind::Absent));
    }
}

#[test]
fn a_gauge_that_tells_nothing_or_nonsense_is_missing_and_the_other_is_not() {
    let silent: Vec<_> = BY_POWER
        .iter()
        .copied()
        .filter(|(file, _)| !file.ends_with("power_now"))
        .collect();
    let own = battery(&[&silent]);
    let own = own.value().unwrap();
    assert_eq!(kind(&own.power_uw), Some(MissingKind::Absent));
    assert_eq!(own.given_uj, Known::Value(36_000_000_000));
    for content in ["", "many", "1.5", "99999999999999999999"] {
        let nonsense = [("BAT0/power_now", content)];
        let own = battery(&[BY_POWER, &nonsense]);
        let power = &own.value().unwrap().power_uw;
        assert!(power.missing().is_some(), "{content}");
    }
    let absurd = [("BAT1/current_now", "9000000000000000000")];
    let own = battery(&[BY_CURRENT, &absurd]);
    let power = &own.value().unwrap().power_uw;
    assert_eq!(kind(power), Some(MissingKind::Failed));
    // A file that cannot be read is not one that is not there.
    let folder = tree(&[BY_CURRENT]);
    let gauge = folder.path().join("sys/class/power_supply/BAT1/power_now");
    fs::create_dir(gauge).unwrap();
    let own = counters(&Root::at(folder.path())).battery;
    let power = &own.value().unwrap().power_uw;
    assert_eq!(kind(power), Some(MissingKind::Failed));
}
