//! What a thread runs as: sched_setaffinity(2), sched_setscheduler(2),
//! setpriority(2), PR_SET_TIMERSLACK of prctl(2); and how it is disturbed.

use std::io;

use timerscope::machine::{AskError, Class, Priority, Task};

/// The real-time level of `realtime`: the middle of 1 to 99.
const REALTIME_LEVEL: u8 = 50;

/// What a priority comes down to here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    /// SCHED_OTHER, SCHED_BATCH or SCHED_IDLE with a nice value.
    Fair(libc::c_int, i8),
    /// SCHED_FIFO or SCHED_RR at a level.
    RealTime(libc::c_int, u8),
}

/// Makes the calling thread what `task` wants to be.
///
/// A task of priority `normal` in the class `normal` stays what this program
/// was started as: under `nice` or `chrt` that is what is to be measured.
pub(crate) fn become_task(class: Class, task: &Task) -> Result<(), AskError> {
    if !task.cpus.is_empty() {
        pin(&task.cpus).map_err(|error| cpu_refused(task, &error))?;
    }
    // The policy first: a real-time one clears the slack.
    if let Some(wanted) = policy(class, task.priority, inherited())? {
        set_policy(wanted, task)?;
    }
    if let Some(slack) = task.slack {
        set_slack(slack.ns()).map_err(|error| {
            let what = format!("cannot set a timer slack of {slack}");
            AskError::refused(what, error.to_string())
                .or_try("leave --slack away to keep the default")
        })?;
    }
    Ok(())
}

