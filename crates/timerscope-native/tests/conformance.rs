//! The computer we run on keeps the laws of every machine.
#![cfg(target_os = "linux")]

use std::path::Path;

use timerscope::machine::conformance::LAWS;
use timerscope_native::Native;

#[test]
fn this_computer_keeps_every_law() {
    let player = Path::new(env!("CARGO_BIN_EXE_timerscope-player"));
    let mut machine = Native::with_player(player);
    let mut broken = Vec::new();
    for law in LAWS {
        if let Err(how) = law.hold(&mut machine) {
            broken.push(format!("{}: {how}", law.says));
        }
    }
    assert!(broken.is_empty(), "broken laws:\n{}", broken.join("\n"));
}
