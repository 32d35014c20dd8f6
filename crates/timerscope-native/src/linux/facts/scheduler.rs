//! How CPU time is handed out.

use timerscope::machine::{Known, Missing, MissingKind, Scheduler};

use super::config::Config;
use super::release::Release;
use super::root::{Root, or_absent};

const DEBUG: &str = "/sys/kernel/debug";

/// Slices and pre-emption.
pub(super) fn scheduler(
    root: &Root,
    release: &Release,
    config: &Result<Config, Missing>,
) -> Scheduler {
    Scheduler {
        quantum: Known::Value(quantum(release).to_owned()),
        base_slice_ns: base_slice_ns(root).into(),
        round_robin_ns: round_robin_ns(root).into(),
        preemption: preemption(root, release, config).into(),
    }
}

/// EEVDF replaced the older rule of fairness in Linux 6.6.
fn quantum(release: &Release) -> &'static str {
    if release.version().is_some_and(|version| version < (6, 6)) {
        "a fair share of a period that all runnable threads share, at least \
         the minimal granularity, ended at a tick"
    } else {
        "the base slice, ended at a tick or by a thread with an earlier \
         deadline"
    }
}

/// Its place and name have changed: EEVDF's base slice since Linux 6.6, the
/// minimal granularity in debugfs from 5.13, in /proc before.
fn base_slice_ns(root: &Root) -> Result<u64, Missing> {
    let places = [
        format!("{DEBUG}/sched/base_slice_ns"),
        format!("{DEBUG}/sched/min_granularity_ns"),
        "/proc/sys/kernel/sched_min_granularity_ns".to_owned(),
    ];
    let mut refused = None;
    for place in &places {
        match root.number(place) {
            Err(why) if why.kind == MissingKind::Absent => (),
            Err(why) => refused = refused.or(Some(why)),
            found => return found,
        }
    }
    Err(refused.unwrap_or_else(|| unmounted("the base slice")))
}

/// Not mounted is not absent: the kernel has it, and shows it nobody.
fn unmounted(what: &str) -> Missing {
    Missing::unknown(format!("{what} stands in debugfs, which is not here"))
        .or_try("as root: mount -t debugfs none /sys/kernel/debug")
}

fn round_robin_ns(root: &Root) -> Result<u64, Missing> {
    let ms = root.number("/proc/sys/kernel/sched_rr_timeslice_ms");
    let ms = or_absent(ms, "this kernel does not show it")?;
    Ok(ms.saturating_mul(1_000_000))
}

/// The pre-emption model: in force, or else as booted, as built, as named.
fn preemption(
    root: &Root,
    release: &Release,
    config: &Result<Config, Missing>,
) -> Result<String, Missing> {
    let in_force = root.line(&format!("{DEBUG}/sched/preempt"));
    if let Some(chosen) = in_force.as_deref().ok().and_then(chosen) {
        return Ok(chosen.to_owned());
    }
    let build = release.build.as_deref().unwrap_or_default();
    let is = |word| build.split_whitespace().any(|part| part == word);
    if is("PREEMPT_RT") || root.number("/sys/kernel/realtime") == Ok(1) {
        return Ok("full, real-time".to_owned());
    }
    if let Some(booted) = release.parameter("preempt") {
        return Ok(booted.to_owned());
    }
    let built = config.as_ref().ok().and_then(built);
    match built {
        Some(model) => Ok(model.to_owned()),
        None if is("PREEMPT") => Ok("full".to_owned()),
        None if is("PREEMPT_DYNAMIC") => {
            Err(in_force.err().map_or_else(|| unmounted("it"), told_in_debugfs))
        }
        None => Err(Missing::unknown("nothing here tells it")),
    }
}

fn told_in_debugfs(missing: Missing) -> Missing {
    match missing.kind {
        MissingKind::Absent => unmounted("the choice"),
        _ => missing,
    }
}

/// `none voluntary (full)`: the one in brackets.
fn chosen(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('(')?;
    rest.split_once(')').map(|(model, _)| model)
}

/// kernel/Kconfig.preempt; a dynamic kernel starts with what was built.
fn built(config: &Config) -> Option<&'static str> {
    let models = [
        ("PREEMPT_NONE", "none"),
        ("PREEMPT_VOLUNTARY", "voluntary"),
        ("PREEMPT_LAZY", "lazy"),
        ("PREEMPT", "full"),
    ];
    models.into_iter().find(|(key, _)| config.has(key)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_in_brackets_is_in_force() {
        assert_eq!(chosen("none voluntary (full) lazy"), Some("full"));
        assert_eq!(chosen("none voluntary full"), None);
        assert_eq!(chosen("(full"), None);
    }

    #[test]
    fn the_rule_of_fairness_changed_once() {
        let on = |name: &str| {
            quantum(&Release { name: name.to_owned(), ..Release::default() })
        };
        assert_eq!(on("6.5.1"), on("4.19"));
        assert_ne!(on("6.5.1"), on("6.6.0"));
    }
}
