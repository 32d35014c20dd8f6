//! What waits mean, in sentences, and what to do about them.

use super::words::duration;
use crate::lab::Load;
use crate::lab::sleep::{Row, SleepFigures};
use crate::lab::spread::Spread;

/// What the rows say, a sentence or two for each wait.
pub(super) fn meaning(figures: &SleepFigures) -> Vec<String> {
    let mut said = Vec::new();
    if let [row] = &figures.rows[..] {
        said.extend(one(row));
    } else {
        said.extend(extremes(&figures.rows));
    }
    said.extend(early(&figures.rows));
    // A wait on a grid owes its lateness to that, not to its slack.
    let mut told: Vec<&str> = Vec::new();
    for grid in &figures.grids {
        let Some(says) = grid.grid.says.value() else { continue };
        // Of several waits at one span a doubtful step says nothing.
        if !grid.grid.certain && figures.rows.len() > 1 {
            continue;
        }
        if told.contains(&says.as_str()) {
            continue;
        }
        told.push(says);
        let same = figures.grids.iter();
        let same = same.filter(|other| other.grid.says.value() == Some(says));
        let names: Vec<&str> = same.map(|other| other.wait.name()).collect();
        said.push(format!("{}: {says}.", names.join(", ")));
    }
    said
}

/// What to do, where something can be done.
pub(super) fn advice(figures: &SleepFigures) -> Option<String> {
    requested(&figures.rows).or_else(|| slackened(figures))
}

/// Lateness that is worth a request. Invented.
const WORTH_NS: i64 = 1_000_000;

/// Where a request would help, and who is to make it.
fn requested(rows: &[Row]) -> Option<String> {
    let could = |row: &&Row| {
        let own = &row.conditions;
        let late = row.lateness_p50_ns.value();
        own.can_request
            && own.held_ns.value().is_none()
            && late.is_some_and(|late| *late >= WORTH_NS)
    };
    rows.iter().find(could).map(|row| {
        let in_vain = in_vain(row).unwrap_or_default();
        format!(
            "{in_vain}`timerscope sleep --hold 1ms` shows what a request by \
             the process itself makes of it; a program makes one with \
             timeBeginPeriod(1), and is to end it with timeEndPeriod(1) as \
             soon as it can."
        )
    })
}

/// A finer interval that others hold, from which these waits gain nothing.
fn in_vain(row: &Row) -> Option<String> {
    let interval = *row.conditions.interval_ns.value()? as i64;
    let late = *row.lateness_p50_ns.value()?;
    (late > 3 * interval).then(|| {
        format!(
            "Another process holds the interval at {}, and these waits gain \
             nothing from it. ",
            duration(interval)
        )
    })
}

fn slackened(figures: &SleepFigures) -> Option<String> {
    let slackened = figures.rows.iter().filter_map(slack_share);
    let (_, slack) = slackened
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .filter(|(share, _)| *share >= 0.3)?;
    let slack = duration(slack);
    Some(format!(
        "`timerscope sleep --slack 1ns` shows what is left without the \
         {slack} of timer slack; a program asks for that with \
         prctl(PR_SET_TIMERSLACK, 1)."
    ))
}

/// How long nearly all took: of fewer than a hundred all of them.
pub(super) fn nearly_all(took: &Spread) -> Option<String> {
    let (of, most) = match took.count {
        count @ 0..100 => (format!("all {count}"), *took.max_ns.value()?),
        _ => ("99 of 100".to_owned(), *took.p99_ns.value()?),
    };
    Some(format!("{of} within {}", duration(most)))
}

