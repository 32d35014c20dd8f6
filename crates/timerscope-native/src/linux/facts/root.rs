//! Reading below a root folder: bounded, lenient, and suspicious.
//!
//! A recorded tree comes from somebody else. It may hold anything: endless
//! files, pipes nobody writes to, links that lead out of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use timerscope::machine::{Missing, MissingKind};

use super::reason::reason;

/// No file that is taken whole is longer; the longest, a kernel's
/// configuration, has 300 KiB.
const WHOLE: u64 = 1 << 20;
/// Files taken line by line may be as long as /proc/interrupts of a machine
/// with 1024 CPUs.
const STREAMED: u64 = 32 << 20;
/// A line may be as long as one of those, and is cut there.
const LINE: u64 = 64 << 10;
/// What one word for a person may have.
const WORDS: usize = 200;
/// Folders beyond this are cut: /proc of a machine with 100 000 processes.
const NAMES: usize = 100_000;

/// The folder below which a machine's files are read.
///
/// ```
/// use timerscope_native::linux::facts::Root;
///
/// assert!(Root::real().is_real());
/// assert!(!Root::at("recordings/laptop").is_real());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root(PathBuf);

impl Root {
    /// The machine we run on.
    #[must_use]
    pub fn real() -> Self {
        Self(PathBuf::from("/"))
    }

    /// The machine whose files stand below `path`.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Whether this is the machine we run on, so that calls speak of it too.
    #[must_use]
    pub fn is_real(&self) -> bool {
        self.0 == Path::new("/")
    }

    /// Whether `path` (absolute, as the machine knows it) can be seen.
    pub(super) fn has(&self, path: &str) -> bool {
        self.place(path).is_ok_and(|place| place.exists())
    }

    /// The whole of a text file; what is not UTF-8 is replaced.
    pub(super) fn text(&self, path: &str) -> Result<String, Missing> {
        let bytes = self.bytes(path)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }))
    }

    /// The whole of a file of at most 1 MiB.
    pub(super) fn bytes(&self, path: &str) -> Result<Vec<u8>, Missing> {
        let file = self.open(path)?;
        let mut bytes = Vec::new();
        file.take(WHOLE + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| reason(path, &error))?;
        if bytes.len() as u64 > WHOLE {
            return Err(Missing::failed(format!(
                "{path} is longer than {WHOLE} bytes"
            )));
        }
        Ok(bytes)
    }

    /// The first line, fit to be shown to a person.
    pub(super) fn line(&self, path: &str) -> Result<String, Missing> {
        let text = self.text(path)?;
        match shown(text.lines().next().unwrap_or_default()) {
            line if line.is_empty() => {
                Err(Missing::unknown(format!("{path} is empty")))
            }
            line => Ok(line),
        }
    }

    /// The number that a file holds, and nothing else.
    pub(super) fn number(&self, path: &str) -> Result<u64, Missing> {
        self.line(path)?.parse().map_err(|_| {
            Missing::failed(format!("{path} does not hold a number"))
        })
    }

    /// What a folder holds, sorted; names that are no text are left out.
    pub(super) fn names(&self, path: &str) -> Result<Vec<String>, Missing> {
        let place = self.place(path)?;
        let entries =
            fs::read_dir(place).map_err(|error| reason(path, &error))?;
        let mut names: Vec<_> = entries
            .take(NAMES)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Where the link at `path` leads, unfollowed.
    pub(super) fn link(&self, path: &str) -> Result<PathBuf, Missing> {
        fs::read_link(self.under(path)).map_err(|error| reason(path, &error))
    }

    /// Tells `each` line by line until it breaks, so that a long file costs
    /// no memory.
    pub(super) fn lines(
        &self,
        path: &str,
        each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), Missing> {
        let file = self.open(path)?;
        lines(file, each).map_err(|error| reason(path, &error))
    }

    fn under(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }

    /// The real place of `path`. Below a recorded root it may not lead out:
    /// what it found there would be another machine's.
    fn place(&self, path: &str) -> Result<PathBuf, Missing> {
        let place = self.under(path);
        if self.is_real() {
            return Ok(place);
        }
        let real = |place: &Path| {
            fs::canonicalize(place).map_err(|error| reason(path, &error))
        };
        let place = real(&place)?;
        if place.starts_with(real(&self.0)?) {
            Ok(place)
        } else {
            Err(Missing::failed(format!(
                "{path} leads out of the recorded tree"
            )))
        }
    }

    fn open(&self, path: &str) -> Result<File, Missing> {
        let place = self.place(path)?;
        let failed = |error: io::Error| reason(path, &error);
        // Only our own machine has devices worth opening: in a recorded tree
        // a pipe would block us and a device would be this machine's.
        if !self.is_real() && !fs::metadata(&place).map_err(failed)?.is_file() {
            return Err(Missing::failed(format!("{path} is not a file")));
        }
        OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(place)
            .map_err(failed)
    }
}

