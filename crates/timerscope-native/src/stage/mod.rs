//! The coordinator's side of a run: players are started, listened to, ended.

mod cue;
mod ending;
mod fit;
mod players;
mod run;

pub(crate) use run::run;
