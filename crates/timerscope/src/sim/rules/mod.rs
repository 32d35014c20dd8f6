//! Rules as small named pieces: a choice for each thing machines differ in,
//! each of whose variants has an id, a sentence, a status and a source.

mod always;
mod borrowed;
mod piece;
mod scheduling;
mod timers;

pub(crate) use always::always;
pub(crate) use borrowed::told;
pub use piece::{Rule, Status};
pub use scheduling::{
    Boost, Charge, IdleTick, Preemption, Remainder, Sharing, Spent,
};
pub use timers::{
    Change, CpuTimers, Deadline, Expiry, Looks, Noise, Rounding, Window,
};
