//! A simulated machine with the constants of this one.
//!
//! Each constant has one figure that it decides. The model plays what the
//! machine played, and the constant is moved until the model shows the figure
//! that the machine showed.

use serde::Serialize;

use super::seen::Asked;
use super::yardstick::{YARDSTICKS, Yardstick};
use crate::machine::{
    AskError, Facts, Known, Listener, Machine, Missing, Span,
};
use crate::sim::catalogue::opened;
use crate::sim::{Sim, Spec};

/// What a calibration found out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibrated {
    /// The machine of the catalogue whose rules it takes over.
    pub like: String,
    /// Each constant that was looked for.
    pub constants: Vec<Constant>,
    /// The machine, as `--on FILE.toml` reads it.
    pub toml: String,
}

/// One constant that was looked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constant {
    /// Its key in a machine's file.
    pub key: String,
    /// Its value, as it is written there; a number in ps for `work-ps`.
    pub value: Known<String>,
    /// How it was measured, with the figure that was seen.
    pub how: String,
}

/// A rate of ticks within this many percent of one that kernels are built
/// with is that one.
const BUILT: [u64; 4] = [100, 250, 300, 1000];
const BUILT_PERCENT: u64 = 2;
/// How often all constants are gone through: each figure also depends a
/// little on those that come later.
const ROUNDS: usize = 3;
/// A constant that is this much larger, and half as large again, has to show:
/// in ns, or ps of work.
const NUDGE: u64 = 2_000;

/// Makes a simulated machine of what a Linux box showed: `linux-6`, or
/// `linux-lowres` where waits end at ticks, with its constants.
///
/// # Errors
///
/// When the machine has not got Linux' calls, or shows no tick.
pub fn calibrate(
    machine: &mut dyn Machine,
    facts: &Facts,
    also: &mut dyn Listener,
) -> Result<Calibrated, AskError> {
    let mut asked = Asked { machine, facts, also, stopped: false };
    let what = "cannot calibrate a machine";
    if !facts.waits.iter().any(|fact| fact.name.name() == "timerfd") {
        let why = "only the rules of Linux are known well enough for it";
        return Err(AskError::absent(what, why).or_try("a Linux machine"));
    }
    let mut seen = Vec::new();
    for yardstick in &YARDSTICKS {
        seen.push(yardstick.figure(&mut asked)?);
    }
    let tick = seen[0].value().copied();
    let Some(tick) = tick.filter(|tick| *tick > 0.0) else {
        let why = "no timer of CPU time showed a tick";
        return Err(AskError::refused(what, why));
    };
    let (like, mut spec) = base(tick, seen[1].value().copied())?;
    set_tick(&mut spec, tick);
    let mut values = vec![None; YARDSTICKS.len()];
    for _ in 0..ROUNDS {
        for (place, yardstick) in YARDSTICKS.iter().enumerate().skip(1) {
            let Some(seen) = seen[place].value() else { continue };
            if let Some(value) = moved(&mut spec, yardstick, *seen)? {
                values[place] = Some(value);
            }
        }
    }
    let all = YARDSTICKS.iter().zip(&seen).zip(&values).enumerate();
    let constants: Vec<Constant> = all
        .map(|(place, ((yardstick, seen), value))| Constant {
            key: yardstick.key.to_owned(),
            value: match (place, seen, value) {
                (0, ..) => Known::Value(spec.constants.coarsest.written()),
                (_, Known::Missing(why), _) => why.clone().into(),
                (_, _, Some(value)) => Known::Value(value.clone()),
                (_, _, None) => {
                    let why = "the model does not show it, whatever it is";
                    Missing::unknown(why).into()
                }
            },
            how: yardstick.how(seen.value().copied()),
        })
        .collect();
    let toml = written(like, facts, &constants);
    Ok(Calibrated { like: like.to_owned(), constants, toml })
}

/// The machine whose rules fit: waits that end between ticks, or at them.
fn base(
    tick: f64,
    wait: Option<f64>,
) -> Result<(&'static str, Spec), AskError> {
    // 1.7 ms is nowhere near a multiple of a usual tick.
    let at_ticks = wait.is_some_and(|wait| {
        let ticks = wait / tick;
        ticks > 0.8 && (ticks - ticks.round()).abs() < 0.1
    });
    let name = if at_ticks { "linux-lowres" } else { "linux-6" };
    let spec = opened(name).map_err(|error| {
        AskError::bug("cannot open a machine of the catalogue", error.why)
    })?;
    Ok((name, spec))
}

