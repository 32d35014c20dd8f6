//! The confusion matrix of `explain`: machines whose rules are known, with
//! constants up to 30 % off and beside others' requests, against what is
//! found out about them.
//!
//!     cargo run --release -p timerscope --example confusion [SEEDS]
#![expect(clippy::unwrap_used, reason = "an example may stop at a fault")]

mod trials;

use std::collections::BTreeMap;
use std::process::ExitCode;

use timerscope::explain::{Candidate, known};
use timerscope::machine::Span;
use timerscope::sim::catalogue::{CATALOGUE, opened};
use trials::{BACKGROUNDS, Outcome, Trial, outcome, without};

/// Machines that are in no catalogue.
const OTHERS: [&str; 28] = [
    "windows-10-2004,rule=h1",
    "windows-10-2004,rule=h2",
    "windows-10-2004,rule=h3",
    "windows-10-2004,rule=h4",
    "windows-10-2004,noise=off",
    "windows-11,rule=h2",
    "windows-10-2004,deadline=last-tick",
    "windows-10-2004,deadline=last-tick,rule=h2",
    "windows-11,rule=h4,noise=off",
    "windows-11,rule=h3,noise=off",
    "windows-11,deadline=last-tick,noise=off",
    "windows-7,window=counts",
    "windows-7,window=counts,deadline=whole-ticks",
    "windows-7,deadline=whole-ticks",
    "windows-10-1909,expiry=at-once",
    "linux-6,hz=100",
    "linux-lowres,deadline=last-tick,cpu-timers=ticks",
    "openbsd-7.0,deadline=now,cpu-timers=one-more",
    "openbsd-6.9,deadline=last-tick",
    "linux-6,hz=300",
    "linux-6,hz=1000",
    "linux-6,cpu-timers=ticks",
    "linux-lowres,hz=1000",
    "linux-lowres,deadline=whole-ticks",
    "openbsd-7.0,deadline=now",
    "openbsd-7.0,cpu-timers=one-more",
    "openbsd-6.9,cpu-timers=one-more",
    "openbsd-7.0,slew=5000us/s,slew-budget=1.48s",
];

#[derive(Default)]
struct Sum {
    outcomes: [u64; 6],
    named: BTreeMap<String, u64>,
}

fn main() -> ExitCode {
    let seeds = std::env::args().nth(1).map_or(20, |own| own.parse().unwrap());
    let mut wrong = 0;
    println!(
        "rows: exact | same rules | among | nothing | likely, wrong | certain, wrong; then what was named how often\n"
    );
    for (title, names, candidates) in [
        (
            "every candidate",
            catalogue(),
            Box::new(|_: &str| known()) as Box<dyn Fn(&str) -> Vec<Candidate>>,
        ),
        ("the machine itself left out", catalogue(), Box::new(without)),
        (
            "machines of no catalogue",
            OTHERS.to_vec(),
            Box::new(|_: &str| known()),
        ),
    ] {
        println!("== {title}");
        for name in names {
            for background in BACKGROUNDS {
                wrong += row(name, background, seeds, &candidates(name));
            }
        }
    }
    println!("\ncertain and wrong: {wrong}");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn catalogue() -> Vec<&'static str> {
    CATALOGUE.iter().map(|row| row.0).collect()
}

/// One machine beside one background; how often it was certain and wrong.
fn row(
    name: &str,
    background: Option<Span>,
    seeds: u64,
    candidates: &[Candidate],
) -> u64 {
    let truth = opened(name).unwrap();
    let mut sum = Sum::default();
    for seed in 0..seeds {
        let disguised = seed > 0;
        let trial = Trial { truth: truth.clone(), seed, background, disguised };
        if !trial.makes_sense() {
            return 0;
        }
        let answer = trial.explained(candidates);
        let outcome = outcome(name, &truth, &answer);
        sum.outcomes[outcome as usize] += 1;
        if matches!(outcome, Outcome::CertainWrong | Outcome::LikelyWrong) {
            eprintln!("  {outcome:?}: {name} seed {seed} {background:?}");
        }
        let several = || {
            let fits = answer.candidates.iter().filter(|one| one.fits);
            let fits: Vec<&str> = fits.map(|one| one.rule.as_str()).collect();
            format!("[{}]", fits.join(" "))
        };
        let rule = answer.rule.value().cloned().unwrap_or_else(several);
        let named = format!("{} {rule}", answer.verdict.name());
        *sum.named.entry(named).or_default() += 1;
    }
    let background =
        background.map_or_else(|| "nobody".to_owned(), |held| held.to_string());
    let cells = sum.outcomes.map(|count| format!("{count:>4}")).join(" ");
    let named: Vec<String> = sum
        .named
        .iter()
        .map(|(rule, count)| format!("{count} x {rule}"))
        .collect();
    println!("{name:<44} {background:>7} {cells}   {}", named.join("; "));
    sum.outcomes[Outcome::CertainWrong as usize]
}
