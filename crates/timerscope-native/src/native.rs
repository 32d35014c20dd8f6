//! The computer we run on, as a machine.

use std::ffi::OsString;
use std::path::Path;

use timerscope::machine::{
    AskError, Ending, Facts, Listener, Machine, Workload,
};

use crate::linux::facts::{Root, counters, facts};
use crate::stage;

/// The computer we run on.
///
/// Workloads are played in processes of their own, started from a *player
/// program*: this program itself, if it called [`crate::serve_player`] first
/// thing in `main`, or another one that did ([`Native::with_player`]; this
/// crate brings one, `timerscope-player`).
///
/// ```no_run
/// use timerscope::machine::{
///     Action, Machine, Process, Recording, Span, Task, WaitKind, Workload,
/// };
///
/// timerscope_native::serve_player();
/// let sleep = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
/// let task = Task::new("sleeper", vec![Action::repeat(100, vec![sleep])]);
/// let workload = Workload::new(vec![Process::new("app", vec![task])]);
/// let mut recording = Recording::new(&workload);
/// timerscope_native::Native::new().play(&workload, &mut recording)?;
/// println!("{} waits", recording.heard());
/// # Ok::<(), timerscope::machine::AskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Native {
    program: OsString,
}

impl Native {
    /// This computer, with this program as its player.
    #[must_use]
    pub fn new() -> Self {
        // The running image, even if its file was replaced meanwhile.
        Self { program: "/proc/self/exe".into() }
    }

    /// This computer, with `program` as its player.
    #[must_use]
    pub fn with_player(program: &Path) -> Self {
        Self { program: program.as_os_str().to_owned() }
    }
}

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine for Native {
    fn facts(&mut self) -> Result<Facts, AskError> {
        Ok(facts(&Root::real()))
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let counters = || counters(&Root::real());
        stage::run(&self.program, workload, seen, &counters)
    }
}
