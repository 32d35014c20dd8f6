//! Who spoiled a row.

use crate::machine::{Facts, Known, Missing, Saved, Span};

/// A row is spoiled if the host takes more than this share of a CPU's time,
/// or if others leave less than this share of all CPUs' time. Both invented.
const STOLEN_SHARE: f64 = 0.01;
const LEFT_SHARE: f64 = 0.5;
/// Hardware rounds a request down by up to 2.4 % (0.9766 for 1 ms is the
/// most that was seen); an interval that is finer by more is somebody else's.
const ROUNDING: f64 = 0.05;

/// Who holds the interval finer than the request of the sweep.
pub(super) fn by_interval(
    facts: &Facts,
    asked_ns: u64,
    in_force_ns: u64,
) -> Option<String> {
    if in_force_ns as f64 >= asked_ns as f64 * (1.0 - ROUNDING) {
        return None;
    }
    let requests = facts.requests.value().into_iter().flatten();
    let known = requests.filter_map(|request| {
        Some((*request.interval_ns.value()?, &request.process))
    });
    let who = known.min().map(|(_, process)| process.clone());
    let who = who.unwrap_or_else(|| "another process".to_owned());
    let span = Span::from_ns(in_force_ns);
    Some(format!("{who}, whose request keeps the interval at {span}"))
}

/// Who took so much of the machine during a run that its waits may be late.
///
/// No other process can change a thread's slack: what can spoil a row is who
/// takes the CPU.
pub(super) fn by_cpu_time(saved: &Saved) -> Known<String> {
    let meters = &saved.ending.meters;
    let lasted = saved.ending.lasted_ns as f64;
    let stolen = meters.delta(|counters| &counters.stolen_ns);
    let share = |ns: u64| ns as f64 / lasted;
    if let Known::Value(stolen) = stolen
        && share(stolen) > STOLEN_SHARE
    {
        let span = Span::from_ns(stolen);
        return Known::Value(format!("the host, which took {span}"));
    }
    let own = saved.ending.roles.iter();
    let own: u64 = own.filter_map(|role| role.cpu_ns.value()).sum();
    let cpus = saved.facts.cpus.len().max(1) as f64;
    meters.delta(|counters| &counters.busy_ns).and_then(|busy| {
        let others = share(busy.saturating_sub(own)) / cpus;
        if others > 1.0 - LEFT_SHARE {
            let percent = others * 100.0;
            return Known::Value(format!(
                "other programs, which kept the CPUs {percent:.0} % busy"
            ));
        }
        Missing::absent("nobody was seen to").into()
    })
}
