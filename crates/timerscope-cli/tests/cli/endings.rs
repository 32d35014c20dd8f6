//! A run that is cut short tells what it saw, and leaves no process behind.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::typed::program;
use serde_json::Value;

/// Long enough that only a signal ends it while a test runs.
const LONG: [&str; 5] = ["sleep", "--json", "-n", "1000000", "--span=1ms"];
/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A started program that does not outlive its test.
struct Running(Option<Child>);

impl Running {
    fn id(&self) -> u32 {
        self.0.as_ref().unwrap().id()
    }

    fn ended(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn running(folder: &Path, args: &[&str]) -> Running {
    let mut command = program(folder, args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Running(Some(command.spawn().unwrap()))
}

fn started(folder: &Path) -> (Running, u32) {
    let child = running(folder, &LONG);
    let player = player_soon(child.id());
    (child, player)
}

/// The player of a run, once it has had time to see something.
fn player_soon(pid: u32) -> u32 {
    let begun = Instant::now();
    loop {
        if let Some(player) = player_of(pid) {
            std::thread::sleep(Duration::from_millis(700));
            return player;
        }
        assert!(begun.elapsed() < PATIENCE, "no player started");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The player whose parent is `pid`. While it looks at the machine a program
/// has other children, too: the first child was once taken for its player.
fn player_of(pid: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?.flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .find(|other: &u32| parent(*other) == Some(pid) && is_player(*other))
}

fn is_player(pid: u32) -> bool {
    let typed = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&typed).contains("--timerscope-player")
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after = stat.rsplit_once(')')?.1;
    after.split_whitespace().nth(1)?.parse().ok()
}

fn kill(signal: &str, pid: u32) {
    let sent = Command::new("kill").args([signal, &pid.to_string()]).status();
    assert!(sent.unwrap().success());
}

fn ended(child: Running, player: u32) -> (Output, Value) {
    let output = child.ended();
    let gone = !Path::new(&format!("/proc/{player}")).exists();
    assert!(gone, "the player outlived its run");
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (output, answer)
}

fn warned(answer: &Value, code: &str) -> bool {
    let warnings = answer["warnings"].as_array().unwrap();
    warnings.iter().any(|warning| warning["code"] == code)
}

#[test]
fn interrupted_it_tells_what_was_measured_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let (child, player) = started(folder.path());
    kill("-INT", child.id());
    let (output, answer) = ended(child, player);
    assert_eq!(output.status.code(), Some(0));
    assert!(warned(&answer, "cut-short"), "{answer}");
    let row = &answer["result"]["rows"][0];
    assert!(row["count"].as_u64().unwrap() < 1_000_000, "{row}");
}

#[test]
fn when_its_player_is_killed_it_says_so_and_tells_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (child, player) = started(folder.path());
    kill("-KILL", player);
    let (output, answer) = ended(child, player);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(answer["error"]["code"], 3);
    assert!(warned(&answer, "cut-short"), "{answer}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("killed"), "{said}");
}
