//! A machine for tests that obeys a law: what it answers can be worked out
//! by hand, so figures are held to exact values.

use super::load::is_realtime;
use crate::machine::{
    Action, AskError, Batch, ClockFact, ClockKind, ClockSource, Counters,
    Ended, Ending, Facts, Interval, Keep, Known, Listener, Machine, Meters,
    Missing, NoHz, Note, Outcome, RoleEnding, Sample, Scheduler, Span, System,
    Until, Verdict, WaitFact, WaitKind, Workload,
};

/// One reading of any clock.
const READING: i64 = 30;
/// Between two ticks.
pub(crate) const TICK: i64 = 4_000_000;
/// What a wake-up costs on top of slack.
pub(crate) const WAKE: i64 = 5_000;
/// How long after it is awaited an event is set.
pub(crate) const SET: i64 = 1_000;
/// What setting one event and awaiting another takes as one call.
pub(crate) const SET_AWAIT: i64 = 4_000;
/// The slack of a normal thread.
pub(crate) const SLACK: i64 = 50_000;

/// Linux at 250 Hz without any noise. Its tasks play one after another, so
/// that nobody is waited for, and background ones not at all.
#[derive(Default)]
pub(crate) struct Scripted {
    now: i64,
    outcome: Option<(WaitKind, Outcome)>,
    samples: Vec<Sample>,
}

impl Scripted {
    /// One whose waits of kind `how` all end like this.
    pub(crate) fn ending(how: WaitKind, outcome: Outcome) -> Self {
        Self { outcome: Some((how, outcome)), ..Self::default() }
    }

    /// How long `how` takes for a span when begun now.
    fn takes(&self, how: WaitKind, span: Span, slack: i64) -> i64 {
        let unit = how.unit_ns() as i64;
        let span = (span.ns() as i64 + unit - 1) / unit * unit;
        let ticks = (span + TICK - 1) / TICK;
        match how {
            // Whole ticks and one more, as kernel/time/itimer.c does it.
            how if how.counts_cpu_time() => (ticks + 1) * TICK,
            WaitKind::SocketTimeout => {
                (self.now / TICK + ticks + 1) * TICK - self.now + WAKE
            }
            how if slack_applies(how) => span + slack + WAKE,
            _ => span + WAKE,
        }
    }

    fn act(&mut self, action: &Action, at: &mut Place<'_>) {
        let (role, step) = (at.role, at.step);
        at.step += 1;
        match action {
            Action::Repeat { until: Until::Span(span), body, .. }
                if body.iter().all(is_work) =>
            {
                at.step += body.len() as u16;
                self.work_for(*span, role, step, at);
            }
            Action::Repeat { until, keep, body } => {
                self.repeat(*until, *keep, body, at);
            }
            Action::Set(_) => {}
            Action::Await { keep, .. } if keep.samples() => {
                let due = self.now + SET;
                self.stamp(role, step, at, SET + WAKE, due, 0);
            }
            Action::Await { .. } => self.now += SET + WAKE,
            Action::SetAwait { keep: Keep::Nothing, .. } => {
                self.now += SET_AWAIT;
            }
            Action::Spin { until: Until::Span(span), keep: Keep::Nothing } => {
                self.now += span.ns() as i64;
            }
            Action::Runs { until: Until::Span(span), .. } => {
                self.take_turns(span.ns() as i64, at);
            }
            Action::Wait { how, span, .. } => {
                let takes = self.takes(*how, *span, at.slack);
                let due = self.now + span.ns() as i64;
                let cpu = if how.counts_cpu_time() { takes } else { 0 };
                self.stamp(role, step, at, takes, due, cpu);
                if let Some((kind, outcome)) = self.outcome
                    && kind == *how
                    && let Some(sample) = self.samples.last_mut()
                {
                    sample.outcome = outcome;
                }
            }
            Action::Read { clock, times, .. } => {
                let takes = READING * *times as i64;
                let end = self.now + takes;
                // A counter of 2 GHz.
                let tsc = *clock == ClockKind::Tsc;
                let value = if tsc { end * 2 } else { end };
                self.stamp(role, step, at, takes, self.now, value);
            }
            Action::Steps { clock, changes, .. } => {
                let each = if *clock == ClockKind::MonotonicCoarse {
                    TICK
                } else {
                    20
                };
                let takes = each * *changes as i64;
                self.stamp(role, step, at, takes, self.now, each);
            }
            Action::Work { .. } => {
                self.stamp(role, step, at, 0, self.now, 0);
            }
            Action::Request(_) | Action::Withdraw(_) => {
                self.stamp(role, step, at, 0, self.now, 0);
                if let Some(sample) = self.samples.last_mut() {
                    sample.outcome = Outcome::Absent;
                }
            }
            other => self.act_on_time(other, at),
        }
    }

