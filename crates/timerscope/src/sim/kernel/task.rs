//! What the simulator knows of one running task.

/// What the simulator knows of one running task: small, because there may be
/// a million.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// When the action under way should end, on the machine's clock.
    pub(super) due: i64,
    /// When the action under way began, on the machine's clock.
    pub(super) began: i64,
    /// Blocked: when its timer may expire. On a CPU-time timer: ticks left.
    pub(super) soft: i64,
    /// CPU time that is left of what it does, when it is not running.
    pub(super) rest: i64,
    /// CPU time used of its quantum or slice.
    pub(super) used: i64,
    /// Its virtual time among the fair ones; there also the key it is
    /// queued by.
    pub(super) virtual_time: i64,
    /// CPU time it used.
    pub(super) cpu_ns: u64,
    /// Which arming of its timer counts; 0 when none is armed.
    pub(super) timer: u32,
    /// The next one in its ready queue.
    pub(super) next: u32,
    pub(super) pc: u32,
    /// The first of its loops' frames.
    pub(super) frame: u32,
    pub(super) program: u32,
    pub(super) player: u32,
    /// How often it gave up its CPU to wait.
    pub(super) switches: u32,
    /// The first of its counts.
    pub(super) counts: u32,
    /// Loops whose time is up, a bit for each depth.
    pub(super) expired: u16,
    pub(super) cpu: u8,
    pub(super) base: u8,
    pub(super) level: u8,
    pub(super) state: State,
    /// How far it is in what it does.
    pub(super) phase: u8,
    pub(super) flags: u8,
}

/// Where a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It waits for a timer or an event.
    Blocked,
    /// It is in a ready queue.
    Ready,
    /// It has a CPU.
    Running,
    /// It would be ready, but its process is suspended.
    Held,
    /// It has ended.
    Done,
}

/// It gets no boost at its next wake-up (W-S5).
pub(super) const NO_BOOST: u8 = 1;
/// It was woken from another CPU.
pub(super) const CROSS: u8 = 2;
/// Its timer expired or its event came.
pub(super) const FIRED: u8 = 4;
/// Its wait timed out.
pub(super) const TIMED_OUT: u8 = 8;
/// Its wait was cut short.
pub(super) const CUT: u8 = 16;
/// It burns until a signal comes.
pub(super) const BURNING: u8 = 32;
/// It has done all its actions.
pub(super) const FINISHED: u8 = 64;
/// Its CPU was taken away while it watched for that.
pub(super) const JUMPED: u8 = 128;

impl Task {
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the flag was set; it is not any more.
    pub(super) fn take(&mut self, flag: u8) -> bool {
        let had = self.has(flag);
        self.flags &= !flag;
        had
    }
}

/// The state of one loop of one task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// An `every`'s current point; when a `repeat` began.
    pub(super) point: i64,
    /// How many times the body was done.
    pub(super) times: u64,
}

impl Frame {
    pub(super) const BLANK: Self = Self { point: 0, times: 0 };
}
