//! Ways to draw frames in time, for people.

use super::cells::{cell, plain, time};
use super::words::{duration, percent, rate, significant};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::frames::{Bargain, FrameFigures, How, IN_TIME, Row};

/// A table for each rate, and the best bargain of each.
#[must_use]
pub fn document(figures: &FrameFigures) -> Document {
    let section = |bargain: &Bargain| {
        let hz = bargain.rate_hz;
        let title = format!("{hz} frames in a second");
        let mut section = Section::new(format!("frames-{hz}"), title);
        section.blocks = blocks(figures, bargain);
        section
    };
    Document {
        title: "What a fine tick is good for: frames".to_owned(),
        sections: figures.bargains.iter().map(section).collect(),
        ..Document::default()
    }
}

/// The same as one section of a larger document.
#[must_use]
pub fn section(id: &str, title: &str, figures: &FrameFigures) -> Section {
    let mut section = Section::new(id, title);
    let of = |bargain| blocks(figures, bargain);
    section.blocks = figures.bargains.iter().flat_map(of).collect();
    section
}

fn blocks(figures: &FrameFigures, bargain: &Bargain) -> Vec<Block> {
    let hz = bargain.rate_hz;
    let own = figures.rows.iter().filter(|row| row.rate_hz == hz);
    let rows: Vec<&Row> = own.collect();
    let best = bargain.how.value();
    let text = best.and_then(|how| best_of(&rows, *how));
    let text = text.unwrap_or_else(|| none(hz));
    let modelled = figures.energy_source == "model";
    vec![Block::Table(table(&rows, modelled)), Block::Text(text)]
}

fn table(rows: &[&Row], modelled: bool) -> Table {
    let row = |row: &&Row| {
        vec![
            Cell::from(row.how.words()),
            time(&row.frame_p50_ns),
            time(&row.frame_p99_ns),
            time(&row.frame_max_ns),
            time(&row.lateness_p50_ns),
            Cell::Text(format!(
                "{} of {}",
                row.missed,
                row.frames + row.missed
            )),
            cell(&row.cpu_share, |share| percent(*share)),
            cell(&row.wakeups_per_s, |per_s| rate(per_s.round())),
            cell(&row.energy, |watts| format!("{} W", significant(*watts, 3))),
        ]
    };
    Table {
        caption: String::new(),
        columns: vec![
            Column::words("waiting by"),
            Column::numbers("frame, half"),
            Column::numbers("99 %"),
            Column::numbers("longest"),
            Column::numbers("late, half"),
            Column::numbers("missed"),
            Column::numbers("CPU"),
            Column::numbers("wake-ups"),
            Column::numbers(if modelled {
                "power, by its rules"
            } else {
                "power"
            }),
        ],
        rows: rows.iter().map(row).collect(),
    }
}

/// What the best bargain saves against busy waiting, and what it costs.
fn best_of(rows: &[&Row], how: How) -> Option<String> {
    let of = |how: How| rows.iter().find(|row| row.how == how);
    let (best, busy) = (of(how)?, of(How::BusyWait)?);
    let late = duration(*best.lateness_p99_ns.value()?);
    let share = percent(*best.cpu_share.value()?);
    if how == How::BusyWait {
        return Some(format!(
            "Only busy waiting was in time, for {share} of a CPU."
        ));
    }
    let burnt = percent(*busy.cpu_share.value()?);
    let most = match best.frames {
        frames @ 0..100 => format!("All {frames} frames"),
        _ => "99 of 100 frames".to_owned(),
    };
    Some(format!(
        "The best bargain: {}. {most} are within {late} of their time for \
         {share} of a CPU; busy waiting burns {burnt}.",
        how.words()
    ))
}

fn none(rate_hz: u64) -> String {
    let most = (1e9 / rate_hz.max(1) as f64 * IN_TIME) as i64;
    format!(
        "No way had 99 of 100 frames within {} of their time (5 % of a frame) \
         and missed none: something else takes the CPU.",
        duration(most)
    )
}

/// The rows for other programs: nanoseconds as numbers.
#[must_use]
pub fn csv_table(figures: &FrameFigures) -> Table {
    let names = [
        "rate_hz",
        "how",
        "frames",
        "missed",
        "frame_p50_ns",
        "frame_p99_ns",
        "frame_max_ns",
        "lateness_p50_ns",
        "lateness_p99_ns",
        "cpu_share",
        "wakeups_per_s",
        "energy",
    ];
    let row = |row: &Row| {
        vec![
            Cell::Text(row.rate_hz.to_string()),
            Cell::from(row.how.name()),
            Cell::Text(row.frames.to_string()),
            Cell::Text(row.missed.to_string()),
            plain(&row.frame_p50_ns),
            plain(&row.frame_p99_ns),
            plain(&row.frame_max_ns),
            plain(&row.lateness_p50_ns),
            plain(&row.lateness_p99_ns),
            plain(&row.cpu_share),
            plain(&row.wakeups_per_s),
            plain(&row.energy),
        ]
    };
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: figures.rows.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Known, Missing};

    fn row(how: How, share: f64) -> Row {
        let time = Known::Value(16_666_666);
        let late = Known::Value(70_000);
        Row {
            rate_hz: 60,
            how,
            frames: 60,
            missed: 0,
            frame_p50_ns: time.clone(),
            frame_p99_ns: time.clone(),
            frame_max_ns: time,
            lateness_p50_ns: late.clone(),
            lateness_p99_ns: late,
            cpu_share: Known::Value(share),
            wakeups_per_s: Known::Value(60.0),
            energy: Missing::absent("no counter").into(),
        }
    }

    fn said(how: Known<How>) -> String {
        let rows = vec![row(How::BusyWait, 1.0), row(How::Absolute, 0.005)];
        let bargains = vec![Bargain { rate_hz: 60, how }];
        let document = document(&FrameFigures {
            rows,
            bargains,
            energy_source: "measured",
        });
        match &document.sections[0].blocks[1] {
            Block::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_bargain_is_told_beside_what_busy_waiting_burns() {
        assert_eq!(
            said(Known::Value(How::Absolute)),
            "The best bargain: absolute wait. All 60 frames are within 70 us \
             of their time for 0.5 % of a CPU; busy waiting burns 100 %."
        );
        let only = said(Known::Value(How::BusyWait));
        assert!(only.starts_with("Only busy waiting"), "{only}");
        let none = said(Missing::unknown("no way was in time").into());
        assert!(none.contains("833.3 us"), "{none}");
    }
}
