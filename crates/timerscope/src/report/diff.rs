//! What differs between two runs, for people.

use serde_json::Value;

use super::diff_headline::headline;
use super::words::{TimeUnit, duration, hertz, ppm, significant};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::diff::{
    Change, DiffFigures, Differ, Measure, Subject, Verdict,
};
use crate::machine::Known;

/// The one thing to take away, the facts that differ, then each figure.
#[must_use]
pub fn document(figures: &DiffFigures) -> Document {
    let names = [&figures.before.name, &figures.after.name];
    let mut sections = Vec::new();
    sections.push(facts(figures));
    if !figures.changes.is_empty() {
        sections.push(changes(figures));
    }
    sections.extend(unmatched(figures));
    Document {
        banner: None,
        title: format!("{} against {}", names[1], names[0]),
        headline: Some(headline(figures)),
        sections,
        footnotes: footnotes(figures),
    }
}

fn facts(figures: &DiffFigures) -> Section {
    let mut section = Section::new("facts", "What about the runs differs");
    section.blocks.extend(groups(figures));
    if figures.differs.is_empty() {
        let text = "Nothing that either run tells about itself.";
        section.push(Block::Text(text.to_owned()));
        return section;
    }
    let row = |own: &Differ| {
        vec![
            Cell::Text(fact_name(&own.what)),
            told(&own.what, &own.before),
            told(&own.what, &own.after),
        ]
    };
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: vec![
            Column::words("fact"),
            Column::words(&figures.before.name),
            Column::words(&figures.after.name),
        ],
        rows: figures.differs.iter().map(row).collect(),
    }));
    section
}

/// Which runs each side has, where one has several.
fn groups(figures: &DiffFigures) -> Option<Block> {
    figures.runs_needed?;
    let side = |own: &Subject| {
        let runs = own.runs.join(", ");
        (own.name.clone(), Cell::Text(format!("{}: {runs}", own.runs.len())))
    };
    Some(Block::Facts(vec![side(&figures.before), side(&figures.after)]))
}

fn changes(figures: &DiffFigures) -> Section {
    let mut section = Section::new("figures", "What was measured");
    let columns = ["before", "after", "change"].map(Column::numbers);
    let mut shown = String::new();
    let row = |own: &Change| {
        let again = shown == own.row;
        shown.clone_from(&own.row);
        let row = if again { Cell::Empty } else { own.row.clone().into() };
        vec![
            row,
            Cell::Text(own.figure_name()),
            Cell::Text(amount(own.measure, own.before)),
            Cell::Text(amount(own.measure, own.after)),
            Cell::Text(change(own)),
            Cell::Text(verdict(own)),
        ]
    };
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: ["row", "figure"]
            .map(Column::words)
            .into_iter()
            .chain(columns)
            .chain([Column::words("verdict")])
            .collect(),
        rows: figures.changes.iter().map(row).collect(),
    }));
    section.blocks.extend(reasons(figures).map(Block::Text));
    section.blocks.extend(likeness(figures).map(Block::Warning));
    section
}

impl Change {
    /// `late, p50`: the figure, and what it is one of.
    pub(super) fn figure_name(&self) -> String {
        match self.measure {
            Measure::Lateness if !self.figure.starts_with("lateness") => {
                format!("late, {}", self.figure)
            }
            _ => self.figure.clone(),
        }
    }
}

/// `+12.3 %`, and nothing where there is nothing to relate it to.
fn change(own: &Change) -> String {
    let difference = own.after - own.before;
    let share = difference / own.before.abs();
    match difference.abs() {
        0.0 => "none".to_owned(),
        _ if share.is_finite() => percent(share),
        _ => String::new(),
    }
}

/// A signed share of 1 in percent, to a tenth.
pub(super) fn percent(share: f64) -> String {
    let tenths = (share.abs() * 1_000.0).round();
    if tenths < 1.0 {
        return "< 0.1 %".to_owned();
    }
    let sign = if share < 0.0 { "-" } else { "+" };
    format!("{sign}{} %", significant(tenths / 10.0, 3))
}

