//! Types a command line and hears what comes of it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, in `folder`, not yet started.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timerscope"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

/// Types a command line in a folder of its own.
pub(crate) fn typed(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), args).output().unwrap()
}

/// The one object that a command line answers with.
pub(crate) fn answer(args: &[&str]) -> Value {
    let output = typed(args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}
