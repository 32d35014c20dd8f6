//! Everything about a machine's timer on one page.

use super::words::duration;
use super::{Block, Document, Headline, Section, Tone};
use super::{clocks, cost, frames, info, sleep};
use crate::lab::headline::Finding;
use crate::lab::sleep::SleepFigures;
use crate::lab::survey::SurveyFigures;
use crate::machine::{Facts, Known, Span};

/// The whole page.
#[must_use]
pub fn document(facts: &Facts, figures: &SurveyFigures) -> Document {
    let mut sections = info::sections(facts);
    sections.push(known(
        "clock-costs",
        "What clocks show and cost",
        &figures.clocks,
        clocks::section,
    ));
    sections.push(waits(&figures.waits, &figures.unslacked));
    sections.push(known(
        "sweep",
        "What spans get",
        &figures.sweep,
        sleep::picture_section,
    ));
    sections.push(known(
        "cost",
        "What a tick of 1 ms costs",
        &figures.cost,
        cost::section,
    ));
    sections.push(known(
        "frames",
        "What it is good for: 60 frames in a second",
        &figures.frames,
        frames::section,
    ));
    let warnings = figures.warnings.iter();
    let warnings: Vec<Block> =
        warnings.map(|own| Block::Warning(own.text.clone())).collect();
    if let Some(first) = sections.first_mut() {
        first.blocks.extend(warnings);
    }
    let ruler = figures.waits.value().and_then(|own| sleep::ruler(&own.ruler));
    Document {
        title: format!("The timer of this machine: {}", facts.system),
        headline: Some(headline(&figures.headline)),
        sections,
        footnotes: ruler.into_iter().chain(more(facts)).collect(),
    }
}

/// A finding as the first line of a page.
#[must_use]
pub fn headline(finding: &Finding) -> Headline {
    Headline {
        finding: format!("{}.", finding.finding.trim_end_matches('.')),
        action: finding.action.value().map(|action| format!("{action}.")),
        tone: if finding.code == "none" { Tone::Good } else { Tone::Attention },
    }
}

fn waits(
    waits: &Known<SleepFigures>,
    unslacked: &Known<SleepFigures>,
) -> Section {
    let title = "How late each wait ends when asked for 1 ms";
    let mut section = known("waits", title, waits, sleep::section);
    let bare = unslacked.value().and_then(|own| own.rows.first());
    if let Some(row) = bare
        && let Some(late) = row.lateness_p50_ns.value()
    {
        section.push(Block::Text(format!(
            "Without timer slack half of the waits by {} of {} end within \
             {} of their due time.",
            row.wait,
            Span::from_ns(row.span_ns),
            duration(*late)
        )));
    }
    section
}

fn known<T>(
    id: &str,
    title: &str,
    figures: &Known<T>,
    write: impl Fn(&str, &str, &T) -> Section,
) -> Section {
    match figures {
        Known::Value(figures) => write(id, title, figures),
        Known::Missing(missing) => {
            let mut section = Section::new(id, title);
            section.push(Block::Warning(missing.why.clone()));
            section
        }
    }
}

/// What more rights or more time would add.
fn more(facts: &Facts) -> Vec<String> {
    let mut notes = vec![
        "Longer measuring (--for 2min) shows rarer lateness; p99.9 needs a \
         thousand waits in each row."
            .to_owned(),
    ];
    let refused = serde_json::to_string(facts).unwrap_or_default();
    if refused.contains("\"kind\":\"refused\"") {
        notes.push(
            "Some facts were refused to this user; as root they would be \
             told."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::Silent;
    use crate::lab::scripted::Scripted;
    use crate::lab::survey::{Survey, survey};
    use crate::report::text::{TextStyle, render};

    #[test]
    fn a_page_begins_with_its_finding_and_tells_every_part() {
        let mut machine = Scripted::default();
        let facts = crate::lab::scripted::facts();
        let asked = Survey { time: Span::from_s(2) };
        let figures = survey(&mut machine, &facts, asked, &mut Silent).unwrap();
        let text = render(&document(&facts, &figures), TextStyle::default());
        let second = text.lines().nth(2).unwrap();
        assert!(second.contains("A wait of 1 ms ends 55 us late"), "{text}");
        for part in ["socket-timeout", "itimer-prof", "monotonic-coarse"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }
}
