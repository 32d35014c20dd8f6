//! Linux: waits timed on 6.18 in a virtual machine, and on a kernel that
//! ticks, both HZ=250.

use timerscope::machine::{
    Action, Meanwhile, Process, Span, Task, WaitKind, Workload,
};

use crate::play::{median, play, wait};
use crate::row::{Row, hold};

use WaitKind::{ItimerProf, ItimerReal, ItimerVirtual, Nanosleep, Poll};

/// Call, span, slack, published median; microseconds.
const HIGH_RESOLUTION: [(WaitKind, u64, Option<&str>, f64); 19] = [
    (Nanosleep, 1000, Some("1ns"), 1030.2),
    (Nanosleep, 1000, Some("50us"), 1075.0),
    (Nanosleep, 1000, Some("500us"), 1529.3),
    (Nanosleep, 1000, Some("5ms"), 4000.8),
    (ItimerReal, 100_000, None, 100_040.9),
    (ItimerReal, 25_000, None, 25_039.5),
    (ItimerReal, 6_250, None, 6_290.0),
    (ItimerReal, 390, None, 404.7),
    (ItimerReal, 1, None, 9.3),
    (ItimerVirtual, 100_000, None, 104_028.4),
    (ItimerVirtual, 25_000, None, 32_007.2),
    (ItimerVirtual, 12_500, None, 20_000.8),
    (ItimerVirtual, 6_250, None, 11_997.8),
    (ItimerVirtual, 3_125, None, 7_999.7),
    (ItimerVirtual, 1, None, 7_998.0),
    (ItimerProf, 100_000, None, 103_999.9),
    (ItimerProf, 12_500, None, 20_001.2),
    (ItimerProf, 6_250, None, 11_998.4),
    (ItimerProf, 1, None, 8_000.2),
];

/// The median of 60 waits, without the first two.
fn p50(machine: &str, how: WaitKind, us: u64, slack: Option<&str>) -> f64 {
    let meanwhile =
        if how.counts_cpu_time() { Meanwhile::Burn } else { Meanwhile::Block };
    let one = wait(how, Span::from_us(us), meanwhile);
    let mut task = Task::new("waits", vec![Action::repeat(62, vec![one])]);
    task.slack = slack.map(|slack| slack.parse().expect("a span"));
    let process = Process::new("timed", vec![task]);
    let workload = Workload::new(vec![process]);
    let all = play(machine, 1, &workload).took_us(0, 1);
    median(&all[2..])
}

/// 2 % or 8 us.
fn row(
    machine: &str,
    how: WaitKind,
    us: u64,
    slack: Option<&str>,
    p: f64,
) -> Row {
    let model = p50(machine, how, us, slack);
    let text = format!("{how} {us} us, slack {}", slack.unwrap_or("default"));
    let mut row = Row::within(text, p, model, 2.0);
    row.met |= (model - p).abs() < 8.0;
    row
}

#[test]
fn high_resolution_timers_end_as_measured() {
    let rows = HIGH_RESOLUTION
        .map(|(how, us, slack, p)| row("linux-6", how, us, slack, p));
    hold("linux-6", &rows);
}

/// Call, span, published median; microseconds.
const TICKING: [(WaitKind, u64, f64); 23] = [
    (Nanosleep, 1, 4000.0),
    (Nanosleep, 100, 4000.0),
    (Nanosleep, 1_000, 4000.0),
    (Nanosleep, 2_000, 4000.0),
    (Nanosleep, 4_000, 8000.0),
    (Nanosleep, 5_000, 8000.0),
    (Nanosleep, 10_000, 12_000.0),
    (Nanosleep, 15_625, 16_000.0),
    (Poll, 1_000, 4000.0),
    (ItimerReal, 1, 4000.0),
    (ItimerReal, 1_000, 4000.0),
    (ItimerReal, 4_000, 7990.0),
    (ItimerReal, 6_250, 7990.0),
    (ItimerReal, 12_500, 15_990.0),
    (ItimerReal, 50_000, 51_990.0),
    (ItimerVirtual, 1, 8000.0),
    (ItimerVirtual, 6_250, 12_000.0),
    (ItimerVirtual, 12_500, 20_000.0),
    (ItimerVirtual, 50_000, 56_000.0),
    (ItimerProf, 1, 8000.0),
    (ItimerProf, 6_250, 12_000.0),
    (ItimerProf, 12_500, 20_000.0),
    (ItimerProf, 50_000, 56_000.0),
];

#[test]
fn without_them_waits_end_at_ticks() {
    let rows =
        TICKING.map(|(how, us, p)| row("linux-lowres", how, us, None, p));
    hold("linux-lowres", &rows);
}
