//! What a command has to tell, in every form that can be asked for.

use timerscope::machine::{
    AskError, Cut, Ended, Ending, Facts, Known, Saved, Warning,
};
use timerscope::report::{Answer, Block, Document, Table};

/// What a command has to tell.
pub(crate) struct Told {
    /// For people.
    pub(crate) document: Document,
    /// For programs.
    pub(crate) answer: Answer,
    /// Its rows, where it has rows.
    pub(crate) table: Option<Table>,
    /// What went wrong after something was measured.
    pub(crate) failure: Option<AskError>,
}

impl Told {
    pub(crate) fn new(
        command: &str,
        facts: &Facts,
        document: Document,
        result: &impl serde::Serialize,
    ) -> Result<Self, AskError> {
        let answer = Answer::new(command, facts, result, Vec::new())?;
        Ok(Self { document, answer, table: None, failure: None })
    }

    pub(crate) fn with_table(mut self, table: Table) -> Self {
        self.table = Some(table);
        self
    }

    /// Adds a warning for people and for programs, once.
    pub(crate) fn warn(&mut self, warning: Warning) {
        if self.answer.warnings.contains(&warning) {
            return;
        }
        let block = Block::Warning(warning.text.clone());
        match self.document.sections.first_mut() {
            Some(first) => first.push(block),
            None => self.document.footnotes.push(warning.text.clone()),
        }
        self.answer.warnings.push(warning);
    }

    /// Adds what each of several runs had to say about itself.
    pub(crate) fn all_ended(self, runs: &[Known<Saved>]) -> Self {
        let played = runs.iter().filter_map(Known::value);
        played.fold(self, |told, saved| told.ended(&saved.ending))
    }

    /// Adds what a run had to say about itself, and whether it was cut.
    pub(crate) fn ended(mut self, ending: &Ending) -> Self {
        for warning in &ending.warnings {
            self.warn(warning.clone());
        }
        let Ended::Cut { by, at_ns } = &ending.ended else { return self };
        let at = std::time::Duration::from_nanos(*at_ns);
        let text = format!(
            "The run was cut short after {:.1} s, because {by}: these are the \
             figures so far.",
            at.as_secs_f64()
        );
        self.warn(Warning::new("cut-short", text));
        self.failure = failure(by);
        self
    }
}

/// What a cut means for how the command went: being told to stop, or reaching
/// a limit, is no failure.
pub(crate) fn failure(by: &Cut) -> Option<AskError> {
    let Cut::Player { killed, .. } = by else { return None };
    let (what, why) = ("the run was cut short", by.to_string());
    Some(if *killed {
        AskError::refused(what, why)
            .or_try("look for who killed it, and run it again")
    } else {
        AskError::bug(what, why).or_try("report this as a bug")
    })
}
