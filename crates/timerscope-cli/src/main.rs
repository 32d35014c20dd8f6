//! The command line of timerscope.

fn main() {}
