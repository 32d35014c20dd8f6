//! A timeline of what a witness saw.

use std::collections::BTreeMap;

use super::cpu_line::CpuLine;
use super::detail::said_happening;
use super::names::Names;
use super::process_line::{ProcessLine, millis};
use super::recording::Run;
use super::task_line::TaskLine;
use super::{Count, Detail, Instant, Kind, Slice, Timeline, Track};
use crate::machine::{Happening, Role, Saved, Workload};
use crate::trace::{Event, What};

/// Draws a timeline while events come.
///
/// ```
/// use timerscope::machine::{Process, Task, Workload};
/// use timerscope::trace::{Drawing, Event, Left, What};
///
/// let task = Task::new("loop", vec![]);
/// let workload = Workload::new(vec![Process::new("game", vec![task])]);
/// let mut drawing = Drawing::new(&workload);
/// let cpu = Some(0);
/// drawing.see(&Event { at: 5, cpu, what: What::Ran { role: 0, level: 8 } });
/// let what = What::Left { role: 0, why: Left::Ended };
/// drawing.see(&Event { at: 9, cpu, what });
/// let timeline = drawing.finish();
/// assert_eq!(timeline.slices(), 2, "of the task, and of the CPU");
/// ```
#[derive(Debug)]
pub struct Drawing<'a> {
    cast: Vec<Role<'a>>,
    events: &'a [String],
    names: Names,
    cpus: BTreeMap<u32, CpuLine>,
    tasks: BTreeMap<u32, TaskLine>,
    processes: BTreeMap<u32, ProcessLine>,
    intervals: Vec<Count>,
    /// What each task saw itself.
    actions: BTreeMap<u32, Vec<Slice>>,
    notes: Vec<String>,
    /// How many tasks of each process have not ended.
    alive: BTreeMap<u32, usize>,
    /// How many more events are drawn.
    room: usize,
    /// Events that are not drawn, for there is no more room.
    left_out: u64,
    /// Events that are not drawn, for they began within another of their kind.
    crossed: u64,
    /// The time of the latest one that is.
    last: i64,
}

impl<'a> Drawing<'a> {
    /// An empty timeline of `workload`, which must have no faults.
    #[must_use]
    pub fn new(workload: &'a Workload) -> Self {
        Self::with_limit(workload, Timeline::LIMIT)
    }

    /// The same, drawing at most `limit` events.
    #[must_use]
    pub fn with_limit(workload: &'a Workload, limit: usize) -> Self {
        let cast = workload.cast();
        let mut alive = BTreeMap::new();
        for role in &cast {
            *alive.entry(role.player).or_insert(0) += 1;
        }
        Self {
            cast,
            events: &workload.events,
            names: Names::default(),
            cpus: BTreeMap::new(),
            tasks: BTreeMap::new(),
            processes: BTreeMap::new(),
            intervals: Vec::new(),
            actions: BTreeMap::new(),
            notes: Vec::new(),
            alive,
            room: limit,
            left_out: 0,
            crossed: 0,
            last: 0,
        }
    }

    /// Draws one event. They come in the order of their times.
    pub fn see(&mut self, event: &Event) {
        if self.room == 0 {
            self.left_out += 1;
            return;
        }
        self.room -= 1;
        self.last = self.last.max(event.at);
        self.see_cpu(event);
        self.see_task(event);
        self.see_process(event);
        match event.what {
            What::Ended { role } => self.task_ended(role, event.at),
            What::Interval { interval_ns: length_ns } => {
                self.intervals.push(Count { at: event.at, length_ns });
            }
            _ => {}
        }
    }

    fn see_cpu(&mut self, event: &Event) {
        let Some(cpu) = event.cpu else { return };
        let names = &mut self.names;
        let line = self.cpus.entry(cpu).or_default();
        match event.what {
            What::Tick => line.ticked(names.name("tick"), event.at),
            What::Stolen { for_ns } => {
                let name = names.name("stolen");
                let drawn = line.stolen(name, event.at, for_ns);
                self.crossed += u64::from(!drawn);
            }
            What::Ran { role, .. } => {
                let who = self.cast.get(role as usize).map(Role::name);
                line.ran(names.name(&who.unwrap_or_default()), event.at);
            }
            What::Left { why, .. } => line.left(event.at, Detail::Left(why)),
            _ => {}
        }
    }

    fn see_task(&mut self, event: &Event) {
        let at = event.at;
        let Some(role) = role_of(&event.what) else { return };
        let line = self.tasks.entry(role).or_default();
        let names = &mut self.names;
        let mut mark = |text: &str, detail| {
            let name = names.name(text);
            line.marked(Instant { name, at, detail });
        };
        match event.what {
            What::Armed { due, .. } => mark("armed", Detail::Due(due)),
            What::Expired { .. } => mark("expired", Detail::None),
            What::Set { event, .. } => {
                let own = self.events.get(event as usize);
                let own = own.map_or("", String::as_str);
                mark(&format!("set {own}"), Detail::None);
            }
            What::Woke { .. } => line.woke(at, names),
            What::Ran { .. } => line.ran(at, names),
            What::Left { why, .. } => line.left(at, why, names),
            What::Ended { .. } => line.ended(at, names),
            _ => {}
        }
    }

