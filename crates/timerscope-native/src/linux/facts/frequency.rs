//! What the CPUs' speed is governed by.

use timerscope::machine::Known;

use super::root::{Root, or_absent};

const FOLDER: &str = "/sys/devices/system/cpu/cpu0/cpufreq";

/// Governor and driver of CPU 0: `powersave (intel_pstate)`.
pub(super) fn governor(root: &Root) -> Known<String> {
    let governor = or_absent(
        root.line(&format!("{FOLDER}/scaling_governor")),
        "the system does not change the CPUs' speed",
    );
    let driver = root.line(&format!("{FOLDER}/scaling_driver"));
    governor
        .map(|governor| match driver {
            Ok(driver) => format!("{governor} ({driver})"),
            Err(_) => governor,
        })
        .into()
}
