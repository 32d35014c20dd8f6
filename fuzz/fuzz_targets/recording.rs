//! No bytes make the readers of recordings and answers panic, nor a
//! comparison or a timeline of what they made of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use timerscope::lab::diff::{Side, diff};
use timerscope::machine::Saved;
use timerscope::report::perfetto;
use timerscope::trace::Timeline;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(runs) = Saved::read_all(bytes) {
        for (_, _, track) in runs.iter().flat_map(|own| own.recording.tracks())
        {
            let _ = (track.took(), track.lateness());
        }
        let timeline = Timeline::of_recording(&saved);
        let _ = perfetto::write(&timeline, std::io::sink());
    }
    if let Ok(side) = Side::read(bytes) {
        let _ = diff(("a", &side), ("b", &side));
    }
});
