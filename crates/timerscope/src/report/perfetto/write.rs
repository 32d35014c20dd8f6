//! Packets in the order in which a viewer wants them.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use prost::Message;

use super::messages::{
    CLEARED, ChildTracksOrdering, CounterDescriptor, DebugAnnotation, Interned,
    InternedData, NEEDS, ProcessDescriptor, ThreadDescriptor, Trace,
    TracePacket, TrackDescriptor, TrackEvent, Type,
};
use crate::trace::Timeline;
use crate::trace::timeline::{Detail, Kind, Name, Slice, Track, Value};

/// Writes `timeline` as a Perfetto trace, holding one packet at a time.
///
/// A trace has no times before its zero: where the timeline has, all of it
/// is moved to later by so much.
///
/// # Errors
///
/// When `to` cannot be written.
pub fn write(timeline: &Timeline, to: impl Write) -> io::Result<()> {
    let mut packets = Packets { to: BufWriter::new(to), buffer: Vec::new() };
    let root = TrackDescriptor {
        uuid: Some(0),
        child_ordering: Some(ChildTracksOrdering::Explicit as i32),
        ..TrackDescriptor::default()
    };
    packets.write(TracePacket {
        trusted_packet_sequence_id: 1,
        track_descriptor: Some(root),
        ..TracePacket::default()
    })?;
    for (place, track) in timeline.tracks.iter().enumerate() {
        packets.write(TracePacket {
            trusted_packet_sequence_id: sequence(place),
            sequence_flags: Some(CLEARED),
            track_descriptor: Some(descriptor(track, place)),
            ..TracePacket::default()
        })?;
    }
    let origin = timeline.earliest();
    for (place, track) in timeline.tracks.iter().enumerate() {
        let sequence = Sequence::new(timeline, place, origin, &mut packets);
        sequence.write(track)?;
    }
    packets.to.flush()
}

/// Each track is a sequence of its own, so that in each time goes forward.
/// The first is that of what stands above all tracks.
fn sequence(place: usize) -> u32 {
    place as u32 + 2
}

/// Zero is what stands above all tracks.
fn uuid(place: usize) -> u64 {
    place as u64 + 1
}

fn descriptor(track: &Track, place: usize) -> TrackDescriptor {
    let mut own = TrackDescriptor {
        uuid: Some(uuid(place)),
        parent_uuid: track.parent.map(uuid),
        child_ordering: Some(ChildTracksOrdering::Explicit as i32),
        sibling_order_rank: Some(place as i32),
        ..TrackDescriptor::default()
    };
    let name = Some(track.name.clone());
    let id = |id: u32| i32::try_from(id).ok();
    match track.kind {
        Kind::Plain => own.name = name,
        Kind::Length => {
            own.name = name;
            let unit_name = Some("us".to_owned());
            own.counter = Some(CounterDescriptor { unit_name });
        }
        Kind::Process { pid } => {
            let pid = id(pid);
            own.process = Some(ProcessDescriptor { pid, process_name: name });
        }
        Kind::Thread { pid, tid } => {
            let (pid, tid) = (id(pid), Some(i64::from(tid)));
            let thread_name = name;
            own.thread = Some(ThreadDescriptor { pid, tid, thread_name });
        }
    }
    own
}

/// Where packets go.
struct Packets<W: Write> {
    to: BufWriter<W>,
    buffer: Vec<u8>,
}

impl<W: Write> Packets<W> {
    /// A trace is its packets one after another: traces of one packet each.
    fn write(&mut self, packet: TracePacket) -> io::Result<()> {
        self.buffer.clear();
        let trace = Trace { packet: vec![packet] };
        trace.encode(&mut self.buffer).map_err(io::Error::other)?;
        self.to.write_all(&self.buffer)
    }
}

/// The events of one track, while they are written.
struct Sequence<'a, W: Write> {
    timeline: &'a Timeline,
    place: usize,
    origin: i64,
    to: &'a mut Packets<W>,
    names: BTreeMap<Name, u64>,
    keys: BTreeMap<&'static str, u64>,
    /// When the slices that have begun end, the innermost last.
    open: Vec<i64>,
}

