//! A timeline of what the tasks of a run saw themselves.

use super::lane::Lane;
use super::names::{Name, Names};
use super::process_line::millis;
use super::{Detail, Kind, Slice, Timeline, Track};
use crate::machine::{
    Action, Recording, Role, RoleEnding, Sample, Saved, Workload,
};

impl Timeline {
    /// Draws the samples of a run that were kept whole.
    ///
    /// A track for each task, whose slices are its actions; within each, the
    /// time from when it was due to when it ended is a slice `late`.
    #[must_use]
    pub fn of_recording(saved: &Saved) -> Self {
        Self::of_recording_to(saved, Self::LIMIT)
    }

    /// The same, drawing at most `limit` samples: the earliest.
    #[must_use]
    pub fn of_recording_to(saved: &Saved, limit: usize) -> Self {
        Run::of(saved).drawn(limit)
    }
}

/// What is needed of a run.
pub(super) struct Run<'a> {
    workload: &'a Workload,
    recording: &'a Recording,
    roles: &'a [RoleEnding],
}

/// The slices of each role that has some.
pub(super) type Lines = Vec<(u32, Vec<Slice>)>;

impl<'a> Run<'a> {
    pub(super) fn of(saved: &'a Saved) -> Self {
        let Saved { workload, recording, ending, .. } = saved;
        Self { workload, recording, roles: &ending.roles }
    }

    fn drawn(&self, limit: usize) -> Timeline {
        let mut names = Names::default();
        let (lines, notes) = self.lines(limit, &mut names);
        let mut timeline = Timeline { notes, names, ..Timeline::default() };
        timeline.add_notes();
        self.add(&mut timeline, lines);
        timeline
    }

    /// The slices of at most `limit` samples, and what is left out.
    pub(super) fn lines(
        &self,
        limit: usize,
        names: &mut Names,
    ) -> (Lines, Vec<String>) {
        let mut samples = self.whole();
        let mut left = LeftOut::of(self, samples.len());
        if limit < samples.len() {
            samples.select_nth_unstable_by_key(limit, |own| own.began);
            left.full_at = samples.get(limit).map(|own| own.began);
            left.past_limit = samples.len() - limit;
            samples.truncate(limit);
        }
        samples.sort_unstable_by_key(|own| own.role);
        let lines = self.tracks(&samples, names, &mut left);
        (lines, left.notes())
    }

    /// Every sample that was kept whole.
    fn whole(&self) -> Vec<&Sample> {
        let tracks = self.recording.tracks();
        let each =
            tracks.map(|(_, _, own)| own.samples.iter().chain(&own.over));
        each.flatten().collect()
    }

    fn tracks(
        &self,
        samples: &[&Sample],
        names: &mut Names,
        left: &mut LeftOut,
    ) -> Lines {
        let cast = self.workload.cast();
        let late = names.name("late");
        let of_role = samples.chunk_by(|one, other| one.role == other.role);
        let mut tracks = Vec::new();
        for samples in of_role {
            let role = samples[0].role;
            let Some(own) = cast.get(role as usize) else { continue };
            let steps = steps(own, names);
            let mut line = Line::new(samples.len());
            for sample in samples {
                if let Some(step) = steps.get(usize::from(sample.step)) {
                    line.add(sample, step, late);
                }
            }
            tracks.push((role, line.into_slices(left)));
        }
        tracks
    }

    fn add(&self, to: &mut Timeline, tracks: Lines) {
        let cast = self.workload.cast();
        let mut group = None;
        for (number, slices) in tracks {
            let Some(role) = cast.get(number as usize) else { continue };
            let ending = self.roles.get(number as usize);
            let parent = match group {
                Some((player, parent)) if player == role.player => parent,
                _ => {
                    let mut track = Track::new(role.process_name(), None);
                    track.kind = process(ending);
                    to.add(track)
                }
            };
            group = Some((role.player, parent));
            let mut track = Track::new(role.task_name(), Some(parent));
            track.kind = thread(ending);
            track.slices = slices;
            to.add(track);
        }
    }
}

