//! The idle states of the CPUs (cpuidle).

use timerscope::machine::{IdleState, Known, Missing};

use super::root::{Root, or_absent};

const CPUS: &str = "/sys/devices/system/cpu";
const NO_DRIVER: &str = "no idle driver: an idle CPU only halts";

/// The idle states of CPU 0, shallowest first.
pub(super) fn idle_states(root: &Root) -> Known<Vec<IdleState>> {
    states(root, "cpu0")
        .and_then(|states| {
            states.iter().map(|state| idle_state(root, state)).collect()
        })
        .into()
}

/// How often any CPU entered any idle state; each entry ends in a wake-up.
pub(super) fn entered(root: &Root) -> Known<u64> {
    total(root).into()
}

fn total(root: &Root) -> Result<u64, Missing> {
    let cpus = root.names(CPUS)?;
    let mut sum = None;
    for cpu in cpus.iter().filter(|name| number_after(name, "cpu").is_some()) {
        // A CPU that is off has no states; the others still count.
        for state in states(root, cpu).unwrap_or_default() {
            let entered = root.number(&format!("{state}/usage"))?;
            sum = Some(u64::saturating_add(sum.unwrap_or(0), entered));
        }
    }
    sum.ok_or_else(|| Missing::absent(NO_DRIVER))
}

/// The folders of a CPU's states, shallowest first.
fn states(root: &Root, cpu: &str) -> Result<Vec<String>, Missing> {
    let folder = format!("{CPUS}/{cpu}/cpuidle");
    let mut numbers: Vec<_> = or_absent(root.names(&folder), NO_DRIVER)?
        .iter()
        .filter_map(|name| number_after(name, "state"))
        .collect();
    numbers.sort_unstable();
    if numbers.is_empty() {
        return Err(Missing::absent(NO_DRIVER));
    }
    let path = |number| format!("{folder}/state{number}");
    Ok(numbers.into_iter().map(path).collect())
}

/// The kernel gives times in microseconds
/// (Documentation/admin-guide/pm/cpuidle.rst).
fn idle_state(root: &Root, folder: &str) -> Result<IdleState, Missing> {
    let number = |file: &str| root.number(&format!("{folder}/{file}"));
    let ns = |file: &str| Ok(number(file)?.saturating_mul(1_000));
    Ok(IdleState {
        name: root.line(&format!("{folder}/name"))?,
        exit_latency_ns: ns("latency")?,
        target_residency_ns: ns("residency")?,
        entered: number("usage")?,
        disabled: number("disable")? != 0,
    })
}

fn number_after(name: &str, start: &str) -> Option<u32> {
    name.strip_prefix(start)?.parse().ok()
}
