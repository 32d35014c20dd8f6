//! Where an answer goes, and in which form.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use timerscope::machine::AskError;
use timerscope::report::answer::error_json;
use timerscope::report::text::{TextStyle, render};
use timerscope::report::words::{bytes, count, duration};
use timerscope::report::{Answer, ExitCode, csv};
use timerscope_native::footprint;

use crate::error::{self, named};
use crate::target::Target;
use crate::told::Told;

/// Where an answer goes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OutputArgs {
    /// Answers with one JSON object, for programs
    #[arg(long)]
    json: bool,
    /// Writes into FILE instead of to the terminal
    ///
    /// A file that is there is replaced, once all is measured; one that may
    /// not be written, and a symbolic link, are refused before. Lines of
    /// --jsonl are written as they come.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The forms that only commands with rows have.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RowArgs {
    /// Answers with comma-separated rows
    #[arg(long)]
    csv: bool,
}

/// The form of a command whose samples can be followed.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BatchArgs {
    /// Writes a JSON object for each batch of samples, then the answer
    #[arg(long)]
    jsonl: bool,
}

/// How an answer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Jsonl,
    Csv,
}

/// Where an answer goes, and in which form.
pub(crate) struct Output {
    form: Form,
    target: Option<Target>,
    /// Where batches go as they come.
    log: Option<File>,
}

impl OutputArgs {
    /// The file it goes into, if it goes into one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Whether it is for programs.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Opens it, before anything is measured.
    pub(crate) fn open(
        &self,
        rows: &RowArgs,
        batches: &BatchArgs,
    ) -> Result<Output, AskError> {
        let form = match (self.json, rows.csv, batches.jsonl) {
            (false, false, false) => Form::Text,
            (true, false, false) => Form::Json,
            (false, true, false) => Form::Csv,
            (false, false, true) => Form::Jsonl,
            _ => {
                let why = "there are several";
                return Err(AskError::wrong("cannot answer in one form", why)
                    .or_try("one of --json, --csv and --jsonl"));
            }
        };
        if let Some(path) = &self.output {
            fits(path, form)?;
        }
        let target = self.output.as_deref().map(Target::new).transpose()?;
        let follows = form == Form::Jsonl;
        let log = target.as_ref().filter(|_| follows).map(Target::log);
        Ok(Output { form, log: log.transpose()?, target })
    }
}

/// Refuses a name that says something else than what would be in the file.
fn fits(path: &Path, form: Form) -> Result<(), AskError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let (fits, hint) = match ending.to_lowercase().as_str() {
        "json" => (form == Form::Json, "add --json"),
        "jsonl" | "ndjson" => (form == Form::Jsonl, "add --jsonl"),
        "csv" => (form == Form::Csv, "add --csv, where there are rows"),
        "html" | "htm" => (false, "`timerscope report`, which writes pages"),
        "pdf" => (false, "`timerscope report`, and print its page"),
        _ => return Ok(()),
    };
    if fits {
        return Ok(());
    }
    let what = format!("cannot write {}", named(path));
    let why = format!("the answer would be {}, not {ending}", form.said());
    Err(AskError::wrong(what, why).or_try(hint))
}

impl Form {
    fn said(self) -> &'static str {
        match self {
            Self::Text => "plain text",
            Self::Json => "one JSON object",
            Self::Jsonl => "lines of JSON",
            Self::Csv => "comma-separated rows",
        }
    }
}

impl Output {
    pub(crate) fn wants_batches(&self) -> bool {
        self.form == Form::Jsonl
    }

    /// Writes one line; says whether anybody still reads.
    pub(crate) fn batch(&mut self, line: &Value) -> bool {
        let mut text = line.to_string();
        text.push('\n');
        let written = match &mut self.log {
            Some(log) => log.write_all(text.as_bytes()),
            None => stdout(text.as_bytes()),
        };
        written.is_ok()
    }

