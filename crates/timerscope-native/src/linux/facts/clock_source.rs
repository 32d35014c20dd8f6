//! The counter that clocks are computed from, and the device that interrupts.

use timerscope::machine::{ClockSource, Known, Missing};

use super::root::{Root, or_absent, shown};
use super::timer_list::TimerList;

const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
const DEVICE: &str =
    "/sys/devices/system/clockevents/clockevent0/current_device";

/// The clock source in use, and those that could be.
pub(super) fn clock_source(root: &Root) -> ClockSource {
    let available = root.line(&format!("{FOLDER}/available_clocksource"));
    ClockSource {
        current: root.line(&format!("{FOLDER}/current_clocksource")).into(),
        available: available
            .map(|line| line.split_whitespace().map(shown).collect())
            .into(),
    }
}

/// What raises the timer interrupts of CPU 0.
pub(super) fn clock_event_device(
    root: &Root,
    timers: &Result<TimerList, Missing>,
) -> Known<String> {
    let named = or_absent(
        root.line(DEVICE),
        "this kernel does not name its clock event devices",
    );
    let listed = || timers.as_ref().ok().and_then(|list| list.device.clone());
    named.or_else(|missing| listed().ok_or(missing)).into()
}
