//! How errors are told: to a person on stderr, and with --json to programs.

use std::io::Write;
use std::panic::PanicHookInfo;

use timerscope::machine::AskError;
use timerscope::report::ExitCode;
use timerscope::report::answer::error_json;

/// Tells an error on both ways and gives its exit code.
pub(crate) fn tell(error: &AskError) -> ExitCode {
    for_people(error);
    for_programs(error);
    ExitCode::of(error.kind)
}

/// `timerscope: what failed: why`, then what to try.
pub(crate) fn for_people(error: &AskError) {
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "timerscope: {}: {}", error.what, error.why);
    if let Some(hint) = &error.hint {
        let _ = writeln!(stderr, "  try: {hint}");
    }
}

/// The error object on stdout, if one was asked for. The command line is
/// looked at as it was typed, because it may be what could not be understood.
pub(crate) fn for_programs(error: &AskError) {
    let json = std::env::args().any(|arg| arg == "--json" || arg == "--jsonl");
    if json {
        let _ = writeln!(std::io::stdout(), "{}", error_json(error));
    }
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
