//! `timerscope report`: everything on one page.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use timerscope::lab::survey::{Survey, SurveyFigures};
use timerscope::machine::{AskError, Facts, Span};
use timerscope::report::answer::facts_result;
use timerscope::report::text::render;
use timerscope::report::{Answer, Document, ExitCode, html, survey};

use crate::machine::MachineArgs;
use crate::output::{self, own_footprint, style, to_stdout};
use crate::session::Session;
use crate::target::Target;
use crate::told;

/// Looks at this machine for a while and writes one page about its timer
#[derive(Args)]
pub(crate) struct Report {
    #[command(flatten)]
    machine: MachineArgs,
    /// The page: HTML if the name ends so, else text
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "timerscope-report.html"
    )]
    output: PathBuf,
    /// How long it looks
    #[arg(
        long = "for",
        value_name = "SPAN",
        default_value = "20s",
        allow_hyphen_values = true
    )]
    time: Span,
    /// Answers with one JSON object besides
    #[arg(long)]
    json: bool,
}

const SHORTEST: Span = Span::from_s(2);
const LONGEST: Span = Span::from_s(24 * 3600);
/// What a page of ours says about itself, in each of its forms.
const OURS: &str = "Written by timerscope";
/// Longer files are not ours.
const LONGEST_PAGE: u64 = 64 << 20;

impl Report {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        self.check_time()?;
        refuse_foreign(&self.output)?;
        let target = Target::new(&self.output)?;
        let mut session = Session::open(&self.machine)?;
        let figures = session.survey(Survey { time: self.time })?;
        let facts = &session.facts;
        let mut document = survey::document(facts, &figures);
        document.footnotes.push(own_footprint());
        let version = env!("CARGO_PKG_VERSION");
        document.footnotes.push(format!("{OURS} {version}."));
        let page = self.page(&document);
        target.write(|to| to.write_all(page.as_bytes()))?;
        let failure = figures.cut.as_ref().and_then(told::failure);
        if self.json {
            let result = result(target.path(), facts, &figures);
            let warnings = figures.warnings.clone();
            let answer = Answer::new("report", facts, &result, warnings)?;
            to_stdout(&output::json(&answer, failure.as_ref())?)?;
        } else {
            to_stdout(&self.spoken(&document))?;
        }
        Ok(output::went(failure))
    }

    fn check_time(&self) -> Result<(), AskError> {
        if (SHORTEST..=LONGEST).contains(&self.time) {
            return Ok(());
        }
        let what = format!("cannot look for {}", self.time);
        let why = format!("a report takes from {SHORTEST} to a day");
        Err(AskError::wrong(what, why).or_try("--for 20s"))
    }

    fn page(&self, document: &Document) -> String {
        let ending = self.output.extension();
        if ending.is_some_and(|ending| ending == "html" || ending == "htm") {
            html::render(document)
        } else {
            render(document, style(false))
        }
    }

    /// The headline, and where the rest is.
    fn spoken(&self, document: &Document) -> String {
        let short = Document {
            title: document.title.clone(),
            headline: document.headline.clone(),
            ..Document::default()
        };
        let page = self.output.display();
        format!("{}\nThe whole page is {page}.\n", render(&short, style(true)))
    }
}

/// A file that is not a page of ours is not overwritten.
fn refuse_foreign(path: &Path) -> Result<(), AskError> {
    if !path.is_file() {
        return Ok(());
    }
    let mut text = Vec::new();
    let what = || format!("cannot write {}", path.display());
    File::open(path)
        .and_then(|file| file.take(LONGEST_PAGE).read_to_end(&mut text))
        .map_err(|error| AskError::refused(what(), error.to_string()))?;
    let ours = String::from_utf8_lossy(&text).contains(OURS);
    if ours || text.is_empty() {
        return Ok(());
    }
    let why = "it is there already, and is not a report of timerscope";
    Err(AskError::wrong(what(), why).or_try("another name after -o"))
}

fn result(path: &Path, facts: &Facts, figures: &SurveyFigures) -> Value {
    json!({
        "path": path.display().to_string(),
        "headline": figures.headline,
        "sections": [
            {"id": "facts", "figures": facts_result(facts)},
            {"id": "clocks", "figures": figures.clocks},
            {"id": "waits", "figures": figures.waits},
            {"id": "unslacked", "figures": figures.unslacked},
            {"id": "sweep", "figures": figures.sweep},
            {"id": "cost", "figures": figures.cost},
            {"id": "frames", "figures": figures.frames},
        ],
    })
}
