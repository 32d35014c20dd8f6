//! Where saved runs are: by a name on the person's own shelf, or by a path.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use timerscope::machine::{AskError, RecordingError, Saved, Warning};

use crate::error::named;
use crate::foreign::Ours;
use crate::target::Target;
use crate::told::Told;

/// Whether a run is saved, and where.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SaveArgs {
    /// Saves all that was seen, for `timerscope diff` and `timeline`: under a
    /// name, or in a file if it has a slash or an ending
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
}

/// Where a run will be saved, if it will.
pub(crate) struct Save(Option<Place>);

struct Place {
    name: String,
    target: Target,
    /// A recording of ours is there already.
    again: bool,
}

/// What every recording of ours begins with, of whatever version.
const BEGINNING: &[u8] = b"{\"schema\":\"timerscope-recording/";
/// Recordings of ours.
const OURS: Ours = Ours {
    what: "recording",
    head: BEGINNING.len() as u64,
    begins: |head| head == BEGINNING,
    hint: "another name after --save",
};
/// The longest name.
const LONGEST: usize = 100;

impl SaveArgs {
    /// Looks whether it can be saved, before anything is measured.
    pub(crate) fn open(&self) -> Result<Save, AskError> {
        let Some(name) = self.save.clone() else { return Ok(Save(None)) };
        let path = place(&name)?;
        if is_name(&name) {
            make_shelf(&path)?;
        }
        let again = OURS.is_there(&path)?;
        let target = Target::new(&path)?;
        Ok(Save(Some(Place { name, target, again })))
    }
}

impl Save {
    /// Writes what was played, one recording after another.
    pub(crate) fn keep<'a>(
        &self,
        runs: impl IntoIterator<Item = &'a Saved>,
    ) -> Result<(), AskError> {
        let Some(place) = &self.0 else { return Ok(()) };
        let wrote = |error| match error {
            RecordingError::Io(error) => error,
            other => io::Error::other(other),
        };
        place.target.write(|to| {
            let mut runs = runs.into_iter();
            runs.try_for_each(|saved| saved.write(&mut *to).map_err(wrote))
        })
    }

    /// Says where the run is, and what was there before.
    pub(crate) fn tell(&self, mut told: Told) -> Told {
        if let Some(place) = &self.0 {
            place.tell(&mut told);
        }
        told
    }
}

impl Place {
    fn tell(&self, told: &mut Told) {
        let path = self.target.path().display();
        let mut text = format!("The recording is saved as {path}.");
        if self.again {
            text = format!(
                "The recording is saved as {path}, in place of the one that \
                 was there."
            );
            let warning = Warning::new("saved-again", text.clone());
            told.answer.warnings.push(warning);
        }
        if is_name(&self.name) {
            text =
                format!("{text} `timerscope diff {} ..` finds it.", self.name);
        }
        told.document.footnotes.push(text);
    }
}

/// Where the run that was typed is.
pub(crate) fn find(typed: &str) -> Result<PathBuf, AskError> {
    let path = place(typed)?;
    if path.exists() {
        return Ok(path);
    }
    let what = format!("cannot find {typed}");
    if !is_name(typed) {
        return Err(AskError::wrong(what, "there is no such file")
            .or_try("the path of a recording or an answer"));
    }
    let why = format!("no run was saved under this name ({})", path.display());
    let here = Path::new(typed).exists();
    let hint = if here {
        format!("./{typed} for the file here")
    } else {
        format!("save one: `timerscope sleep --save {typed}`")
    };
    Err(AskError::wrong(what, why).or_try(hint))
}

/// The first so many bytes of a file.
pub(crate) fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}

/// Reads the recording that was typed: by its name, or by its path.
pub(crate) fn read(typed: &str) -> Result<Saved, AskError> {
    let path = find(typed)?;
    let what = || format!("cannot read {}", named(&path));
    // Only a plain file is read: a pipe could keep us waiting for ever.
    if !path.is_file() {
        return Err(AskError::wrong(what(), "it is no plain file")
            .or_try("a recording that --save wrote"));
    }
    let file = File::open(&path)
        .map_err(|error| AskError::wrong(what(), error.to_string()))?;
    Saved::read(file).map_err(|error| {
        AskError::wrong(what(), error.to_string())
            .or_try("a recording that --save wrote")
    })
}

/// A name has no slash and no ending; anything else is a path.
fn is_name(typed: &str) -> bool {
    let path = Path::new(typed);
    let one = path.components().count() == 1 && !typed.contains('/');
    one && path.extension().is_none() && path.file_name().is_some()
}

/// The file that is meant.
fn place(typed: &str) -> Result<PathBuf, AskError> {
    if !is_name(typed) {
        return Ok(PathBuf::from(typed));
    }
    let plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    if typed.len() > LONGEST || !typed.chars().all(plain) {
        let name: String = typed.chars().take(LONGEST).collect();
        let what = format!("cannot use `{name}` as the name of a run");
        let why = "a name has letters, digits, - and _, a hundred at most";
        return Err(AskError::wrong(what, why).or_try("--save ./FILE"));
    }
    Ok(shelf()?.join(format!("{typed}.json")))
}

/// The person's own folder for what programs keep (XDG Base Directory
/// Specification 0.8, `XDG_STATE_HOME`); a relative one is to be ignored.
fn shelf() -> Result<PathBuf, AskError> {
    let absolute = |key: &str| {
        let path = PathBuf::from(std::env::var_os(key)?);
        path.is_absolute().then_some(path)
    };
    let home = || Some(absolute("HOME")?.join(".local").join("state"));
    let state = absolute("XDG_STATE_HOME").or_else(home).ok_or_else(|| {
        let why = "neither XDG_STATE_HOME nor HOME names a folder";
        AskError::wrong("cannot save under a name", why)
            .or_try("a path: ./run.json")
    })?;
    Ok(state.join("timerscope"))
}

fn make_shelf(file: &Path) -> Result<(), AskError> {
    let Some(folder) = file.parent() else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| {
        let what = format!("cannot make {}", folder.display());
        AskError::refused(what, error.to_string())
            .or_try("a path: --save ./run.json")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_has_no_slash_and_no_ending() {
        for name in ["before", "after-2", "a"] {
            assert!(is_name(name), "{name}");
        }
        for path in ["./a", "a/b", "a.json", "/a", "..", ".", "", "a/"] {
            assert!(!is_name(path), "{path}");
        }
    }

    #[test]
    fn only_plain_words_are_names() {
        for bad in ["a b", "a\nb", "~", "$HOME", &"x".repeat(101)] {
            assert!(place(bad).is_err(), "{bad}");
        }
    }
}
