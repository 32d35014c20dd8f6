//! Completions and the manual page, for packagers.

use clap::Args;
use clap_complete::Shell;
use timerscope::machine::AskError;
use timerscope::report::ExitCode;

use crate::cli;
use crate::output::to_stdout;

/// Writes completions for a shell
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let mut text = Vec::new();
        let name = "timerscope";
        clap_complete::generate(
            self.shell,
            &mut cli::command(),
            name,
            &mut text,
        );
        to_stdout(&String::from_utf8_lossy(&text))?;
        Ok(ExitCode::Done)
    }
}

/// Writes the manual page.
pub(crate) fn man() -> Result<ExitCode, AskError> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(cli::command());
    page.render(&mut text).map_err(|error| {
        AskError::bug("cannot write the manual", error.to_string())
    })?;
    to_stdout(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::Done)
}
