//! The model: tracks with slices, instants and counts.

use super::Detail;
use super::names::{Name, Names};

/// What happened when, on tracks.
///
/// All times are nanoseconds since the common start of the run; what happened
/// before it is negative.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Tracks, each after its parent.
    pub tracks: Vec<Track>,
    /// What is left out, each in one sentence.
    pub notes: Vec<String>,
    pub(super) names: Names,
}

/// One line of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// The place of the track that it belongs to.
    pub parent: Option<usize>,
    /// What it is about.
    pub kind: Kind,
    /// Slices in the order they begin, the outer first. Any two are nested or
    /// apart.
    pub slices: Vec<Slice>,
    /// Instants, oldest first.
    pub instants: Vec<Instant>,
    /// Counts, oldest first.
    pub counts: Vec<Count>,
}

/// What a track is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whatever its name says.
    Plain,
    /// A process of a real system.
    Process {
        /// Its number there.
        pid: u32,
    },
    /// A thread of a real system.
    Thread {
        /// The number of its process.
        pid: u32,
        /// Its own number.
        tid: u32,
    },
    /// A length of time that changes.
    Length,
}

/// Something with a beginning and an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// What.
    pub name: Name,
    /// When it began.
    pub begin: i64,
    /// When it ended, not before it began.
    pub end: i64,
    /// What there is to say besides.
    pub detail: Detail,
}

/// Something that took no time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// What.
    pub name: Name,
    /// When.
    pub at: i64,
    /// What there is to say besides.
    pub detail: Detail,
}

/// A length of time from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Since when.
    pub at: i64,
    /// The length in nanoseconds.
    pub length_ns: i64,
}

impl Timeline {
    /// How many events, or how many samples, are drawn at most.
    ///
    /// Invented: a file of some 60 MB, which a browser takes in within
    /// seconds.
    pub const LIMIT: usize = 500_000;

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// How many slices there are on all tracks.
    #[must_use]
    pub fn slices(&self) -> usize {
        self.tracks.iter().map(|track| track.slices.len()).sum()
    }

    /// The earliest time on it, and 0 if that is later.
    #[must_use]
    pub fn earliest(&self) -> i64 {
        let tracks = self.tracks.iter();
        tracks.filter_map(Track::earliest).fold(0, i64::min)
    }

    /// Adds a track and gives its place.
    pub(super) fn add(&mut self, track: Track) -> usize {
        self.tracks.push(track);
        self.tracks.len() - 1
    }

    /// Adds the track that says what the others are: where the common start
    /// is, and what is left out.
    pub(super) fn add_notes(&mut self) {
        let mut track = Track::new("timerscope", None);
        let mut said = vec!["the common start".to_owned()];
        said.extend(self.notes.iter().cloned());
        for text in &said {
            let name = self.names.name(text);
            let detail = Detail::None;
            track.instants.push(Instant { name, at: 0, detail });
        }
        self.add(track);
    }
}

impl Track {
    pub(super) fn new(name: impl Into<String>, parent: Option<usize>) -> Self {
        Self {
            name: name.into(),
            parent,
            kind: Kind::Plain,
            slices: Vec::new(),
            instants: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn earliest(&self) -> Option<i64> {
        let slice = self.slices.first().map(|slice| slice.begin);
        let instant = self.instants.first().map(|instant| instant.at);
        let count = self.counts.first().map(|count| count.at);
        [slice, instant, count].into_iter().flatten().min()
    }
}
