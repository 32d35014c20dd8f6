//! The CPUs that we may run on.

use std::ops::ControlFlow;

use super::root::Root;

/// More CPUs than Linux can have (NR_CPUS is at most 8192).
const LIMIT: u32 = 8192;

/// Their numbers, ascending; empty if nothing tells them.
pub(super) fn cpus(root: &Root) -> Vec<u32> {
    let ours = if root.is_real() { affinity() } else { Vec::new() };
    let own = |ours: Vec<u32>| (!ours.is_empty()).then_some(ours);
    own(ours)
        .or_else(|| {
            let list = root.line("/sys/devices/system/cpu/online").ok()?;
            own(listed(&list))
        })
        .unwrap_or_else(|| counted(root))
}

/// The calling thread's own set.
fn affinity() -> Vec<u32> {
    let mut mask = [0_u64; LIMIT as usize / 64];
    // SAFETY: sched_getaffinity(2) writes at most the given size to the
    // array we lend it; the raw call says how many bytes it wrote, and takes
    // masks longer than the C library's set of 1024.
    let written = unsafe {
        libc::syscall(
            libc::SYS_sched_getaffinity,
            0,
            size_of_val(&mask),
            mask.as_mut_ptr(),
        )
    };
    if written <= 0 {
        return Vec::new();
    }
    let set = |cpu: &u32| mask[*cpu as usize / 64] >> (cpu % 64) & 1 == 1;
    (0..LIMIT).filter(set).collect()
}

/// Reads `0-3,8`; what is no number or range is passed over.
fn listed(list: &str) -> Vec<u32> {
    let mut cpus: Vec<u32> = list
        .split(',')
        .filter_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let first = first.trim().parse::<u32>().ok()?;
            let last = last.trim().parse::<u32>().ok()?;
            Some(first..last.saturating_add(1).min(LIMIT))
        })
        .flatten()
        .collect();
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}

/// The lines `cpuN` of /proc/stat.
fn counted(root: &Root) -> Vec<u32> {
    let mut cpus = Vec::new();
    let walked = root.lines("/proc/stat", |line| {
        let label = line.split_whitespace().next().unwrap_or_default();
        let number = label.strip_prefix("cpu").map(str::parse::<u32>);
        cpus.extend(number.and_then(Result::ok).filter(|n| *n < LIMIT));
        if cpus.len() < LIMIT as usize {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if walked.is_err() {
        cpus.clear();
    }
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cpus_is_ranges_and_numbers() {
        assert_eq!(listed("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(listed("2,0,2"), [0, 2]);
        assert_eq!(listed("3-1,x,-,,1-"), [0_u32; 0]);
        assert_eq!(listed("0-4294967295").len(), LIMIT as usize);
    }

    #[test]
    fn our_own_thread_may_run_somewhere() {
        assert!(!affinity().is_empty());
    }
}