fn verdict(own: &Change) -> String {
    let word = match own.verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "same",
        Verdict::CannotTell => return "cannot tell".to_owned(),
    };
    match own.confidence.value() {
        Some(sure) => format!("{word} ({})", certain(*sure)),
        None => word.to_owned(),
    }
}

/// How sure a verdict is, never rounded up to certainty.
pub(super) fn certain(sure: f64) -> String {
    let percent = (sure * 1_000.0).floor() / 10.0;
    if percent >= 99.9 { "> 99.9 %".to_owned() } else { format!("{percent} %") }
}

/// A figure with its unit.
pub(super) fn amount(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Rate => format!("{}/s", significant(value, 4)),
        Measure::Percent => format!("{} %", significant(value, 3)),
        // Costs are parts of a nanosecond.
        _ if value.abs() < 1_000.0 => {
            format!("{} {}", significant(value, 4), TimeUnit::Ns.symbol())
        }
        _ => duration(value.round() as i64),
    }
}

/// Why so many could not be told, each reason once.
fn reasons(figures: &DiffFigures) -> Option<String> {
    let mut reasons: Vec<&str> = Vec::new();
    for change in &figures.changes {
        let because = change.because.as_deref();
        reasons.extend(because.filter(|own| !reasons.contains(own)));
    }
    if reasons.is_empty() {
        return None;
    }
    Some(format!("Where it cannot tell: {}.", reasons.join("; or ")))
}

/// Says where the two runs did not do the same.
fn likeness(figures: &DiffFigures) -> Option<String> {
    let unlike: Vec<&Change> = figures
        .changes
        .iter()
        .filter(|change| !change.unlike.is_empty())
        .collect();
    let first = unlike.first()?;
    let all = unlike.len() == figures.changes.len();
    let rows = if all { "These figures" } else { "Some of these figures" };
    let names: Vec<String> =
        first.unlike.iter().map(|own| fact_name(own)).collect();
    Some(format!(
        "{rows} are not of like and like: the runs differ in {} ({}). A \
         verdict then says what that made of them, and not whether the \
         machine changed.",
        names.join(", "),
        first.row,
    ))
}

/// Rows that only one of the runs has.
fn unmatched(figures: &DiffFigures) -> Option<Section> {
    let mut section = Section::new("unmatched", "Only in one of the runs");
    let sides = [
        (&figures.before.name, &figures.only_before),
        (&figures.after.name, &figures.only_after),
    ];
    let facts = sides.into_iter().flat_map(|(name, rows)| {
        rows.iter().map(move |row| (name.clone(), row.clone().into()))
    });
    let facts: Vec<(String, Cell)> = facts.collect();
    if facts.is_empty() {
        return None;
    }
    section.push(Block::Facts(facts));
    Some(section)
}

fn footnotes(figures: &DiffFigures) -> Vec<String> {
    let mut notes = Vec::new();
    if figures.runs_needed.is_some() {
        notes.push(format!(
            "Each run counts as one number for each figure. Better and worse \
             are said where luck would part the runs so too seldom: in all {} \
             figures together once in {:.0} comparisons (Wilcoxon's rank-sum \
             test, exact).",
            figures.shared_by,
            1.0 / figures.doubt
        ));
    } else if figures.shared_by > 0 {
        notes.push(format!(
            "Better and worse are said where a difference is sure to be more \
             than 5 % and a step of the clock; all {} figures together say so \
             by mistake at most once in {:.0} comparisons, as far as a single \
             run shows how it varies.",
            figures.shared_by,
            1.0 / figures.doubt
        ));
    }
    if !figures.untold.is_empty() {
        let names: Vec<String> =
            figures.untold.iter().map(|own| fact_name(own)).collect();
        notes.push(format!(
            "One of the runs could not look at: {}.",
            names.join(", ")
        ));
    }
    notes
}

