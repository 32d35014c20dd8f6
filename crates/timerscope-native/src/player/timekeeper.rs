//! Watches the time, so that no task has to.

use std::sync::Arc;
use std::sync::atomic::Ordering::Acquire;

use super::agenda::Agenda;
use crate::sys::clock::now;
use crate::sys::event;
use crate::wire::{Command, RoleState, Shared};

/// How long a stopped task may take to end before it is left behind.
const PATIENCE_NS: i64 = 200_000_000;

/// Keeps the time of all roles until they have ended or been left behind.
pub(crate) fn keep_time(shared: &Shared, player: u32, agendas: &[Arc<Agenda>]) {
    let mut over: Option<i64> = None;
    let bell = shared.bell(player);
    loop {
        let rung = bell.load(Acquire);
        if all_ended(shared, player) {
            return;
        }
        let at = now();
        if shared.command() == Command::Stop && over.is_none() {
            over = Some(at);
        }
        if over.is_some_and(|over| at > over + PATIENCE_NS) {
            return;
        }
        let reviews = agendas.iter().map(|agenda| agenda.review(at, over));
        let next = reviews.flatten().min();
        let wait = next.map(|next| (next - now()).max(0) as u64);
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
