//! What a simulated machine says about its timer.

use super::kernel::slack_applies;
use super::rules::{Deadline, Expiry, IdleTick, Sharing};
use super::spec::{Kernel, Spec};
use crate::machine::{
    ClockFact, ClockSource, Facts, HardwareTimer, Interval, Known, Missing,
    NoHz, Request, Scheduler, WaitFact, WaitKind,
};

/// The number of the process that holds a machine's own `interval`; those of
/// workloads begin after it.
const OTHER_PID: u32 = 999;
const SECOND: u64 = 1_000_000_000;

/// What the machine says about its timer.
pub(super) fn facts(spec: &Spec, seed: u64) -> Facts {
    let c = &spec.constants;
    let ticks = spec.rules.expiry == Expiry::AtTick;
    let linux = spec.kernel == Kernel::Linux;
    let current =
        c.interval.map_or(c.coarsest, |own| own.clamp(c.finest, c.coarsest));
    let hz = |span: crate::machine::Span| {
        (SECOND + span.ns() / 2) / span.ns().max(1)
    };
    let simulated = || Missing::absent("a simulated machine has none");
    Facts {
        name: spec.name.clone(),
        system: spec.system.clone(),
        simulated: true,
        emulated_by: None,
        seed: Some(seed),
        interval: interval(spec, current.ns()),
        tick_hz: Known::Value(hz(current)),
        extra_ticks_per_s: if spec.kernel == Kernel::Windows {
            Known::Value(hz(current).saturating_sub(hz(c.coarsest)))
        } else {
            Missing::absent("nobody can raise this system's tick").into()
        },
        high_resolution_timers: Known::Value(!ticks),
        timer_slack_ns: if spec.has_slack() {
            Known::Value(c.slack.ns())
        } else {
            Missing::absent("this system allows no slack").into()
        },
        policy: Known::Value(
            if linux { "SCHED_OTHER" } else { "level 8" }.to_owned(),
        ),
        clock_source: ClockSource {
            current: simulated().into(),
            available: simulated().into(),
        },
        clock_event_device: simulated().into(),
        nohz: nohz(spec),
        hardware_timers: Vec::<HardwareTimer>::new(),
        clocks: clocks(spec),
        waits: waits(spec),
        requests: requests(spec),
        latency_requests: simulated().into(),
        latency_limit_ns: simulated().into(),
        rate_error_ppm: Known::Value(steered_ppm(spec) as f64),
        synchronised: simulated().into(),
        idle_states: simulated().into(),
        energy_counters: simulated().into(),
        virtual_machine: match &spec.guest_of {
            Some(host) => Known::Value(host.clone()),
            None => Missing::absent("not a guest").into(),
        },
        stolen_ns: Missing::absent("no time passes here before a run").into(),
        on_battery: Known::Value(false),
        cpus: (0..c.cpus).collect(),
        frequency_governor: simulated().into(),
        scheduler: scheduler(spec),
    }
}

/// Who requests an interval besides those of a workload.
fn requests(spec: &Spec) -> Known<Vec<Request>> {
    if spec.kernel != Kernel::Windows {
        let why = "no process can request an interval here";
        return Missing::absent(why).into();
    }
    let invented = "no call was made: the machine's description says so";
    let held = spec.constants.interval.map(|interval| Request {
        process: "another process".to_owned(),
        pid: OTHER_PID,
        interval_ns: Known::Value(interval.ns()),
        by: Missing::absent(invented).into(),
    });
    Known::Value(held.into_iter().collect())
}

/// How fast the clock is slewed at first (OB-5), in parts per million.
fn steered_ppm(spec: &Spec) -> u64 {
    let budget = spec.constants.slew_budget;
    if budget.ns() == 0 { 0 } else { spec.constants.slew_ns_per_s / 1000 }
}

fn interval(spec: &Spec, current: u64) -> Interval {
    let c = &spec.constants;
    if spec.rules.expiry == Expiry::AtOnce {
        let why = "each timer has an interrupt of its own";
        let absent = || Missing::absent(why).into();
        return Interval {
            coarsest_ns: absent(),
            finest_ns: absent(),
            current_ns: absent(),
        };
    }
    Interval {
        coarsest_ns: Known::Value(c.coarsest.ns()),
        finest_ns: Known::Value(c.finest.ns()),
        current_ns: Known::Value(current),
    }
}

fn nohz(spec: &Spec) -> NoHz {
    let mode = match spec.rules.idle_tick {
        IdleTick::Always => "an idle CPU ticks",
        IdleTick::Skipped => "an idle CPU skips ticks in which nothing is due",
    };
    let absent = || Missing::absent("a simulated machine has none");
    NoHz {
        mode: Known::Value(mode.to_owned()),
        full_cpus: absent().into(),
        idle_calls: absent().into(),
        idle_sleeps: absent().into(),
    }
}

fn clocks(spec: &Spec) -> Vec<ClockFact> {
    let fact = |clock: &super::spec::Clock| ClockFact {
        name: clock.name.name().to_owned(),
        nominal_step_ns: Known::Value(match clock.moves {
            super::spec::Moves::Always | super::spec::Moves::Running => {
                clock.unit.ns()
            }
            _ => spec.constants.coarsest.ns().max(clock.unit.ns()),
        }),
        via: Known::Value(
            if clock.system_call { "system-call" } else { "user-space" }
                .to_owned(),
        ),
    };
    spec.clocks.iter().map(fact).collect()
}

fn waits(spec: &Spec) -> Vec<WaitFact> {
    // A timer that waits for a tick is late enough without.
    let delays = spec.has_slack() && spec.rules.expiry == Expiry::AtOnce;
    let early = |wait: WaitKind| {
        spec.rules.deadline == Deadline::LastTick
            && wait != WaitKind::WaitableTimerHighResolution
            || wait.counts_cpu_time()
    };
    WaitKind::all()
        .filter(|wait| spec.has(*wait))
        .map(|name| WaitFact {
            name,
            slack_applies: delays && slack_applies(name),
            may_end_early: early(name),
        })
        .collect()
}

fn scheduler(spec: &Spec) -> Scheduler {
    let c = &spec.constants;
    let ms = c.quantum.written();
    let unit = ms.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(ms.len());
    let ms = format!("{} {}", &ms[..unit], &ms[unit..]);
    let absent = || Missing::absent("this system has none");
    let fair = spec.rules.sharing == Sharing::Fair;
    Scheduler {
        quantum: Known::Value(if fair {
            format!("a fair slice of {ms}, ended at a tick")
        } else {
            format!("{ms}, ended at a tick")
        }),
        base_slice_ns: if fair {
            Known::Value(c.quantum.ns())
        } else {
            absent().into()
        },
        round_robin_ns: if fair {
            Known::Value(c.round_robin.ns())
        } else {
            absent().into()
        },
        preemption: absent().into(),
    }
}
