//! The seam: a workload is data, and every machine can play it.
//!
//! What a machine must supply is [`Machine`]: two methods. Everything else in
//! this room is what passes through them: a [`Workload`] goes in, [`Sample`]s
//! come out, [`Facts`] and an [`Ending`] frame them.
//!
//! What each machine promises:
//!
//! * nothing is corrected: an early wake is reported early;
//! * one wait asked is one wait made: no retries, no spinning on;
//! * absent, refused, failed and unknown are four answers, and none is zero
//!   ([`Missing`]);
//! * a run ends when told, when its limit is reached, or when it is done, and
//!   says which ([`Ending`]).
//!
//! The `conformance` suite holds every machine to these promises.

mod action;
mod ask_error;
mod batch;
mod battery;
mod cast;
mod check;
mod clock;
pub mod conformance;
mod defaults;
mod ending;
mod facts;
mod known;
mod name;
mod priority;
mod random;
mod recording;
mod remedy;
mod said;
mod sample;
mod saved;
mod span;
mod tally;
mod wait;
mod workload;
mod written;

pub use action::{Action, Keep, Meanwhile, Missed, Point, PointBase, Until};
pub use ask_error::{AskError, AskErrorKind};
pub use batch::{Batch, Listener, Note, Verdict};
pub use battery::Battery;
pub use cast::{Role, Step};
pub use check::Fault;
pub use clock::ClockKind;
pub use ending::{Counters, Cut, Ended, Ending, Meters, RoleEnding, Warning};
pub use facts::{
    ClockFact, ClockSource, EnergyCounter, Facts, HardwareTimer, IdleState,
    Interval, LatencyRequest, NoHz, Request, Scheduler, WaitFact,
};
pub use known::{Known, Missing, MissingKind};
pub use name::UnknownName;
pub use priority::Priority;
pub use random::Random;
pub use recording::{Recording, Track};
pub use sample::{Outcome, Sample};
pub use saved::{RecordingError, Saved};
pub use span::{Span, SpanError};
pub use tally::Tally;
pub use wait::{System, WaitKind};
pub use workload::{Class, Cue, Happening, Phase, Process, Task, Workload};
pub use written::{WORKLOAD_SCHEMA, WorkloadError};

pub(crate) use name::nearest;
pub(crate) use remedy::cure;
pub(crate) use written::{find_path, line_at};

/// A computer, real or imagined, that can play workloads.
pub trait Machine {
    /// Says what this machine's timer is.
    ///
    /// Needs no privilege; what it may not look at, it says so. It may start
    /// a short-lived process to find something out.
    ///
    /// # Errors
    ///
    /// Only when nothing at all can be said; a single fact that cannot be
    /// had is [`Known::Missing`] instead.
    fn facts(&mut self) -> Result<Facts, AskError>;

    /// Plays `workload`, telling `seen` what each task saw, and says how it
    /// ended.
    ///
    /// # Errors
    ///
    /// When the workload is wrong, or needs what this machine does not have
    /// or is not allowed. A run that started always gives an [`Ending`].
    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError>;
}
