//! A file that is there whole, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use timerscope::machine::AskError;

/// Where an answer is to be written.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// Not a file but a device or a pipe: written as it is.
    direct: bool,
}

impl Target {
    /// Looks whether `path` can be written before anything is measured.
    ///
    /// What is not a plain file is refused, except devices and pipes.
    pub(crate) fn new(path: &Path) -> Result<Self, AskError> {
        let target = Self { path: path.to_owned(), direct: false };
        let wrong = |why: &str, hint: &str| {
            Err(AskError::wrong(target.what(), why).or_try(hint))
        };
        let link = path.symlink_metadata().is_ok_and(|own| own.is_symlink());
        match path.metadata() {
            Ok(own) if own.is_dir() => {
                return wrong("it is a folder", "name a file in it");
            }
            Ok(own) if !own.is_file() => {
                return Ok(Self { direct: true, ..target });
            }
            _ if link => {
                let hint = "name the file that it points to";
                return wrong("it is a symbolic link", hint);
            }
            _ => {}
        }
        let probe = target.beside();
        let made = OpenOptions::new().write(true).create_new(true).open(&probe);
        match made {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return wrong("its folder is not there", "make the folder");
            }
            made => made.map_err(|error| target.refused(&error))?,
        };
        let _ = fs::remove_file(&probe);
        Ok(target)
    }

    /// Writes all of it, or leaves what was there before.
    pub(crate) fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), AskError> {
        let mut draft = self.begin()?;
        let file = &mut draft.file;
        write(file).map_err(|error| self.refused(&error))?;
        draft.finish()
    }

    /// Begins a file that is not there until it is finished.
    pub(crate) fn begin(&self) -> Result<Draft, AskError> {
        let beside = (!self.direct).then(|| self.beside());
        let path = beside.as_ref().unwrap_or(&self.path);
        let mut open = OpenOptions::new();
        open.write(true).create_new(!self.direct);
        let file = open.open(path).map_err(|error| self.refused(&error))?;
        let target = Self { path: self.path.clone(), direct: self.direct };
        Ok(Draft { target, beside, file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A name of our own in the same folder, so that renaming is one step.
    fn beside(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let own = format!(".{name}.timerscope-{}", std::process::id());
        self.path.with_file_name(own)
    }

    fn what(&self) -> String {
        format!("cannot write {}", self.path.display())
    }

    pub(crate) fn refused(&self, error: &io::Error) -> AskError {
        AskError::refused(self.what(), error.to_string())
            .or_try("another file, or another disk")
    }
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    target: Target,
    beside: Option<PathBuf>,
    pub(crate) file: File,
}

impl Draft {
    /// Puts it where it belongs.
    pub(crate) fn finish(mut self) -> Result<(), AskError> {
        let Some(beside) = self.beside.clone() else { return Ok(()) };
        // A full disk may show only here.
        let done = self
            .file
            .sync_all()
            .and_then(|()| fs::rename(&beside, &self.target.path));
        done.map_err(|error| self.target.refused(&error))?;
        self.beside = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
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
}
