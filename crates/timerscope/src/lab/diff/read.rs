//! Recognises what a file is by what is in it.

use std::io::Read;

use serde::Deserialize;

use super::Side;
use crate::machine::{RecordingError, Saved};

/// The longest answer that is read, in bytes. A recording may be longer, see
/// [`Saved::read`].
const LONGEST_ANSWER: usize = 64 << 20;

/// The longest file that is looked at, in bytes: that of a recording.
const LONGEST: u64 = 1 << 30;

/// What the schemas of recordings begin with, of whatever version.
const RECORDING: &str = "timerscope-recording/";

/// The schema of answers.
const ANSWER: &str = "timerscope/1";

/// Why a file cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SideError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is longer than anything we write.
    #[error("longer than {0} bytes")]
    TooLong(u64),
    /// It is no JSON object with a schema.
    #[error("neither a saved recording nor a JSON answer: {0}")]
    Strange(String),
    /// It says that it is something else.
    #[error("it is of schema `{0}`; known are `{RECORDING}1` and `{ANSWER}`")]
    Schema(String),
    /// It is a recording, but not a sound one.
    #[error("{0}")]
    Recording(RecordingError),
    /// It is an answer, but not one with something to compare.
    #[error("{0}")]
    Answer(String),
}

/// What every file of ours says about itself.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

/// The head of the first object; only recordings have others after it.
fn head(text: &[u8]) -> Result<Head, SideError> {
    let objects = serde_json::Deserializer::from_slice(text);
    let first = objects.into_iter::<Head>().next();
    let strange = |why: String| SideError::Strange(why);
    first
        .ok_or_else(|| strange("it is empty".to_owned()))?
        .map_err(|error| strange(error.to_string()))
}

impl Side {
    /// Reads saved recordings or a JSON answer, whichever it is.
    ///
    /// # Errors
    ///
    /// When `from` cannot be read or is neither of the two.
    pub fn read(from: impl Read) -> Result<Self, SideError> {
        let mut text = Vec::new();
        from.take(LONGEST + 1).read_to_end(&mut text)?;
        if text.len() as u64 > LONGEST {
            return Err(SideError::TooLong(LONGEST));
        }
        let head = head(&text)?;
        let schema = head
            .schema
            .ok_or_else(|| SideError::Strange("it has no schema".to_owned()))?;
        if schema.starts_with(RECORDING) {
            let runs = Saved::read_all(&text[..]);
            let runs = runs.map_err(SideError::Recording)?;
            return Ok(Self::of_recordings(&runs));
        }
        if schema != ANSWER {
            return Err(SideError::Schema(schema.chars().take(60).collect()));
        }
        if text.len() > LONGEST_ANSWER {
            return Err(SideError::TooLong(LONGEST_ANSWER as u64));
        }
        let answer = serde_json::from_slice(&text)
            .map_err(|error| SideError::Strange(error.to_string()))?;
        Self::of_answer(&answer).map_err(SideError::Answer)
    }
}
