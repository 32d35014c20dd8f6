//! timerscope's real machines: everything that asks an operating system.