fn pin(cpus: &[u32]) -> io::Result<()> {
    // SAFETY: a zeroed cpu_set_t is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for cpu in cpus {
        if *cpu >= libc::CPU_SETSIZE as u32 {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        // SAFETY: the number was just checked against the set's size.
        unsafe { libc::CPU_SET(*cpu as usize, &mut set) };
    }
    // SAFETY: reads one cpu_set_t of the size given; 0 is this thread.
    let result = unsafe {
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The CPUs the calling thread may run on.
pub(crate) fn allowed_cpus() -> Vec<u32> {
    // SAFETY: a zeroed cpu_set_t is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: writes at most the size given into the set.
    let result =
        unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
    if result != 0 {
        return Vec::new();
    }
    let all = 0..libc::CPU_SETSIZE as u32;
    // SAFETY: every number is below the set's size.
    all.filter(|cpu| unsafe { libc::CPU_ISSET(*cpu as usize, &set) }).collect()
}

fn cpu_refused(task: &Task, error: &io::Error) -> AskError {
    let what =
        format!("cannot run task `{}` on CPU {:?}", task.name, task.cpus);
    AskError::refused(what, error.to_string())
}

/// What the calling thread was started as.
fn inherited() -> Policy {
    let number = current_policy().unwrap_or(libc::SCHED_OTHER);
    match number {
        libc::SCHED_FIFO | libc::SCHED_RR => {
            Policy::RealTime(number, current_level())
        }
        _ => Policy::Fair(number, current_nice()),
    }
}

/// What `priority` counted from `class` comes down to; nothing if the thread
/// may stay what it was started as.
fn policy(
    class: Class,
    priority: Priority,
    own: Policy,
) -> Result<Option<Policy>, AskError> {
    let fair = |nice| Policy::Fair(libc::SCHED_OTHER, nice);
    let base = match class {
        Class::Normal => own,
        Class::Idle => fair(19),
        Class::Below => fair(10),
        Class::Above => fair(-5),
        Class::High => fair(-10),
        Class::Realtime => Policy::RealTime(libc::SCHED_FIFO, REALTIME_LEVEL),
    };
    let nice = match base {
        Policy::Fair(_, nice) => nice,
        Policy::RealTime(..) => 0,
    };
    Ok(Some(match priority {
        Priority::Normal if class == Class::Normal => return Ok(None),
        Priority::Normal => base,
        Priority::Below => base.lowered(1),
        Priority::Above => base.lowered(-1),
        Priority::Realtime => {
            Policy::RealTime(libc::SCHED_FIFO, REALTIME_LEVEL)
        }
        Priority::Fifo(level) => Policy::RealTime(libc::SCHED_FIFO, level),
        Priority::RoundRobin(level) => Policy::RealTime(libc::SCHED_RR, level),
        Priority::Nice(nice) => fair(nice),
        Priority::Batch => Policy::Fair(libc::SCHED_BATCH, nice),
        Priority::Idle => Policy::Fair(libc::SCHED_IDLE, nice),
        Priority::Level(_) => {
            let what = format!("cannot give a thread the priority {priority}");
            let why = "levels from 1 to 31 are those of Windows";
            return Err(AskError::absent(what, why)
                .or_try("normal, above, below, realtime, fifo:N or nice:N"));
        }
    }))
}

fn set_policy(policy: Policy, task: &Task) -> Result<(), AskError> {
    let refused = |error: io::Error| {
        let what = format!(
            "cannot give task `{}` the priority {} ({})",
            task.name,
            task.priority,
            policy.words()
        );
        AskError::refused(what, error.to_string()).or_try(
            "run as root, grant CAP_SYS_NICE, or raise the limits \
             RLIMIT_RTPRIO and RLIMIT_NICE (`ulimit -r`, `ulimit -e`)",
        )
    };
    let (number, level) = match policy {
        Policy::Fair(number, _) => (number, 0),
        Policy::RealTime(number, level) => (number, level),
    };
    if current_policy() != Some(number) || level > 0 {
        let param =
            libc::sched_param { sched_priority: libc::c_int::from(level) };
        // SAFETY: reads one sched_param; 0 is the calling thread.
        let result =
            unsafe { libc::sched_setscheduler(0, number, &raw const param) };
        if result != 0 {
            return Err(refused(io::Error::last_os_error()));
        }
    }
    if let Policy::Fair(_, nice) = policy
        && current_nice() != nice
    {
        // SAFETY: numbers only; on Linux 0 is the calling thread.
        let result = unsafe {
            libc::setpriority(libc::PRIO_PROCESS, 0, libc::c_int::from(nice))
        };
        if result != 0 {
            return Err(refused(io::Error::last_os_error()));
        }
    }
    Ok(())
}

impl Policy {
    /// Five nice steps, or one real-time level, less urgent.
    fn lowered(self, by: i8) -> Self {
        match self {
            Self::Fair(policy, nice) => {
                Self::Fair(policy, (nice + 5 * by).clamp(-20, 19))
            }
            Self::RealTime(policy, level) => Self::RealTime(
                policy,
                level.saturating_add_signed(-by).clamp(1, 99),
            ),
        }
    }

    fn words(self) -> String {
        let name = policy_name(match self {
            Self::Fair(number, _) | Self::RealTime(number, _) => number,
        });
        match self {
            Self::Fair(_, nice) => format!("{name}, nice {nice}"),
            Self::RealTime(_, level) => format!("{name} {level}"),
        }
    }
}

fn policy_name(number: libc::c_int) -> &'static str {
    match number {
        libc::SCHED_OTHER => "SCHED_OTHER",
        libc::SCHED_BATCH => "SCHED_BATCH",
        libc::SCHED_IDLE => "SCHED_IDLE",
        libc::SCHED_FIFO => "SCHED_FIFO",
        libc::SCHED_RR => "SCHED_RR",
        libc::SCHED_DEADLINE => "SCHED_DEADLINE",
        _ => "an unknown policy",
    }
}

fn current_policy() -> Option<libc::c_int> {
    // SAFETY: numbers only; 0 is the calling thread.
    let number = unsafe { libc::sched_getscheduler(0) };
    (number >= 0).then_some(number & !libc::SCHED_RESET_ON_FORK)
}

fn current_level() -> u8 {
    let mut param = libc::sched_param { sched_priority: 0 };
    // SAFETY: writes one sched_param; 0 is the calling thread.
    unsafe { libc::sched_getparam(0, &raw mut param) };
    param.sched_priority as u8
}

fn current_nice() -> i8 {
    // SAFETY: numbers only. -1 is a legal answer as well as an error; the
    // calling thread exists, so there is no error.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) as i8 }
}

/// What the calling thread runs as: a number for its policy with its nice
/// value or level, as [`policy_words`] reads it.
pub(crate) fn policy_code() -> u64 {
    let Some(number) = current_policy() else { return u64::MAX };
    let nice = current_nice() as u8;
    (number as u64) << 16 | u64::from(current_level()) << 8 | u64::from(nice)
}

/// The words for a [`policy_code`].
pub(crate) fn policy_words(code: u64) -> Option<String> {
    let number = i32::try_from(code >> 16).ok()?;
    let policy = match number {
        libc::SCHED_FIFO | libc::SCHED_RR => {
            Policy::RealTime(number, (code >> 8) as u8)
        }
        _ => Policy::Fair(number, code as u8 as i8),
    };
    Some(policy.words())
}

fn set_slack(ns: u64) -> io::Result<()> {
    // SAFETY: prctl(2) with PR_SET_TIMERSLACK takes a number.
    let result = unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, ns) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The timer slack of the calling thread.
pub(crate) fn slack() -> Option<u64> {
    // SAFETY: PR_GET_TIMERSLACK returns the slack and takes no memory. The
    // raw call, since the C function cuts the answer to an int.
    let slack =
        unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_TIMERSLACK) };
    u64::try_from(slack).ok()
}

