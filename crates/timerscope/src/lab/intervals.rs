//! Which intervals are in force, and for which share of the time.

use serde::Serialize;

use super::ruler::counted;
use super::sleep::plainest;
use crate::machine::{
    Action, Facts, Keep, Known, Missed, Missing, Point, PointBase, Process,
    Sample, Saved, Span, Task, Until, Workload,
};

/// Asks for the interval in force again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// For how long.
    pub time: Span,
}

/// How long one interval was in force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The interval.
    pub interval_ns: u64,
    /// Its share of the time.
    pub share: f64,
}

/// Between two questions, as far as waits are that short here.
const PERIOD: Span = Span::from_ms(10);
/// The most questions.
const MOST: u64 = 100_000;

impl Intervals {
    /// What is to be played on the machine of `facts`.
    #[must_use]
    pub fn workload(&self, facts: &Facts) -> Workload {
        let keep = Keep::Everything;
        let next = Point { at: PointBase::Next, less: Span::ZERO };
        let rest = Action::WaitUntil {
            how: plainest(facts),
            point: next,
            keep: Keep::Nothing,
        };
        let ask = Action::Every {
            period: PERIOD.max(Span::from_ns(self.time.ns() / MOST)),
            missed: Missed::Skip,
            until: Until::Span(self.time),
            body: vec![Action::AskInterval { keep }, rest],
        };
        let task = Task::new("asker", vec![ask]);
        Workload {
            title: "the interval in force, asked again and again".to_owned(),
            limit: Span::from_ns(self.time.ns().saturating_add(10_000_000_000)),
            ..Workload::new(vec![Process::new("intervals", vec![task])])
        }
    }
}

/// The shares of each interval that was seen, finest first: an answer holds
/// until the next question.
#[must_use]
pub fn figures(saved: &Saved) -> Known<Vec<Share>> {
    let answers = counted(saved, 0, 1);
    let (Some(first), Some(last)) = (answers.first(), answers.last()) else {
        let why = "nobody answered what interval is in force";
        return Missing::unknown(why).into();
    };
    let whole = (last.began - first.began).max(1) as f64;
    let mut shares: Vec<Share> = Vec::new();
    for pair in answers.windows(2) {
        let held = (pair[1].began - pair[0].began) as f64 / whole;
        add(&mut shares, &pair[0], held);
    }
    if shares.is_empty() {
        add(&mut shares, first, 1.0);
    }
    shares.sort_by_key(|share| share.interval_ns);
    Known::Value(shares)
}

fn add(shares: &mut Vec<Share>, answer: &Sample, share: f64) {
    let interval_ns = answer.value as u64;
    match shares.iter_mut().find(|own| own.interval_ns == interval_ns) {
        Some(own) => own.share += share,
        None => shares.push(Share { interval_ns, share }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::sleep::Sleep;
    use crate::machine::{Batch, Listener, Outcome, Recording, WaitKind};

    #[test]
    fn an_answer_holds_until_the_next_question() {
        let facts = facts();
        let workload = Intervals { time: Span::from_s(1) }.workload(&facts);
        assert_eq!(workload.faults(), []);
        let mut machine = Scripted::default();
        let wait = Sleep::of(WaitKind::Nanosleep, Span::from_ms(1));
        let other = wait.workload(&facts);
        let played = play(&mut machine, &facts, other, &mut Silent);
        let mut saved = played.unwrap();
        saved.workload = workload;
        let answer = |(number, (began, value)): (u64, (i64, i64))| Sample {
            role: 0,
            step: 1,
            outcome: Outcome::Met,
            number,
            began,
            due: began,
            ended: began,
            value,
        };
        let told = [(0, 15), (40, 1), (50, 15), (100, 15)];
        let samples: Vec<Sample> = (0..).zip(told).map(answer).collect();
        let mut recording = Recording::new(&saved.workload);
        recording.hear(&Batch { at: 0, samples: &samples, notes: &[] });
        saved.recording = recording;
        let shares = figures(&saved);
        let shares: Vec<(u64, f64)> = shares
            .value()
            .unwrap()
            .iter()
            .map(|own| (own.interval_ns, own.share))
            .collect();
        assert_eq!(shares, [(1, 0.1), (15, 0.9)]);
    }
}
