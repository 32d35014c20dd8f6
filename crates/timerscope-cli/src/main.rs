//! The command line of timerscope.

mod amount;
mod cli;
mod commands;
mod error;
mod foreign;
mod labels;
mod machine;
mod measure;
mod output;
mod progress;
mod session;
mod shelf;
mod stop;
mod target;
mod timeline;
mod told;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use timerscope::machine::AskError;
use timerscope::report;

fn main() -> ExitCode {
    // A player process is this program, too; it never gets past here.
    timerscope_native::serve_player();
    stop::survive_long_files();
    std::panic::set_hook(Box::new(error::panicked));
    let done = catch_unwind(AssertUnwindSafe(cli::run));
    let code = done.unwrap_or_else(|_| {
        // The hook has told the person already.
        let broke = AskError::bug("timerscope broke", "a bug");
        error::for_programs(&error::with_hint(broke));
        report::ExitCode::Bug
    });
    ExitCode::from(code as u8)
}
