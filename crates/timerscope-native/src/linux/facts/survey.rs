//! All facts of one machine, each from where it stands.

use timerscope::machine::{Facts, Missing};

use super::config::Config;
use super::counters::stolen_ns;
use super::cpu::Cpu;
use super::interrupts::Interrupts;
use super::release::Release;
use super::root::Root;
use super::stat::Stat;
use super::timer_list::TimerList;
use super::{
    clock_source, clocks, cpus, energy, frequency, guest, hardware, idle,
    latency, scheduler, steering, supply, thread, tick, waits,
};

/// Says what the machine below `root` is, as far as it may be looked at.
///
/// Needs no privilege and changes nothing. Facts about the calling thread
/// (slack, policy, CPUs) hold for the thread that calls.
#[must_use]
pub fn facts(root: &Root) -> Facts {
    let release = Release::read(root);
    let timers = TimerList::read(root);
    let config = Config::read(root, release.as_file_name());
    let cpu = Cpu::read(root);
    let interrupts = Interrupts::read(root);
    let ticking = tick::Evidence {
        root,
        release: &release,
        timers: &timers,
        config: &config,
    };
    let tick_hz = tick::tick_hz(&ticking);
    let high_resolution_timers = tick::high_resolution(&ticking);
    let clock_source = clock_source::clock_source(root);
    let clock_event_device = clock_source::clock_event_device(root, &timers);
    let steering = steering::steering(root);
    let latency_limit_ns = latency::limit_ns(root);
    Facts {
        name: "native".to_owned(),
        system: release.system(),
        simulated: false,
        emulated_by: release.emulated_by(),
        seed: None,
        interval: tick::interval(&high_resolution_timers, &tick_hz),
        waits: waits::waits(root, &release, ticking.only_ticks()),
        tick_hz,
        extra_ticks_per_s: no_requests().into(),
        high_resolution_timers,
        timer_slack_ns: thread::timer_slack_ns(root),
        policy: thread::policy(root),
        nohz: tick::nohz(&ticking),
        hardware_timers: hardware::hardware_timers(&hardware::Evidence {
            root,
            cpu: &cpu,
            source: &clock_source,
            device: &clock_event_device,
            interrupts: &interrupts,
            timers: &timers,
        }),
        clock_source,
        clock_event_device,
        clocks: clocks::clocks(root, &cpu),
        requests: no_requests().into(),
        latency_requests: latency::requests(root, &latency_limit_ns),
        latency_limit_ns,
        rate_error_ppm: steering.as_ref().map(|state| state.rate_error_ppm),
        synchronised: steering.map(|state| state.synchronised),
        idle_states: idle::idle_states(root),
        energy_counters: energy::energy_counters(root),
        virtual_machine: guest::virtual_machine(root, &cpu),
        stolen_ns: stolen_ns(&Stat::read(root)),
        on_battery: supply::on_battery(root),
        cpus: cpus::cpus(root),
        frequency_governor: frequency::governor(root),
        scheduler: scheduler::scheduler(root, &release, &config),
    }
}

/// Why two facts of Windows have no counterpart here.
fn no_requests() -> Missing {
    Missing::absent("on Linux no process can make the tick finer")
}
