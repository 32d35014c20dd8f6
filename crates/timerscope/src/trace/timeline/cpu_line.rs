//! One CPU: who ran on it, when its clock ticked, when its host took it.

use super::lane::Lane;
use super::names::Name;
use super::{Detail, Instant, Slice, Timeline, Track};

/// What became of one CPU so far.
#[derive(Debug, Default)]
pub(super) struct CpuLine {
    runs: Lane,
    /// Who runs, as a name, and since when.
    now: Option<(Name, i64)>,
    ticks: Vec<Instant>,
    stolen: Lane,
}

impl CpuLine {
    pub(super) fn ran(&mut self, who: Name, at: i64) {
        self.left(at, Detail::None);
        self.now = Some((who, at));
    }

    pub(super) fn left(&mut self, end: i64, detail: Detail) {
        if let Some((name, begin)) = self.now.take() {
            self.runs.add(Slice { name, begin, end, detail });
        }
    }

    pub(super) fn ticked(&mut self, name: Name, at: i64) {
        self.ticks.push(Instant { name, at, detail: Detail::None });
    }

    /// Says whether it could be drawn: it cannot while the one before lasts.
    pub(super) fn stolen(&mut self, name: Name, at: i64, for_ns: i64) -> bool {
        let end = at.saturating_add(for_ns);
        let detail = Detail::None;
        self.stolen.add(Slice { name, begin: at, end, detail })
    }

    /// Adds its tracks to `to`: the ticks and what was stolen are below it.
    pub(super) fn add_to(self, to: &mut Timeline, name: &str, parent: usize) {
        let mut runs = Track::new(name, Some(parent));
        runs.slices = self.runs.into_slices();
        let own = to.add(runs);
        if !self.ticks.is_empty() {
            let mut ticks = Track::new("ticks", Some(own));
            ticks.instants = self.ticks;
            to.add(ticks);
        }
        let slices = self.stolen.into_slices();
        if !slices.is_empty() {
            let mut stolen = Track::new("stolen by the host", Some(own));
            stolen.slices = slices;
            to.add(stolen);
        }
    }
}
