//! No bytes make the reader of recordings panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use timerscope::machine::Saved;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(saved) = Saved::read(bytes) {
        for (_, _, track) in saved.recording.tracks() {
            let _ = (track.took(), track.lateness());
        }
    }
});