    /// Does what has to do with the points of an `every`.
    fn act_on_time(&mut self, action: &Action, at: &mut Place<'_>) {
        match action {
            Action::Every {
                period, until: Until::Count(count), body, ..
            } => {
                let (base, first) = (self.now, at.step);
                for number in 1..=*count {
                    at.next = base + (number * period.ns()) as i64;
                    at.step = first;
                    for action in body {
                        self.act(action, at);
                    }
                }
            }
            Action::WaitUntil { .. } | Action::Spin { .. } => {
                self.act_until(action, at);
            }
            other => panic!("the script has no line for {other:?}"),
        }
    }

    fn repeat(
        &mut self,
        until: Until,
        keep: Keep,
        body: &[Action],
        at: &mut Place<'_>,
    ) {
        let (role, first, began) = (at.role, at.step, self.now);
        let mut times = 0;
        while self.goes_on(until, began, times) {
            at.step = first;
            for action in body {
                self.act(action, at);
            }
            times += 1;
        }
        if keep.samples() {
            let takes = self.now - began;
            self.now = began;
            self.stamp(role, first - 1, at, takes, began, times as i64);
        }
    }

    fn goes_on(&self, until: Until, began: i64, done: u64) -> bool {
        match until {
            Until::Count(count) => done < count,
            Until::Span(span) => self.now < began + span.ns() as i64,
            other => panic!("the script never stops at {other:?}"),
        }
    }

    /// Spins for `span`, each turn as long as the policy has it, while all
    /// other roles take one; or until it is done, and only then the others.
    fn take_turns(&mut self, span: i64, at: &mut Place<'_>) {
        let (role, step) = (at.role, at.step - 1);
        let mut last = span;
        self.now = i64::from(role) * span;
        if let Some(turn) = at.turn {
            last = 0;
            self.now = i64::from(role) * turn;
            let gap = turn * (i64::from(at.roles) - 1);
            while self.now < span {
                self.stamp(role, step, at, turn, self.now, gap);
                // Exactly when its turn comes again.
                self.now += gap - 2 * READING;
            }
        }
        self.stamp(role, step, at, last, self.now, 0);
        if let Some(last) = self.samples.last_mut() {
            last.outcome = Outcome::Interrupted;
        }
    }

    /// A loop of work, whose repetitions take as long as a reading.
    fn work_for(
        &mut self,
        span: Span,
        role: u32,
        step: u16,
        at: &mut Place<'_>,
    ) {
        let takes = span.ns() as i64;
        self.stamp(role, step, at, takes, self.now, takes / READING);
    }

    /// Does what ends at a point of the enclosing `every`.
    fn act_until(&mut self, action: &Action, at: &mut Place<'_>) {
        let (role, step) = (at.role, at.step - 1);
        let (Action::WaitUntil { point, .. }
        | Action::Spin { until: Until::Point(point), .. }) = action
        else {
            panic!("the script has no line for {action:?}")
        };
        let due = at.next - point.less.ns() as i64;
        let rest = (due - self.now).max(0);
        let takes = match action {
            Action::WaitUntil { how, .. } => {
                self.takes(*how, Span::from_ns(rest as u64), at.slack)
            }
            _ => rest,
        };
        self.stamp(role, step, at, takes, due, 0);
    }

    fn stamp(
        &mut self,
        role: u32,
        step: u16,
        at: &mut Place<'_>,
        takes: i64,
        due: i64,
        value: i64,
    ) {
        let count = &mut at.counts[usize::from(step)];
        let number = *count;
        *count += 1;
        let (began, ended) = (self.now, self.now + takes);
        let outcome = Outcome::Met;
        self.samples.push(Sample {
            role,
            step,
            outcome,
            number,
            began,
            due,
            ended,
            value,
        });
        self.now = ended + 2 * READING;
    }
}

fn is_work(action: &Action) -> bool {
    matches!(action, Action::Work { .. })
}

/// Where the play is.
struct Place<'a> {
    role: u32,
    step: u16,
    slack: i64,
    /// How many roles there are, and how long one has the CPU.
    roles: u32,
    turn: Option<i64>,
    /// The next point of the enclosing `every`.
    next: i64,
    counts: &'a mut Vec<u64>,
}

impl Machine for Scripted {
    fn facts(&mut self) -> Result<Facts, AskError> {
        Ok(facts())
    }