/// Facts whose name in an answer says too little to a person.
const NAMES: [(&str, &str); 14] = [
    ("frequency_governor", "CPU speed governed by"),
    ("name", "machine"),
    ("tick_hz", "tick"),
    ("timer_slack_ns", "timer slack of a new thread"),
    ("policy", "policy of a new thread"),
    ("run.busy_cpus", "CPUs busy during the run"),
    ("run.stolen_cpus", "CPUs taken by the host during the run"),
    ("run.ended", "the run was"),
    ("cpus", "CPUs we may use"),
    ("rate_error_ppm", "wall clock steered by"),
    ("synchronised", "wall clock kept right"),
    ("clock_source.current", "clock source"),
    ("workload.slack_ns", "timer slack"),
    ("slack_ns", "timer slack"),
];

/// The name of a fact for people.
pub(super) fn fact_name(what: &str) -> String {
    let known = NAMES.iter().find(|(name, _)| *name == what);
    if let Some((_, words)) = known {
        return (*words).to_owned();
    }
    let words = what.trim_start_matches("workload.");
    let words = words.trim_end_matches("_ns").trim_end_matches("_hz");
    words.replace(['_', '.'], " ").replace('[', " ").replace(']', "")
}

/// The value of a fact for people, by the unit in its name.
fn told(what: &str, told: &Known<Value>) -> Cell {
    super::cells::cell(told, |value| words(what, value))
}

pub(super) fn words(what: &str, value: &Value) -> String {
    match value {
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> =
                items.iter().map(|item| words("", item)).collect();
            items.join(", ")
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            match what {
                what if what.ends_with("_ns") => duration(number as i64),
                what if what.ends_with("_hz") => hertz(number),
                what if what.ends_with("_ppm") => ppm(number),
                what if what.starts_with("run.") => significant(number, 3),
                _ => value.to_string(),
            }
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::diff::{Side, diff};
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::sleep::Sleep;
    use crate::machine::{Span, WaitKind};
    use crate::report::text::{TextStyle, render};

    fn side(slack: u64, count: u64, tick_hz: u64) -> Side {
        let sleep = Sleep {
            count,
            slack: Some(Span::from_us(slack)),
            ..Sleep::of(WaitKind::Nanosleep, Span::from_ms(1))
        };
        let mut facts = facts();
        facts.tick_hz = Known::Value(tick_hz);
        let mut machine = Scripted::default();
        let workload = sleep.workload(&facts);
        let saved = play(&mut machine, &facts, workload, &mut Silent);
        Side::of_recording(&saved.unwrap())
    }

    fn told(before: &Side, after: &Side) -> String {
        let figures = diff(("old", before), ("new", after));
        render(&document(&figures), TextStyle::default())
    }

    #[test]
    fn the_first_sentence_says_what_changed_by_how_much_and_how_surely() {
        let text = told(&side(10, 100, 250), &side(100, 100, 1000));
        let first = "new is worse: sleep/sleeper: wait nanosleep 1 ms, late, \
                     p50 15 us -> 105 us (+600 %, certain at > 99.9 %); the \
                     runs are not alike: timer slack 10 us, then 100 us.";
        assert!(text.contains(first), "{text}");
        let places = ["\ntimer slack", "\ntick", "\nrow ", "like and like"];
        let places = places.map(|part| text.find(part).unwrap());
        assert!(places.is_sorted(), "{text}");
        assert!(text.contains("250 Hz  1000 Hz"), "{text}");
    }

    #[test]
    fn no_difference_is_not_called_sameness_where_it_cannot_be_told() {
        let one = side(10, 100, 250);
        let text = told(&one, &one);
        let first = "No difference shown: 1 figure the same, 3 cannot be \
                     told; no fact that is told differs.";
        assert!(text.contains(first), "{text}");
        assert!(text.contains("p99 needs 2000 values"), "{text}");
        assert!(text.contains("mean needs 1000 values"), "{text}");
        let few = side(10, 10, 250);
        let text = told(&few, &few);
        assert!(text.contains("0 figures the same, 1 cannot"), "{text}");
    }

    #[test]
    fn sureness_is_never_rounded_up() {
        assert_eq!(certain(0.9499), "94.9 %");
        assert_eq!(certain(1.0), "> 99.9 %");
        assert_eq!(percent(-0.5264), "-52.6 %");
        assert_eq!(percent(-0.0001), "< 0.1 %");
    }
}
