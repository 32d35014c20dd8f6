//! The same questions to a kernel that is booted and to one that is imagined.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What each kernel is asked.
const QUESTIONS: [&str; 6] = [
    "info",
    "clocks",
    "sleep --wait nanosleep,clock-nanosleep-absolute,poll,timerfd,posix-timer \
     --sweep 24ms..1us -n 12",
    "sleep --wait itimer-virtual,itimer-prof --sweep 24ms..1us -n 8",
    "sleep --wait nanosleep --span 1ms --slack 5ms -n 40",
    "explain",
];

/// Set by `.ci/ticks`: there is an emulator, and time for it.
const ALLOWED: &str = "TIMERSCOPE_BOOT";

/// What a kernel answered.
pub(crate) struct Answers(Vec<Value>);

impl Answers {
    /// What this machine is.
    pub(crate) fn info(&self) -> &Value {
        &self.0[0]["result"]
    }

    /// Its clocks, each with what a reading takes.
    pub(crate) fn clocks(&self) -> &[Value] {
        self.0[1]["result"]["clocks"].as_array().unwrap()
    }

    /// Waits that count real time, spans from long to short.
    pub(crate) fn waits(&self) -> &[Value] {
        self.rows(2)
    }

    /// Waits that count CPU time.
    pub(crate) fn cpu_waits(&self) -> &[Value] {
        self.rows(3)
    }

    /// 1 ms with 5 ms of slack.
    pub(crate) fn slack_wait(&self) -> &Value {
        &self.rows(4)[0]
    }

    /// Which rule it says is in force.
    pub(crate) fn explained(&self) -> &Value {
        &self.0[5]["result"]
    }

    /// Every row of waits, beside that of another kernel.
    pub(crate) fn beside<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = (&'a Value, &'a Value)> {
        (2..=4).flat_map(|question| {
            self.rows(question).iter().zip(other.rows(question))
        })
    }

    fn rows(&self, question: usize) -> &[Value] {
        self.0[question]["result"]["rows"].as_array().unwrap()
    }
}

/// Asks a machine of the catalogue.
pub(crate) fn imagined(machine: &str) -> Answers {
    let ask = |question: &&str| {
        let output = Command::new(env!("CARGO_BIN_EXE_timerscope"))
            .args(question.split_whitespace())
            .args(["--on", machine, "--seed", "1", "--json"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        parsed(&output.stdout, question)
    };
    Answers(QUESTIONS.iter().map(ask).collect())
}

/// Boots a kernel with these parameters and asks it, or says why not.
pub(crate) fn booted(parameters: &str) -> Option<Answers> {
    if std::env::var_os(ALLOWED).is_none() {
        println!("skipped: .ci/ticks boots a kernel in an emulator");
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lines =
        QUESTIONS.map(|question| format!("timerscope {question} --json"));
    let output = Command::new(root.join(".ci/emulate"))
        .args(["--append", parameters, "--shell", &lines.join("\n")])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{parameters}: {said}");
    let answers: Vec<&[u8]> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| line.starts_with(b"{"))
        .collect();
    assert_eq!(answers.len(), QUESTIONS.len(), "{parameters}: {said}");
    let all = answers.iter().zip(QUESTIONS);
    Some(Answers(all.map(|(line, asked)| parsed(line, asked)).collect()))
}

fn parsed(line: &[u8], question: &str) -> Value {
    let told = String::from_utf8_lossy(line);
    serde_json::from_slice(line).unwrap_or_else(|why| {
        panic!("{question}: {why}: {told}");
    })
}
