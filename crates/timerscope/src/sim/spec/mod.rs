//! What a simulated machine is: rules and constants, nothing else.

mod check;
mod choices;
mod clock;
mod constants;
mod whole;

pub use check::SpecFault;
pub use choices::{Choices, Chosen};
pub use clock::{Clock, Moves};
pub use constants::Constants;
pub use whole::{Kernel, MACHINE_SCHEMA, Spec};
