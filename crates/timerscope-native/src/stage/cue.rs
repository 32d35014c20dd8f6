//! What happens to processes, and when.

use timerscope::machine::{Happening, Warning, Workload};

use super::players::Players;

/// The cues of all running processes, in the order of their times.
pub(crate) struct Script {
    /// Time since the start, player, what.
    cues: Vec<(i64, u32, Happening)>,
    next: usize,
    /// Players that were killed as the script says.
    pub(crate) killed: Vec<u32>,
}

impl Script {
    pub(crate) fn new(workload: &Workload) -> Self {
        let mut cues = Vec::new();
        let mut last = None;
        for role in workload.cast() {
            // Once for each player, however many roles it has.
            if last.replace(role.player) != Some(role.player) {
                let own = role.process.script.iter();
                cues.extend(
                    own.map(|cue| (cue.at.ns() as i64, role.player, cue.what)),
                );
            }
        }
        cues.sort_by_key(|cue| cue.0);
        Self { cues, next: 0, killed: Vec::new() }
    }

    /// When the next cue is due, in nanoseconds since the start.
    pub(crate) fn next_at(&self) -> Option<i64> {
        self.cues.get(self.next).map(|cue| cue.0)
    }

    /// Gives every cue that is due `at` nanoseconds after the start.
    pub(crate) fn give(&mut self, at: i64, players: &mut Players) {
        while let Some((due, player, what)) = self.cues.get(self.next).copied()
        {
            if due > at {
                return;
            }
            self.next += 1;
            match what {
                Happening::Suspend => players.signal(player, libc::SIGSTOP),
                Happening::Resume => players.signal(player, libc::SIGCONT),
                Happening::Kill => {
                    players.signal(player, libc::SIGKILL);
                    self.killed.push(player);
                }
                // Said once, in `warnings`.
                _ => {}
            }
        }
    }

    /// What of the script means nothing here.
    pub(crate) fn warnings(&self) -> Option<Warning> {
        let idle = |what: &Happening| {
            !matches!(
                what,
                Happening::Suspend | Happening::Resume | Happening::Kill
            )
        };
        let count = self.cues.iter().filter(|cue| idle(&cue.2)).count();
        (count > 0).then(|| {
            let text = format!(
                "{count} cues of the script (show, hide, foreground, \
                 background, battery, mains) were not played: on this system \
                 they do not change how timers work"
            );
            Warning::new("cue-absent", text)
        })
    }
}
