//! The page itself.

use askama::Template;

use super::runs::{Run, runs};
use super::view::{self, BlockView, SectionView};
use crate::report::{Document, Tone};

/// So many titled sections are worth a table of contents.
const CONTENTS_FROM: usize = 3;

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    version: &'static str,
    banner: Option<Vec<Run>>,
    title: &'a str,
    headline: Option<HeadlineView>,
    sections: Vec<SectionView<'a>>,
    footnotes: Vec<Vec<Run>>,
}

struct HeadlineView {
    tone: &'static str,
    finding: Vec<Run>,
    action: Option<Vec<Run>>,
}

/// Renders a document as one page of HTML that needs nothing else.
///
/// # Panics
///
/// Never: writing into a string does not fail.
#[must_use]
pub fn render(document: &Document) -> String {
    let headline = document.headline.as_ref().map(|it| HeadlineView {
        tone: match it.tone {
            Tone::Neutral => "neutral",
            Tone::Good => "good",
            Tone::Attention => "attention",
        },
        finding: runs(&it.finding),
        action: it.action.as_deref().map(runs),
    });
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        banner: document.banner.as_deref().map(runs),
        title: &document.title,
        headline,
        sections: view::sections(&document.sections),
        footnotes: document.footnotes.iter().map(|it| runs(it)).collect(),
    };
    page.render().expect("writing into a string does not fail")
}

impl Page<'_> {
    /// The sections worth listing before them.
    fn contents(&self) -> Vec<&SectionView<'_>> {
        let titled = self.sections.iter().filter(|it| !it.title.is_empty());
        let titled: Vec<_> = titled.collect();
        if titled.len() < CONTENTS_FROM { Vec::new() } else { titled }
    }
}
