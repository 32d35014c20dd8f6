//! One run, from the first player to the last word.

use std::ffi::OsString;
use std::sync::atomic::Ordering::Acquire;
use std::time::Duration;

use timerscope::machine::{
    AskError, Batch, Counters, Cut, Ended, Ending, Listener, Meters, Note,
    Sample, Verdict, Workload,
};

use super::cue::Script;
use super::ending;
use super::fit::fit;
use super::players::Players;
use crate::player::PLAYER_VARIABLE;
use crate::sys::clock::now;
use crate::sys::{event, process};
use crate::wire::{Command, Layout, Mark, RoleState, Shared};

/// A batch at least and at most this often.
const BATCH_NS: i64 = 100_000_000;
/// How often rings are emptied when they fill fast.
const FASTEST_DRAIN_NS: i64 = 2_000_000;
/// Between the last player's readiness and the common start.
const COUNTDOWN_NS: i64 = 2_000_000;
/// How long players may take to get ready.
const READY_NS: i64 = 30_000_000_000;
/// How long a stopped player may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// Plays `workload` with players started from `program`.
pub(crate) fn run(
    program: &OsString,
    workload: &Workload,
    seen: &mut dyn Listener,
    counters: &dyn Fn() -> Counters,
) -> Result<Ending, AskError> {
    if std::env::var_os(PLAYER_VARIABLE).is_some() {
        let what = "cannot play a workload in a player";
        let why = "this program was started as a player and did not serve";
        return Err(AskError::bug(what, why)
            .or_try("call timerscope_native::serve_player first in main"));
    }
    fit(workload)?;
    let shared = Shared::create(Layout::new(workload)).map_err(|error| {
        let what = "cannot get memory to share with players";
        AskError::refused(what, error.to_string())
    })?;
    let players = Players::start(program, workload, &shared)?;
    let script = Script::new(workload);
    let mut run = Run {
        workload,
        shared: &shared,
        players,
        script,
        seen,
        start: now(),
        samples: Vec::new(),
        notes: Vec::new(),
        heard_at: 0,
        drained_every: BATCH_NS,
    };
    run.heard_at = run.start;
    if let Some(cut) = run.get_ready()? {
        return Ok(run.end(cut, counters(), counters));
    }
    let before = counters();
    run.raise_curtain();
    let ended = run.listen();
    Ok(run.end(ended, before, counters))
}

struct Run<'a> {
    workload: &'a Workload,
    shared: &'a Shared,
    players: Players,
    script: Script,
    seen: &'a mut dyn Listener,
    start: i64,
    samples: Vec<Sample>,
    notes: Vec<Note>,
    heard_at: i64,
    drained_every: i64,
}

