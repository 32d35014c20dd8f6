//! A run as a file: what is written reads back, and what is damaged is told.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use timerscope::machine::{
    Action, Keep, Machine, Meanwhile, Process, Recording, RecordingError,
    Saved, Span, Task, WaitKind, Workload,
};
use timerscope_native::Native;

/// A run of a few waits of each way of keeping.
fn saved(raw_limit: usize) -> Saved {
    let wait = |keep| Action::Wait {
        how: WaitKind::Nanosleep,
        span: Span::from_us(100),
        meanwhile: Meanwhile::Block,
        keep,
    };
    let over = Keep::Over(Span::from_us(110));
    let kept = [Keep::Everything, Keep::Histogram, over, Keep::Count];
    let body = kept.map(wait).to_vec();
    let task = Task::new("sleeper", vec![Action::repeat(20, body)]);
    let workload = Workload::new(vec![Process::new("app", vec![task])]);
    let player = Path::new(env!("CARGO_BIN_EXE_timerscope-player"));
    let mut machine = Native::with_player(player);
    let facts = machine.facts().unwrap();
    let mut recording = Recording::with_raw_limit(&workload, raw_limit);
    let ending = machine.play(&workload, &mut recording).unwrap();
    Saved { facts, workload, recording, ending }
}

fn written(saved: &Saved) -> Vec<u8> {
    let mut text = Vec::new();
    saved.write(&mut text).unwrap();
    text
}

#[test]
fn what_is_saved_reads_back() {
    let saved = saved(Recording::RAW_LIMIT);
    let again = Saved::read(&written(&saved)[..]).unwrap();
    assert_eq!(again.facts, saved.facts);
    assert_eq!(again.workload, saved.workload);
    assert_eq!(again.ending, saved.ending);
    for (role, step, track) in saved.recording.tracks() {
        let read = again.recording.track(role, step).unwrap();
        assert_eq!(read.outcomes, track.outcomes);
        assert_eq!(read.samples, track.samples);
        assert_eq!(read.over, track.over);
        assert_eq!(read.took(), track.took(), "step {step}");
        assert_eq!(read.lateness(), track.lateness(), "step {step}");
    }
}

#[test]
fn no_count_is_lost_in_a_file_either() {
    let saved = saved(5);
    let again = Saved::read(&written(&saved)[..]).unwrap();
    for (role, step, track) in again.recording.tracks() {
        let counted: u64 = track.took().iter().map(|pair| pair.1).sum();
        let all = saved.recording.track(role, step).unwrap().count();
        assert_eq!((track.count(), counted), (all, all), "step {step}");
    }
}

// A file from outside may be cut, flipped or forged anywhere: the reader says
// so or reads it, and does not panic.
#[test]
fn no_damage_makes_the_reader_panic() {
    let text = written(&saved(Recording::RAW_LIMIT));
    for at in (0..text.len()).step_by(97) {
        assert!(Saved::read(&text[..at]).is_err(), "cut at {at}");
        for with in [b'9', b'-', b'"', b'}', 0, 0xff] {
            let mut damaged = text.clone();
            damaged[at] = with;
            if let Ok(read) = Saved::read(&damaged[..]) {
                for (_, _, track) in read.recording.tracks() {
                    let _ = (track.took(), track.lateness());
                }
            }
        }
    }
}

#[test]
fn a_recording_of_another_version_is_named() {
    let text = String::from_utf8(written(&saved(5))).unwrap();
    let newer =
        text.replace("timerscope-recording/1", "timerscope-recording/7");
    let error = Saved::read(newer.as_bytes()).unwrap_err();
    assert!(
        matches!(&error, RecordingError::Schema(own) if own.ends_with("/7"))
    );
}
