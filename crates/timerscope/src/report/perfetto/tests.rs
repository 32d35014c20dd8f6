use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use prost::Message;

use super::messages::{
    CLEARED, InternedData, NEEDS, Trace, TracePacket, TrackEvent, Type,
};
use super::write;
use crate::lab::play::{Silent, play};
use crate::lab::scripted::{Scripted, facts};
use crate::machine::{Action, Process, Span, Task, WaitKind, Workload};
use crate::trace::timeline::tests::{events, workload};
use crate::trace::{Drawing, Event, Left, Timeline, What};

fn written(timeline: &Timeline) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(timeline, &mut bytes).unwrap();
    bytes
}

fn drawn(seen: &[Event]) -> Timeline {
    let workload = workload();
    let mut drawing = Drawing::new(&workload);
    for event in seen {
        drawing.see(event);
    }
    drawing.finish()
}

/// A run of the scripted machine, drawn.
fn recorded() -> Timeline {
    let wait = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
    let task = Task::new("sleeper", vec![Action::repeat(20, vec![wait])]);
    let workload = Workload::new(vec![Process::new("app", vec![task])]);
    let mut machine = Scripted::default();
    let saved = play(&mut machine, &facts(), workload, &mut Silent).unwrap();
    Timeline::of_recording(&saved)
}

/// What a reader makes of the packets: the slices of each track, the texts
/// with all else that a slice, an instant or a count is.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    slices: Vec<(String, u64, u64)>,
    instants: Vec<(String, u64)>,
    counts: Vec<(u64, i64)>,
}

/// Reads a trace as strictly as the format allows.
struct Reader {
    tracks: BTreeMap<u64, Seen>,
    /// The slices of each track that have begun and not ended.
    open: BTreeMap<u64, Vec<usize>>,
    /// The names of each sequence: of events, and of annotations.
    names: BTreeMap<(u32, bool, u64), String>,
    /// The time of the last packet of each sequence.
    times: BTreeMap<u32, u64>,
    cleared: BTreeSet<u32>,
}

impl Reader {
    fn read(bytes: &[u8]) -> BTreeMap<u64, Seen> {
        let mut reader = Self {
            tracks: BTreeMap::from([(0, Seen::default())]),
            open: BTreeMap::new(),
            names: BTreeMap::new(),
            times: BTreeMap::new(),
            cleared: BTreeSet::new(),
        };
        for packet in Trace::decode(bytes).unwrap().packet {
            reader.packet(&packet);
        }
        assert!(reader.open.values().all(Vec::is_empty), "all have ended");
        reader.tracks
    }

    fn packet(&mut self, packet: &TracePacket) {
        let sequence = packet.trusted_packet_sequence_id;
        assert!(sequence > 0);
        if packet.sequence_flags == Some(CLEARED) {
            assert!(self.cleared.insert(sequence), "cleared once");
        }
        if let Some(track) = &packet.track_descriptor
            && track.uuid != Some(0)
        {
            let uuid = track.uuid.unwrap();
            let parent = track.parent_uuid.unwrap_or(0);
            assert!(self.tracks.contains_key(&parent), "parents come first");
            let new = self.tracks.insert(uuid, Seen::default()).is_none();
            assert!(new, "each track is described once");
        }
        if let Some(new) = &packet.interned_data {
            self.intern(sequence, new);
        }
        if let Some(event) = &packet.track_event {
            let (at, needs) = (packet.timestamp, packet.sequence_flags);
            let at = at.unwrap();
            assert!(self.cleared.contains(&sequence) && needs == Some(NEEDS));
            let last = self.times.insert(sequence, at);
            assert!(last.is_none_or(|last| last <= at), "time goes forward");
            self.event(sequence, at, event);
        }
    }

    fn intern(&mut self, sequence: u32, new: &InternedData) {
        let events = new.event_names.iter().map(|own| (true, own));
        let keys = new.debug_annotation_names.iter().map(|own| (false, own));
        for (of_event, own) in events.chain(keys) {
            let key = (sequence, of_event, own.iid.unwrap());
            let old = self.names.insert(key, own.name.clone().unwrap());
            assert!(key.2 > 0 && old.is_none(), "a number means one name");
        }
    }

