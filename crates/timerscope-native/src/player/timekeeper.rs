//! Watches the time, so that no task has to.

use std::sync::Arc;
use std::sync::atomic::Ordering::Acquire;

use super::agenda::Agenda;
use crate::sys::clock::now;
use crate::sys::event;
use crate::wire::{Command, RoleState, Shared};

/// How long a stopped task may take to end before it is left behind.
const PATIENCE_NS: i64 = 200_000_000;

/// How long after the run's limit a player ends without being told: its
/// coordinator must have been stopped.
const UNTOLD_NS: i64 = 3_000_000_000;

/// Keeps the time of all roles until they have ended or been left behind.
pub(crate) fn keep_time(
    shared: &Shared,
    player: u32,
    limit_ns: u64,
    agendas: &[Arc<Agenda>],
) {
    let mut over: Option<i64> = None;
    let bell = shared.bell(player);
    loop {
        let rung = bell.load(Acquire);
        if all_ended(shared, player) {
            return;
        }
        let at = now();
        let last = match shared.command() {
            Command::Prepare => i64::MAX,
            Command::Start => shared
                .start()
                .saturating_add_unsigned(limit_ns)
                .saturating_add(UNTOLD_NS),
            Command::Stop => at,
        };
        if at >= last && over.is_none() {
            over = Some(at);
        }
        if over.is_some_and(|over| at > over + PATIENCE_NS) {
            return;
        }
        let reviews = agendas.iter().map(|agenda| agenda.review(at, over));
        let next = reviews.flatten().min().unwrap_or(i64::MAX).min(last);
        let wait = (next != i64::MAX).then(|| (next - now()).max(0) as u64);
        if wait != Some(0) {
            let _ = event::wait(bell, rung, wait);
        }
    }
}

fn all_ended(shared: &Shared, player: u32) -> bool {
    let roles = 0..shared.layout().roles.len();
    let mut own = roles
        .map(|role| shared.role(role))
        .filter(|role| role.player() == player);
    own.all(|role| {
        matches!(role.state(), RoleState::Finished | RoleState::Stopped)
    })
}
