//! Which rule is in force on a machine, found out from outside.
//!
//! A [`Probe`] is one ordinary workload and what its waits took. The machine
//! under test plays a battery of them; each [`Candidate`], a simulated machine,
//! plays the same with its own rules, and with the constants that the machine
//! under test was seen to have. A candidate stays while nothing it would have
//! shown differs from what was seen by more than chance and disturbance. Of
//! the machine under test nothing is read but what any program may ask: which
//! calls there are, and the interval in force.
//!
//! * [`explain()`] asks a machine, [`explain_list()`] a list of its waits;
//! * [`calibrate()`] makes a simulated machine of what a Linux box showed.

mod ask;
mod battery;
mod calibrate;
mod candidate;
mod compare;
mod figures;
mod fitted;
mod judge;
mod listed;
mod next;
mod probe;
mod read;
mod seen;
mod taken;
mod told;
mod words;
mod yardstick;

pub use ask::explain;
pub use calibrate::{Calibrated, Constant, calibrate};
pub use candidate::{Candidate, known, same_rules};
pub use figures::{
    CandidateFigure, Explained, Predicted, RuleSaid, TestFigure, Verdict,
};
pub use listed::{Listed, explain_list};
pub use probe::Probe;
pub use read::ListError;
pub use seen::Seen;
