//! A player for programs that use the library and are no player themselves.

use std::process::ExitCode;

fn main() -> ExitCode {
    timerscope_native::serve_player();
    eprintln!(
        "timerscope-player: started by hand: it plays one process of a \
         workload for a program that uses timerscope\n  \
         try: timerscope run WORKLOAD.toml"
    );
    ExitCode::from(2)
}