    fn event(&mut self, sequence: u32, at: u64, event: &TrackEvent) {
        for annotation in &event.debug_annotations {
            let key = (sequence, false, annotation.name_iid.unwrap());
            assert!(self.names.contains_key(&key));
            let number = annotation.int_value.is_some();
            assert!(number != annotation.string_value.is_some());
        }
        let name = event.name_iid.map(|iid| (sequence, true, iid));
        let name = name.map(|key| self.names[&key].clone());
        let uuid = event.track_uuid.unwrap();
        let seen = self.tracks.get_mut(&uuid).expect("a track is described");
        let open = self.open.entry(uuid).or_default();
        match event.r#type() {
            Type::SliceBegin => {
                open.push(seen.slices.len());
                seen.slices.push((name.unwrap(), at, u64::MAX));
            }
            Type::SliceEnd => {
                let place = open.pop().expect("an end has its beginning");
                seen.slices[place].2 = at;
            }
            Type::Instant => seen.instants.push((name.unwrap(), at)),
            Type::Counter => {
                let us = event.double_counter_value.unwrap();
                seen.counts.push((at, (us * 1e3).round() as i64));
            }
            Type::Unspecified => panic!("an event without a type"),
        }
    }
}

/// What a reader should make of it.
fn meant(timeline: &Timeline) -> BTreeMap<u64, Seen> {
    let at = |at: i64| (at - timeline.earliest()) as u64;
    let mut tracks = BTreeMap::from([(0, Seen::default())]);
    for (uuid, track) in (1..).zip(&timeline.tracks) {
        let text = |name| timeline.text(name).to_owned();
        let slices = track.slices.iter();
        let instants = track.instants.iter();
        let counts = track.counts.iter();
        let seen = Seen {
            slices: slices
                .map(|own| (text(own.name), at(own.begin), at(own.end)))
                .collect(),
            instants: instants
                .map(|own| (text(own.name), at(own.at)))
                .collect(),
            counts: counts.map(|own| (at(own.at), own.length_ns)).collect(),
        };
        tracks.insert(uuid, seen);
    }
    tracks
}

#[test]
fn a_recording_is_read_back_as_it_was_drawn() {
    let timeline = recorded();
    assert_eq!(timeline.slices(), 40, "each wait, and how late it was");
    assert_eq!(Reader::read(&written(&timeline)), meant(&timeline));
}

proptest! {
    #[test]
    fn any_run_is_read_back_as_it_was_drawn(seen in events()) {
        let timeline = drawn(&seen);
        let read = Reader::read(&written(&timeline));
        prop_assert_eq!(read, meant(&timeline));
    }
}

/// Counts how much it is handed at once.
#[derive(Default)]
struct Sink {
    all: usize,
    most: usize,
}

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.all += bytes.len();
        self.most = self.most.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_long_trace_is_written_piece_by_piece() {
    let tick = |at| Event { at, cpu: Some(0), what: What::Tick };
    let seen: Vec<Event> = (0..20_000).map(tick).collect();
    let mut sink = Sink::default();
    write(&drawn(&seen), &mut sink).unwrap();
    assert!(sink.all > 20_000 * 10 && sink.most < 20_000, "{}", sink.most);
}

#[test]
fn a_disk_that_is_full_is_told() {
    let mut room = [0; 40];
    let error = write(&recorded(), &mut room[..]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
}

/// A small trace, byte by byte. Perfetto's own Python package, release 0.59.1,
/// reads it without an unknown field and writes the same bytes again.
const SMALL: &str = "\
    0a095001e2030408005803 \
    0a1950026801e203120801120a74696d657273636f706558036000 \
    0a2b50036801e2032408021216696e74657276616c20696e20666f72636520287573 \
    2942043202757358036001 \
    0a1550046801e2030e0803120667616d65233258036002 \
    0a1550056801e2030e080412046c6f6f70280358036003 \
    0a26400550025a06480350015801621612140801121074686520636f6d6d6f6e2073 \
    746172746802 \
    0a16400050035a0e48045802e102cdcccccc8c84ce406802 \
    0a32400550055a1122090801320577616974734801500158046217120b0801120772 \
    756e6e696e671a08080112046c6566746802 \
    0a2d400850055a0c220408022028480350025804621712090802120561726d65641a \
    0a080212066475655f6e736802 \
    0a0d40b10250055a04480258046802";

#[test]
fn a_small_trace_is_what_perfetto_itself_would_write() {
    let event = |at, what| Event { at, cpu: None, what };
    let waits = What::Left { role: 2, why: Left::Waits };
    let bytes = written(&drawn(&[
        event(-5, What::Interval { interval_ns: 15_625_100 }),
        event(0, What::Ran { role: 2, level: 8 }),
        event(3, What::Armed { role: 2, due: 40 }),
        event(300, waits),
    ]));
    let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
    let hex = hex.collect::<Vec<_>>().concat();
    let small: String = SMALL.split_whitespace().collect();
    assert_eq!(hex, small);
}