/// The number of the calling thread.
pub(crate) fn id() -> u32 {
    // SAFETY: gettid(2) takes nothing and always succeeds.
    unsafe { libc::gettid() as u32 }
}

/// CPU time of the calling thread, and how often it gave up a CPU to wait.
pub(crate) fn usage() -> Option<(u64, u64)> {
    // SAFETY: a zeroed rusage is a valid one, and the call writes it whole.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: writes one rusage, which we own.
    let result =
        unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
    let ns = |time: libc::timeval| {
        time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
    };
    let cpu = ns(usage.ru_utime) + ns(usage.ru_stime);
    (result == 0).then_some((cpu, usage.ru_nvcsw as u64))
}

/// The signal that ends a system call under way; nobody else sends it.
pub(crate) fn kick_signal() -> libc::c_int {
    libc::SIGRTMIN() + 3
}

/// Lets the kick signal interrupt system calls instead of ending the process.
pub(crate) fn catch_kicks() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: a zeroed sigaction is a valid one.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = nothing as extern "C" fn(_) as usize;
    // SAFETY: the handler does nothing, so it is safe at any instant. No
    // SA_RESTART: a call under way is to end.
    unsafe {
        libc::sigaction(kick_signal(), &raw const action, std::ptr::null_mut());
    }
}

/// Ends the system call that thread `tid` of this process is in, if any.
pub(crate) fn kick(tid: u32) {
    let pid = std::process::id();
    // SAFETY: numbers only; a thread that has ended gives ESRCH.
    unsafe {
        libc::syscall(libc::SYS_tgkill, pid, tid, kick_signal());
    }
}

/// Blocks, or lets through, `signals` for the calling thread.
pub(crate) fn mask(signals: &[libc::c_int], block: bool) {
    let set = signal_set(signals);
    let how = if block { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK };
    // SAFETY: reads one set; it fails only for an unknown `how`.
    unsafe {
        libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

/// The set of `signals`.
pub(crate) fn signal_set(signals: &[libc::c_int]) -> libc::sigset_t {
    // SAFETY: sigemptyset makes it a valid set before anything else reads it.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: both write the set we own; a bad signal number changes nothing.
    unsafe {
        libc::sigemptyset(&raw mut set);
        for signal in signals {
            libc::sigaddset(&raw mut set, *signal);
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_priorities_count_from_their_class() {
        let own = Policy::Fair(libc::SCHED_OTHER, 0);
        let of = |class, priority| policy(class, priority, own).unwrap();
        let fair = |nice| Some(Policy::Fair(libc::SCHED_OTHER, nice));
        let fifo = |level| Some(Policy::RealTime(libc::SCHED_FIFO, level));
        assert_eq!(of(Class::Normal, Priority::Above), fair(-5));
        assert_eq!(of(Class::Idle, Priority::Below), fair(19));
        assert_eq!(of(Class::Realtime, Priority::Above), fifo(51));
        assert_eq!(of(Class::Realtime, Priority::Below), fifo(49));
        assert_eq!(of(Class::Normal, Priority::Fifo(7)), fifo(7));
    }

    // Under `nice` an ordinary user could not play at all: every task was
    // brought back to nice 0 first.
    #[test]
    fn a_normal_task_stays_what_the_program_was_started_as() {
        for own in [
            Policy::Fair(libc::SCHED_OTHER, 7),
            Policy::RealTime(libc::SCHED_FIFO, 10),
        ] {
            let of = |priority| policy(Class::Normal, priority, own).unwrap();
            assert_eq!(of(Priority::Normal), None);
            assert_eq!(of(Priority::Below), Some(own.lowered(1)));
        }
        let lowered = Policy::RealTime(libc::SCHED_FIFO, 10).lowered(1);
        assert_eq!(lowered, Policy::RealTime(libc::SCHED_FIFO, 9));
    }

    #[test]
    fn a_policy_survives_its_code() {
        let words = policy_words(policy_code());
        assert!(words.is_some_and(|words| words.starts_with("SCHED_")));
    }
}
