//! One CPU.

use super::ready::Ready;

/// One CPU. When it next does something stands in the world's own arrays,
/// where the loop looks each time.
#[derive(Debug)]
pub(super) struct Cpu {
    /// The task it runs.
    pub(super) current: Option<u32>,
    /// From when on its time is the task's: until then an interrupt or the
    /// host has it.
    pub(super) free_at: i64,
    /// Of the time until then, what ticks have and no meter counts yet.
    pub(super) ticking: i64,
    /// When the next tick should come.
    pub(super) tick_due: i64,
    /// Since when it has been idle, if it is.
    pub(super) idle_since: i64,
    /// Until when somebody outside the workload has it (OB-7).
    pub(super) taken_until: i64,
    /// Until when the host had it last (W-S10).
    pub(super) stolen_until: i64,
    /// The virtual time that a fair task begins with here; never goes back.
    pub(super) virtual_time: i64,
    pub(super) ready: Ready,
}

impl Cpu {
    pub(super) fn new() -> Self {
        Self {
            current: None,
            free_at: 0,
            ticking: 0,
            tick_due: 0,
            idle_since: 0,
            taken_until: i64::MIN,
            stolen_until: i64::MIN,
            virtual_time: 0,
            ready: Ready::new(),
        }
    }
}
