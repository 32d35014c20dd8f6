//! The words themselves, under names.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use timerscope::machine::AskError;

use super::layout::{ANSWER, Layout, ROLE_HEADER, RolePlace, SLOT};
use super::ring::{Reader, Writer};
use crate::sys::event;
use crate::sys::memory::SharedMemory;

/// Small words: what to do; how far things are; a bell for each player; one
/// word for each event.
const COMMAND: usize = 0;
const PROGRESS: usize = 1;
const BELLS: usize = 64;
const EVENTS: usize = 640;

/// Header words.
const START: usize = 0;

/// What players are to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Prepare = 0,
    Start = 1,
    Stop = 2,
}

/// How far a role is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleState {
    Absent = 0,
    Ready = 1,
    Finished = 2,
    Stopped = 3,
}

/// The words of a role that say what became of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    State = 0,
    Pid = 1,
    Tid = 2,
    Lost = 3,
    CpuNs = 4,
    Switches = 5,
    SlackNs = 6,
    Policy = 7,
    /// How often the writer had to wait for room in the ring; beside the
    /// head, which is the writer's, too.
    Pauses = 9,
}

/// Words after the marks: where the writer is, and where the reader is.
const HEAD: usize = 8;
const TAIL: usize = 16;

/// The shared memory of one run.
#[derive(Debug)]
pub(crate) struct Shared {
    memory: SharedMemory,
    layout: Layout,
}

impl Shared {
    pub(crate) fn create(layout: Layout) -> io::Result<Self> {
        let memory = SharedMemory::create(layout.words)?;
        Ok(Self { memory, layout })
    }

    pub(crate) fn map(file: OwnedFd, layout: Layout) -> io::Result<Self> {
        let memory = SharedMemory::map(File::from(file), layout.words)?;
        Ok(Self { memory, layout })
    }

    pub(crate) fn descriptor(&self) -> io::Result<OwnedFd> {
        self.memory.descriptor()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn command(&self) -> Command {
        match self.memory.small()[COMMAND].load(Acquire) {
            0 => Command::Prepare,
            1 => Command::Start,
            _ => Command::Stop,
        }
    }

    /// Gives a command to every player, and rings for them.
    pub(crate) fn tell(&self, command: Command) {
        let word = &self.memory.small()[COMMAND];
        word.store(command as u32, Release);
        event::wake(word, u32::MAX);
        for player in 0..self.layout.players {
            self.ring_bell(player as u32);
        }
    }

    /// Waits while the command is to prepare.
    pub(crate) fn wait_for_command(&self) {
        let word = &self.memory.small()[COMMAND];
        while self.command() == Command::Prepare {
            let _ = event::wait(word, Command::Prepare as u32, None);
        }
    }

    /// The common start, on the steady clock.
    pub(crate) fn start(&self) -> i64 {
        self.memory.large()[START].load(Acquire) as i64
    }

    pub(crate) fn set_start(&self, at: i64) {
        self.memory.large()[START].store(at as u64, Release);
    }

    /// A word that changes whenever a player has got on.
    pub(crate) fn progress(&self) -> &AtomicU32 {
        &self.memory.small()[PROGRESS]
    }

    pub(crate) fn got_on(&self) {
        self.progress().fetch_add(1, Release);
        event::wake(self.progress(), 1);
    }

    /// The word that a player's timekeeper waits on.
    pub(crate) fn bell(&self, player: u32) -> &AtomicU32 {
        &self.memory.small()[BELLS + player as usize]
    }

    pub(crate) fn ring_bell(&self, player: u32) {
        self.bell(player).fetch_add(1, Release);
        event::wake(self.bell(player), 1);
    }

    /// An event: the word that waiters wait on, and the stamp of who set it
    /// (0: it is not set).
    pub(crate) fn event(&self, event: usize) -> (&AtomicU32, &AtomicU64) {
        let stamp = &self.memory.large()[Layout::event(event)];
        (&self.memory.small()[EVENTS + event], stamp)
    }

    pub(crate) fn role(&self, role: usize) -> RoleWords<'_> {
        let place = self.layout.roles[role];
        RoleWords { words: self.memory.large(), place, shared: self }
    }

    /// Leaves why a player cannot play. What does not fit is cut.
    pub(crate) fn refuse(&self, player: u32, error: &AskError) {
        let text = serde_json::to_vec(error).unwrap_or_default();
        let at = self.layout.answer(player as usize);
        let words = &self.memory.large()[at..at + ANSWER];
        for (word, bytes) in words[1..].iter().zip(text.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(eight), Relaxed);
        }
        words[0].store(text.len() as u64, Release);
        self.got_on();
    }

    /// Why a player cannot play, if it said so.
    pub(crate) fn refusal(&self, player: u32) -> Option<AskError> {
        let at = self.layout.answer(player as usize);
        let words = &self.memory.large()[at..at + ANSWER];
        let length = words[0].load(Acquire) as usize;
        if length == 0 {
            return None;
        }
        let bytes =
            words[1..].iter().flat_map(|word| word.load(Relaxed).to_le_bytes());
        let text: Vec<u8> = bytes.take(length).collect();
        let broken = |error| {
            AskError::bug(
                "a player could not play, nor say why",
                format!("its answer cannot be read: {error}"),
            )
        };
        Some(serde_json::from_slice(&text).unwrap_or_else(broken))
    }
}

/// The words of one role.
#[derive(Clone, Copy)]
pub(crate) struct RoleWords<'a> {
    words: &'a [AtomicU64],
    place: RolePlace,
    shared: &'a Shared,
}

impl<'a> RoleWords<'a> {
    pub(crate) fn player(&self) -> u32 {
        self.place.player
    }

    pub(crate) fn get(&self, mark: Mark) -> u64 {
        self.words[self.place.start + mark as usize].load(Acquire)
    }

    pub(crate) fn set(&self, mark: Mark, value: u64) {
        self.words[self.place.start + mark as usize].store(value, Release);
    }

    pub(crate) fn state(&self) -> RoleState {
        match self.get(Mark::State) {
            0 => RoleState::Absent,
            1 => RoleState::Ready,
            2 => RoleState::Finished,
            _ => RoleState::Stopped,
        }
    }

    /// Says how far the role is, and lets the coordinator know.
    pub(crate) fn set_state(&self, state: RoleState) {
        self.set(Mark::State, state as u64);
        self.shared.got_on();
    }

    /// How many times each step was done.
    pub(crate) fn counts(&self) -> &'a [AtomicU64] {
        &self.words[self.place.start + ROLE_HEADER..][..self.place.steps]
    }

    pub(crate) fn writer(&self) -> Writer<'a> {
        let RolePlace { start, ring, .. } = self.place;
        let slots = self.shared.layout.slots;
        Writer {
            shared: self.shared,
            pauses: &self.words[start + Mark::Pauses as usize],
            words: &self.words[ring..][..slots * SLOT],
            head: &self.words[start + HEAD],
            tail: &self.words[start + TAIL],
            lost: &self.words[start + Mark::Lost as usize],
            next: 0,
            free_until: slots as u64,
        }
    }

    pub(crate) fn reader(&self) -> Reader<'a> {
        let RolePlace { start, ring, .. } = self.place;
        Reader {
            words: &self.words[ring..][..self.shared.layout.slots * SLOT],
            head: &self.words[start + HEAD],
            tail: &self.words[start + TAIL],
        }
    }
}
