//! No text makes the reader of workloads panic, and what it accepts reads
//! back as it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use timerscope::machine::Workload;

fuzz_target!(|text: &str| {
    if let Ok(workload) = Workload::from_toml(text) {
        let again = Workload::from_toml(&workload.to_toml());
        assert_eq!(again.as_ref(), Ok(&workload));
    }
});
