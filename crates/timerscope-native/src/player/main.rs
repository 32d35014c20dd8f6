//! The player's way from its first line to its end.

use std::io::{BufRead as _, Read as _};
use std::process::ExitCode;
use std::sync::Arc;

use timerscope::machine::{AskError, Workload};

use super::agenda::Agenda;
use super::role;
use super::timekeeper;
use crate::sys::{process, thread, waits};
use crate::wire::{Assignment, Layout, Shared};

/// What a player's command line begins with.
pub(crate) const PLAYER_ARGUMENT: &str = "--timerscope-player";

/// Set for every player, so that a program which forgot to serve does not
/// start players of its own, and they theirs.
pub(crate) const PLAYER_VARIABLE: &str = "TIMERSCOPE_PLAYER";

/// Longest assignment that is read, in bytes.
const LONGEST_ASSIGNMENT: u64 = 64 << 20;

/// Becomes a player if this process was started as one, and then does not
/// return.
///
/// A program that is its own player ([`crate::Native::new`]) calls this as the
/// first thing in `main`, before it starts any thread.
pub fn serve_player() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == PLAYER_ARGUMENT) {
        let code = play();
        #[expect(clippy::exit, reason = "a player has nothing to return to")]
        std::process::exit(i32::from(code != ExitCode::SUCCESS));
    }
}

/// Plays; an error before the memory is shared goes to standard error, which
/// is the coordinator's.
fn play() -> ExitCode {
    match take_part() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("timerscope: a player cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

fn take_part() -> std::io::Result<()> {
    // Before any thread is started: they inherit it.
    waits::block_timer_signals();
    thread::catch_kicks();
    process::die_with_parent();
    let mut input = std::io::stdin().lock().take(LONGEST_ASSIGNMENT);
    let mut line = String::new();
    input.read_line(&mut line)?;
    let Assignment { player, coordinator } = serde_json::from_str(&line)?;
    let workload: Workload = serde_json::from_reader(input)?;
    if std::os::unix::process::parent_id() != coordinator {
        // It died before we asked to die with it.
        return Ok(());
    }
    let memory = process::take_stdout()?;
    let shared = Arc::new(Shared::map(memory, Layout::new(&workload))?);
    perform(&Arc::new(workload), player, &shared);
    Ok(())
}

/// Starts a thread for each role of this player, and keeps their time.
fn perform(workload: &Arc<Workload>, player: u32, shared: &Arc<Shared>) {
    let mut agendas = Vec::new();
    let mut threads = Vec::new();
    let roles = workload.cast();
    let own = (0..roles.len()).filter(|role| roles[*role].player == player);
    for number in own {
        let agenda = Arc::new(Agenda::new(Arc::clone(shared), number));
        let (own, shared) = (Arc::clone(&agenda), Arc::clone(shared));
        let workload = Arc::clone(workload);
        let play = move || role::play(&workload, number, &shared, &own);
        let name = roles[number].name().chars().take(15).collect();
        match std::thread::Builder::new().name(name).spawn(play) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                let what = format!("cannot start {}", roles[number].name());
                let refusal = AskError::refused(what, error.to_string())
                    .or_try("play fewer copies");
                return refuse_and_wait(agenda.shared(), player, &refusal);
            }
        }
        agendas.push(agenda);
    }
    let limit_ns = workload.limit.ns();
    timekeeper::keep_time(shared, player, limit_ns, &agendas);
    // Threads that no signal ends are left behind: the process ends here.
    for thread in threads {
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

/// Says why nothing can be played, and waits to be ended: threads that were
/// started are still waiting for the start.
fn refuse_and_wait(shared: &Shared, player: u32, refusal: &AskError) {
    shared.refuse(player, refusal);
    shared.wait_for_command();
}