/// Tells `each` the lines of `text`, none longer than [`LINE`] bytes.
pub(super) fn lines(
    text: impl Read,
    mut each: impl FnMut(&str) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut reader = BufReader::new(text.take(STREAMED));
    let mut line = Vec::new();
    loop {
        line.clear();
        // A cut line goes on as the next, which no reader here mistakes for
        // a key it looks for.
        if reader.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if each(&String::from_utf8_lossy(&line)).is_break() {
            return Ok(());
        }
    }
}

/// `text` without what a terminal would obey, and not too long.
pub(super) fn shown(text: &str) -> String {
    text.trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(WORDS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Says `why` in place of "there is no FILE".
pub(super) fn or_absent<T>(
    result: Result<T, Missing>,
    why: &str,
) -> Result<T, Missing> {
    result.map_err(|missing| match missing.kind {
        MissingKind::Absent => Missing::absent(why),
        _ => missing,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn tree() -> (tempfile::TempDir, Root) {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::at(folder.path());
        (folder, root)
    }

    #[test]
    fn a_number_is_a_number_and_nothing_else() {
        let (folder, root) = tree();
        let read = |text: &[u8]| {
            fs::write(folder.path().join("n"), text).unwrap();
            root.number("/n")
        };
        assert_eq!(read(b" 42 \n"), Ok(42));
        assert_eq!(read(b"18446744073709551615"), Ok(u64::MAX));
        let kind = |text| read(text).unwrap_err().kind;
        assert_eq!(kind(b"18446744073709551616"), MissingKind::Failed);
        assert_eq!(kind(b"-1"), MissingKind::Failed);
        assert_eq!(kind(b"4 2"), MissingKind::Failed);
        assert_eq!(kind(b"\xff\xfe\0"), MissingKind::Failed);
        assert_eq!(kind(b""), MissingKind::Unknown);
        assert_eq!(kind(b"\0\0\n"), MissingKind::Unknown);
    }

    #[test]
    fn what_is_not_there_is_absent() {
        let (_folder, root) = tree();
        assert_eq!(root.text("/a").unwrap_err().kind, MissingKind::Absent);
        assert_eq!(root.names("/a").unwrap_err().kind, MissingKind::Absent);
        assert!(!root.has("/a"));
    }

    #[test]
    fn a_file_without_end_is_not_followed() {
        let (folder, root) = tree();
        let file = File::create(folder.path().join("long")).unwrap();
        file.set_len(1 << 40).unwrap();
        assert_eq!(root.bytes("/long").unwrap_err().kind, MissingKind::Failed);
        let mut count = 0;
        root.lines("/long", |line| {
            assert!(line.len() as u64 <= LINE);
            count += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(count, STREAMED / LINE);
    }

    #[test]
    fn a_link_may_not_lead_out_of_a_recorded_tree() {
        let (folder, root) = tree();
        symlink("/proc/version", folder.path().join("out")).unwrap();
        symlink("../../../../proc", folder.path().join("up")).unwrap();
        for path in ["/out", "/up/version", "/../../../../proc/version"] {
            let missing = root.text(path).unwrap_err();
            assert_ne!(missing.kind, MissingKind::Refused, "{path}");
            assert!(!root.has(path), "{path}");
        }
    }

    #[test]
    fn a_pipe_in_a_recorded_tree_blocks_nobody() {
        let (folder, root) = tree();
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path().join("pipe"))
            .status();
        assert!(made.unwrap().success());
        assert_eq!(root.text("/pipe").unwrap_err().kind, MissingKind::Failed);
    }

    #[test]
    fn a_terminal_obeys_nothing_that_is_shown() {
        assert_eq!(shown(" a\x1b[31m\0b \n"), "a[31mb");
        assert_eq!(shown(&"x".repeat(5000)).len(), WORDS);
    }
}
