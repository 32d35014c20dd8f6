//! Waits that end by a signal: sigtimedwait(2), timer_create(2),
//! setitimer(2).
//!
//! A thread that blocks meanwhile takes its signal with sigtimedwait, so no
//! handler runs. One that burns lets a handler set a flag, as programs do.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use timerscope::machine::{Meanwhile, WaitKind};

use super::call::{Call, checked};
use super::condition::Condition;
use crate::linux::clock::{process_cpu_ns, timespec, timeval};
use crate::linux::event::errno;
use crate::linux::thread::{id, mask, signal_set};

/// What the timekeeper reaches for to end a wait that no signal ends.
pub(crate) struct Woken {
    /// Set when the wait under way is to end: a burning task looks at it.
    pub(crate) stop: AtomicBool,
    /// Woken for a task that waits on a condition.
    pub(crate) condition: Condition,
}

impl Woken {
    pub(crate) fn new() -> Self {
        Self { stop: AtomicBool::new(false), condition: Condition::new() }
    }
}

/// The signal of POSIX timers.
fn posix_timer_signal() -> libc::c_int {
    libc::SIGRTMIN() + 1
}

/// A signal that nobody sends.
fn silent_signal() -> libc::c_int {
    libc::SIGRTMIN() + 2
}

/// Blocks the signals of all timers for the calling thread and those it
/// starts, so that only the task that asked for one takes it.
pub(crate) fn block_timer_signals() {
    let signals = [
        libc::SIGALRM,
        libc::SIGVTALRM,
        libc::SIGPROF,
        posix_timer_signal(),
        silent_signal(),
    ];
    mask(&signals, true);
}

/// Lets the handler have `signal`, or keeps it for sigtimedwait. The system is
/// asked only when that changes, so that a wait stays one call.
fn hand_over(signal: libc::c_int, to_handler: bool) {
    thread_local! {
        static HANDED: Cell<u128> = const { Cell::new(0) };
    }
    let bit = 1_u128 << signal;
    let handed = HANDED.get();
    if (handed & bit != 0) != to_handler {
        mask(&[signal], !to_handler);
        HANDED.set(handed ^ bit);
    }
}

/// Signals seen by the handler, by kind: a process has one interval timer of
/// each, and one task that owns it.
static SEEN: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

thread_local! {
    /// POSIX timer signals seen by this thread's handler.
    static SEEN_HERE: AtomicU32 = const { AtomicU32::new(0) };
}

extern "C" fn interval_timer_expired(signal: libc::c_int) {
    let index = match signal {
        libc::SIGALRM => 0,
        libc::SIGVTALRM => 1,
        _ => 2,
    };
    SEEN[index].fetch_add(1, Relaxed);
}

extern "C" fn posix_timer_expired(_: libc::c_int) {
    SEEN_HERE.with(|seen| seen.fetch_add(1, Relaxed));
}

fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) {
    // SAFETY: a zeroed sigaction is a valid one.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: both handlers do one atomic addition, to a static or to a
    // constant-initialised thread local, which a signal may interrupt.
    unsafe {
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

/// Waits for `signal`; it must be blocked.
fn take(signal: libc::c_int, timeout_ns: Option<u64>) -> Result<(), i32> {
    let set = signal_set(&[signal]);
    let timeout = timeout_ns.map(timespec);
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: reads one set and, if any, one timespec; no information back.
    let taken = unsafe {
        libc::sigtimedwait(&raw const set, std::ptr::null_mut(), timeout)
    };
    if taken == signal { Ok(()) } else { Err(errno()) }
}

/// Computes as timer.c does until `seen` has moved on from `before`.
fn burn(
    seen: impl Fn() -> u32,
    before: u32,
    stop: &AtomicBool,
) -> Result<(), i32> {
    let mut dummy = 1.0_f64;
    while seen() == before {
        if stop.load(Relaxed) {
            return Err(libc::EINTR);
        }
        dummy += dummy.sqrt();
    }
    black_box(dummy);
    Ok(())
}

/// Waits for a signal that nobody sends.
pub(super) struct Sigtimedwait(libc::c_int);

impl Sigtimedwait {
    pub(super) fn new() -> Self {
        Self(silent_signal())
    }
}

impl Call for Sigtimedwait {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        match take(self.0, Some(span_ns)) {
            Err(libc::EAGAIN) => Ok(()),
            Ok(()) => Err(libc::EINTR),
            Err(error) => Err(error),
        }
    }
}

/// A POSIX timer on CLOCK_MONOTONIC that signals its own thread.
pub(super) struct PosixTimer {
    timer: libc::timer_t,
    meanwhile: Meanwhile,
    woken: Arc<Woken>,
    /// Signals that its handler had seen when the last wait ended.
    taken: u32,
}

// SAFETY: a timer's number may be used by any thread; the signal goes to the
// thread that prepared it, which is the one that waits.
unsafe impl Send for PosixTimer {}

impl PosixTimer {
    pub(super) fn new(
        meanwhile: Meanwhile,
        woken: Arc<Woken>,
    ) -> Result<Self, i32> {
        let signal = posix_timer_signal();
        // SAFETY: a zeroed sigevent is a valid one.
        let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_notify_thread_id = id() as libc::c_int;
        let mut timer: libc::timer_t = std::ptr::null_mut();
        // SAFETY: reads the sigevent and writes the timer's number.
        checked(unsafe {
            libc::timer_create(
                libc::CLOCK_MONOTONIC,
                &raw mut event,
                &raw mut timer,
            )
        })?;
        if meanwhile == Meanwhile::Burn {
            handle(signal, posix_timer_expired);
        }
        Ok(Self { timer, meanwhile, woken, taken: 0 })
    }

    fn set(
        &self,
        flags: libc::c_int,
        time_ns: u64,
        again_ns: u64,
    ) -> Result<(), i32> {
        let time = libc::itimerspec {
            it_interval: timespec(again_ns),
            it_value: timespec(time_ns),
        };
        // SAFETY: our own timer; reads one itimerspec; the old one is not
        // wanted.
        checked(unsafe {
            libc::timer_settime(
                self.timer,
                flags,
                &raw const time,
                std::ptr::null_mut(),
            )
        })
    }

    fn wait(&mut self, flags: libc::c_int, time_ns: u64) -> Result<(), i32> {
        self.prepare();
        self.set(flags, time_ns, 0)?;
        self.ring()
    }

    /// Says who is to have its signal, and how many it has had.
    fn prepare(&mut self) {
        hand_over(posix_timer_signal(), self.meanwhile == Meanwhile::Burn);
        self.taken = Self::seen();
    }

    fn seen() -> u32 {
        SEEN_HERE.with(|seen| seen.load(Relaxed))
    }

    /// Disarms the timer, and takes a signal that came all the same.
    fn give_up(&self, error: i32) -> Result<(), i32> {
        self.set(0, 0, 0)?;
        hand_over(posix_timer_signal(), false);
        let _ = take(posix_timer_signal(), Some(0));
        Err(error)
    }
}

impl Call for PosixTimer {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        // A value of zero would disarm it.
        self.wait(0, span_ns.max(1))
    }

    fn absolute(&mut self, due: i64) -> Result<(), i32> {
        self.wait(libc::TIMER_ABSTIME, due.max(1) as u64)
    }

    fn arm(&mut self, span_ns: u64, again_ns: u64) -> Result<(), i32> {
        self.prepare();
        self.set(0, span_ns.max(1), again_ns)
    }

    fn ring(&mut self) -> Result<(), i32> {
        let ended = if self.meanwhile == Meanwhile::Burn {
            burn(Self::seen, self.taken, &self.woken.stop)
        } else {
            take(posix_timer_signal(), None)
        };
        self.taken = Self::seen();
        ended.or_else(|error| self.give_up(error))
    }

    fn disarm(&mut self) {
        let _ = self.give_up(0);
    }
}

