//! Names that many slices share.

use std::collections::BTreeMap;

/// A name of a slice or an instant: its place in the timeline's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub(super) u32);

impl Name {
    /// Its place among all names of the timeline, from 0.
    #[must_use]
    pub fn place(self) -> u32 {
        self.0
    }
}

/// Every name once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Names {
    texts: Vec<String>,
    places: BTreeMap<String, Name>,
}

impl Names {
    pub(super) fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.places.get(text) {
            return *name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), name);
        name
    }

    pub(super) fn text(&self, name: Name) -> &str {
        self.texts.get(name.0 as usize).map_or("", String::as_str)
    }
}
