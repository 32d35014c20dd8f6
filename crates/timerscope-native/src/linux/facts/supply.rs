//! Whether the machine lives from a battery.

use timerscope::machine::{Known, Missing};

use super::root::{Root, or_absent};

pub(super) const FOLDER: &str = "/sys/class/power_supply";
const NONE: &str = "neither a battery nor a mains adapter is listed";

/// Whether it does now.
pub(super) fn on_battery(root: &Root) -> Known<bool> {
    let supplies = or_absent(root.names(FOLDER), NONE);
    supplies
        .and_then(|names| {
            let told: Vec<_> =
                names.iter().filter_map(|name| feeds(root, name)).collect();
            if told.is_empty() {
                return Err(Missing::absent(NONE));
            }
            // One plug that is in feeds the machine, whatever batteries do.
            Ok(!told.contains(&Supply::Plugged)
                && told.contains(&Supply::Draining))
        })
        .into()
}

/// Whether it is a battery of the machine's own.
pub(super) fn is_battery(root: &Root, name: &str) -> bool {
    let line = |file: &str| root.line(&format!("{FOLDER}/{name}/{file}")).ok();
    line("type").as_deref() == Some("Battery")
        && line("scope").as_deref() != Some("Device")
}

/// Whether it is a battery that feeds the machine.
pub(super) fn drains(root: &Root, name: &str) -> bool {
    feeds(root, name) == Some(Supply::Draining)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Supply {
    Plugged,
    Unplugged,
    Draining,
    Resting,
}

/// What a supply does for the machine; a mouse's battery does nothing
/// (`scope`, Documentation/ABI/testing/sysfs-class-power).
fn feeds(root: &Root, name: &str) -> Option<Supply> {
    let line = |file: &str| root.line(&format!("{FOLDER}/{name}/{file}")).ok();
    if line("scope").as_deref() == Some("Device") {
        return None;
    }
    match line("type")?.as_str() {
        "Battery" => Some(match line("status")?.as_str() {
            "Discharging" => Supply::Draining,
            _ => Supply::Resting,
        }),
        "Mains" | "USB" => Some(match line("online")?.as_str() {
            "0" => Supply::Unplugged,
            _ => Supply::Plugged,
        }),
        _ => None,
    }
}
