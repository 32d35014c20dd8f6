//! What a simulated machine is: rules and constants, nothing else.

mod choices;
mod clock;
mod constants;
mod faults;
mod ranges;
mod told;
mod whole;

pub use choices::Choices;
pub use clock::{Clock, Moves};
pub use constants::Constants;
pub use told::{KEYS, Told};
pub use whole::{Kernel, MACHINE_SCHEMA, Spec};
