//! Who forbids the CPUs deep idle states (pm_qos, /dev/cpu_dma_latency).

use std::path::Path;
use std::time::{Duration, Instant};

use timerscope::machine::{Known, LatencyRequest, Missing, MissingKind};

use super::reason::refused;
use super::root::{Root, or_absent};

const DEVICE: &str = "/dev/cpu_dma_latency";
/// "No limit" (PM_QOS_CPU_LATENCY_DEFAULT_VALUE, include/linux/pm_qos.h).
const NO_LIMIT_US: i32 = 2_000_000_000;
/// A request is held by an open file, and files are many: what is not found
/// in this time is not looked for.
const PATIENCE: Duration = Duration::from_millis(6);

/// The wake latency promised now, all requests taken together.
///
/// Looking does not change it: opening the device adds a request of
/// [`NO_LIMIT_US`], which binds nobody (cpu_latency_qos_open,
/// kernel/power/qos.c), and closing it takes that away again.
pub(super) fn limit_ns(root: &Root) -> Known<u64> {
    let no_device = "this kernel takes no requests for short latency";
    or_absent(root.bytes(DEVICE), no_device).and_then(|b| limit(&b)).into()
}

fn limit(bytes: &[u8]) -> Result<u64, Missing> {
    let us = <[u8; 4]>::try_from(bytes).map(i32::from_ne_bytes);
    match us.map(|us| (us, u64::try_from(us))) {
        Ok((NO_LIMIT_US, _)) => Err(Missing::absent("nobody asked for one")),
        Ok((_, Ok(us))) => Ok(us * 1_000),
        _ => Err(Missing::failed("what the kernel says is no latency")),
    }
}

/// The processes that hold a request.
pub(super) fn requests(
    root: &Root,
    limit: &Known<u64>,
) -> Known<Vec<LatencyRequest>> {
    let nobody = limit.missing().filter(|why| why.kind == MissingKind::Absent);
    if nobody.is_some() && root.has(DEVICE) {
        // Nothing binds, so that there is nobody to look for.
        return Known::Value(Vec::new());
    }
    let scan = match Scan::over(root) {
        Ok(scan) => scan,
        Err(missing) => return missing.into(),
    };
    if !scan.holders.is_empty() {
        return Known::Value(scan.holders);
    }
    match scan.why_partial().or_else(|| nobody.cloned()) {
        Some(why) => why.into(),
        None => Known::Value(Vec::new()),
    }
}

/// A walk over the open files of all processes.
struct Scan {
    holders: Vec<LatencyRequest>,
    processes: usize,
    refused: usize,
    unvisited: usize,
    /// A recorded tree is small, and nobody waits for it to stand still.
    until: Option<Instant>,
}

impl Scan {
    fn over(root: &Root) -> Result<Self, Missing> {
        let pids: Vec<u32> = root
            .names("/proc")?
            .iter()
            .filter_map(|name| name.parse().ok())
            .collect();
        let mut scan = Self {
            holders: Vec::new(),
            processes: pids.len(),
            refused: 0,
            unvisited: 0,
            until: root.is_real().then(|| Instant::now() + PATIENCE),
        };
        for pid in pids {
            scan.visit(root, pid);
        }
        Ok(scan)
    }

    fn late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() > until)
    }

    fn visit(&mut self, root: &Root, pid: u32) {
        if self.late() {
            self.unvisited += 1;
            return;
        }
        let folder = format!("/proc/{pid}/fd");
        let files = match root.names(&folder) {
            Ok(files) => files,
            Err(why) if why.kind == MissingKind::Refused => {
                self.refused += 1;
                return;
            }
            // A process that ended meanwhile holds nothing.
            Err(_) => return,
        };
        let mut in_time = files.iter().take_while(|_| !self.late());
        if in_time.any(|file| holds(root, &folder, file)) {
            self.holders.push(holder(root, pid));
        } else if self.late() {
            self.unvisited += 1;
        }
    }

    /// What keeps "found none" from meaning that there are none.
    fn why_partial(&self) -> Option<Missing> {
        let Self { processes, refused: closed, unvisited, .. } = self;
        if *closed > 0 {
            return Some(refused(format!(
                "the open files of {closed} of {processes} processes may not \
                 be seen"
            )));
        }
        (*unvisited > 0).then(|| {
            Missing::unknown(format!(
                "{unvisited} of {processes} processes were not looked at, to \
                 be quick"
            ))
        })
    }
}

fn holds(root: &Root, folder: &str, file: &str) -> bool {
    root.link(&format!("{folder}/{file}"))
        .is_ok_and(|target| target == Path::new(DEVICE))
}

fn holder(root: &Root, pid: u32) -> LatencyRequest {
    let name = root.line(&format!("/proc/{pid}/comm"));
    LatencyRequest {
        process: name.unwrap_or_else(|_| format!("process {pid}")),
        pid,
        latency_ns: Missing::unknown(
            "the kernel shows only the shortest of all requests",
        )
        .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_absent_and_nought_is_a_limit() {
        let kind = |bytes: &[u8]| limit(bytes).unwrap_err().kind;
        assert_eq!(limit(&0_i32.to_ne_bytes()), Ok(0));
        assert_eq!(limit(&20_i32.to_ne_bytes()), Ok(20_000));
        assert_eq!(kind(&NO_LIMIT_US.to_ne_bytes()), MissingKind::Absent);
        assert_eq!(kind(&(-1_i32).to_ne_bytes()), MissingKind::Failed);
        assert_eq!(kind(b""), MissingKind::Failed);
        assert_eq!(kind(b"12345"), MissingKind::Failed);
    }
}
