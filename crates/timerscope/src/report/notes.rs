//! Reasons for what is missing, gathered beneath the block they belong to.

use crate::machine::{Missing, MissingKind};

/// The reasons of one block, each told once, numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Missing>);

impl Notes {
    /// Keeps a reason and gives its number.
    pub(super) fn number(&mut self, missing: &Missing) -> usize {
        let known = self.0.iter().position(|known| known == missing);
        known.unwrap_or_else(|| {
            self.0.push(missing.clone());
            self.0.len() - 1
        }) + 1
    }

    /// The reasons in the order of their numbers.
    pub(super) fn all(&self) -> &[Missing] {
        &self.0
    }
}

/// The word that stands where the value would.
pub(super) const fn word(kind: MissingKind) -> &'static str {
    match kind {
        MissingKind::Absent => "absent",
        MissingKind::Refused => "refused",
        MissingKind::Failed => "failed",
        MissingKind::Unknown => "unknown",
    }
}

/// The reason in one sentence, with what would help.
pub(super) fn sentence(missing: &Missing) -> String {
    match &missing.hint {
        Some(hint) => format!("{}; try: {hint}", missing.why),
        None => missing.why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reason_is_told_once() {
        let mut notes = Notes::default();
        let (first, second) = (Missing::absent("a"), Missing::refused("a"));
        assert_eq!(notes.number(&first), 1);
        assert_eq!(notes.number(&second), 2);
        assert_eq!(notes.number(&first), 1);
        assert_eq!(notes.all(), [first, second]);
    }
}
