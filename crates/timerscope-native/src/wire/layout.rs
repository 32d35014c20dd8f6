//! Where in the shared memory each word is.

use timerscope::machine::Workload;

/// Words of the header: see [`super::Shared`].
const HEADER: usize = 8;
/// Words of one player's answer: its length and its bytes.
pub(crate) const ANSWER: usize = 512;
/// Words of a role before its counts: state, head and tail a cache line each.
pub(crate) const ROLE_HEADER: usize = 24;
/// Words of one sample in a ring.
pub(crate) const SLOT: usize = 6;
/// Words that all rings together may take: 16 MiB.
const RINGS: usize = 2 << 20;
/// The most and the fewest samples of one ring.
const MOST_SLOTS: usize = 16_384;
const FEWEST_SLOTS: usize = 64;

/// Where in the shared memory each word is, worked out from the workload.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Processes that run.
    pub(crate) players: usize,
    /// Events.
    pub(crate) events: usize,
    /// One entry for each role.
    pub(crate) roles: Vec<RolePlace>,
    /// Samples that fit a ring; a power of two.
    pub(crate) slots: usize,
    /// All words.
    pub(crate) words: usize,
}

/// Where one role's words are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RolePlace {
    pub(crate) start: usize,
    pub(crate) steps: usize,
    pub(crate) ring: usize,
    pub(crate) player: u32,
}

impl Layout {
    pub(crate) fn new(workload: &Workload) -> Self {
        let cast = workload.cast();
        let players =
            cast.iter().map(|role| role.player as usize + 1).max().unwrap_or(0);
        let events = workload.events.len();
        let fit = RINGS / SLOT / cast.len().max(1);
        // The next smaller power of two, so that places wrap by a mask.
        let slots = 1 << fit.clamp(FEWEST_SLOTS, MOST_SLOTS).ilog2();
        let mut at = line_up(HEADER + events + players * ANSWER);
        let mut roles = Vec::with_capacity(cast.len());
        for role in &cast {
            let steps = role.task.steps().len();
            let ring = line_up(at + ROLE_HEADER + steps);
            roles.push(RolePlace {
                start: at,
                steps,
                ring,
                player: role.player,
            });
            at = line_up(ring + slots * SLOT);
        }
        Self { players, events, roles, slots, words: at }
    }

    pub(crate) fn event(event: usize) -> usize {
        HEADER + event
    }

    pub(crate) fn answer(&self, player: usize) -> usize {
        HEADER + self.events + player * ANSWER
    }
}

/// The next word that begins a cache line of 64 bytes.
fn line_up(word: usize) -> usize {
    word.next_multiple_of(8)
}
