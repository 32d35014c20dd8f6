//! Who gets the CPU, and for how long.

use super::piece::choice;

choice! {
    /// How equals share a CPU.
    Sharing {
        Levels = "levels", "W-S0", Measured,
            "The highest ready level runs; equals take turns of one quantum.",
            "Microsoft, Scheduling Priorities",
            "a ready thread that waits while a lower one runs on its CPU";
        Fair = "fair", "L-6", Invented,
            "Real-time tasks first; others by earliest virtual deadline, a slice long and stretched by weight: a simplified EEVDF.",
            "Linux kernel/sched/fair.c, simplified",
            "run lengths on a real kernel that are no slices";
    }
}

choice! {
    /// When one of higher priority gets the CPU.
    Preemption {
        AtOnce = "at-once", "W-S1", Measured,
            "One of higher priority gets the CPU at once.",
            "switch_perf: 3 to 12 us",
            "switches that wait for a clock interrupt";
        AtTick = "at-tick", "W-S1.tick", Invented,
            "One of higher priority waits for the next clock interrupt: one voice in the thread, refuted there.",
            "windows-timer-articles, the forum thread",
            "switch_perf at 3 to 12 us";
    }
}

choice! {
    /// How a quantum is charged.
    Charge {
        ByTime = "by-time", "W-S2", Fitted,
            "A quantum is charged with the CPU time used, and its end noticed at a clock interrupt.",
            "windows-timer-articles; since Windows Vista",
            "run lengths that are shorter than the quantum";
        ByTick = "by-tick", "W-S2.xp", Measured,
            "A quantum is charged one interval to whoever a clock interrupt finds running.",
            "windows-timer-articles; before Windows Vista",
            "a thread that runs its whole quantum although it gave way before each interrupt";
    }
}

choice! {
    /// Whether a wake-up raises a thread's level.
    Boost {
        On = "on", "W-S3", Fitted,
            "A thread of a dynamic level woken by a timer gets 2 levels more while its process is in the foreground, one more for an event, never above 15; real-time threads get none.",
            "windows-timer-articles; Microsoft, Priority Boosts",
            "delays beside an equal load that do not grow in the background";
        Off = "off", "W-S3.off", Invented,
            "A wake-up changes no level.",
            "the rival of W-S3",
            "a sleeper that gets the CPU from an equal at once";
    }
}

choice! {
    /// What a thread loses that waits with its quantum used up.
    Spent {
        LosesBoost = "loses-boost", "W-S5", Fitted,
            "Quantum use is carried across waits; a thread that waits with it used up gets a new one and no boost at its next wake-up.",
            "windows-timer-articles, SleepTest's rare 32 ms",
            "steps between outliers times CPU time a step that is no quantum";
        Nothing = "nothing", "W-S5.off", Invented,
            "A thread that waits with its quantum used up gets a new one and keeps its boost.",
            "the rival of W-S5",
            "SleepTest's rare 32 ms";
    }
}

choice! {
    /// What a pre-empted thread's quantum is when it runs again.
    Remainder {
        Fresh = "fresh", "W-S6", Fitted,
            "A thread pre-empted by one of equal base level starts a new quantum.",
            "windows-timer-articles, SleepTest cases 1 and 2",
            "outlier sizes that are uniform up to a quantum";
        Keep = "keep", "W-S6.keep", Measured,
            "A pre-empted thread keeps the rest of its quantum.",
            "Microsoft; SleepTest case 5",
            "outlier sizes that are all one quantum";
    }
}

choice! {
    /// Whether an idle CPU ticks.
    IdleTick {
        Always = "always", "W-S8.always", Measured,
            "An idle CPU takes every clock interrupt.",
            "before Windows 8; OpenBSD",
            "an idle CPU that sleeps through an interval";
        Skipped = "skipped", "W-S8", Measured,
            "An idle CPU takes only interrupts in which something is due.",
            "Windows 8 and later; Linux nohz (L-4)",
            "idle wake-ups that follow the interval";
    }
}
