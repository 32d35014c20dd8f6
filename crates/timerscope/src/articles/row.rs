//! One row of a table: what a source says, and what plays it.

use serde::Deserialize;

use super::{Criterion, Figure, Play};
use crate::sim::rules::Status;

/// One row of a published table, and how a machine is held to it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Row {
    /// The article, by the name that is typed for it.
    pub article: String,
    /// Who published it, where and when.
    pub source: String,
    /// The table.
    pub table: String,
    /// The row, unique in its table.
    pub row: String,
    /// Which workload of `workloads/articles` plays it, without its ending.
    pub play: String,
    /// The machine, as typed after `--on`.
    pub on: String,
    /// The seed of its first run.
    #[serde(default = "one")]
    pub seed: u64,
    /// Over how many runs the figure is averaged; each has the next seed.
    #[serde(default = "one")]
    pub runs: u64,
    /// The machine whose figure is taken off this one's: what is asked is how
    /// much more it is.
    pub less_on: Option<String>,
    /// What is made of what was seen.
    pub figure: Figure,
    /// The unit of both numbers.
    pub unit: String,
    /// What the source says.
    pub published: Published,
    /// The published standard deviation of the single values, where there is
    /// one.
    pub sd: Option<f64>,
    /// When the two agree.
    #[serde(default)]
    pub criterion: Criterion,
    /// Whether the machine was fitted to this row or predicts it.
    pub status: Status,
    /// Why it does not fit, where it does not.
    pub misses: Option<String>,
    /// What else the reader should know.
    pub note: Option<String>,
    /// A change of the machine that has to move the row's figure, as typed
    /// after a comma.
    pub moves: String,
}

/// What a source says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Published {
    /// A number, in the row's unit.
    Number(f64),
    /// No number, but this.
    Words(String),
}

fn one() -> u64 {
    1
}

impl Published {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Words(_) => None,
        }
    }
}

impl Row {
    /// The command that plays its first run.
    #[must_use]
    pub fn command(&self) -> String {
        let Self { play, on, seed, .. } = self;
        format!(
            "timerscope run workloads/articles/{play}.toml --on {on} --seed \
             {seed}"
        )
    }

    /// Each of its runs on its own machine.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        self.plays_on(&self.on)
    }

    /// Each of its runs on the machine whose figure is taken off, if one is.
    pub fn plays_less(&self) -> impl Iterator<Item = Play> + '_ {
        self.less_on.iter().flat_map(|on| self.plays_on(on))
    }

    fn plays_on<'a>(&'a self, on: &'a str) -> impl Iterator<Item = Play> + 'a {
        let seeds = self.seed..self.seed.saturating_add(self.runs);
        seeds.map(move |seed| Play {
            on: on.to_owned(),
            workload: self.play.clone(),
            seed,
        })
    }
}