fn one(row: &Row) -> Option<String> {
    let half = *row.took.p50_ns.value()?;
    let mut text = format!(
        "Half of the waits end within {}, {}",
        duration(half),
        nearly_all(&row.took)?
    );
    let late = *row.lateness_p50_ns.value()?;
    if let Some((_, slack)) = slack_share(row) {
        let policy = row.conditions.policy.value();
        let policy = policy.map_or("this thread", String::as_str);
        let of_it = if slack >= late { "all" } else { &duration(slack) };
        text = format!(
            "{text}; {of_it} of the {} lateness is the timer slack of \
             {policy}",
            duration(late)
        );
    }
    let load = match row.conditions.load {
        Load::None => "",
        Load::Below => ", beside a load of lower priority",
        Load::Same => ", beside a load of the same priority",
        Load::Above => ", beside a load of higher priority",
    };
    Some(format!("{text}{load}."))
}

/// Share of a row's lateness that is slack, and the slack. Where waits end
/// on the clock's interval, they owe their lateness to that.
fn slack_share(row: &Row) -> Option<(f64, i64)> {
    let own = &row.conditions;
    if own.interval_ns.value().is_some() {
        return None;
    }
    let late = *row.lateness_p50_ns.value()?;
    let slack = *own.slack_ns.value()? as i64;
    let applies = own.slack_applies && slack > 1_000 && late > 0;
    applies.then(|| (slack as f64 / late as f64, slack))
}

/// The least and the most late of several rows.
fn extremes(rows: &[Row]) -> Option<String> {
    let late = |row: &&Row| row.lateness_p50_ns.value().copied();
    let known = rows.iter().filter(|row| late(row).is_some());
    let least = known.clone().min_by_key(late)?;
    let most = known.max_by_key(late)?;
    let name = |row: &Row| {
        let asked = duration(row.span_ns as i64);
        let late = row.lateness_p50_ns.value().copied().unwrap_or_default();
        format!("{} of {asked} ({})", row.wait, duration(late))
    };
    let said = |row: &Row| late(&row).map(duration);
    if said(least) == said(most) {
        // Which of them is first says nothing then.
        let late = said(least)?;
        return Some(format!("By the median all are {late} late."));
    }
    Some(format!(
        "Least late, by the median, is {}; most late is {}.",
        name(least),
        name(most)
    ))
}

/// Which waits were early, and what that says: of those that count CPU time
/// nothing, as that is no time of the clock.
fn early(rows: &[Row]) -> Vec<String> {
    let (cpu, clock): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.wait.counts_cpu_time());
    let may =
        clock.iter().all(|row| row.early == 0 || row.conditions.may_end_early);
    let why = if may {
        "this system counts from a tick before the call, so a wait may be \
         up to one tick short"
    } else {
        "this system breaks the promise not to wake early"
    };
    let in_ticks = "their span is CPU time, which a tick counts in whole \
                    ticks, so by the clock they may end early or late";
    let all = [early_of(&clock, why), early_of(&cpu, in_ticks)];
    all.into_iter().flatten().collect()
}

fn early_of(rows: &[&Row], why: &str) -> Option<String> {
    let first = rows.iter().find(|row| row.early > 0)?.wait.name();
    let early: u64 = rows.iter().map(|row| row.early).sum();
    let all: u64 = rows.iter().map(|row| row.took.count).sum();
    Some(format!(
        "{early} of {all} waits ended before their span had passed (the \
         first of them by {first}): {why}."
    ))
}

#[cfg(test)]
mod tests {
    use crate::lab::play::{Silent, play};
    use crate::lab::scripted::{Scripted, facts};
    use crate::lab::sleep::{Sleep, figures};
    use crate::machine::{Facts, Known, Span, WaitKind};
    use crate::report::sleep::document;
    use crate::report::text::{TextStyle, render};

    fn told(sleep: &Sleep) -> String {
        told_on(&facts(), sleep)
    }

    fn told_on(facts: &Facts, sleep: &Sleep) -> String {
        let mut machine = Scripted::default();
        let workload = sleep.workload(facts);
        let saved = play(&mut machine, facts, workload, &mut Silent);
        let figures = figures(&saved.unwrap(), sleep.min);
        render(&document(&figures), TextStyle::default())
    }

