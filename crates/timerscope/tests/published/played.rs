//! Every row, played once for all tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use timerscope::articles::{Answer, Row, answers, plays, rows};

/// The answer to every row there is.
pub(crate) static ALL: LazyLock<Vec<Answer>> =
    LazyLock::new(|| answered(&rows()));

/// The answer to each of these.
pub(crate) fn answered(rows: &[Row]) -> Vec<Answer> {
    let played: BTreeMap<_, _> = plays(rows)
        .into_iter()
        .map(|play| {
            let played = play.play(rows);
            let played = played.unwrap_or_else(|error| {
                panic!("{} on {}: {error}", play.workload, play.on)
            });
            (play, played)
        })
        .collect();
    answers(rows, &played)
}
