//! Which rule is in force, for people.

use super::cells::{cell, length, text};
use super::words::duration;
use super::{Block, Cell, Column, Document, Headline, Section, Table, Tone};
use crate::explain::{Calibrated, Explained, TestFigure, Verdict};
use crate::machine::Known;

/// Machines whose predictions stand beside what was seen.
const BESIDE: usize = 3;
/// Machines that are listed with how well they fit.
const LISTED: usize = 8;

/// The verdict, what it rests on, and what would decide.
#[must_use]
pub fn document(figures: &Explained) -> Document {
    let mut section = Section::new("explain", "");
    section.blocks.extend(follows(figures).map(Block::Text));
    section.push(Block::Table(tests(figures)));
    let because = figures.because.iter().cloned().map(Block::Text);
    section.blocks.extend(because);
    section.push(Block::Table(candidates(figures)));
    Document {
        title: "Which rule is in force".to_owned(),
        headline: Some(headline(figures)),
        sections: vec![section],
        footnotes: vec![
            "Nothing was read but which calls there are and the interval in \
             force. The other columns are what simulated machines would have \
             shown with this machine's interval, tick and latency, from the \
             tenth to the ninetieth percentile over the range of their other \
             constants."
                .to_owned(),
            "Rules of timers are compared, not those of the scheduler: two \
             machines that differ in nothing else look alike here."
                .to_owned(),
        ],
        ..Document::default()
    }
}

/// What a calibration found.
#[must_use]
pub fn calibrated(figures: &Calibrated) -> Document {
    let mut section = Section::new("calibrated", "");
    let constants = figures.constants.iter().map(|constant| {
        let value = text(&constant.value);
        (format!("{} ({})", constant.key, constant.how), value)
    });
    section.push(Block::Facts(constants.collect()));
    section.push(Block::Verbatim(figures.toml.clone()));
    Document {
        title: format!("This machine as a {}", figures.like),
        sections: vec![section],
        ..Document::default()
    }
}

fn headline(figures: &Explained) -> Headline {
    let next = figures.next_test.value();
    Headline {
        finding: finding(figures),
        action: next.map(|next| format!("To decide, try {next}.")),
        tone: match figures.verdict {
            Verdict::Certain => Tone::Good,
            Verdict::Likely | Verdict::CannotTell => Tone::Neutral,
        },
    }
}

fn finding(figures: &Explained) -> String {
    let fitting = figures.candidates.iter().filter(|one| one.fits);
    let fitting: Vec<&str> = fitting.map(|one| one.rule.as_str()).collect();
    match (&figures.rule, figures.verdict) {
        (Known::Value(rule), Verdict::Certain) => format!(
            "Timers follow the rules of {rule}. That is certain among the \
             rules known."
        ),
        (Known::Value(rule), _) => {
            format!("Timers are likely to follow the rules of {rule}.")
        }
        (Known::Missing(_), _) if fitting.is_empty() => {
            let closest = figures.candidates.first();
            let closest = closest.map_or("none", |one| one.rule.as_str());
            format!(
                "Cannot tell: what was seen fits none of the rules known. The \
                 closest is {closest}."
            )
        }
        (Known::Missing(_), _) => {
            format!("Cannot tell: {} would show the same.", fitting.join(", "))
        }
    }
}

/// What is certain, whichever of those that are left it is.
fn follows(figures: &Explained) -> Option<String> {
    let rules: Vec<String> = figures
        .follows
        .iter()
        .map(|rule| format!("{} ({})", rule.says, rule.id))
        .collect();
    let whichever = if figures.verdict == Verdict::CannotTell {
        "Whichever it is: "
    } else {
        ""
    };
    (!rules.is_empty()).then(|| format!("{whichever}{}", rules.join(" ")))
}

fn tests(figures: &Explained) -> Table {
    let all = figures.candidates.iter();
    let beside: Vec<&str> =
        all.take(BESIDE).map(|one| one.rule.as_str()).collect();
    let told = figures.tests.iter().any(|t| t.interval_ns.value().is_some());
    let mut columns = vec![Column::words("test")];
    columns.extend(told.then(|| Column::numbers("interval")));
    columns.push(Column::numbers("took"));
    columns.extend(beside.iter().map(|rule| Column::numbers(*rule)));
    let row = |test: &TestFigure| {
        let mut cells = vec![Cell::from(test.test.clone())];
        cells.extend(told.then(|| length(&test.interval_ns)));
        cells.push(took(test));
        cells.extend(beside.iter().map(|rule| predicted(test, rule)));
        cells
    };
    Table {
        caption: "What was asked, what it took, and what it would have taken"
            .to_owned(),
        columns,
        rows: figures.tests.iter().map(row).collect(),
    }
}

fn took(test: &TestFigure) -> Cell {
    let both = test
        .p10_ns
        .as_ref()
        .and_then(|p10| test.p90_ns.as_ref().map(|p90| (*p10, *p90)));
    cell(&both, |(p10, p90)| range(*p10, *p90))
}

fn predicted(test: &TestFigure, rule: &str) -> Cell {
    let own = test.predicted.iter().find(|own| own.rule == rule);
    own.map_or(Cell::Empty, |own| Cell::Text(range(own.from_ns, own.to_ns)))
}

/// Both ends, or one where they are within some percent.
fn range(from: i64, to: i64) -> String {
    if (to - from).unsigned_abs() * 50 <= to.unsigned_abs() {
        return duration(i64::midpoint(from, to));
    }
    format!("{} to {}", duration(from), duration(to))
}

fn candidates(figures: &Explained) -> Table {
    let row = |one: &crate::explain::CandidateFigure| {
        vec![
            Cell::from(one.rule.clone()),
            Cell::from(format!("{:.0} %", one.fit * 100.0)),
            Cell::from(if one.fits { "yes" } else { "no" }),
        ]
    };
    Table {
        caption: "How much of its worst test each would have shown".to_owned(),
        columns: vec![
            Column::words("rules of"),
            Column::numbers("explains"),
            Column::words("fits"),
        ],
        rows: figures.candidates.iter().take(LISTED).map(row).collect(),
    }
}