    fn play(
        &mut self,
        workload: &Workload,
        seen: &mut dyn Listener,
    ) -> Result<Ending, AskError> {
        let mut roles = Vec::new();
        let mut verdict = Verdict::Continue;
        for (role, cast) in (0..).zip(workload.cast()) {
            let mut counts = vec![0; cast.task.steps().len()];
            let given = cast.task.slack.filter(|slack| *slack > Span::ZERO);
            let slack = given.map_or(SLACK, |slack| slack.ns() as i64);
            let slack = if is_realtime(cast.task.priority) { 0 } else { slack };
            if !cast.process.background {
                let mut at = Place {
                    role,
                    step: 0,
                    slack,
                    roles: workload.cast().len() as u32,
                    turn: turn(cast.task.priority),
                    next: 0,
                    counts: &mut counts,
                };
                for action in &cast.task.actions {
                    self.act(action, &mut at);
                }
            }
            let notes = [Note::Started { role, pid: 7, tid: 8 + role }];
            let samples = std::mem::take(&mut self.samples);
            let at = self.now;
            verdict =
                seen.hear(&Batch { at, samples: &samples, notes: &notes });
            let realtime = is_realtime(cast.task.priority);
            let policy =
                if realtime { "SCHED_FIFO, 50" } else { "SCHED_OTHER, nice 0" };
            let absent = || Missing::absent("the script has none").into();
            roles.push(RoleEnding {
                policy: Known::Value(policy.to_owned()),
                slack_ns: Known::Value(slack as u64),
                cpu_ns: absent(),
                switches: absent(),
                pauses: 0,
                pid: Some(7),
                tid: Some(8 + role),
                finished: !cast.process.background,
                counts: counts.into_iter().map(Some).collect(),
                lost: 0,
            });
        }
        let ended = match verdict {
            Verdict::Continue => Ended::Complete,
            Verdict::Stop => {
                let by = crate::machine::Cut::Listener;
                Ended::Cut { by, at_ns: self.now as u64 }
            }
        };
        Ok(Ending {
            ended,
            lasted_ns: self.now as u64,
            roles,
            meters: Meters { before: counters(0), after: counters(7) },
            warnings: Vec::new(),
            digest: None,
        })
    }
}

/// One tick, or Linux's 100 ms of SCHED_RR; none under SCHED_FIFO.
fn turn(priority: crate::machine::Priority) -> Option<i64> {
    use crate::machine::Priority as P;
    match priority {
        P::RoundRobin(_) => Some(25 * TICK),
        priority if is_realtime(priority) => None,
        _ => Some(TICK),
    }
}

fn slack_applies(how: WaitKind) -> bool {
    !how.ends_by_signal()
        && !matches!(how, WaitKind::Timerfd | WaitKind::IoUringTimeout)
}

fn counters(stolen: u64) -> Counters {
    let absent = || Missing::absent("the script counts no such thing").into();
    Counters {
        stolen_ns: Known::Value(stolen),
        switches: absent(),
        wakeups: absent(),
        idle_wakeups: absent(),
        ticks: absent(),
        busy_ns: absent(),
        energy_uj: absent(),
        battery: Missing::absent("the script has no battery").into(),
    }
}

/// The facts of [`Scripted`].
pub(crate) fn facts() -> Facts {
    fn absent<T>() -> Known<T> {
        Missing::absent("the script has no such thing").into()
    }
    Facts {
        name: "scripted".to_owned(),
        system: "Linux 6".to_owned(),
        simulated: true,
        emulated_by: None,
        seed: None,
        interval: Interval {
            coarsest_ns: absent(),
            finest_ns: absent(),
            current_ns: absent(),
        },
        tick_hz: Known::Value(250),
        extra_ticks_per_s: absent(),
        high_resolution_timers: Known::Value(true),
        timer_slack_ns: Known::Value(SLACK as u64),
        policy: Known::Value("SCHED_OTHER, nice 0".to_owned()),
        clock_source: ClockSource {
            current: Known::Value("tsc".to_owned()),
            available: absent(),
        },
        clock_event_device: absent(),
        nohz: NoHz {
            mode: absent(),
            full_cpus: absent(),
            idle_calls: absent(),
            idle_sleeps: absent(),
        },
        hardware_timers: Vec::new(),
        clocks: clocks(),
        waits: waits(),
        requests: absent(),
        latency_requests: absent(),
        latency_limit_ns: absent(),
        rate_error_ppm: absent(),
        synchronised: Known::Value(true),
        idle_states: absent(),
        energy_counters: absent(),
        virtual_machine: absent(),
        stolen_ns: absent(),
        on_battery: absent(),
        cpus: vec![0, 1],
        frequency_governor: absent(),
        scheduler: Scheduler {
            quantum: absent(),
            base_slice_ns: absent(),
            round_robin_ns: absent(),
            preemption: absent(),
        },
    }
}

fn clocks() -> Vec<ClockFact> {
    let clocks = ClockKind::of(System::Linux).filter(|clock| {
        !matches!(clock, ClockKind::RealtimeAlarm | ClockKind::BoottimeAlarm)
    });
    let nominal = |clock: ClockKind| match clock {
        ClockKind::MonotonicCoarse | ClockKind::RealtimeCoarse => TICK as u64,
        ClockKind::Time => 1_000_000_000,
        _ => 1,
    };
    clocks
        .map(|clock| ClockFact {
            name: clock.name().to_owned(),
            nominal_step_ns: Known::Value(nominal(clock)),
            via: Known::Value("user-space".to_owned()),
        })
        .collect()
}

fn waits() -> Vec<WaitFact> {
    WaitKind::of(System::Linux)
        .map(|name| WaitFact {
            name,
            slack_applies: slack_applies(name),
            may_end_early: false,
        })
        .collect()
}
