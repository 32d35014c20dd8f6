//! Sleep(1) while another process holds an interval: "The Great Rule
//! Change", and what others measured later.

use timerscope::machine::{Action, Span};

use crate::machines::{
    requester, settled_ms, silent_mean, silent_ms, sleeper, stepper, workload,
};
use crate::play::{deviation, mean, play};
use crate::row::{Row, hold};

#[test]
fn until_1909_a_silent_process_follows_everybody() {
    let rows: Vec<Row> = (1..=15)
        .map(|p| {
            let published = if p == 1 { 2.0 } else { p as f64 };
            let model = silent_mean("windows-10-1909", Span::from_ms(p));
            Row::within(format!("{p} ms"), published, model, 2.0)
        })
        .collect();
    hold("windows-10-1909, Sleep(1) beside a requester", &rows);
}

#[test]
fn since_2004_a_silent_process_gets_passes() {
    let at = |p| silent_mean("windows-10-2004", Span::from_ms(p));
    let mut rows = vec![
        Row::within("2 ms, about 64 a second", 15.625, at(2), 10.0),
        Row::within("6 ms, about 12", 12.0, at(6), 10.0),
        Row::within("7 ms, about 14", 14.0, at(7), 10.0),
    ];
    for p in 9..=15 {
        let text = format!("{p} ms, no noise");
        rows.push(Row::within(text, p as f64, at(p), 2.0));
    }
    hold("windows-10-2004, Sleep(1) beside a requester", &rows);
}

#[test]
fn noise_is_where_it_was_seen_and_nowhere_else() {
    for p in 1..=15 {
        let all = silent_ms("windows-10-2004", Span::from_ms(p));
        let noisy = deviation(&all) > 0.5;
        assert_eq!(noisy, (4..=8).contains(&p), "{p} ms");
    }
    let sevens = silent_ms("windows-10-2004", Span::from_ms(7));
    let share = |ms: f64| {
        let near = sevens.iter().filter(|took| (*took - ms).abs() < 0.5);
        near.count()
    };
    assert!(share(14.0) < share(7.0) && share(14.0) < share(21.0));
}

#[test]
fn time_get_time_steps_with_the_interval() {
    for machine in ["windows-10-1909", "windows-10-2004"] {
        let rows: Vec<Row> = (1..=15)
            .map(|p| {
                let all = vec![requester(Span::from_ms(p)), stepper(40)];
                let played = play(machine, 1, &workload(all));
                let track = played.seen.track(1, 0).expect("it is kept");
                let step = track.samples[0].value as f64 / 1e6;
                Row::within(format!("{p} ms"), p as f64, step, 0.1)
            })
            .collect();
        hold(&format!("{machine}, step of timeGetTime"), &rows);
    }
}

/// Machine, interval of the requester, published mean; the sleeper itself
/// requests nothing.
const LATER: [(&str, &str, &str, f64); 9] = [
    ("21H2, 0.4992", "windows-10-2004,finest=499.2us", "499.2us", 15.50),
    ("21H2, 0.4990", "windows-10-2004,finest=499us", "499us", 15.45),
    ("22H2, 0.9994", "windows-10-2004", "999.4us", 15.987),
    ("11 and key, 0.5", "windows-11-global", "500us", 1.4955),
    ("11 and key, 0.9996", "windows-11-global", "999.6us", 1.9988),
    ("11 and key, 0.5068", "windows-11-global", "506.8us", 1.0125),
    ("2016, 1024 Hz", "windows-10-1909", "976.562us", 1.953),
    ("Windows 7, 1 ms", "windows-7", "1ms", 1.0),
    ("Windows XP, 1 ms", "windows-xp", "1ms", 2.0),
];

#[test]
fn later_public_measurements_agree_to_a_percent() {
    let rows = LATER.map(|(what, machine, interval, published)| {
        let interval = interval.parse().expect("a span");
        Row::within(what, published, silent_mean(machine, interval), 1.0)
    });
    hold("measured by others later", &rows);
}

#[test]
fn a_minimised_requester_loses_its_interval() {
    let half = Span::from_us(500);
    let mut all = sleeper(20, vec![Action::Request(half)]);
    all.script.push(timerscope::machine::Cue {
        at: Span::from_us(1),
        what: timerscope::machine::Happening::Hide,
    });
    let played = play("windows-11", 1, &workload(vec![all]));
    let model = mean(&settled_ms(&played, 0, 2));
    hold(
        "windows-11, requester minimised",
        &[Row::within("0.5 ms", 15.6235, model, 1.0)],
    );
}

/// What each rival of W-T6 predicts; at 0.4992, 0.9994, 2, 4 .. 10, 15 ms.
const RIVALS: [(&str, [f64; 11]); 5] = [
    (
        "h1",
        [15.97, 15.99, 16.0, 16.0, 20.0, 18.0, 21.0, 16.0, 18.0, 20.0, 30.0],
    ),
    ("h2", [15.48, 14.99, 14.0, 12.0, 15.0, 12.0, 14.0, 8.0, 9.0, 10.0, 15.0]),
    (
        "h3",
        [15.48, 15.99, 16.0, 16.0, 15.0, 18.0, 14.0, 16.0, 18.0, 20.0, 15.0],
    ),
    ("h4", [15.62; 11]),
    ("h5", [15.48, 15.99, 16.0, 16.0, 15.0, 12.0, 14.0, 16.0, 9.0, 10.0, 15.0]),
];
const RIVAL_SPANS: [&str; 11] = [
    "499.2us", "999.4us", "2ms", "4ms", "5ms", "6ms", "7ms", "8ms", "9ms",
    "10ms", "15ms",
];

#[test]
fn each_rival_predicts_what_rules_it_out() {
    for (rule, predicted) in RIVALS {
        let machine =
            format!("windows-10-2004,rule={rule},noise=off,finest=499.2us");
        let rows: Vec<Row> = RIVAL_SPANS
            .iter()
            .zip(predicted)
            .map(|(text, ms)| {
                let model = silent_mean(&machine, text.parse().expect(text));
                Row::within(*text, ms, model, 0.3)
            })
            .collect();
        hold(&machine, &rows);
    }
}