impl<'a, W: Write> Sequence<'a, W> {
    fn new(
        timeline: &'a Timeline,
        place: usize,
        origin: i64,
        to: &'a mut Packets<W>,
    ) -> Self {
        let (names, keys) = (BTreeMap::new(), BTreeMap::new());
        Self { timeline, place, origin, to, names, keys, open: Vec::new() }
    }

    /// At one time ends come first, then beginnings, then instants.
    fn write(mut self, track: &Track) -> io::Result<()> {
        let mut instants = track.instants.iter().peekable();
        for slice in &track.slices {
            while let Some(own) = instants.next_if(|own| own.at < slice.begin) {
                self.instant(own.at, own.name, &own.detail)?;
            }
            self.end_until(slice.begin)?;
            self.begin(slice)?;
        }
        for own in instants {
            self.instant(own.at, own.name, &own.detail)?;
        }
        self.end_until(i64::MAX)?;
        for count in &track.counts {
            let length_us = count.length_ns as f64 / 1e3;
            let event = TrackEvent {
                double_counter_value: Some(length_us),
                ..self.event(Type::Counter)
            };
            self.packet(count.at, event, None)?;
        }
        Ok(())
    }

    fn begin(&mut self, slice: &Slice) -> io::Result<()> {
        let Slice { name, begin, end, ref detail } = *slice;
        self.named(Type::SliceBegin, begin, name, detail)?;
        self.open.push(end);
        Ok(())
    }

    fn instant(
        &mut self,
        at: i64,
        name: Name,
        detail: &Detail,
    ) -> io::Result<()> {
        self.end_until(at)?;
        self.named(Type::Instant, at, name, detail)
    }

    fn end_until(&mut self, at: i64) -> io::Result<()> {
        while let Some(end) = self.open.pop_if(|end| *end <= at) {
            let event = self.event(Type::SliceEnd);
            self.packet(end, event, None)?;
        }
        Ok(())
    }

    fn named(
        &mut self,
        kind: Type,
        at: i64,
        name: Name,
        detail: &Detail,
    ) -> io::Result<()> {
        let mut new = InternedData::default();
        let event = TrackEvent {
            name_iid: Some(self.name(name, &mut new)),
            debug_annotations: self.annotations(detail, &mut new),
            ..self.event(kind)
        };
        let any = new != InternedData::default();
        self.packet(at, event, any.then_some(new))
    }

    fn name(&mut self, name: Name, new: &mut InternedData) -> u64 {
        let next = self.names.len() as u64 + 1;
        *self.names.entry(name).or_insert_with(|| {
            let text = self.timeline.text(name).to_owned();
            let own = Interned { iid: Some(next), name: Some(text) };
            new.event_names.push(own);
            next
        })
    }

    fn annotations(
        &mut self,
        detail: &Detail,
        new: &mut InternedData,
    ) -> Vec<DebugAnnotation> {
        let pairs = detail.pairs().into_iter();
        let annotation = |(key, value)| {
            let mut own = DebugAnnotation {
                name_iid: Some(self.key(key, new)),
                ..DebugAnnotation::default()
            };
            match value {
                Value::Number(number) => own.int_value = Some(number),
                Value::Word(word) => own.string_value = Some(word.to_owned()),
            }
            own
        };
        pairs.map(annotation).collect()
    }

    fn key(&mut self, key: &'static str, new: &mut InternedData) -> u64 {
        let next = self.keys.len() as u64 + 1;
        *self.keys.entry(key).or_insert_with(|| {
            let own = Interned { iid: Some(next), name: Some(key.to_owned()) };
            new.debug_annotation_names.push(own);
            next
        })
    }

    fn event(&self, kind: Type) -> TrackEvent {
        TrackEvent {
            r#type: Some(kind as i32),
            track_uuid: Some(uuid(self.place)),
            ..TrackEvent::default()
        }
    }

    fn packet(
        &mut self,
        at: i64,
        event: TrackEvent,
        interned_data: Option<InternedData>,
    ) -> io::Result<()> {
        // Not negative: the origin is the earliest of all.
        let timestamp = at.saturating_sub(self.origin) as u64;
        self.to.write(TracePacket {
            timestamp: Some(timestamp),
            trusted_packet_sequence_id: sequence(self.place),
            track_event: Some(event),
            interned_data,
            sequence_flags: Some(NEEDS),
            ..TracePacket::default()
        })
    }
}
