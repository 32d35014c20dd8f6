//! Everything about a machine's timer on one page.

use super::words::duration;
use super::{Block, Document, Headline, Section, Tone};
use super::{clocks, cost, frames, info, quantum, sleep, switch, wake};
use crate::lab::clocks::ClockFigures;
use crate::lab::headline::{Finding, plain};
use crate::lab::sleep::SleepFigures;
use crate::lab::survey::SurveyFigures;
use crate::machine::{Facts, Known, Missing, Span};

/// The whole page.
#[must_use]
pub fn document(facts: &Facts, figures: &SurveyFigures) -> Document {
    let mut sections = info::sections(facts);
    measured_clocks(&mut sections, &figures.clocks);
    sections.push(waits(&figures.waits, &figures.unslacked));
    sections.push(known(
        "sweep",
        "What spans get",
        &figures.sweep,
        sleep::picture_section,
    ));
    sections.extend(others(figures));
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
        banner: None,
        title: format!("{TITLE}: {}", facts.system),
        headline: Some(headline(&figures.headline)),
        sections,
        footnotes: ruler
            .into_iter()
            .chain(figures.wake.missing().map(left_out))
            .chain(more(facts))
            .collect(),
    }
}

/// What an HTML page says about who made it; its version follows.
pub(super) const GENERATOR: &str =
    "<meta name=\"generator\" content=\"timerscope";

/// How the title of a page begins.
const TITLE: &str = "The timer of this machine";

/// Whether a text begins as a page that [`document`] makes: with its title
/// near the top, in either form.
#[must_use]
pub fn is_page(head: &str) -> bool {
    head.contains(&format!("\n{TITLE}: ")) || head.contains(GENERATOR)
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

/// Puts what clocks were seen to show in the place of what they claim, which
/// it tells too; where nothing was seen, the claims stay.
fn measured_clocks(sections: &mut [Section], figures: &Known<ClockFigures>) {
    let own = sections.iter_mut().find(|own| own.id == info::CLOCKS);
    let (Some(own), Some(figures)) = (own, figures.value()) else { return };
    own.blocks.retain(|block| !matches!(block, Block::Table(_)));
    own.blocks.extend(clocks::section("", "", figures).blocks);
}

fn waits(
    waits: &Known<SleepFigures>,
    unslacked: &Known<SleepFigures>,
) -> Section {
    let title = "How late each wait ends when asked for 1 ms";
    let mut section = known("waits", title, waits, sleep::section);
    // The most asked wait as it was, below the picture of all.
    let distribution = plain(waits).and_then(sleep::distribution);
    let is_chart = |block: &Block| matches!(block, Block::Chart(_));
    let below = section.blocks.iter().position(is_chart).map_or(0, |at| at + 1);
    let blocks = &mut section.blocks;
    blocks.splice(below..below, distribution.map(Block::Chart));
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

/// What the scheduler does; in a short survey there was no time for it, which
/// the small print says.
fn others(figures: &SurveyFigures) -> Vec<Section> {
    if figures.wake.value().is_none() {
        return Vec::new();
    }
    vec![
        known(
            "wake",
            "How late a waiter runs once its event is set",
            &figures.wake,
            wake::section,
        ),
        known(
            "switch",
            "How fast two threads hand each other the turn",
            &figures.switch,
            switch::section,
        ),
        known(
            "quantum",
            "How long a thread runs before its equal gets the CPU",
            &figures.quantum,
            quantum::section,
        ),
    ]
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

fn left_out(missing: &Missing) -> String {
    format!(
        "How late waiters run, how fast turns change hands and how long they \
         last was not measured: {}.",
        missing.why
    )
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
        let first = text.lines().next().unwrap();
        assert!(first.contains("A wait of 1 ms ends 55 us late"), "{text}");
        assert!(is_page(&text));
        assert!(!is_page("<!DOCTYPE html>\nabout the generator timerscope"));
        for part in [
            "nanosleep of 1 ms",
            "socket-timeout",
            "itimer-prof",
            "monotonic-coarse",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }

    // What clocks claim stood in one table and again in the next.
    #[test]
    fn clocks_are_told_once_as_seen_or_else_as_they_claim() {
        let mut machine = Scripted::default();
        let facts = crate::lab::scripted::facts();
        let asked = Survey { time: Span::from_s(2) };
        let mut figures =
            survey(&mut machine, &facts, asked, &mut Silent).unwrap();
        for (seen, heading) in [(true, "shows one of"), (false, "read in")] {
            let document = document(&facts, &figures);
            let text = render(&document, TextStyle::default());
            assert_eq!(text.matches("claims a step of").count(), 1);
            assert!(text.contains(heading), "{text}");
            assert_eq!(text.contains("shows one of"), seen, "{text}");
            figures.clocks = Missing::unknown("nothing was seen").into();
        }
    }
}
