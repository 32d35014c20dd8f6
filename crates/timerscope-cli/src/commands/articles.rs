//! `timerscope articles`: the published tables, row by row.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Mutex;
use std::thread;

use clap::Args;
use timerscope::articles::{
    ARTICLES, Answer, Play, Played, Row, answers, plays, rows,
};
use timerscope::machine::AskError;
use timerscope::report::ExitCode;
use timerscope::report::articles::{ArticlesFigures, csv_table, document};

use crate::machine::MachineArgs;
use crate::output::{BatchArgs, OutputArgs, RowArgs};
use crate::progress::{Progress, Whole};
use crate::told::Told;

/// Plays what people have published, and shows their numbers beside the
/// simulated machines'
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Articles {
    /// One article, by name
    #[arg(value_name = "ARTICLE")]
    article: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rows: RowArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope articles
  timerscope articles great-rule-change
  timerscope articles --csv -o rows.csv

ARTICLES.md says which article has which name.";

impl Articles {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let rows = self.wanted()?;
        let output = self.output.open(&self.rows, &BatchArgs::default())?;
        let figures = ArticlesFigures { rows: answered(&rows)? };
        let document = document(&figures);
        let facts = MachineArgs::default().open()?.as_mut().facts()?;
        let told = Told::new("articles", &facts, document, &figures)?;
        output.tell(told.with_table(csv_table(&figures)))
    }

    /// The rows that are asked for.
    fn wanted(&self) -> Result<Vec<Row>, AskError> {
        let mut rows = rows();
        let Some(name) = &self.article else { return Ok(rows) };
        rows.retain(|row| row.article == *name);
        if rows.is_empty() {
            let shown: String = name.chars().take(60).collect();
            let what = format!("cannot show article `{shown}`");
            let why = "there is none of that name";
            let names: Vec<&str> = ARTICLES.iter().map(|own| own.0).collect();
            return Err(AskError::wrong(what, why).or_try(names.join(", ")));
        }
        Ok(rows)
    }
}

/// What the machines make of the rows. Plays know nothing of each other, so
/// each CPU takes the next one; the answers do not depend on who took which.
fn answered(rows: &[Row]) -> Result<Vec<Answer>, AskError> {
    let plays = plays(rows);
    let progress = Progress::new(Whole::Samples(plays.len() as u64));
    let waiting = Mutex::new((plays, progress));
    let next = || {
        let mut waiting = waiting.lock().ok()?;
        let play = waiting.0.pop_first()?;
        waiting.1.hear(1);
        Some(play)
    };
    let work = || {
        let play = |play: Play| {
            let played = play.play(rows)?;
            Ok((play, played))
        };
        iter::from_fn(next).map(play).collect()
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    let played: Result<Vec<Vec<(Play, Played)>>, AskError> =
        thread::scope(|scope| {
            let workers: Vec<_> =
                (0..count).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(joined).collect()
        });
    let played: BTreeMap<Play, Played> =
        played?.into_iter().flatten().collect();
    Ok(answers(rows, &played))
}

/// What one thread has played.
fn joined<T>(
    worker: thread::ScopedJoinHandle<'_, Result<T, AskError>>,
) -> Result<T, AskError> {
    worker.join().unwrap_or_else(|_| {
        let what = "cannot play the articles";
        Err(AskError::bug(what, "a thread that played them broke"))
    })
}
