//! One process: which intervals it had requested, and what happened to it.

use super::lane::Lane;
use super::names::Names;
use super::{Detail, Instant, Slice, Timeline, Track};

/// What became of one process so far.
#[derive(Debug, Default)]
pub(super) struct ProcessLine {
    /// Requests that overlap without one being within the other cannot stand
    /// on one track: each that is open has one of its own.
    requests: Vec<Requests>,
    happened: Vec<Instant>,
}

/// Requests of which no two were open at once.
#[derive(Debug, Default)]
struct Requests {
    lane: Lane,
    /// What is requested, and since when.
    now: Option<(i64, i64)>,
}

impl ProcessLine {
    pub(super) fn requested(&mut self, interval_ns: i64, at: i64) {
        let now = Some((interval_ns, at));
        let mut free = self.requests.iter_mut();
        match free.find(|own| own.now.is_none()) {
            Some(free) => free.now = now,
            None => self.requests.push(Requests { now, ..Requests::default() }),
        }
    }

    /// Ends the latest such request.
    pub(super) fn withdrew(
        &mut self,
        interval_ns: i64,
        at: i64,
        names: &mut Names,
    ) {
        let open = self.requests.iter_mut().filter(|own| {
            own.now.is_some_and(|(interval, _)| interval == interval_ns)
        });
        let latest = open.max_by_key(|own| own.now.map(|(_, since)| since));
        if let Some(latest) = latest {
            latest.end(at, names);
        }
    }

    /// Ends what it has requested, for it is gone.
    pub(super) fn gone(&mut self, at: i64, names: &mut Names) {
        for own in &mut self.requests {
            own.end(at, names);
        }
    }

    pub(super) fn happened(&mut self, what: &str, at: i64, names: &mut Names) {
        let name = names.name(what);
        self.happened.push(Instant { name, at, detail: Detail::None });
    }

    pub(super) fn add_to(self, to: &mut Timeline, parent: usize) {
        for own in self.requests {
            let mut track = Track::new("requests", Some(parent));
            track.slices = own.lane.into_slices();
            to.add(track);
        }
        if !self.happened.is_empty() {
            let mut track = Track::new("happenings", Some(parent));
            track.instants = self.happened;
            to.add(track);
        }
    }
}

impl Requests {
    fn end(&mut self, end: i64, names: &mut Names) {
        if let Some((interval_ns, begin)) = self.now.take() {
            let name = names.name(&millis(interval_ns));
            let detail = Detail::None;
            self.lane.add(Slice { name, begin, end, detail });
        }
    }
}

/// A length of time in milliseconds, exactly: `0.5 ms`.
pub(super) fn millis(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let (whole, rest) = (ns.unsigned_abs() / 1_000_000, ns % 1_000_000);
    let text = format!("{sign}{whole}.{:06}", rest.unsigned_abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} ms")
}
