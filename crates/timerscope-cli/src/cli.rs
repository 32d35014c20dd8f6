//! What was typed, and which command it means.

use clap::{CommandFactory, Parser, Subcommand};
use timerscope::machine::AskError;
use timerscope::report::ExitCode;

use crate::commands::{
    clocks, cost, frames, glance, info, report, run as run_command, shell,
    sleep, sweep,
};
use crate::error;

/// What is this machine's timer, how late does it wake me, and why.
///
/// Without a command: the main facts and a quick look, on one screen.
#[derive(Parser)]
#[command(name = "timerscope", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Info),
    Clocks(clocks::Clocks),
    Sleep(Box<sleep::Sleep>),
    Sweep(sweep::Sweep),
    Cost(cost::Cost),
    Frames(frames::Frames),
    Run(run_command::Run),
    Report(report::Report),
    #[command(hide = true)]
    Completions(shell::Completions),
    #[command(hide = true)]
    Man,
}

/// Does what the command line says, and says how it went.
pub(crate) fn run() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => cli.done(),
        Err(error) if error.use_stderr() => Err(misunderstood(&error)),
        // Help and version are answers, not errors.
        Err(answer) => {
            let _ = answer.print();
            Ok(ExitCode::Done)
        }
    };
    done.unwrap_or_else(|error| error::tell(&error))
}

impl Cli {
    fn done(self) -> Result<ExitCode, AskError> {
        match self.command {
            None => glance::run(),
            Some(Command::Info(info)) => info.run(),
            Some(Command::Clocks(clocks)) => clocks.run(),
            Some(Command::Sleep(sleep)) => sleep.run(),
            Some(Command::Sweep(sweep)) => sweep.run(),
            Some(Command::Cost(cost)) => cost.run(),
            Some(Command::Frames(frames)) => frames.run(),
            Some(Command::Run(run)) => run.run(),
            Some(Command::Report(report)) => report.run(),
            Some(Command::Completions(completions)) => completions.run(),
            Some(Command::Man) => shell::man(),
        }
    }
}

/// The whole command line, for completions and the manual page.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// The command that was typed, with a space before it, if there is one.
fn typed_command() -> String {
    let typed = std::env::args().nth(1).unwrap_or_default();
    let known = Cli::command().find_subcommand(&typed).is_some();
    if known { format!(" {typed}") } else { String::new() }
}

/// A clap error in our three parts: its first paragraph is why, its tip or
/// the help is what to try.
fn misunderstood(error: &clap::Error) -> AskError {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let why = first.trim().trim_start_matches("error: ");
    let why = why.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let tip = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: "))
        .map(str::to_owned);
    let help = || format!("`timerscope{} --help`", typed_command());
    AskError::wrong("cannot understand the command line", why)
        .or_try(tip.unwrap_or_else(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    // clap finds a wrong option name or a missing conflict only when that
    // command is typed.
    #[test]
    fn every_command_is_declared_consistently() {
        command().debug_assert();
    }
}
