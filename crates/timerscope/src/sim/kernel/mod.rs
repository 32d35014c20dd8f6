//! One run: the loop that owns time, and the kernels it drives.
//!
//! `world` holds everything and the loop. A tick (`tick`) looks at timers,
//! charges and costs; `wait` arms and expires them; `sched` hands out CPUs;
//! `act` and the files beside it are what tasks do.

mod act;
mod calls;
mod clock;
mod costs;
mod cpu;
mod ending;
mod fair;
mod interval;
mod levels;
mod loops;
mod player;
mod program;
mod ready;
mod rings;
mod sched;
mod script;
mod setup;
mod signal;
mod steps;
mod task;
mod tell;
mod tick;
mod wait;
mod world;

pub(super) use ending::play;
pub(super) use setup::Stage;
pub(super) use wait::slack_applies;
