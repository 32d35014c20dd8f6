//! `timerscope report`: everything on one page.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use timerscope::lab::survey::{Survey, SurveyFigures};
use timerscope::machine::{AskError, Facts, Span};
use timerscope::report::answer::facts_result;
use timerscope::report::text::render;
use timerscope::report::{Block, Document, ExitCode, Section, html, survey};

use crate::error::named;
use crate::foreign::Ours;
use crate::machine::MachineArgs;
use crate::output::{self, own_footprint, style, to_stdout};
use crate::session::Session;
use crate::target::Target;
use crate::told;

/// Looks at this machine for a while and writes one page about its timer
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Report {
    #[command(flatten)]
    machine: MachineArgs,
    /// The page: HTML if the name ends so, else text
    ///
    /// A page that timerscope wrote is replaced; any other file is left alone,
    /// and so is a whole page when this one is cut short.
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "timerscope-report.html"
    )]
    output: PathBuf,
    /// How long it looks at most
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

const EXAMPLES: &str = "\
Examples:
  timerscope report
  timerscope report --for 2min -o laptop.html";

const SHORTEST: Span = Span::from_s(2);
const LONGEST: Span = Span::from_s(24 * 3600);
/// Pages of ours: they say so near their beginning.
const OURS: Ours = Ours {
    what: "report",
    head: 2_048,
    begins: |head| survey::is_page(&String::from_utf8_lossy(head)),
    hint: "another name after -o",
};

impl Report {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        self.check_time()?;
        let form = Form::of(&self.output)?;
        OURS.is_there(&self.output)?;
        let mut target = Target::new(&self.output)?;
        let mut session = Session::open(&self.machine)?;
        let figures = session.survey(Survey { time: self.time })?;
        if figures.cut.is_some() && self.output.is_file() {
            let beside = cut(&self.output);
            OURS.is_there(&beside)?;
            target = Target::new(&beside)?;
        }
        let facts = &session.facts;
        let mut document = survey::document(facts, &figures);
        document.banner = session.banner();
        document.footnotes.push(own_footprint());
        let page = match form {
            Form::Html => html::render(&document),
            Form::Text => render(&document, style(false)),
        };
        target.write(|to| to.write_all(page.as_bytes()))?;
        let failure = figures.cut.as_ref().and_then(told::failure);
        if self.json {
            let result = result(target.path(), facts, &figures);
            let warnings = figures.warnings.clone();
            let mut told = session.told("report", document, &result)?;
            told.answer.warnings = warnings;
            to_stdout(&output::json(&told.answer, failure.as_ref())?)?;
        } else {
            to_stdout(&self.spoken(document, &figures, target.path()))?;
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

    /// The headline, whether it was cut short, and where the rest is.
    fn spoken(
        &self,
        document: Document,
        figures: &SurveyFigures,
        path: &Path,
    ) -> String {
        let mut short = Section::default();
        let cuts = figures.warnings.iter();
        let cuts = cuts.filter(|warning| warning.code == "cut-short");
        let cuts = cuts.map(|warning| Block::Warning(warning.text.clone()));
        short.blocks.extend(cuts);
        let kept = if path == self.output {
            String::new()
        } else {
            let before = named(&self.output);
            format!(" {before} is as it was, for this one was cut short.")
        };
        let page = named(path);
        let page = format!("The whole page is {page}.{kept}");
        short.push(Block::Text(page));
        let sections = vec![short];
        let said = Document { sections, footnotes: Vec::new(), ..document };
        render(&said, style(true))
    }
}

/// How a page is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Html,
    Text,
}

impl Form {
    /// What the name of a page promises.
    fn of(path: &Path) -> Result<Self, AskError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let hint = match ending.to_lowercase().as_str() {
            "html" | "htm" => return Ok(Self::Html),
            "json" => "`timerscope report --json > FILE.json`",
            "pdf" => "-o page.html, and print it from a browser",
            "csv" | "jsonl" | "md" | "xml" => "-o page.html or -o page.txt",
            _ => return Ok(Self::Text),
        };
        let what = format!("cannot write {}", named(path));
        let why = "a page is HTML or plain text";
        Err(AskError::wrong(what, why).or_try(hint))
    }
}

/// Where a page goes that was cut short and must not replace a whole one.
fn cut(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-cut");
    let cut = path.with_file_name(name);
    path.extension().map_or(cut.clone(), |ending| cut.with_extension(ending))
}

fn result(path: &Path, facts: &Facts, figures: &SurveyFigures) -> Value {
    json!({
        "path": path.to_string_lossy(),
        "headline": figures.headline,
        "sections": [
            {"id": "facts", "figures": facts_result(facts)},
            {"id": "clocks", "figures": figures.clocks},
            {"id": "waits", "figures": figures.waits},
            {"id": "unslacked", "figures": figures.unslacked},
            {"id": "sweep", "figures": figures.sweep},
            {"id": "wake", "figures": figures.wake},
            {"id": "switch", "figures": figures.switch},
            {"id": "quantum", "figures": figures.quantum},
            {"id": "cost", "figures": figures.cost},
            {"id": "frames", "figures": figures.frames},
        ],
    })
}
