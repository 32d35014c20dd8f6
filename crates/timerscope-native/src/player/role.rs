//! One role: becomes what its task wants, waits for the start, plays, ends.

use std::sync::Arc;

use timerscope::machine::{Random, Workload};

use super::agenda::Agenda;
use super::perform::Performer;
use super::program::Maker;
use crate::sys::{clock, thread};
use crate::wire::{Command, Mark, RoleState, Shared};

/// Plays role `number` to its end. Runs in the role's own thread.
pub(crate) fn play(
    workload: &Workload,
    number: usize,
    shared: &Arc<Shared>,
    agenda: &Agenda,
) {
    let role = shared.role(number);
    let cast = workload.cast();
    let own = cast[number];
    role.set(Mark::Pid, u64::from(std::process::id()));
    role.set(Mark::Tid, u64::from(thread::id()));
    if let Err(refusal) = thread::become_task(own.process.class, own.task) {
        return shared.refuse(role.player(), &refusal);
    }
    role.set(Mark::SlackNs, thread::slack().unwrap_or(u64::MAX));
    role.set(Mark::Policy, thread::policy_code());
    let (phase, woken) = (own.task.phase, &agenda.woken);
    let mut maker = Maker { workload, phase, woken, next_step: 0 };
    let mut nodes = maker.nodes(&own.task.actions, 0);
    let tick_ns = clock::tick_ns().unwrap_or(NO_TICK_NS);
    let mut performer = Performer {
        shared,
        agenda,
        writer: role.writer(),
        counts: role.counts(),
        numbers: vec![0; usize::from(maker.next_step)],
        start: 0,
        points: Vec::new(),
        random: Random::stream(workload.seed, number as u64),
        tick_ns,
    };
    performer.warm_up();
    role.set_state(RoleState::Ready);
    shared.wait_for_command();
    if shared.command() == Command::Start {
        performer.start = shared.start();
        clock::sleep_until(performer.start);
        let done = performer.perform(&mut nodes);
        let (cpu, switches) = thread::usage().unwrap_or((u64::MAX, u64::MAX));
        role.set(Mark::CpuNs, cpu);
        role.set(Mark::Switches, switches);
        role.set_state(if done {
            RoleState::Finished
        } else {
            RoleState::Stopped
        });
    } else {
        role.set_state(RoleState::Stopped);
    }
    shared.ring_bell(role.player());
}

/// What a random phase is a share of where there is no tick.
const NO_TICK_NS: u64 = 16_000_000;
