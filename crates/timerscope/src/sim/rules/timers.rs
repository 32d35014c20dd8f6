//! When a timer is due, and when it is looked at.

use super::piece::choice;

choice! {
    /// What ends a wait.
    Expiry {
        AtTick = "at-tick", "W-T3", Measured,
            "A timer expires at the first clock interrupt at or after its due time.",
            "great-rule-change; Microsoft, timeBeginPeriod",
            "a wait without an event that ends between two interrupts";
        AtOnce = "at-once", "L-1", Measured,
            "A timer has an interrupt of its own, at its due time plus slack; any earlier interrupt past its due time serves it too.",
            "Linux kernel/time/hrtimer.c",
            "a wait that ends later than its slack on an idle CPU";
    }
}

choice! {
    /// From when a sleep's span is counted.
    Deadline {
        LastTick = "last-tick", "W-T3a", Fitted,
            "A sleep counts from the last clock interrupt, so it may end up to one interval early.",
            "great-rule-change (1.0 ms on Windows 7 and 8); Microsoft, Timer Accuracy",
            "Sleep(1) at random phase at 4 ms whose least is 1 ms or more";
        Now = "now", "W-T3b", Fitted,
            "A sleep counts from the moment it is called.",
            "great-rule-change (2.0 ms on Windows XP and 10)",
            "Sleep(1) at random phase at 4 ms whose least is near 0";
        WholeTicks = "whole-ticks", "OB-8", Invented,
            "A sleep lasts its span in whole ticks, rounded up, and one more.",
            "an assumption; the articles time no sleeps there",
            "nanosleep of 1 ms in step with a 10 ms tick that takes 10 ms";
    }
}

choice! {
    /// Whose timers a clock interrupt looks at.
    Looks {
        Everyone = "everyone", "W-T5", Measured,
            "Each clock interrupt looks at every process's timers.",
            "great-rule-change",
            "a silent process that does not follow another's request";
        H1 = "h1", "W-T6.h1", Invented,
            "Silent processes are looked at in the first interrupt 15.625 ms or more after the last pass.",
            "a rival of W-T6.h5; out at 6, 7 and 9 to 15 ms",
            "18 ms for a request of 6 ms";
        H2 = "h2", "W-T6.h2", Invented,
            "Silent processes are looked at in the last interrupt within 15.625 ms of the last pass.",
            "a rival of W-T6.h5; out at 0.9994 and 2 ms",
            "14 ms for a request of 2 ms, 8 ms for one of 8 ms";
        H3 = "h3", "W-T6.h3", Invented,
            "Silent processes are looked at in the interrupt nearest to 15.625 ms after the last pass.",
            "a rival of W-T6.h5; out at 6, 9 and 10 ms",
            "18 ms for a request of 6 ms";
        H4 = "h4", "W-T6.h4", Invented,
            "Silent processes are looked at in the first interrupt after each point of an absolute 64 Hz grid.",
            "a rival of W-T6.h5; out at 6, 7 and 9 to 15 ms",
            "a mean of 15.6 ms whatever the request";
        H5 = "h5", "W-T6", Fitted,
            "A process with a live request is looked at in each interrupt; others only in every n-th, n intervals being nearest to 15.625 ms and at most 1 ms over it.",
            "great-rule-change; PC-Tuning research; TimerResolution#4",
            "a silent process's histogram at 2 and 8 ms: 16 and 16 ms here, 14 and 8 by h2, 15.6 by h4";
    }
}

impl Looks {
    /// After how many interrupts of `interval` a pass looks at silent
    /// processes; `None` where an absolute grid says it (W-T6.h4).
    pub(crate) fn pass_ticks(
        self,
        interval: i64,
        default: i64,
        overshoot: i64,
    ) -> Option<i64> {
        let floor = (default / interval).max(1);
        let over = (floor + 1) * interval - default;
        let under = default - floor * interval;
        Some(match self {
            Self::Everyone => 1,
            Self::H1 => floor + i64::from(floor * interval < default),
            Self::H2 => floor,
            Self::H3 => floor + i64::from(over < under),
            Self::H4 => return None,
            Self::H5 => floor + i64::from(over < under && over <= overshoot),
        })
    }
}

choice! {
    /// Whether passes over silent processes are regular between 4 and 8 ms.
    Noise {
        Off = "off", "W-T8.off", Invented,
            "Passes over silent processes are regular at every interval.",
            "the rival of W-T8",
            "a scattered histogram at 7 ms";
        Band = "band", "W-T8", Fitted,
            "From `noise-from` to `noise-to` of 100 passes `noise-early-percent` come one interrupt early and `noise-late-percent` one late: a description, not an explanation.",
            "great-rule-change (noise from 4 to 8 ms)",
            "a histogram at 7 ms on one pinned core without 7s and 21s";
    }
}

choice! {
    /// What a request is worth while the window cannot be seen.
    Window {
        Ignored = "ignored", "W-T7.no", Measured,
            "Windows hidden or shown, a request counts.",
            "before Windows 11",
            "an interval that changes when the requester is minimised";
        Counts = "counts", "W-T7", Measured,
            "While a process's window is hidden, it counts as one without a request, in what it gets and in the interval.",
            "Microsoft, timeBeginPeriod; PC-Tuning research",
            "an interval that stays when the only requester is minimised";
    }
}

choice! {
    /// When the next interrupt comes after the interval has changed.
    Change {
        NewPeriod = "new-period", "W-T2a", Invented,
            "After a change the next interrupt comes one new interval later.",
            "no data",
            "a trace in which the running period is finished first";
        FinishPeriod = "finish-period", "W-T2b", Invented,
            "After a change the running period is finished first.",
            "the rival of W-T2a; no data",
            "a trace in which the next interrupt comes one new interval after the change";
    }
}

choice! {
    /// What a one-shot interval timer's span is rounded up to.
    Rounding {
        None = "none", "OB-2.after", Measured,
            "A one-shot interval timer keeps a span below one tick; only the re-arming period is rounded up to a tick.",
            "the OpenBSD patch of May 2021",
            "19.5 ms for a span of 1 us after the patch";
        OneTick = "one-tick", "OB-2", Measured,
            "A span below one tick becomes one tick, for all three interval timers.",
            "the OpenBSD patch of May 2021",
            "10 ms for a span of 1 us before the patch";
    }
}

choice! {
    /// How many ticks a timer that counts CPU time needs.
    CpuTimers {
        Ticks = "ticks", "OB-3", Measured,
            "A CPU-time timer is charged one nominal tick at each tick that finds its process running, and fires when its span is used up.",
            "OpenBSD kern_time.c, itimerdecr",
            "rows of k ticks that take k + 1";
        OneMore = "one-more", "L-3", Measured,
            "A CPU-time timer needs one tick more than its span.",
            "Linux kernel/time/itimer.c; timed on Linux 6.18",
            "1 us that takes one tick";
    }
}
