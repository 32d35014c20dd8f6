//! What was typed, and which command it means.

use clap::{CommandFactory, Parser, Subcommand};
use timerscope::machine::AskError;
use timerscope::report::ExitCode;

use crate::commands::{
    articles, clocks, cost, diff, explain, frames, glance, info, machines,
    quantum, report, run as run_command, shell, sleep, sweep, switch, timeline,
    wake,
};
use crate::error;
use crate::measure::MeasureArgs;

/// What is this machine's timer, how late does it wake me, and why.
///
/// Without a command: the main facts and a quick look, on one screen.
#[derive(Parser)]
#[command(name = "timerscope", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    measure: MeasureArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope
  timerscope report
  timerscope sleep --wait all";

#[derive(Subcommand)]
enum Command {
    Info(info::Info),
    Clocks(clocks::Clocks),
    Sleep(Box<sleep::Sleep>),
    Wake(wake::Wake),
    Switch(switch::Switch),
    Quantum(quantum::Quantum),
    Sweep(sweep::Sweep),
    Cost(cost::Cost),
    Frames(frames::Frames),
    Run(run_command::Run),
    Diff(diff::Diff),
    Explain(explain::Explain),
    Timeline(timeline::TimelineCommand),
    Machines(machines::Machines),
    Articles(articles::Articles),
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
    done.unwrap_or_else(error::tell)
}

impl Cli {
    fn done(self) -> Result<ExitCode, AskError> {
        match self.command {
            None => glance::run(&self.measure),
            Some(Command::Info(info)) => info.run(),
            Some(Command::Clocks(clocks)) => clocks.run(),
            Some(Command::Sleep(sleep)) => sleep.run(),
            Some(Command::Wake(wake)) => wake.run(),
            Some(Command::Switch(switch)) => switch.run(),
            Some(Command::Quantum(quantum)) => quantum.run(),
            Some(Command::Sweep(sweep)) => sweep.run(),
            Some(Command::Cost(cost)) => cost.run(),
            Some(Command::Frames(frames)) => frames.run(),
            Some(Command::Run(run)) => run.run(),
            Some(Command::Diff(diff)) => diff.run(),
            Some(Command::Explain(explain)) => explain.run(),
            Some(Command::Machines(machines)) => machines.run(),
            Some(Command::Articles(articles)) => articles.run(),
            Some(Command::Timeline(timeline)) => timeline.run(),
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
    let typed = std::env::args_os().nth(1).unwrap_or_default();
    let command = Cli::command();
    let known = command.get_subcommands().find(|own| *own.get_name() == typed);
    known.map_or_else(String::new, |own| format!(" {}", own.get_name()))
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
    let meant = why.split_once("did you mean ");
    let meant = meant.map(|(_, word)| word.trim_end_matches('?').to_owned());
    let help = || format!("`timerscope{} --help`", typed_command());
    AskError::wrong("cannot understand the command line", why)
        .or_try(tip.or(meant).unwrap_or_else(help))
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
