//! timerscope's real machines: everything that asks an operating system.

#[cfg(target_os = "linux")]
pub mod linux;