/// How many samples are not drawn.
#[derive(Debug, Default)]
struct LeftOut {
    /// Only counted.
    counted: u64,
    /// Made, but not told in time.
    lost: u64,
    past_limit: usize,
    /// When the first of those past the limit began.
    full_at: Option<i64>,
    /// Neither within another of its task nor apart from it.
    crossed: usize,
}

impl LeftOut {
    fn of(run: &Run<'_>, whole: usize) -> Self {
        let heard = run.recording.heard();
        let lost = run.roles.iter().map(|role| role.lost);
        Self {
            counted: heard.saturating_sub(whole as u64),
            lost: lost.fold(0, u64::saturating_add),
            ..Self::default()
        }
    }

    fn notes(&self) -> Vec<String> {
        let Self { counted, lost, past_limit, crossed, .. } = self;
        let said = |count: u64, why: String| {
            let are = if count == 1 { "sample is" } else { "samples are" };
            (count > 0).then(|| format!("{count} {are} left out: {why}."))
        };
        let full = self.full_at.map_or(String::new(), millis);
        [
            said(*counted, "they were only counted, in a histogram".to_owned()),
            said(*lost, "they came faster than they could be told".to_owned()),
            said(*past_limit as u64, format!("it is full at {full}")),
            said(
                *crossed as u64,
                "begun within another, ended after it".to_owned(),
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// What is to be known of an action to draw its samples.
struct Drawn {
    name: Name,
    depth: u16,
    /// What its value is.
    value: Option<&'static str>,
}

fn steps(role: &Role<'_>, names: &mut Names) -> Vec<Drawn> {
    let steps = role.task.steps();
    let each = steps.iter().map(|step| Drawn {
        name: names.name(&step.action.to_string()),
        depth: step.depth,
        value: value_of(step.action),
    });
    each.collect()
}

/// What the value of an action's samples is, as [`Action`] says.
fn value_of(action: &Action) -> Option<&'static str> {
    match action {
        Action::Wait { how, .. } if how.counts_cpu_time() => Some("cpu_ns"),
        Action::Repeat { .. } => Some("times"),
        Action::Spin { .. } => Some("readings"),
        Action::Runs { .. } => Some("jump_ns"),
        Action::Read { .. } => Some("reading"),
        Action::Steps { .. } => Some("smallest_step"),
        Action::AskInterval { .. } => Some("interval_ns"),
        Action::Request(_) => Some("granted_ns"),
        _ => None,
    }
}

/// The slices of one role, in no order yet: each with how deep it is.
struct Line(Vec<(u16, Slice)>);

impl Line {
    fn new(samples: usize) -> Self {
        Self(Vec::with_capacity(2 * samples))
    }

    fn add(&mut self, sample: &Sample, step: &Drawn, late: Name) {
        let Sample { began, due, ended, number, outcome, value, .. } = *sample;
        // Equal to the beginning where nothing was asked.
        let asked = (due != began).then_some(due);
        let says = asked.filter(|_| sample.counts());
        let detail = Detail::Sample {
            outcome,
            number,
            due: asked,
            lateness_ns: says.map(|_| sample.lateness_ns()),
            value: step.value.map(|key| (key, value)),
        };
        let name = step.name;
        self.0.push((
            step.depth,
            Slice { name, begin: began, end: ended, detail },
        ));
        if says.is_some() && due < ended {
            let (begin, detail) = (due.max(began), Detail::None);
            let slice = Slice { name: late, begin, end: ended, detail };
            self.0.push((step.depth + 1, slice));
        }
    }

    /// The slices in order, without those that cannot be shown on one line.
    fn into_slices(mut self, left: &mut LeftOut) -> Vec<Slice> {
        self.0.sort_by_key(|(depth, own)| (own.begin, *depth, own.end));
        let mut lane = Lane::default();
        for (_, slice) in self.0 {
            let sample = slice.detail != Detail::None;
            if !lane.add(slice) && sample {
                left.crossed += 1;
            }
        }
        lane.into_slices()
    }
}

fn process(ending: Option<&RoleEnding>) -> Kind {
    let pid = ending.and_then(|own| own.pid);
    pid.map_or(Kind::Plain, |pid| Kind::Process { pid })
}

fn thread(ending: Option<&RoleEnding>) -> Kind {
    let ids = ending.and_then(|own| own.pid.zip(own.tid));
    ids.map_or(Kind::Plain, |(pid, tid)| Kind::Thread { pid, tid })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::nest;
    use super::*;
    use crate::machine::{
        Batch, Keep, Known, Listener, Meanwhile, Outcome, Process, Span, Task,
        WaitKind,
    };

    const MS: i64 = 1_000_000;

    /// A task that repeats a wait and keeps both, and a task that keeps only
    /// a histogram.
    fn workload() -> Workload {
        let wait = |keep| {
            let (how, span) = (WaitKind::Nanosleep, Span::from_ms(1));
            Action::Wait { how, span, meanwhile: Meanwhile::Block, keep }
        };
        let repeat = Action::Repeat {
            until: crate::machine::Until::Count(3),
            keep: Keep::Everything,
            body: vec![wait(Keep::Everything)],
        };
        let tasks = vec![
            Task::new("loop", vec![repeat]),
            Task::new("other", vec![wait(Keep::Histogram)]),
        ];
        Workload::new(vec![Process::new("game", tasks)])
    }

    fn ending(role: u32) -> RoleEnding {
        RoleEnding {
            policy: Known::Value("normal".to_owned()),
            slack_ns: Known::Value(50_000),
            cpu_ns: Known::Value(0),
            switches: Known::Value(0),
            pid: Some(40),
            tid: Some(40 + role),
            finished: true,
            counts: vec![],
            lost: u64::from(role) * 5,
            pauses: 0,
        }
    }

    /// A wait of 1 ms, so late.
    fn wait(number: u64, began: i64, late: i64) -> Sample {
        let due = began + MS;
        let (role, step, outcome, value) = (0, 1, Outcome::Met, 0);
        let ended = due + late;
        Sample { role, step, outcome, number, began, due, ended, value }
    }

    fn repeat(began: i64, ended: i64) -> Sample {
        let (role, step, outcome) = (0, 0, Outcome::Met);
        let (number, due, value) = (0, began, 3);
        Sample { role, step, outcome, number, began, due, ended, value }
    }

    fn drawn(samples: &[Sample], limit: usize) -> Timeline {
        let workload = workload();
        let mut recording = Recording::new(&workload);
        recording.hear(&Batch { at: 0, samples, notes: &[] });
        let roles = [ending(0), ending(1)];
        Run { workload: &workload, recording: &recording, roles: &roles }
            .drawn(limit)
    }

    fn track<'a>(timeline: &'a Timeline, name: &str) -> &'a Track {
        timeline.tracks.iter().find(|own| own.name == name).unwrap()
    }

    fn slices(timeline: &Timeline) -> Vec<(&str, i64, i64)> {
        let own = track(timeline, "loop").slices.iter();
        own.map(|own| (timeline.text(own.name), own.begin, own.end)).collect()
    }

    #[test]
    fn actions_are_slices_and_lateness_is_within_them() {
        let samples =
            [wait(0, 10, 60), wait(1, MS + 80, -5), repeat(5, 3 * MS)];
        let timeline = drawn(&samples, 10);
        let expected = [
            ("repeat x3", 5, 3 * MS),
            ("wait nanosleep 1 ms", 10, MS + 70),
            ("late", MS + 10, MS + 70),
            ("wait nanosleep 1 ms", MS + 80, 2 * MS + 75),
        ];
        assert_eq!(slices(&timeline), expected);
        let pairs = |at: usize| {
            let own = &track(&timeline, "loop").slices[at];
            let all = own.detail.pairs().into_iter();
            all.map(|(key, value)| format!("{key} {value:?}"))
                .collect::<Vec<_>>()
        };
        let early = [
            "due_ns Number(2000080)",
            "lateness_ns Number(-5)",
            "outcome Word(\"met\")",
            "number Number(1)",
        ];
        assert_eq!(pairs(3), early);
        // Nothing was asked of it, so it is neither late nor in time.
        let whole =
            ["outcome Word(\"met\")", "number Number(0)", "times Number(3)"];
        assert_eq!(pairs(0), whole);
    }

    #[test]
    fn an_interrupted_wait_is_not_late() {
        let outcome = Outcome::Interrupted;
        let cut = Sample { outcome, ..wait(0, 10, 60) };
        let timeline = drawn(&[cut], 10);
        let expected = [("wait nanosleep 1 ms", 10, MS + 70)];
        assert_eq!(slices(&timeline), expected);
    }

    // An event may be set before anybody waits for it.
    #[test]
    fn lateness_begins_with_the_action_at_the_earliest() {
        let before = Sample { due: 3, ..wait(0, 10, 60) };
        let timeline = drawn(&[before], 10);
        assert_eq!(slices(&timeline)[1], ("late", 10, MS + 70));
    }

    #[test]
    fn processes_and_threads_have_the_numbers_they_had() {
        let timeline = drawn(&[wait(0, 10, 60)], 10);
        let game = track(&timeline, "game").kind;
        assert_eq!(game, Kind::Process { pid: 40 });
        let thread = track(&timeline, "loop").kind;
        assert_eq!(thread, Kind::Thread { pid: 40, tid: 40 });
    }

    #[test]
    fn what_is_not_drawn_is_counted_and_said() {
        let other = Sample { role: 1, step: 0, ..wait(0, 10, 60) };
        let across = Sample { ended: 2 * MS, ..wait(1, 20, 0) };
        let later = [wait(2, 5 * MS, 1), wait(3, 7 * MS, 1)];
        let samples = [later[1], wait(0, 10, 60), across, other, later[0]];
        let timeline = drawn(&samples, 3);
        let expected = [
            "1 sample is left out: they were only counted, in a histogram.",
            "5 samples are left out: they came faster than they could be told.",
            "1 sample is left out: it is full at 7 ms.",
            "1 sample is left out: begun within another, ended after it.",
        ];
        assert_eq!(timeline.notes, expected);
        let begun: Vec<i64> =
            slices(&timeline).iter().map(|own| own.1).collect();
        assert_eq!(begun, [10, MS + 10, 5 * MS, 6 * MS]);
    }

    /// A sample as a damaged file may have it.
    fn any_sample() -> impl Strategy<Value = Sample> {
        let time = || prop_oneof![0_i64..50, any::<i64>()];
        let outcome = prop::sample::select(Outcome::ALL.to_vec());
        let numbers = (0_u16..2, any::<u64>(), any::<i64>());
        (time(), time(), time(), outcome, numbers).prop_map(
            |(began, due, ended, outcome, (step, number, value))| {
                let role = 0;
                Sample { role, step, outcome, number, began, due, ended, value }
            },
        )
    }

    proptest! {
        #[test]
        fn each_sample_is_drawn_or_said_to_be_left_out(
            samples in prop::collection::vec(any_sample(), 0..40),
            limit in 0_usize..40,
        ) {
            let timeline = drawn(&samples, limit);
            let mut told = 0;
            for track in &timeline.tracks {
                prop_assert!(nest(&track.slices), "{track:?}");
                let drawn = track.slices.iter();
                told += drawn.filter(|own| own.detail != Detail::None).count();
            }
            for note in &timeline.notes {
                if !note.contains("faster") {
                    let count = note.split(' ').next().unwrap();
                    told += count.parse::<usize>().unwrap();
                }
            }
            prop_assert_eq!(told, samples.len());
        }
    }
}
