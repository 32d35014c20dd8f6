//! A run that is cut short tells what it saw, and leaves no process behind.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_timerscope");
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

/// Starts the program with signals as a terminal leaves them: under nohup(1),
/// and in the background of a script, some are switched off, and stay so.
fn running(folder: &Path, args: &[&str]) -> Running {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", PROGRAM]).args(args);
    command.current_dir(folder).stdin(Stdio::null());
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

// A terminal that is closed sends SIGHUP: that ended the program without its
// figures.
#[test]
fn asked_to_stop_it_tells_what_was_measured_so_far() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let (child, player) = started(folder.path());
        kill(signal, child.id());
        let (output, answer) = ended(child, player);
        assert_eq!(output.status.code(), Some(0), "{signal}");
        assert!(warned(&answer, "cut-short"), "{answer}");
        let row = &answer["result"]["rows"][0];
        assert!(row["count"].as_u64().unwrap() < 1_000_000, "{row}");
    }
}

// nohup(1) switches SIGHUP off for what it starts; listening to it all the
// same would undo that.
#[test]
fn a_signal_that_was_switched_off_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    let typed = format!("trap '' HUP; exec {} {}", PROGRAM, LONG.join(" "));
    command.args(["-c", &typed]).current_dir(folder.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = Running(Some(command.spawn().unwrap()));
    let player = player_soon(child.id());
    kill("-HUP", child.id());
    std::thread::sleep(Duration::from_millis(500));
    assert!(is_player(player), "it stopped");
    kill("-INT", child.id());
    let (_, answer) = ended(child, player);
    assert!(warned(&answer, "cut-short"), "{answer}");
}

// Once the run was over, the first signal was taken as a wish to stop it: a
// program whose reader slept had to be told twice.
#[test]
fn after_the_run_one_signal_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let long = "sleep --json -n 20000 --span 1us --min 1ns";
    let typed: Vec<&str> = long.split(' ').collect();
    // Nobody reads its answer, which is longer than a pipe holds.
    let mut child = running(folder.path(), &typed);
    let player = player_soon(child.id());
    let begun = Instant::now();
    while is_player(player) {
        assert!(begun.elapsed() < PATIENCE, "the run does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    let own = child.0.as_mut().unwrap();
    assert!(own.try_wait().unwrap().is_none(), "it waits for a reader");
    kill("-TERM", child.id());
    let status = child.0.as_mut().unwrap().wait().unwrap();
    assert_eq!(status.signal(), Some(15));
}

// Batches went into a hidden draft, which nobody found when the program was
// killed.
#[test]
fn lines_are_in_their_file_however_the_program_ends() {
    let folder = tempfile::tempdir().unwrap();
    let typed = [&LONG[2..], &["--jsonl", "-o", "log.jsonl"]].concat();
    let child = running(folder.path(), &[&["sleep"], &typed[..]].concat());
    player_soon(child.id());
    drop(child);
    let entries = fs::read_dir(folder.path()).unwrap();
    let names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["log.jsonl"]);
    let text = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let first: Value =
        serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(first["at_ns"].is_i64(), "{first}");
}

// A report that was stopped replaced last week's whole page by half of one,
// and said nothing.
#[test]
fn a_report_that_is_cut_short_says_so_and_keeps_the_whole_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let before = "<meta name=\"generator\" content=\"timerscope 0.1.0\">";
    fs::write(&page, before).unwrap();
    let typed = ["report", "--for", "60s", "-o", "page.html"];
    let child = running(folder.path(), &typed);
    player_soon(child.id());
    kill("-INT", child.id());
    let said = String::from_utf8(child.ended().stdout).unwrap();
    assert!(said.contains("cut short"), "{said}");
    assert!(said.contains("page-cut.html"), "{said}");
    assert_eq!(fs::read_to_string(&page).unwrap(), before);
    assert!(folder.path().join("page-cut.html").is_file());
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
