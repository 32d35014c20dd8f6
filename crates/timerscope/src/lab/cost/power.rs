//! What a raised tick costs in power, measured or modelled.

use serde::Serialize;

use super::Idle;
use super::idle::GAUGE;
use crate::machine::{Known, Missing, Warning};

/// The power that the tick adds to an idle machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Power {
    /// How much.
    pub extra_watts: Known<f64>,
    /// `measured` or `model`.
    pub source: &'static str,
    /// What measured it, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Meter>,
    /// What the model stands on; empty for what was measured.
    pub constants: Vec<Constant>,
}

/// What tells power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meter {
    /// The energy counters of the processor's packages.
    Packages,
    /// The gauge of the battery that feeds the whole machine.
    Battery,
}

/// One number that a model takes from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Constant {
    /// What it is, with its unit.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Where it comes from.
    pub source: &'static str,
}

/// Many machines that all do the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fleet {
    /// How many.
    pub machines: f64,
    /// The power that all of them together use more, in megawatts.
    pub megawatts: f64,
}

/// The energy of one wake-up: 0.3 W for 936 more ticks in a second, as Intel
/// Power Gadget showed it on one laptop (Sandy Bridge, Windows 7) for the
/// article "Windows Timer Resolution: Megawatts Wasted" (2013).
const WAKE_UP: Constant = Constant {
    name: "energy_per_wakeup_uj",
    value: 321.0,
    source: "fitted to one laptop of 2013 (0.3 W for 936 ticks in a second), \
             not to this machine",
};

impl Power {
    /// Takes it from an idle look without the tick and one with it.
    #[must_use]
    pub fn of(quiet: &Idle, ticked: &Idle) -> Self {
        let packages = (&quiet.watts, &ticked.watts, Meter::Packages);
        let battery =
            (&quiet.battery_watts, &ticked.battery_watts, Meter::Battery);
        for (without, with, meter) in [packages, battery] {
            if quiet.modelled {
                break;
            }
            if let Some((without, with)) = without.value().zip(with.value()) {
                return Self {
                    extra_watts: Known::Value(with - without),
                    source: "measured",
                    meter: Some(meter),
                    constants: Vec::new(),
                };
            }
        }
        let watts = |per_s: f64| per_s * WAKE_UP.value / 1e6;
        Self {
            extra_watts: ticked.ticks_per_s.clone().map(watts),
            source: "model",
            meter: None,
            constants: vec![WAKE_UP],
        }
    }
}

/// What to know of a measured power: a battery's gauge is slow.
#[must_use]
pub fn warning(power: &Power, ticked: &Idle) -> Option<Warning> {
    let short = ticked.lasted_ns < GAUGE.ns();
    (power.meter == Some(Meter::Battery) && short).then(|| {
        let seconds = ticked.lasted_ns as f64 / 1e9;
        let text = format!(
            "The power is that of a battery's gauge, which tells something \
             new every few seconds at best, and often once a minute; each \
             look lasted {seconds:.1} s. What the tick adds may be the \
             gauge's and not the tick's: try --for 1h, which looks for {GAUGE}."
        );
        Warning::new("battery-gauge", text)
    })
}

/// The article's arithmetic: what so many machines use more.
#[must_use]
pub fn fleet(power: &Power, machines: Option<f64>) -> Known<Fleet> {
    let Some(machines) = machines else {
        let why = "nobody said how many machines do this";
        return Missing::unknown(why).or_try("--machines 33e6").into();
    };
    let of = |watts| Fleet { machines, megawatts: watts * machines / 1e6 };
    power.extra_watts.clone().map(of)
}
