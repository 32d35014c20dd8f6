//! Files of others, which are not written over.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use timerscope::machine::AskError;

use crate::error::named;

/// What a file of ours is, and how it shows.
pub(crate) struct Ours {
    /// In words: `a report`.
    pub(crate) what: &'static str,
    /// How much of its beginning is looked at, in bytes.
    pub(crate) head: u64,
    /// Whether such a beginning is that of one of ours.
    pub(crate) begins: fn(&[u8]) -> bool,
    /// What to try instead of a foreign one's name.
    pub(crate) hint: &'static str,
}

impl Ours {
    /// Looks whether one of ours is there already.
    ///
    /// A file that is not, and not empty, is an error; a device or a pipe is
    /// none.
    pub(crate) fn is_there(&self, path: &Path) -> Result<bool, AskError> {
        if !path.is_file() {
            return Ok(false);
        }
        let what = || format!("cannot write {}", named(path));
        let mut head = Vec::new();
        File::open(path)
            .and_then(|file| file.take(self.head).read_to_end(&mut head))
            .map_err(|error| {
                AskError::refused(what(), error.to_string()).or_try(self.hint)
            })?;
        if head.is_empty() || (self.begins)(&head) {
            return Ok(!head.is_empty());
        }
        let why = format!(
            "it is there already, and is no {} of timerscope",
            self.what
        );
        Err(AskError::wrong(what(), why).or_try(self.hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let ours = Ours {
            what: "recording",
            head: 4,
            begins: |head| head == b"ours",
            hint: "another name",
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert!(!ours.is_there(&path).unwrap());
        fs::write(&path, "").unwrap();
        assert!(!ours.is_there(&path).unwrap());
        fs::write(&path, "ours, and more").unwrap();
        assert!(ours.is_there(&path).unwrap());
        for foreign in ["our", "theirs"] {
            fs::write(&path, foreign).unwrap();
            let error = ours.is_there(&path).unwrap_err();
            assert!(error.why.ends_with("no recording of timerscope"));
            assert_eq!(error.hint.as_deref(), Some("another name"));
        }
        assert!(!ours.is_there(folder.path()).unwrap());
    }
}
