//! Energy counters (powercap, RAPL).

use timerscope::machine::{EnergyCounter, Known, Missing};

use super::root::{Root, or_absent};

const FOLDER: &str = "/sys/class/powercap";
const NO_METER: &str = "this machine has no energy counter";

/// Every counter, read or refused.
pub(super) fn energy_counters(root: &Root) -> Known<Vec<EnergyCounter>> {
    zones(root)
        .map(|zones| zones.iter().map(|zone| counter(root, zone)).collect())
        .into()
}

/// Energy of all packages together.
///
/// Cores, memory and the same counters seen through a second window (mmio)
/// are within or beside them and are not added twice.
pub(super) fn packages_uj(root: &Root) -> Known<u64> {
    sum(root).into()
}

fn sum(root: &Root) -> Result<u64, Missing> {
    let mut sum = None;
    for zone in zones(root)? {
        let package = is_package(&zone)
            && root
                .line(&format!("{FOLDER}/{zone}/name"))
                .is_ok_and(|name| name.starts_with("package"));
        if package {
            let energy = energy_uj(root, &zone)?;
            sum = Some(u64::saturating_add(sum.unwrap_or(0), energy));
        }
    }
    sum.ok_or_else(|| Missing::absent(NO_METER))
}

/// Folders that count: `intel-rapl:0` does, `intel-rapl` is their driver.
fn zones(root: &Root) -> Result<Vec<String>, Missing> {
    let mut zones = or_absent(root.names(FOLDER), NO_METER)?;
    zones.retain(|zone| {
        zone.contains(':') && root.has(&format!("{FOLDER}/{zone}/energy_uj"))
    });
    if zones.is_empty() {
        return Err(Missing::absent(NO_METER));
    }
    Ok(zones)
}

/// AMD's packages are counted under Intel's name too.
fn is_package(zone: &str) -> bool {
    zone.strip_prefix("intel-rapl:").is_some_and(|rest| !rest.contains(':'))
}

fn counter(root: &Root, zone: &str) -> EnergyCounter {
    let file = |file| root.number(&format!("{FOLDER}/{zone}/{file}"));
    EnergyCounter {
        name: name(root, zone),
        energy_uj: energy_uj(root, zone).into(),
        wraps_at_uj: file("max_energy_range_uj").into(),
    }
}

/// Since Linux 5.10 root only: power betrays what is computed
/// (CVE-2020-8694).
fn energy_uj(root: &Root, zone: &str) -> Result<u64, Missing> {
    root.number(&format!("{FOLDER}/{zone}/energy_uj"))
}

/// `package-0`, `package-0/core`, `package-0 (intel-rapl-mmio)`.
fn name(root: &Root, zone: &str) -> String {
    let own = |zone: &str| {
        let name = root.line(&format!("{FOLDER}/{zone}/name"));
        name.unwrap_or_else(|_| zone.to_owned())
    };
    let driver = zone.split(':').next().unwrap_or(zone);
    let path = match zone.rsplit_once(':') {
        Some((parent, _)) if parent.contains(':') => {
            format!("{}/{}", own(parent), own(zone))
        }
        _ => own(zone),
    };
    match driver {
        "intel-rapl" => path,
        driver => format!("{path} ({driver})"),
    }
}
