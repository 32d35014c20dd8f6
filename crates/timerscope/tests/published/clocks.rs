//! What a reading costs: "GetSystemTimePreciseAsFileTime", Cygwin, 2013.

use timerscope::machine::{
    Action, ClockKind, Keep, Process, Span, Task, Until,
};

use crate::machines::workload;
use crate::play::play;
use crate::row::{Row, hold};

const TIMES: u64 = 100_000;

/// Cycles of a reading, while another CPU is idle or busy.
fn cycles(machine: &str, clock: ClockKind, loaded: bool) -> f64 {
    let read = Action::Read { clock, times: TIMES, keep: Keep::Everything };
    let task = Task { cpus: vec![0], ..Task::new("reads", vec![read]) };
    let mut all = vec![Process::new("reader", vec![task])];
    if loaded {
        let until = Until::Span(Span::from_s(100));
        let spin = Action::Spin { until, keep: Keep::Nothing };
        let task = Task { cpus: vec![1], ..Task::new("spins", vec![spin]) };
        let load = Process::new("load", vec![task]);
        all.insert(0, Process { background: true, ..load });
    }
    let machine = format!("{machine},tick-cost=0ns");
    let played = play(&machine, 1, &workload(all));
    let us = played.took_us(u32::from(loaded), 0)[0];
    us * 1e3 * 2.5 / TIMES as f64
}

#[test]
fn readings_cost_what_cygwin_counted() {
    let (plain, precise) =
        (ClockKind::SystemTime, ClockKind::SystemTimePrecise);
    let rows: Vec<Row> = [
        ("windows-8", plain, false, 9.0),
        ("windows-8", plain, true, 18.0),
        ("windows-8", precise, false, 2761.0),
        ("windows-8", precise, true, 5874.0),
        ("windows-8-vm", plain, false, 8.0),
        ("windows-8-vm", plain, true, 20.0),
        ("windows-8-vm", precise, false, 15_557.0),
        ("windows-8-vm", precise, true, 17_443.0),
    ]
    .into_iter()
    .map(|(machine, clock, loaded, published)| {
        let text = format!("{machine} {clock}, loaded: {loaded}");
        Row::within(text, published, cycles(machine, clock, loaded), 0.5)
    })
    .collect();
    hold("cycles of a reading", &rows);
}