    #[test]
    fn one_row_says_how_much_of_its_lateness_is_slack() {
        let text = told(&Sleep::of(WaitKind::Nanosleep, Span::from_ms(1)));
        let said = "Half of the waits end within 1.055 ms, 99 of 100 within \
                    1.055 ms; 50 us of the 55 us lateness is the timer slack \
                    of SCHED_OTHER.";
        assert!(text.contains(said), "{text}");
        assert!(text.contains("--slack 1ns"), "{text}");
    }

    // A kernel without high-resolution timers ended a wait of 3 ms on its
    // tick, and timerscope put some of that down to slack.
    #[test]
    fn lateness_that_is_the_intervals_is_not_put_down_to_slack() {
        let mut facts = facts();
        facts.interval.current_ns = Known::Value(4_000_000);
        let sleep = Sleep::of(WaitKind::Nanosleep, Span::from_ms(1));
        let text = told_on(&facts, &sleep);
        assert!(text.contains("99 of 100 within 1.055 ms."), "{text}");
        assert!(!text.contains("--slack"), "{text}");
    }

    // Of 6 wake-ups it was said what 99 of 100 do.
    #[test]
    fn of_a_few_waits_all_are_spoken_of() {
        let sleep = Sleep {
            count: 6,
            ..Sleep::of(WaitKind::Timerfd, Span::from_ms(1))
        };
        let text = told(&sleep);
        assert!(text.contains("all 6 within 1.005 ms."), "{text}");
    }

    #[test]
    fn without_slack_nothing_is_advised() {
        let text = told(&Sleep::of(WaitKind::Timerfd, Span::from_ms(1)));
        assert!(!text.contains("--slack"), "{text}");
    }

    /// What is said of some rows, the second of which is early.
    fn early(wait: WaitKind, may_end_early: bool) -> String {
        let sleep = Sleep::of(WaitKind::Nanosleep, Span::from_ms(1));
        let mut machine = Scripted::default();
        let workload = sleep.workload(&facts());
        let saved = play(&mut machine, &facts(), workload, &mut Silent);
        let mut figures = figures(&saved.unwrap(), sleep.min);
        let mut row = figures.rows[0].clone();
        (row.wait, row.early) = (wait, 7);
        row.conditions.may_end_early = may_end_early;
        figures.rows.push(row);
        super::early(&figures.rows).join(" ")
    }

    // A CPU timer that ended early by the clock was put down to a promise that
    // its system had broken, or to a sleep that counts from a tick.
    #[test]
    fn a_timer_of_cpu_time_that_ends_early_breaks_no_promise() {
        for may in [false, true] {
            let said = early(WaitKind::ItimerProf, may);
            let right = "7 of 100 waits ended before their span had passed \
                         (the first of them by itimer-prof): their span is \
                         CPU time,";
            assert!(said.starts_with(right), "{said}");
        }
        let said = early(WaitKind::Nanosleep, true);
        assert!(said.contains("counts from a tick before the call"), "{said}");
        let said = early(WaitKind::Nanosleep, false);
        assert!(said.contains("breaks the promise"), "{said}");
    }

    #[test]
    fn waits_that_are_equally_late_have_no_least_and_no_most() {
        let waits = vec![WaitKind::Nanosleep, WaitKind::Poll];
        let one = Sleep::of(WaitKind::Nanosleep, Span::from_ms(1));
        let text = told(&Sleep { waits, ..one });
        assert!(text.contains("By the median all are 55 us late."), "{text}");
    }

    #[test]
    fn a_sweep_puts_the_grid_into_words() {
        let waits = vec![WaitKind::ItimerVirtual, WaitKind::ItimerProf];
        let spans: crate::lab::sleep::Sweep = "800ms..1us".parse().unwrap();
        let text = told(&Sleep {
            waits,
            spans: spans.spans(),
            count: 10,
            ..Sleep::of(WaitKind::ItimerReal, Span::from_ms(1))
        });
        let said = "itimer-virtual, itimer-prof: every wait ends on a \
                    multiple of 4 ms, one more than the span needs";
        assert!(text.contains(said), "{text}");
        assert!(!text.contains("NaN") && !text.contains("-nan"), "{text}");
    }
}