impl Run<'_> {
    /// Waits until every role is ready; says so if the listener had enough.
    fn get_ready(&mut self) -> Result<Option<Ended>, AskError> {
        let patience_ends = now() + READY_NS;
        loop {
            let progress = self.shared.progress().load(Acquire);
            for player in self.players.numbers() {
                if let Some(refusal) = self.shared.refusal(player) {
                    return Err(refusal);
                }
                if let Some(status) = self.players.ended(player) {
                    let name = self.players.name(player);
                    let what = format!("the player of `{name}` did not start");
                    let (how, killed) = process::death(status);
                    return Err(if killed {
                        AskError::refused(what, how)
                    } else {
                        AskError::bug(what, how)
                    });
                }
            }
            if self.roles().all(|role| self.state(role) == RoleState::Ready) {
                return Ok(None);
            }
            if now() > patience_ends {
                return Err(self.not_ready());
            }
            let word = self.shared.progress();
            let _ = event::wait(word, progress, Some(BATCH_NS as u64));
            if now() >= self.heard_at + BATCH_NS && self.hear() == Verdict::Stop
            {
                let cut = Ended::Cut { by: Cut::Listener, at_ns: 0 };
                return Ok(Some(cut));
            }
        }
    }

    /// Names one of those that did not get ready.
    fn not_ready(&self) -> AskError {
        let cast = self.workload.cast();
        let late =
            self.roles().find(|role| self.state(*role) != RoleState::Ready);
        let name = late.map_or_else(String::new, |role| cast[role].name());
        let what = format!("`{name}` did not get ready within 30 s");
        let why = "it got no CPU: something of higher priority takes it all";
        AskError::refused(what, why)
            .or_try("another CPU (--cpu), or a higher priority (--priority)")
    }

    fn raise_curtain(&mut self) {
        for role in self.roles() {
            let words = self.shared.role(role);
            self.notes.push(Note::Started {
                role: role as u32,
                pid: words.get(Mark::Pid) as u32,
                tid: words.get(Mark::Tid) as u32,
            });
        }
        self.start = now() + COUNTDOWN_NS;
        self.shared.set_start(self.start);
        self.shared.tell(Command::Start);
    }

    /// Listens until the run ends, and says how.
    fn listen(&mut self) -> Ended {
        let limit =
            self.start.saturating_add_unsigned(self.workload.limit.ns());
        loop {
            let progress = self.shared.progress().load(Acquire);
            self.drain();
            let at = now();
            let at_ns = (at - self.start).max(0) as u64;
            let cut = |by| Ended::Cut { by, at_ns };
            self.script.give(at - self.start, &mut self.players);
            if let Some(by) = self.dead_player() {
                return cut(by);
            }
            if self.complete() {
                return Ended::Complete;
            }
            if at >= limit {
                return cut(Cut::Limit);
            }
            if at >= self.heard_at + BATCH_NS && self.hear() == Verdict::Stop {
                return cut(Cut::Listener);
            }
            let wake = self.next_look(at).min(limit);
            let wait = (wake - now()).max(0) as u64;
            let word = self.shared.progress();
            let _ = event::wait(word, progress, Some(wait));
        }
    }

    /// When to look again if nothing happens before.
    fn next_look(&self, at: i64) -> i64 {
        let drain = at + self.drained_every;
        let cue = self.script.next_at().map(|cue| self.start + cue);
        drain.min(self.heard_at + BATCH_NS).min(cue.unwrap_or(i64::MAX))
    }

    fn drain(&mut self) {
        let mut fullest = 0;
        for (role, place) in self.shared.layout().roles.iter().enumerate() {
            let reader = self.shared.role(role).reader();
            let samples = &mut self.samples;
            let full = reader.drain(role as u32, place.steps, samples);
            fullest = fullest.max(full);
        }
        self.drained_every = match fullest {
            0..10 => (self.drained_every * 2).min(BATCH_NS),
            10..40 => self.drained_every,
            _ => (self.drained_every / 4).max(FASTEST_DRAIN_NS),
        };
    }

    fn hear(&mut self) -> Verdict {
        self.heard_at = now();
        let batch = Batch {
            at: self.heard_at - self.start,
            samples: &self.samples,
            notes: &self.notes,
        };
        let verdict = self.seen.hear(&batch);
        self.samples.clear();
        self.notes.clear();
        verdict
    }

    /// A player that has ended while its roles had not, unless the script
    /// killed it.
    fn dead_player(&mut self) -> Option<Cut> {
        for player in self.players.numbers() {
            let Some(status) = self.players.ended(player) else { continue };
            if self.script.killed.contains(&player)
                || self.roles_of(player).all(|role| self.has_ended(role))
            {
                continue;
            }
            let (how, killed) = process::death(status);
            let process = self.players.name(player).to_owned();
            return Some(Cut::Player { process, how, killed });
        }
        None
    }

    /// Whether all roles have ended that the run waits for.
    fn complete(&self) -> bool {
        self.workload.cast().iter().enumerate().all(|(number, role)| {
            role.process.background
                || self.has_ended(number)
                || self.script.killed.contains(&role.player)
        })
    }

    fn end(
        mut self,
        ended: Ended,
        before: Counters,
        counters: &dyn Fn() -> Counters,
    ) -> Ending {
        let lasted_ns = (now() - self.start).max(0) as u64;
        self.shared.tell(Command::Stop);
        let after = counters();
        // A suspended player could not end by itself.
        for player in self.players.numbers() {
            self.players.signal(player, libc::SIGCONT);
        }
        self.players.finish(PATIENCE);
        self.drain();
        for role in self.roles() {
            if self.has_finished(role) {
                self.notes.push(Note::Finished { role: role as u32 });
            }
        }
        let _ = self.hear();
        let roles = ending::roles(self.workload, self.shared);
        let mut warnings: Vec<_> = self.script.warnings().into_iter().collect();
        warnings.extend(ending::warnings(self.workload, &roles));
        let meters = Meters { before, after };
        Ending { ended, lasted_ns, roles, meters, warnings, digest: None }
    }

    fn roles(&self) -> std::ops::Range<usize> {
        0..self.shared.layout().roles.len()
    }

    fn roles_of(&self, player: u32) -> impl Iterator<Item = usize> {
        let roles = &self.shared.layout().roles;
        self.roles().filter(move |role| roles[*role].player == player)
    }

    fn state(&self, role: usize) -> RoleState {
        self.shared.role(role).state()
    }

    fn has_finished(&self, role: usize) -> bool {
        self.state(role) == RoleState::Finished
    }

    fn has_ended(&self, role: usize) -> bool {
        self.has_finished(role) || self.state(role) == RoleState::Stopped
    }
}
