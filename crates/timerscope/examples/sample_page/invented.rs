//! A document with every kind of block, its figures invented.
//!
//! Nothing here was measured: the figures come from a small generator with a
//! fixed start, so that every run gives the same bytes.

use timerscope::machine::Missing;
use timerscope::report::{
    Block, Cell, Chart, Column, Curve, Document, Headline, Mark, Section,
    Table, Tone, words,
};

/// An answer about a machine that does not exist.
pub(crate) fn document() -> Document {
    Document {
        banner: None,
        title: "This machine's timer (invented figures)".into(),
        headline: Some(Headline {
            finding: "Sleeps end 57 us late, and 50 us of that is timer \
                      slack that your programs can give up."
                .into(),
            action: Some(
                "Set the slack to 1 us with `timerscope hold --slack 1us -- \
                 PROGRAM`, or call prctl(PR_SET_TIMERSLACK, 1)."
                    .into(),
            ),
            tone: Tone::Attention,
        }),
        sections: vec![machine(), waits(), spans(), blame()],
        footnotes: vec![
            "Measuring took 4.2 s, 310 ms of CPU time and 1204 wake-ups of \
             its own."
                .into(),
            "Energy was not measured: see the reason in the first table."
                .into(),
        ],
    }
}

fn machine() -> Section {
    let mut section = Section::new("machine", "What this machine has");
    let refused = Missing::refused("reading the timer list needs root")
        .or_try("`sudo timerscope info`");
    let absent = Missing::absent("with high-resolution timers there is none");
    section.push(Block::Facts(vec![
        ("Clock source".into(), "tsc (also: hpet, acpi_pm)".into()),
        ("High-resolution timers".into(), "yes".into()),
        ("Clock interrupts".into(), words::rate(250.0).into()),
        ("Interval".into(), Cell::Missing(absent.clone())),
        ("Coarsest interval".into(), Cell::Missing(absent)),
        ("Clock event device".into(), Cell::Missing(refused)),
        ("Timer slack".into(), words::duration(50_000).into()),
    ]));
    section.push(Block::Warning(
        "This is a virtual machine: time that its host takes away looks like \
         lateness here."
            .into(),
    ));
    section.push(Block::Verbatim(
        "$ cat /sys/devices/system/clocksource/clocksource0/\
         current_clocksource\ntsc\n"
            .into(),
    ));
    section
}

fn waits() -> Section {
    let mut section = Section::new("waits", "How late sleeps of 1 ms end");
    section.push(Block::Text(
        "Each way of waiting was asked for 1 ms, 1000 times. Those that the \
         slack applies to end about 57 us late; the others end 7 us late."
            .into(),
    ));
    section.push(Block::Table(wait_table()));
    section.push(Block::Chart(Chart::Histogram {
        title: "nanosleep, 1 ms asked, 1002 times".into(),
        axis: "woke after".into(),
        values: sleeps(),
        marks: vec![mark("asked", 1_000_000), mark("median", 1_057_400)],
    }));
    section.push(Block::Chart(Chart::Bars {
        title: "Lateness of each way of waiting".into(),
        axis: "lateness, median to 99th percentile".into(),
        bars: vec![
            ("nanosleep".into(), 57_400, Some(93_000)),
            ("epoll-wait".into(), 1_057_000, Some(1_090_000)),
            ("timerfd".into(), 7_100, Some(31_000)),
            ("futex".into(), 57_900, None),
        ],
    }));
    section.push(Block::Advice(
        "Where 50 us matter, wait with timerfd or clock_nanosleep and set the \
         slack to 1 ns."
            .into(),
    ));
    section
}

fn wait_table() -> Table {
    let refused = Missing::refused("io_uring is disabled by a sysctl")
        .or_try("`sysctl kernel.io_uring_disabled=0` as root");
    let refused = || Cell::Missing(refused.clone());
    let numbers = [(57_400, 93_000, 5_971_000), (7_100, 31_000, 212_000)];
    let row = |name: &str, slack: &str, at: usize| {
        let (middle, late, most) = numbers[at];
        let mut row = vec![Cell::from(name), words::count(1_002).into()];
        row.extend([middle, late, most].map(|ns| words::duration(ns).into()));
        row.push(slack.into());
        row
    };
    Table {
        caption: "Lateness when 1 ms was asked".into(),
        columns: vec![
            Column::words("wait"),
            Column::numbers("count"),
            Column::numbers("median"),
            Column::numbers("99th percentile"),
            Column::numbers("worst"),
            Column::words("slack applies"),
        ],
        rows: vec![
            row("nanosleep", "yes", 0),
            row("timerfd", "no", 1),
            vec![
                "io-uring-timeout".into(),
                words::count(0).into(),
                refused(),
                refused(),
                refused(),
                Cell::Missing(Missing::unknown("the kernel does not say")),
            ],
        ],
    }
}

fn spans() -> Section {
    let mut section = Section::new("spans", "What you get for what you ask");
    let asked = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 15_000];
    let curve = |name: &str, got: fn(i64) -> i64| Curve {
        name: name.into(),
        points: asked.iter().map(|us| (us * 1_000, got(us * 1_000))).collect(),
    };
    section.push(Block::Chart(Chart::Curves {
        title: "Asked against got".into(),
        across: "asked".into(),
        up: "got, median".into(),
        curves: vec![
            curve("nanosleep", |ns| ns + 57_000),
            curve("timerfd", |ns| ns + 7_000),
            curve("epoll-wait", |ns| (ns / 1_000_000 + 1) * 1_000_000 + 60_000),
        ],
    }));
    section.push(Block::Chart(Chart::Histogram {
        title: "Sleep(1) on a machine with a coarse interval".into(),
        axis: "woke after".into(),
        values: coarse(),
        marks: vec![
            mark("asked", 1_000_000),
            mark("median", 15_600_000),
            mark("tick", 15_625_000),
        ],
    }));
    section
}

fn blame() -> Section {
    let mut section = Section::new("blame", "Who wakes the CPU");
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: vec![
            Column::words("process"),
            Column::numbers("wake-ups per second"),
            Column::numbers("of all"),
            Column::words("because of"),
        ],
        rows: vec![
            vec![
                "music-player".into(),
                words::significant(187.2, 3).into(),
                words::percent(0.612).into(),
                "a periodic timer of 5 ms in its audio thread, held while \
                 nothing plays"
                    .into(),
            ],
            vec![
                "tray-icon".into(),
                words::significant(60.0, 3).into(),
                words::percent(0.196).into(),
                "redraws 60 times a second while hidden".into(),
            ],
        ],
    }));
    section
}

fn mark(label: &str, at: i64) -> Mark {
    Mark { label: label.into(), at }
}

/// Sleeps of 1 ms with slack: a body 60 us wide, and two far outliers.
fn sleeps() -> Vec<(i64, u64)> {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % below) as i64
    };
    let mut values: Vec<_> = (0..1_000)
        .map(|_| (1_046_000 + draw(9_000) + draw(9_000) + draw(6_000), 1))
        .collect();
    values.extend([(1_181_300, 1), (6_971_000, 1)]);
    values.sort_unstable();
    values
}

/// Sleeps that end at the next of coarse clock interrupts.
fn coarse() -> Vec<(i64, u64)> {
    let near = |middle: i64, count: u64| {
        (-8..=8).map(move |at: i64| {
            (middle + at * 9_000, count / (1 + at.unsigned_abs()))
        })
    };
    near(1_950_000, 12).chain(near(15_600_000, 240)).collect()
}
