//! Machines of the catalogue, and changed ones.

use std::fmt;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;
use timerscope::machine::Span;
use timerscope::sim::Spec;
use timerscope::sim::catalogue::{CATALOGUE, opened};
use timerscope::sim::rules::{Deadline, Looks, Noise};
use timerscope::sim::spec::Kernel;

/// A machine that is shown by its name alone.
#[derive(Clone)]
pub(crate) struct Named(pub(crate) Spec);

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)
    }
}

/// The catalogue, read once.
static MACHINES: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    CATALOGUE.iter().map(|(name, _)| opened(name).unwrap()).collect()
});

/// A machine by its name.
pub(crate) fn machine(name: &str) -> Spec {
    MACHINES.iter().find(|own| own.name == name).unwrap().clone()
}

/// Any machine of the catalogue that is so.
pub(crate) fn any_machine(
    is_so: impl Fn(&Spec) -> bool,
) -> impl Strategy<Value = Named> {
    let own = MACHINES.iter().filter(|own| is_so(own));
    select(own.cloned().map(Named).collect::<Vec<_>>())
}

pub(crate) fn windows(spec: &Spec) -> bool {
    spec.kernel == Kernel::Windows
}

pub(crate) fn openbsd(spec: &Spec) -> bool {
    spec.kernel == Kernel::Openbsd
}

/// Whether its sleeps count from the moment they are called.
pub(crate) fn counts_from_now(spec: &Spec) -> bool {
    spec.rules.deadline == Deadline::Now
}

/// Whether only some of its interrupts look at silent processes.
pub(crate) fn has_passes(spec: &Spec) -> bool {
    spec.rules.looks != Looks::Everyone
}

/// A machine without chance.
pub(crate) fn quiet(mut spec: Spec) -> Spec {
    let c = &mut spec.constants;
    c.steal_ppm = 0;
    c.late_tick_ppm = 0;
    c.late_second = Span::ZERO;
    c.moves_per_1000s = 0;
    c.taken_per_1000s = 0;
    c.taken_prof_per_1000s = 0;
    c.user_ppm = 1_000_000;
    spec.rules.noise = Noise::Off;
    spec
}

/// The same where nothing takes any time.
pub(crate) fn free(spec: Spec) -> Spec {
    let mut spec = quiet(spec);
    let c = &mut spec.constants;
    c.system_call = Span::ZERO;
    c.switch = Span::ZERO;
    c.signal = Span::ZERO;
    c.cross_wake = Span::ZERO;
    c.record = Span::ZERO;
    c.event_wait = Span::ZERO;
    c.idle_exit = Span::ZERO;
    c.short_idle_exit = Span::ZERO;
    c.tick_cost = Span::ZERO;
    spec
}

/// The same while another process requests an interval all the time.
pub(crate) fn with_interval(mut spec: Spec, interval_us: u64) -> Spec {
    if windows(&spec) {
        spec.constants.interval = Some(Span::from_us(interval_us));
    }
    spec
}

/// The interval in force on a machine with no requests but its own.
pub(crate) fn interval_ns(spec: &Spec) -> i64 {
    let c = &spec.constants;
    let own = c.interval.map_or(c.coarsest, |i| i.clamp(c.finest, c.coarsest));
    own.ns() as i64
}

/// Intervals that a person might request, in microseconds: some of those
/// with figures in the articles, and any.
pub(crate) fn any_interval_us() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => select(vec![500, 1_000, 2_000, 4_000, 5_000, 6_000, 7_000,
            8_000, 9_000, 10_000, 15_000, 15_625]),
        1 => 300..20_000_u64,
    ]
}

/// A span of the machine as a signed number.
pub(crate) fn ns(span: Span) -> i64 {
    span.ns() as i64
}
