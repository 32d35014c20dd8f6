//! The player processes of a run, ended whatever happens.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use timerscope::machine::{AskError, Workload};

use crate::player::{PLAYER_ARGUMENT, PLAYER_VARIABLE};
use crate::sys::process;
use crate::wire::{Assignment, Shared};

/// The player processes of a run, in the order of the workload's processes.
pub(crate) struct Players {
    players: Vec<Player>,
}

struct Player {
    /// The workload's name for it.
    name: String,
    child: Child,
    ended: Option<ExitStatus>,
}

impl Players {
    /// Starts a player for each running process of `workload`.
    pub(crate) fn start(
        program: &OsString,
        workload: &Workload,
        shared: &Shared,
    ) -> Result<Self, AskError> {
        let mut all = Self { players: Vec::new() };
        let mut names = Vec::new();
        for role in workload.cast() {
            if role.player as usize == names.len() {
                names.push(role.process.name.clone());
            }
        }
        let text = written(workload)?;
        let coordinator = std::process::id();
        for (player, name) in (0..).zip(names) {
            let assignment = Assignment { player, coordinator };
            let text = Arc::clone(&text);
            let started = start_one(program, &assignment, text, shared);
            let child = started.map_err(|error| {
                let what = format!("cannot start a player for `{name}`");
                AskError::refused(what, error.to_string()).or_try(
                    "see that /proc is mounted, and that this user may start \
                     more processes and open more files (`ulimit -u -n`)",
                )
            })?;
            all.players.push(Player { name, child, ended: None });
        }
        Ok(all)
    }

    /// The numbers of all players.
    pub(crate) fn numbers(&self) -> std::ops::Range<u32> {
        0..self.players.len() as u32
    }

    /// How a player ended, once it has.
    pub(crate) fn ended(&mut self, player: u32) -> Option<ExitStatus> {
        let player = &mut self.players[player as usize];
        if player.ended.is_none() {
            player.ended = player.child.try_wait().ok().flatten();
        }
        player.ended
    }

    /// The workload's name for a player's process.
    pub(crate) fn name(&self, player: u32) -> &str {
        &self.players[player as usize].name
    }

    /// Sends a signal to a player that has not ended.
    pub(crate) fn signal(&mut self, player: u32, signal: i32) {
        if self.ended(player).is_none() {
            let leader = self.players[player as usize].child.id();
            let _ = process::signal_group(leader, signal);
        }
    }

    /// Waits for all to end by themselves; kills those that do not.
    pub(crate) fn finish(&mut self, patience: Duration) {
        let pause = Duration::from_millis(1);
        let mut left = patience;
        while self.numbers().any(|player| self.ended(player).is_none()) {
            if left.is_zero() {
                break;
            }
            std::thread::sleep(pause);
            left = left.saturating_sub(pause);
        }
        self.kill();
    }

    /// Ends every player at once. What they wrote so far stays.
    fn kill(&mut self) {
        for player in self.numbers() {
            // A stopped process does not die of anything but this.
            self.signal(player, libc::SIGKILL);
            let player = &mut self.players[player as usize];
            if player.ended.is_none() {
                player.ended = player.child.wait().ok();
            }
        }
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The workload as players read it, made once for all of them.
fn written(workload: &Workload) -> Result<Arc<[u8]>, AskError> {
    let text = serde_json::to_vec(workload).map_err(|error| {
        AskError::bug("cannot write a workload", error.to_string())
    })?;
    Ok(text.into())
}

fn start_one(
    program: &OsString,
    assignment: &Assignment,
    workload: Arc<[u8]>,
    shared: &Shared,
) -> std::io::Result<Child> {
    let first = serde_json::to_vec(assignment)?;
    let mut child = Command::new(program)
        .arg(PLAYER_ARGUMENT)
        .env(PLAYER_VARIABLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::from(shared.descriptor()?))
        // A group of its own: Ctrl-C is for the coordinator.
        .process_group(0)
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // From a thread, since a player that does not read would hold us up;
        // what became of it shows in whether it gets ready.
        std::thread::spawn(move || {
            stdin
                .write_all(&first)
                .and_then(|()| stdin.write_all(b"\n"))
                .and_then(|()| stdin.write_all(&workload))
        });
    }
    Ok(child)
}
