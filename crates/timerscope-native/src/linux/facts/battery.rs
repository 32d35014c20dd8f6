//! What batteries give to the machine, as their gauges tell it.
//!
//! Documentation/ABI/testing/sysfs-class-power of the kernel's sources: power
//! in uW, or a current in uA and a voltage in uV; energy in uWh, or a charge in
//! uAh, of which the voltage it was designed for makes an energy.

use timerscope::machine::{Battery, Known, Missing, MissingKind};

use super::root::{Root, or_absent};
use super::supply::{self, FOLDER};

const NONE: &str = "this machine has no battery";

/// Reads the batteries that feed the machine now.
///
/// On mains they feed nothing, and how fast they are charged says nothing of
/// what the machine uses.
pub(super) fn battery(root: &Root) -> Known<Battery> {
    read(root).into()
}

fn read(root: &Root) -> Result<Battery, Missing> {
    let mut names = or_absent(root.names(FOLDER), NONE)?;
    names.retain(|name| supply::is_battery(root, name));
    if names.is_empty() {
        return Err(Missing::absent(NONE));
    }
    if supply::on_battery(root) != Known::Value(true) {
        let why = "the machine does not live from its battery now, so that \
                   the battery's figures say nothing of what it uses";
        return Err(Missing::unknown(why).or_try("unplug it from the mains"));
    }
    names.retain(|name| supply::drains(root, name));
    Ok(Battery {
        power_uw: sum(&names, |name| power_uw(root, name)),
        given_uj: sum(&names, |name| given_uwh(root, name))
            .map(|uwh| uwh.saturating_mul(3_600)),
    })
}

/// One figure of all; missing if it is of any.
fn sum(
    names: &[String],
    figure: impl Fn(&str) -> Result<u64, Missing>,
) -> Known<u64> {
    let all = names
        .iter()
        .try_fold(0, |sum: u64, name| Ok(sum.saturating_add(figure(name)?)));
    all.into()
}

fn power_uw(root: &Root, name: &str) -> Result<u64, Missing> {
    match amount(root, name, "power_now") {
        Err(missing) if missing.kind == MissingKind::Absent => {
            let current = amount(root, name, "current_now")?;
            product(current, amount(root, name, "voltage_now")?)
        }
        power => power,
    }
}

fn given_uwh(root: &Root, name: &str) -> Result<u64, Missing> {
    let given = |full, now| -> Result<u64, Missing> {
        let full = amount(root, name, full)?;
        Ok(full.saturating_sub(amount(root, name, now)?))
    };
    match given("energy_full", "energy_now") {
        Err(missing) if missing.kind == MissingKind::Absent => {
            let charge = given("charge_full", "charge_now")?;
            product(charge, amount(root, name, "voltage_min_design")?)
        }
        energy => energy,
    }
}

/// The product of two numbers in millionths, in millionths.
fn product(one: u64, other: u64) -> Result<u64, Missing> {
    let all = u128::from(one) * u128::from(other) / 1_000_000;
    u64::try_from(all)
        .map_err(|_| Missing::failed("the battery's figures are absurd"))
}

/// A number without its sign: some drivers count what flows out of a battery
/// below zero.
fn amount(root: &Root, name: &str, file: &str) -> Result<u64, Missing> {
    let path = format!("{FOLDER}/{name}/{file}");
    let number: Result<i64, _> = root.line(&path)?.parse();
    number
        .map(i64::unsigned_abs)
        .map_err(|_| Missing::failed(format!("{path} does not hold a number")))
}