    fn see_process(&mut self, event: &Event) {
        let at = event.at;
        let Some(player) = player_of(&event.what) else { return };
        let line = self.processes.entry(player).or_default();
        let names = &mut self.names;
        match event.what {
            What::Requested { interval_ns, .. } => {
                line.requested(interval_ns, at);
            }
            What::Withdrew { interval_ns, held: true, .. } => {
                line.withdrew(interval_ns, at, names);
            }
            What::Withdrew { interval_ns, held: false, .. } => {
                let what = format!("did not have {}", millis(interval_ns));
                line.happened(&what, at, names);
            }
            What::Happened { what, .. } => {
                line.happened(said_happening(what), at, names);
                if what == Happening::Kill {
                    line.gone(at, names);
                }
            }
            _ => {}
        }
    }

    /// A process is gone with the last of its tasks.
    fn task_ended(&mut self, role: u32, at: i64) {
        let Some(role) = self.cast.get(role as usize) else { return };
        let alive = self.alive.entry(role.player).or_default();
        *alive = alive.saturating_sub(1);
        if *alive == 0
            && let Some(line) = self.processes.get_mut(&role.player)
        {
            line.gone(at, &mut self.names);
        }
    }

    /// The same as [`Drawing::finish`], with what each task of that run saw
    /// itself below it: its actions, and how late they were.
    #[must_use]
    pub fn finish_with(mut self, saved: &Saved) -> Timeline {
        let (limit, names) = (Timeline::LIMIT, &mut self.names);
        let (lines, notes) = Run::of(saved).lines(limit, names);
        self.actions = lines.into_iter().collect();
        self.notes = notes;
        self.finish()
    }

    /// Ends what is still going on, and gives the timeline.
    #[must_use]
    pub fn finish(mut self) -> Timeline {
        self.end_all();
        let mut timeline = Timeline::default();
        timeline.notes.extend(self.left_out());
        timeline.notes.append(&mut self.notes);
        timeline.names = std::mem::take(&mut self.names);
        timeline.add_notes();
        if !self.intervals.is_empty() {
            let mut track = Track::new("interval in force (us)", None);
            track.kind = Kind::Length;
            track.counts = std::mem::take(&mut self.intervals);
            timeline.add(track);
        }
        if !self.cpus.is_empty() {
            let all = timeline.add(Track::new("CPUs", None));
            for (cpu, line) in std::mem::take(&mut self.cpus) {
                line.add_to(&mut timeline, &format!("CPU {cpu}"), all);
            }
        }
        self.add_processes(&mut timeline);
        timeline
    }

    fn end_all(&mut self) {
        let (at, names) = (self.last, &mut self.names);
        for line in self.cpus.values_mut() {
            line.left(at, Detail::None);
        }
        for line in self.tasks.values_mut() {
            line.ended(at, names);
        }
        for line in self.processes.values_mut() {
            line.gone(at, names);
        }
    }

    /// What is left out.
    fn left_out(&self) -> impl Iterator<Item = String> + use<> {
        let last = millis(self.last);
        let full = format!("events are left out: it is full after {last}");
        let crossed = "spans of stolen time are left out: they cross others";
        [(self.left_out, full), (self.crossed, crossed.to_owned())]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} {why}."))
    }

    fn add_processes(self, to: &mut Timeline) {
        let Self { cast, mut tasks, mut processes, mut actions, .. } = self;
        let numbered = (0..).zip(&cast);
        let mut group = None;
        for (number, role) in numbered {
            let line = tasks.remove(&number);
            let process = processes.remove(&role.player);
            if group.is_none_or(|(player, _)| player != role.player) {
                group = None;
            }
            if group.is_none() && (line.is_some() || process.is_some()) {
                let own = to.add(Track::new(role.process_name(), None));
                group = Some((role.player, own));
            }
            let Some((_, parent)) = group else { continue };
            if let Some(process) = process {
                process.add_to(to, parent);
            }
            let Some(line) = line else { continue };
            let own = to.add(line.into_track(&role.task_name(), parent));
            if let Some(slices) = actions.remove(&number) {
                let mut track = Track::new("actions", Some(own));
                track.slices = slices;
                to.add(track);
            }
        }
    }
}

/// The task an event is about, if it is about one.
fn role_of(what: &What) -> Option<u32> {
    match *what {
        What::Armed { role, .. }
        | What::Expired { role }
        | What::Woke { role, .. }
        | What::Ran { role, .. }
        | What::Left { role, .. }
        | What::Set { role, .. }
        | What::Ended { role } => Some(role),
        _ => None,
    }
}

/// The process an event is about, if it is about one as a whole.
fn player_of(what: &What) -> Option<u32> {
    match *what {
        What::Requested { player, .. }
        | What::Withdrew { player, .. }
        | What::Happened { player, .. } => Some(player),
        _ => None,
    }
}
