//! What a machine's timer is, as far as it may be looked at.
//!
//! The field names are the keys of `timerscope info --json`; every time is in
//! nanoseconds with the unit in its name.

use serde::{Deserialize, Serialize};

use super::{Known, WaitKind};

/// Everything a machine says about its timer without measuring it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// `native`, or the name of a simulated machine.
    pub name: String,
    /// The system in a person's words: `Linux 6.18.44`.
    pub system: String,
    /// Whether this machine is imagined.
    pub simulated: bool,
    /// The emulator under which a real system's calls were made (`wine 8.0`).
    pub emulated_by: Option<String>,
    /// The seed of a simulated machine.
    pub seed: Option<u64>,
    /// The clock interrupt interval, where the system has one for everybody.
    pub interval: Interval,
    /// Regular scheduler ticks per second on a busy CPU.
    pub tick_hz: Known<u64>,
    /// Ticks per second above the system's default.
    pub extra_ticks_per_s: Known<u64>,
    /// Whether waits can end between two ticks.
    pub high_resolution_timers: Known<bool>,
    /// Lateness the system allows the calling thread's waits.
    pub timer_slack_ns: Known<u64>,
    /// The calling thread's scheduling policy and priority, in words.
    pub policy: Known<String>,
    /// The counter that clocks are computed from.
    pub clock_source: ClockSource,
    /// The device that raises timer interrupts.
    pub clock_event_device: Known<String>,
    /// How the tick behaves on idle CPUs.
    pub nohz: NoHz,
    /// Counters and interrupt generators, present or not.
    pub hardware_timers: Vec<HardwareTimer>,
    /// Clocks that can be read.
    pub clocks: Vec<ClockFact>,
    /// Waits that can be made.
    pub waits: Vec<WaitFact>,
    /// Live requests for an interval (Windows).
    pub requests: Known<Vec<Request>>,
    /// Live requests for short wake latency (Linux `cpu_dma_latency`).
    pub latency_requests: Known<Vec<LatencyRequest>>,
    /// The wake latency the system now promises devices, all requests taken
    /// together; `Absent` where nobody asked.
    pub latency_limit_ns: Known<u64>,
    /// How fast the wall clock is being steered, in parts per million.
    pub rate_error_ppm: Known<f64>,
    /// Whether something keeps the wall clock right.
    pub synchronised: Known<bool>,
    /// The idle states of CPU 0, shallowest first.
    pub idle_states: Known<Vec<IdleState>>,
    /// Energy counters that can be read.
    pub energy_counters: Known<Vec<EnergyCounter>>,
    /// The virtual machine monitor, if this is a guest.
    pub virtual_machine: Known<String>,
    /// Time the host took from this guest since boot, over all CPUs.
    pub stolen_ns: Known<u64>,
    /// Whether the machine runs from a battery.
    pub on_battery: Known<bool>,
    /// CPUs we may run on.
    pub cpus: Vec<u32>,
    /// What the CPUs' speed is governed by.
    pub frequency_governor: Known<String>,
    /// How CPU time is handed out.
    pub scheduler: Scheduler,
}

/// The clock interrupt interval of a system that has one for everybody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The longest, and the default.
    pub coarsest_ns: Known<u64>,
    /// The shortest that can be asked for.
    pub finest_ns: Known<u64>,
    /// The one in force.
    pub current_ns: Known<u64>,
}

impl Interval {
    /// Says whether a process can request a finer one than the default.
    #[must_use]
    pub fn can_be_requested(&self) -> bool {
        let ends = self.finest_ns.value().zip(self.coarsest_ns.value());
        ends.is_some_and(|(finest, coarsest)| finest < coarsest)
    }
}

/// The counter that clocks are computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockSource {
    /// The one in use.
    pub current: Known<String>,
    /// Those that could be used.
    pub available: Known<Vec<String>>,
}

/// How the tick behaves on idle CPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoHz {
    /// In words: whether an idle CPU, or a busy one, may stop its tick.
    pub mode: Known<String>,
    /// CPUs that may stop the tick even when busy, as the kernel lists them.
    pub full_cpus: Known<String>,
    /// How often a CPU went idle since boot, over all CPUs.
    pub idle_calls: Known<u64>,
    /// How often it stopped its tick then.
    pub idle_sleeps: Known<u64>,
}

/// One timer device, its two roles kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardwareTimer {
    /// The field's name: `tsc`, `hpet`, `acpi_pm`, `i8254`, `rtc`, `lapic`.
    pub name: String,
    /// Whether this machine has it.
    pub present: Known<bool>,
    /// Its input frequency.
    pub frequency_hz: Known<u64>,
    /// Whether it can be read as a counter.
    pub counts: bool,
    /// Whether it can raise interrupts.
    pub interrupts: bool,
    /// Bits of its counter.
    pub width_bits: Known<u32>,
    /// How long its counter runs before it starts again.
    pub wraps_after_ns: Known<u64>,
    /// What the system uses it for now: counting, interrupting, or neither.
    pub in_use: Known<bool>,
}

/// One clock that can be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockFact {
    /// Its name in our vocabulary ([`super::ClockKind`]).
    pub name: String,
    /// The step the system claims for it.
    pub nominal_step_ns: Known<u64>,
    /// How a reading gets there: `user-space` or `system-call`.
    pub via: Known<String>,
}

/// One wait that can be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitFact {
    /// Its name in our vocabulary.
    pub name: WaitKind,
    /// Whether the thread's timer slack delays it.
    pub slack_applies: bool,
    /// Whether this system may end it before its time, as Windows 7 does.
    pub may_end_early: bool,
}

/// A live request for an interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The program that asked.
    pub process: String,
    /// Its process number.
    pub pid: u32,
    /// What it asked for.
    pub interval_ns: Known<u64>,
    /// The call or module by which it asked.
    pub by: Known<String>,
}

/// A live request for short wake latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyRequest {
    /// The program that holds it.
    pub process: String,
    /// Its process number.
    pub pid: u32,
    /// What it asked for; no system shows it per holder.
    pub latency_ns: Known<u64>,
}

/// One idle state of a CPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleState {
    /// The driver's name for it: `C1E`.
    pub name: String,
    /// Time to leave it.
    pub exit_latency_ns: u64,
    /// How long a stay must last to pay off.
    pub target_residency_ns: u64,
    /// How often CPU 0 entered it since boot.
    pub entered: u64,
    /// Whether it is switched off.
    pub disabled: bool,
}

/// An energy counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyCounter {
    /// Its name: `package-0`.
    pub name: String,
    /// Its reading.
    pub energy_uj: Known<u64>,
    /// The reading at which it starts again from zero.
    pub wraps_at_uj: Known<u64>,
}

/// How CPU time is handed out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scheduler {
    /// How long a thread runs before an equal gets its turn, in words.
    pub quantum: Known<String>,
    /// The base slice of the fair scheduler.
    pub base_slice_ns: Known<u64>,
    /// The round-robin slice of real-time threads.
    pub round_robin_ns: Known<u64>,
    /// The kernel's pre-emption model.
    pub preemption: Known<String>,
}
