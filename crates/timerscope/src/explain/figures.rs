//! What is found out about the rule in force.

use serde::Serialize;

use crate::machine::Known;

/// What is found out about the rule in force, and how.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// The machine whose rules of timers are in force: a name of the
    /// catalogue, perhaps with a changed rule after a comma.
    pub rule: Known<String>,
    /// How sure that is.
    pub verdict: Verdict,
    /// Why, in sentences with figures.
    pub because: Vec<String>,
    /// Every machine that was compared, the best first.
    pub candidates: Vec<CandidateFigure>,
    /// What would decide between those that are left.
    pub next_test: Known<String>,
    /// Where one lateness came from; not of this question.
    pub parts: Known<()>,
    /// Rules that all machines share which are left, and some of the others
    /// do not.
    pub follows: Vec<RuleSaid>,
    /// Every test, with what was seen and predicted.
    pub tests: Vec<TestFigure>,
    /// A tick as the waits show it, where the system tells no interval.
    pub tick_ns: Known<u64>,
    /// The share of the CPU that others had meanwhile, from 0 to 1.
    pub taken_by_others: Known<f64>,
    /// The interval that another process held before the first test.
    pub held_before_ns: Known<u64>,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All others are out, by more than chance and disturbance.
    Certain,
    /// The others that are left are so for want of a clear difference, or
    /// only as rules that nobody has seen in force.
    Likely,
    /// Several fit, or none does.
    CannotTell,
}

impl Verdict {
    /// Its name, as in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::CannotTell => "cannot-tell",
        }
    }
}

/// One machine that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateFigure {
    /// Its name.
    pub rule: String,
    /// In its worst test, the share of waits that its rules, its constants and
    /// chance explain: from 0 to 1.
    pub fit: f64,
    /// Whether that is enough, leaving some for disturbances.
    pub fits: bool,
}

/// A rule in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSaid {
    /// Its name: `W-T5`.
    pub id: String,
    /// What it says.
    pub says: String,
}

/// One test: what was asked, seen and predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestFigure {
    /// What was asked, in words.
    pub test: String,
    /// The command that asks the same, where one does.
    pub command: Known<String>,
    /// How many waits ended as asked.
    pub count: u64,
    /// One wait in ten took no longer.
    pub p10_ns: Known<i64>,
    /// The median.
    pub p50_ns: Known<i64>,
    /// Nine in ten took no longer.
    pub p90_ns: Known<i64>,
    /// The interval in force meanwhile.
    pub interval_ns: Known<u64>,
    /// What machines would have shown that had not been out before.
    pub predicted: Vec<Predicted>,
}

/// What one machine would have shown in a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// The machine.
    pub rule: String,
    /// From the tenth percentile, over the range of its constants.
    pub from_ns: i64,
    /// To the ninetieth.
    pub to_ns: i64,
    /// The share of waits seen that neither it nor chance explains.
    pub odd: f64,
}
