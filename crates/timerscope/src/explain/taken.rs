//! How much of the CPU others have.

use super::seen::Asked;
use crate::machine::{
    Action, AskError, Keep, Process, Saved, Span, Task, Until, Workload,
};

/// How long it is looked for.
const LOOK: Span = Span::from_ms(300);
/// A jump of the clock over more than this is somebody's turn, over less an
/// interrupt: the dearest tick that anybody has told of takes 53 us.
const GAP: Span = Span::from_us(200);

/// The share of the CPU that others have, from 0 to 1: what a thread misses
/// that only reads the clock. 0 where the machine does not play that.
pub(super) fn taken(asked: &mut Asked<'_>) -> Result<f64, AskError> {
    let (until, keep) = (Until::Span(LOOK), Keep::Everything);
    let watch = Action::Runs { gap: GAP, until, keep };
    let task = Task::new("watcher", vec![watch]);
    let workload = Workload {
        title: "how much of the CPU others have".to_owned(),
        limit: Span::from_s(10),
        ..Workload::new(vec![Process::new("watch", vec![task])])
    };
    let saved = asked.run(workload)?;
    Ok(saved.value().map_or(0.0, share))
}

fn share(saved: &Saved) -> f64 {
    let track = saved.recording.track(0, 0);
    let stretches = track.map_or(&[][..], |track| &track.samples[..]);
    let ends = stretches.first().zip(stretches.last());
    let Some((first, last)) = ends else { return 0.0 };
    let ran: i64 = stretches.iter().map(crate::machine::Sample::took_ns).sum();
    let passed = (last.ended - first.began).max(1);
    (1.0 - ran as f64 / passed as f64).clamp(0.0, 1.0)
}