impl Drop for PosixTimer {
    fn drop(&mut self) {
        // SAFETY: our own timer, deleted once.
        unsafe { libc::timer_delete(self.timer) };
    }
}

/// One of the three timers a process has only one of.
pub(super) struct IntervalTimer {
    which: libc::c_int,
    signal: libc::c_int,
    seen: &'static AtomicU32,
    meanwhile: Meanwhile,
    woken: Arc<Woken>,
    counts_cpu_time: bool,
    /// CPU time of this process when the wait under way began.
    from_ns: i64,
    /// CPU time of this process during the last wait.
    spent_ns: i64,
    /// Signals that its handler had seen when the last wait ended.
    taken: u32,
}

impl IntervalTimer {
    pub(super) fn new(
        how: WaitKind,
        meanwhile: Meanwhile,
        woken: Arc<Woken>,
    ) -> Self {
        let (which, signal, index) = match how {
            WaitKind::ItimerVirtual => {
                (libc::ITIMER_VIRTUAL, libc::SIGVTALRM, 1)
            }
            WaitKind::ItimerProf => (libc::ITIMER_PROF, libc::SIGPROF, 2),
            _ => (libc::ITIMER_REAL, libc::SIGALRM, 0),
        };
        if meanwhile == Meanwhile::Burn {
            handle(signal, interval_timer_expired);
        }
        let counts_cpu_time = how.counts_cpu_time();
        let seen = &SEEN[index];
        Self {
            which,
            signal,
            seen,
            meanwhile,
            woken,
            counts_cpu_time,
            from_ns: 0,
            spent_ns: 0,
            taken: 0,
        }
    }

    fn set(&self, span_ns: u64, again_ns: u64) -> Result<(), i32> {
        let time = libc::itimerval {
            it_interval: timeval(again_ns),
            it_value: timeval(span_ns),
        };
        // SAFETY: reads one itimerval; the old one is not wanted.
        checked(unsafe {
            libc::setitimer(
                self.which as _,
                &raw const time,
                std::ptr::null_mut(),
            )
        })
    }

    /// Disarms the timer, and takes a signal that came all the same.
    fn give_up(&self, error: i32) -> Result<(), i32> {
        self.set(0, 0)?;
        hand_over(self.signal, false);
        let _ = take(self.signal, Some(0));
        Err(error)
    }
}

impl Call for IntervalTimer {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        self.arm(span_ns, 0)?;
        self.ring()
    }

    fn arm(&mut self, span_ns: u64, again_ns: u64) -> Result<(), i32> {
        hand_over(self.signal, self.meanwhile == Meanwhile::Burn);
        self.taken = self.seen.load(Relaxed);
        self.from_ns = self.cpu_ns();
        // A value of zero would disarm it.
        self.set(span_ns.max(1), again_ns)
    }

    fn ring(&mut self) -> Result<(), i32> {
        let ended = if self.meanwhile == Meanwhile::Burn {
            let seen = || self.seen.load(Relaxed);
            burn(seen, self.taken, &self.woken.stop)
        } else {
            take(self.signal, None)
        };
        self.taken = self.seen.load(Relaxed);
        let to_ns = self.cpu_ns();
        self.spent_ns = to_ns - self.from_ns;
        self.from_ns = to_ns;
        ended.or_else(|error| self.give_up(error))
    }

    fn disarm(&mut self) {
        let _ = self.give_up(0);
    }

    fn found(&self) -> i64 {
        self.spent_ns
    }
}

impl IntervalTimer {
    /// A system call of under a microsecond, made only where such a timer,
    /// which is never less than a tick, counts CPU time.
    fn cpu_ns(&self) -> i64 {
        if self.counts_cpu_time { process_cpu_ns() } else { 0 }
    }
}
