//! How errors are told: to a person on stderr, and with --json to programs.

use std::io::Write;
use std::panic::PanicHookInfo;
use std::path::Path;

use timerscope::machine::{AskError, AskErrorKind};
use timerscope::report::ExitCode;
use timerscope::report::answer::error_json;

/// Tells an error on both ways and gives its exit code.
pub(crate) fn tell(error: AskError) -> ExitCode {
    let error = with_hint(error);
    for_people(&error);
    for_programs(&error);
    ExitCode::of(error.kind)
}

/// `timerscope: what failed: why`, the lines it is about, then what to try.
pub(crate) fn for_people(error: &AskError) {
    let mut stderr = std::io::stderr().lock();
    let first = format!("{}: {}", error.what, error.why);
    let _ = writeln!(stderr, "timerscope: {}", clean(&first));
    for line in &error.lines {
        let _ = writeln!(stderr, "  {}", clean(line));
    }
    if let Some(hint) = &error.hint {
        let _ = writeln!(stderr, "  try: {}", clean(hint));
    }
}

/// The error object on stdout, if one was asked for. The command line is
/// looked at as it was typed, because it may be what could not be understood.
pub(crate) fn for_programs(error: &AskError) {
    let mut typed = std::env::args_os();
    if typed.any(|arg| arg == "--json" || arg == "--jsonl") {
        let _ = writeln!(std::io::stdout(), "{}", error_json(error));
    }
}

/// Whoever asked in vain is told what to try, always.
pub(crate) fn with_hint(error: AskError) -> AskError {
    if error.hint.is_some() {
        return error;
    }
    let hint = match error.kind {
        AskErrorKind::Wrong => "`timerscope --help`, and the --help of it",
        AskErrorKind::Refused => {
            "as root, if it was for want of rights; else `timerscope info`"
        }
        AskErrorKind::Absent => "`timerscope info`, which says what is here",
        AskErrorKind::Bug => "report this as a bug, with the command line",
    };
    error.or_try(hint)
}

/// A path as it is told: whatever it has in it, on one line.
pub(crate) fn named(path: &Path) -> String {
    clean(&path.to_string_lossy())
}

/// Text without anything that a terminal would obey.
fn clean(text: &str) -> String {
    let shown = |c: char| {
        if c.is_control() && c != '\t' {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    };
    text.chars().map(shown).collect()
}

/// Says that a panic is our bug, and where it was.
pub(crate) fn panicked(info: &PanicHookInfo<'_>) {
    let why = info.payload_as_str().unwrap_or("no reason given");
    let place = info.location().map_or_else(String::new, |place| {
        format!(" ({}:{})", place.file(), place.line())
    });
    let hint = "this is a bug in timerscope; please report it with the \
                command line and these lines";
    let why = format!("{why}{place}");
    for_people(&AskError::bug("timerscope broke", why).or_try(hint));
}

#[cfg(test)]
mod tests {
    use super::*;

    // A file name with an escape sequence coloured the terminal it was told
    // on.
    #[test]
    fn a_path_cannot_command_the_terminal() {
        let said = named(Path::new("a\u{1b}[31m\nb\u{9b}c"));
        assert_eq!(said, "a\\u{1b}[31m\\nb\\u{9b}c");
    }
}