    /// Writes the answer and says how it all went.
    pub(crate) fn tell(self, told: Told) -> Result<ExitCode, AskError> {
        let text = self.written(&told)?;
        match (self.log, &self.target) {
            (Some(mut log), Some(target)) => log
                .write_all(text.as_bytes())
                .map_err(|error| target.refused(&error))?,
            (None, Some(target)) => {
                target.write(|to| to.write_all(text.as_bytes()))?;
            }
            _ => to_stdout(&text)?,
        }
        Ok(went(told.failure))
    }

    fn written(&self, told: &Told) -> Result<String, AskError> {
        match self.form {
            Form::Text => {
                let mut document = told.document.clone();
                document.footnotes.push(own_footprint());
                let terminal = self.target.is_none();
                Ok(render(&document, style(terminal)))
            }
            Form::Csv => rows(told),
            Form::Json | Form::Jsonl => {
                json(&told.answer, told.failure.as_ref())
            }
        }
    }
}

/// How it went after all was told; a failure is told to the person, too.
pub(crate) fn went(failure: Option<AskError>) -> ExitCode {
    failure.map_or(ExitCode::Done, |failure| {
        error::for_people(&failure);
        ExitCode::of(failure.kind)
    })
}

/// The answer as one object on one line, with the error that cut it short.
pub(crate) fn json(
    answer: &Answer,
    failure: Option<&AskError>,
) -> Result<String, AskError> {
    let mut object = answer.to_json(&footprint())?;
    if let Some(failure) = failure {
        object["error"] = error_json(failure)["error"].clone();
    }
    Ok(format!("{object}\n"))
}

fn rows(told: &Told) -> Result<String, AskError> {
    let what = "cannot write rows";
    let table = told.table.as_ref().ok_or_else(|| {
        AskError::bug(what, "this command has none".to_owned())
    })?;
    let mut text = Vec::new();
    csv::write(table, &mut text)
        .map_err(|error| AskError::bug(what, error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// What the tool itself used, in one small line.
pub(crate) fn own_footprint() -> String {
    let used = footprint();
    let part = |text: Option<String>| text.unwrap_or("unknown".to_owned());
    let cpu = used.cpu_ns.value().map(|ns| duration(*ns as i64));
    let rss = used.peak_rss_bytes.value().map(|size| bytes(*size));
    let wakeups = used.own_wakeups.value().map(|times| count(*times));
    format!(
        "timerscope itself, players included: {} of CPU time, {} of memory, \
         {} wake-ups.",
        part(cpu),
        part(rss),
        part(wakeups)
    )
}

/// Writes to stdout; a reader that has gone away is no error.
pub(crate) fn to_stdout(text: &str) -> Result<(), AskError> {
    match stdout(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let what = "cannot write the answer";
            Err(AskError::refused(what, error.to_string())
                .or_try("-o FILE, on a disk with room"))
        }
        _ => Ok(()),
    }
}

fn stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// What the terminal can show; a file gets what a pipe gets.
pub(crate) fn style(terminal: bool) -> TextStyle {
    let stdout = io::stdout();
    let shown = terminal && stdout.is_terminal();
    let colour =
        anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    TextStyle {
        width: columns().filter(|_| shown),
        colour: shown && colour,
        ascii: !speaks_utf8(),
    }
}

fn columns() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok();
    let told = told.and_then(|text| text.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| width.0);
    told.or_else(seen).map(usize::from)
}

/// Whether the locale says so; the first of these that is set decides.
fn speaks_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].map(std::env::var);
    let mut set = set.into_iter().flatten().filter(|text| !text.is_empty());
    set.next().is_some_and(|text| {
        let text = text.to_lowercase();
        text.contains("utf-8") || text.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_what_the_tool_used() {
        let line = own_footprint();
        assert!(line.contains("of CPU time"), "{line}");
        assert!(!line.contains("unknown"), "{line}");
    }
}
