//! Ways to draw frames in time, for people.

use super::cells::{cell, plain, time};
use super::words::{duration, percent, rate, significant};
use super::{Block, Cell, Column, Document, Section, Table};
use crate::lab::frames::{FrameFigures, How, IN_TIME, Row};

/// A table for each rate, and the best bargain of each.
#[must_use]
pub fn document(figures: &FrameFigures) -> Document {
    let section = |bargain: &crate::lab::frames::Bargain| {
        let hz = bargain.rate_hz;
        let title = format!("{hz} frames in a second");
        let mut section = Section::new(format!("frames-{hz}"), title);
        let own = figures.rows.iter().filter(|row| row.rate_hz == hz);
        let rows: Vec<&Row> = own.collect();
        section.push(Block::Table(table(&rows)));
        let best = bargain.how.value();
        let text = best.and_then(|how| best_of(&rows, *how));
        section.push(Block::Text(text.unwrap_or_else(|| none(hz))));
        section
    };
    Document {
        title: "What a fine tick is good for: frames".to_owned(),
        sections: figures.bargains.iter().map(section).collect(),
        ..Document::default()
    }
}

fn table(rows: &[&Row]) -> Table {
    let row = |row: &&Row| {
        vec![
            Cell::from(row.how.words()),
            time(&row.frame_p50_ns),
            time(&row.frame_p99_ns),
            time(&row.frame_max_ns),
            time(&row.lateness_p50_ns),
            Cell::Text(format!("{}/{}", row.missed, row.frames)),
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
            Column::numbers("power"),
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
    Some(format!(
        "The best bargain: {}. 99 of 100 frames are within {late} of their \
         time for {share} of a CPU; busy waiting burns {burnt}.",
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
