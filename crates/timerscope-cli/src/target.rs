//! A file that is there whole, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;
use timerscope::machine::AskError;

use crate::error::named;

/// Where an answer is to be written.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    way: Way,
}

/// How a target is written.
#[derive(Debug)]
enum Way {
    /// Beside it first, then put in its place in one step.
    Beside,
    /// Over what is there: nothing can be made in its folder.
    InPlace,
    /// Not a file but a device or a pipe: written as it is.
    Stream(File),
}

/// Letters of the target's own name in the name of what stands beside it: a
/// name is at most 255 bytes, and a letter up to four.
const LETTERS: usize = 32;

impl Target {
    /// Looks whether `path` can be written before anything is measured.
    ///
    /// What is not a plain file is refused, except devices and pipes.
    pub(crate) fn new(path: &Path) -> Result<Self, AskError> {
        let mut target = Self { path: path.to_owned(), way: Way::Beside };
        target.way = target.find_way()?;
        Ok(target)
    }

    fn find_way(&self) -> Result<Way, AskError> {
        let wrong = |why: &str, hint: &str| {
            Err(AskError::wrong(self.what(), why).or_try(hint))
        };
        let own = self.path.symlink_metadata();
        match self.path.metadata() {
            Ok(own) if own.is_dir() => {
                return wrong("it is a folder", "name a file in it");
            }
            Ok(own) if !own.is_file() => return self.stream(),
            _ if own.as_ref().is_ok_and(fs::Metadata::is_symlink) => {
                let hint = "name the file that it points to";
                return wrong("it is a symbolic link", hint);
            }
            Ok(_) => {
                // What may not be written is not replaced, either.
                let open = OpenOptions::new().write(true).open(&self.path);
                open.map_err(|error| self.refused(&error))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(self.refused(&error)),
        }
        let probe = self.beside();
        let made = OpenOptions::new().write(true).create_new(true).open(&probe);
        match made {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                wrong("its folder is not there", "make the folder first")
            }
            Err(_) if own.is_ok() => Ok(Way::InPlace),
            Err(error) => Err(self.refused(&error)),
            Ok(_) => {
                let _ = fs::remove_file(&probe);
                Ok(Way::Beside)
            }
        }
    }

    /// Opens a device or a pipe. A pipe that nobody reads would let us wait
    /// for ever, so it is opened without waiting, then written with.
    fn stream(&self) -> Result<Way, AskError> {
        let without = OFlags::NONBLOCK.bits() as i32;
        let mut open = OpenOptions::new();
        let file = open.write(true).custom_flags(without).open(&self.path);
        let file = file.map_err(|error| {
            if Errno::from_io_error(&error) != Some(Errno::NXIO) {
                return self.refused(&error);
            }
            AskError::refused(self.what(), "nobody reads it")
                .or_try("start first what reads it, such as `cat FILE`")
        })?;
        let waits = rustix::fs::fcntl_getfl(&file).and_then(|own| {
            rustix::fs::fcntl_setfl(&file, own - OFlags::NONBLOCK)
        });
        waits.map_err(|error| self.refused(&error.into()))?;
        Ok(Way::Stream(file))
    }

    /// Writes all of it, or leaves what was there before, where it can.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), AskError> {
        let written = match &self.way {
            Way::Stream(file) => write(&mut &*file),
            Way::InPlace => {
                File::create(&self.path).and_then(|mut file| write(&mut file))
            }
            Way::Beside => self.write_beside(write),
        };
        written.map_err(|error| self.refused(&error))
    }

    fn write_beside(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut draft = Draft::begin(self.beside())?;
        write(&mut draft.file)?;
        draft.finish(&self.path)
    }

    /// Begins a file that grows while others look: what is written is there,
    /// however the program ends.
    pub(crate) fn log(&self) -> Result<File, AskError> {
        let file = match &self.way {
            Way::Stream(file) => file.try_clone(),
            Way::Beside | Way::InPlace => File::create(&self.path),
        };
        file.map_err(|error| self.refused(&error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A name of our own in the same folder, so that renaming is one step.
    fn beside(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default();
        let name: String =
            name.to_string_lossy().chars().take(LETTERS).collect();
        let own = format!(".{name}.timerscope-{}", std::process::id());
        self.path.with_file_name(own)
    }

    fn what(&self) -> String {
        format!("cannot write {}", named(&self.path))
    }

    pub(crate) fn refused(&self, error: &io::Error) -> AskError {
        use io::ErrorKind as Kind;
        let hint = match error.kind() {
            Kind::NotADirectory => {
                "a folder before the last `/`; there it names a file"
            }
            Kind::InvalidFilename => "a shorter name",
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
                "a file on another disk, or make room"
            }
            _ => "a file in a folder that you may write, such as /tmp",
        };
        AskError::refused(self.what(), error.to_string()).or_try(hint)
    }
}

/// A file that is being written; it goes away unless it is finished.
#[derive(Debug)]
struct Draft {
    path: Option<PathBuf>,
    file: File,
}

impl Draft {
    fn begin(path: PathBuf) -> io::Result<Self> {
        let file =
            OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok(Self { path: Some(path), file })
    }

    /// Puts it where it belongs; who may read that stays as it was.
    fn finish(mut self, place: &Path) -> io::Result<()> {
        if let Ok(old) = place.metadata() {
            self.file.set_permissions(old.permissions())?;
        }
        // A full disk may show only here.
        self.file.sync_all()?;
        if let Some(path) = &self.path {
            fs::rename(path, place)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let all = fs::read_dir(folder).unwrap();
        all.map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_that_could_not_be_written_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        let target = Target::new(&path).unwrap();
        let error = target.write(|to| {
            to.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert!(error.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_written_file_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let target = Target::new(&path).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
        target.write(|to| to.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn folders_and_links_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(Target::new(folder.path()).is_err());
        assert!(Target::new(&link).is_err());
    }

    // `-o` with a long name failed after the measuring, by the suffix that the
    // draft's name had; a part of the path that is a file was told as a bare
    // system error.
    #[test]
    fn a_name_is_good_before_anything_is_measured_or_never() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("x".repeat(255));
        let target = Target::new(&long).unwrap();
        target.write(|to| to.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_to_string(&long).unwrap(), "whole");
        let longer = folder.path().join("x".repeat(256));
        let below = long.join("a.txt");
        for path in [longer, below, folder.path().join("no/a.txt")] {
            assert!(Target::new(&path).unwrap_err().hint.is_some());
        }
    }

    // Replacing a private file made it readable for everybody.
    #[test]
    fn a_replaced_file_keeps_who_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(&path, private).unwrap();
        let target = Target::new(&path).unwrap();
        target.write(|to| to.write_all(b"after")).unwrap();
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    // Opening a pipe without a reader hung before the first measurement.
    #[test]
    fn a_pipe_that_nobody_reads_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        let kind = rustix::fs::FileType::Fifo;
        let made = rustix::fs::mknodat(rustix::fs::CWD, &path, kind, mode, 0);
        made.unwrap();
        let error = Target::new(&path).unwrap_err();
        assert_eq!(error.why, "nobody reads it");
        let reads = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        let target = loop {
            if let Ok(target) = Target::new(&path) {
                break target;
            }
            std::thread::yield_now();
        };
        // More than a pipe holds: writing waits for the reader.
        let much = vec![b'x'; 1 << 20];
        target.write(|to| to.write_all(&much)).unwrap();
        drop(target);
        assert_eq!(reads.join().unwrap(), much);
    }
}
