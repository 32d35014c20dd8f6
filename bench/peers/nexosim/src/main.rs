//! The sleepers of `sim_speed` in nexosim: TASKS models, each of which
//! schedules itself again, for MS virtual milliseconds, on one thread.
//! Prints how many wake-ups there were, and the CPU time they took
//! in seconds.

use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Sleeper {
    span: Duration,
    woken: u64,
}

#[Model]
impl Sleeper {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        cx.schedule_event(self.span, schedulable!(Self::wake), ())
            .expect("a later time");
    }

    #[nexosim(schedulable)]
    async fn wake(&mut self, _: (), cx: &Context<Self>) {
        self.woken += 1;
        cx.schedule_event(self.span, schedulable!(Self::wake), ())
            .expect("a later time");
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = || arguments.next().and_then(Result::ok).expect("TASKS MS");
    let (tasks, ms) = (next(), next());
    let kinds = tasks.min(1000);
    let mut bench = SimInit::with_num_threads(1);
    let mut expected = 0;
    for task in 0..tasks {
        let ns = 900_000 + task % kinds * 200_000 / kinds.max(2);
        expected += ms * 1_000_000 / ns;
        let sleeper = Sleeper { span: Duration::from_nanos(ns), woken: 0 };
        bench = bench.add_model(sleeper, Mailbox::new(), "sleeper");
    }
    let mut simulation = bench.init(MonotonicTime::EPOCH).expect("ready");
    let began = cpu_seconds();
    simulation.step_until(Duration::from_millis(ms)).expect("played");
    println!("{expected} {:.6}", cpu_seconds() - began);
}

/// CPU time of this program.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let ns = stat.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    ns.expect("nanoseconds first") / 1e9
}