fn set_tick(spec: &mut Spec, tick: f64) {
    let hz = (1e9 / tick).round() as u64;
    let near =
        |built: &&u64| built.abs_diff(hz) * 100 <= **built * BUILT_PERCENT;
    let ns = match BUILT.iter().find(near) {
        Some(built) => 1_000_000_000 / built,
        None => tick.round() as u64,
    };
    let tick = Span::from_ns(ns);
    let constants = &mut spec.constants;
    constants.coarsest = tick;
    constants.finest = tick;
    constants.true_tick = tick;
}

/// Moves a constant by what the model's figure lacks; `None` if the model
/// does not show it.
fn moved(
    spec: &mut Spec,
    yardstick: &Yardstick,
    seen: f64,
) -> Result<Option<String>, AskError> {
    let Some(would) = shown(spec, yardstick)? else { return Ok(None) };
    let before = (yardstick.get)(&spec.constants);
    if !shows(spec, yardstick, before, would)? {
        return Ok(None);
    }
    let own = before as f64 + (seen - would) / yardstick.times;
    let own = own.round().max(0.0) as u64;
    (yardstick.set)(&mut spec.constants, own);
    if !spec.faults().is_empty() {
        (yardstick.set)(&mut spec.constants, before);
        return Ok(None);
    }
    Ok(Some((yardstick.written)(own)))
}

/// Whether the figure moves with the constant.
fn shows(
    spec: &Spec,
    yardstick: &Yardstick,
    before: u64,
    would: f64,
) -> Result<bool, AskError> {
    let more = before / 2 + NUDGE;
    let mut other = spec.clone();
    (yardstick.set)(&mut other.constants, before + more);
    if !other.faults().is_empty() {
        return Ok(false);
    }
    let now = shown(&other, yardstick)?.unwrap_or(would);
    Ok(now - would > more as f64 * yardstick.times / 2.0)
}

fn shown(spec: &Spec, yardstick: &Yardstick) -> Result<Option<f64>, AskError> {
    let mut sim = Sim::new(spec.clone(), 1);
    let facts = sim.facts()?;
    let also = &mut crate::lab::play::Silent;
    let mut asked =
        Asked { machine: &mut sim, facts: &facts, also, stopped: false };
    Ok(yardstick.figure(&mut asked)?.value().copied())
}

/// The machine's file: what was measured, with how, and what was not.
fn written(like: &str, facts: &Facts, constants: &[Constant]) -> String {
    let plain = |text: &str| -> String {
        let fine = |c: &char| c.is_ascii_graphic() || *c == ' ';
        let text = text.chars().filter(fine).take(100);
        text.filter(|c| !matches!(c, '"' | '\\')).collect()
    };
    let system = plain(&facts.system);
    let mut text = format!(
        "# A simulated machine with the constants of this one, calibrated by\n\
         # `timerscope explain --calibrate`. What is not below is taken over\n\
         # from {like} and was not measured: energies, cycles of clocks, slices,\n\
         # what others disturb.\n\
         schema = \"timerscope-machine/1\"\n\
         like = \"{like}\"\n\
         name = \"calibrated\"\n\
         system = \"{system}, as calibrated\"\n\n[constants]\n\
         cpus = {}\n",
        facts.cpus.len().clamp(1, 128)
    );
    let mut sources =
        String::from("\n[sources]\ncpus = \"measured: those it may run on\"\n");
    for constant in constants {
        let how = plain(&constant.how);
        let keys: &[&str] = match constant.key.as_str() {
            "coarsest" => &["coarsest", "finest", "true-tick"],
            _ => &[constant.key.as_str()],
        };
        match &constant.value {
            Known::Value(value) => {
                text = format!("{text}\n# {how}\n");
                let number = value.bytes().all(|byte| byte.is_ascii_digit());
                let quote = if number { "" } else { "\"" };
                for key in keys {
                    text = format!("{text}{key} = {quote}{value}{quote}\n");
                    sources = format!("{sources}{key} = \"fitted: {how}\"\n");
                }
            }
            Known::Missing(missing) => {
                let why = plain(&missing.why);
                text = format!(
                    "{text}\n# {} could not be measured: {why}\n",
                    constant.key
                );
            }
        }
    }
    text + &sources
}
