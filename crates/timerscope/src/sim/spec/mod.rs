//! What a simulated machine is: rules and constants, nothing else.

mod choices;
mod clock;
mod constants;
mod faults;
mod ranges;
mod whole;

pub use choices::{Choices, Chosen};
pub use clock::{Clock, Moves};
pub use constants::Constants;
pub use whole::{Kernel, MACHINE_SCHEMA, Spec};
