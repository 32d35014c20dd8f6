//! A machine's facts are those of the files below its root, and of no other
//! machine.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use timerscope::machine::{
    Counters, Facts, HardwareTimer, Known, MissingKind, WaitKind,
};
use timerscope_native::linux::facts::{Root, counters, facts};

/// Unpacks a recorded tree: `=== /path`, then what the file holds, or
/// `=== /path -> target` for a link.
fn unpacked(tree: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in tree.split("\n=== /").skip(1) {
        let (path, content) = part.split_once('\n').unwrap_or((part, ""));
        let (path, target) = match path.split_once(" -> ") {
            Some((path, target)) => (path, Some(target)),
            None => (path, None),
        };
        let place = folder.path().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        match target {
            Some(target) => symlink(target, place).unwrap(),
            None => fs::write(place, content).unwrap(),
        }
    }
    folder
}

fn read(tree: &str) -> (Facts, Counters) {
    let folder = unpacked(tree);
    let root = Root::at(folder.path());
    (facts(&root), counters(&root))
}

fn laptop() -> (Facts, Counters) {
    read(include_str!("trees/laptop.tree"))
}

fn guest() -> (Facts, Counters) {
    read(include_str!("trees/guest.tree"))
}

fn board() -> (Facts, Counters) {
    read(include_str!("trees/board.tree"))
}

fn emulated() -> (Facts, Counters) {
    read(include_str!("trees/emulated.tree"))
}

fn kind<T>(known: &Known<T>) -> Option<MissingKind> {
    known.missing().map(|missing| missing.kind)
}

fn text(words: &str) -> Known<String> {
    Known::Value(words.to_owned())
}

fn timer<'a>(facts: &'a Facts, name: &str) -> &'a HardwareTimer {
    facts.hardware_timers.iter().find(|timer| timer.name == name).unwrap()
}

#[test]
fn a_laptop_ticks_as_its_files_say() {
    let (facts, _) = laptop();
    assert_eq!(facts.system, "Linux 6.8.0-31-generic");
    assert_eq!(facts.tick_hz, Known::Value(1000));
    assert_eq!(facts.high_resolution_timers, Known::Value(true));
    assert_eq!(kind(&facts.interval.current_ns), Some(MissingKind::Absent));
    assert_eq!(
        facts.nohz.mode,
        text("an idle CPU stops its tick, a busy one never")
    );
    assert_eq!(kind(&facts.nohz.full_cpus), Some(MissingKind::Absent));
    assert_eq!(facts.nohz.idle_calls, Known::Value(4600));
    assert_eq!(facts.nohz.idle_sleeps, Known::Value(3500));
    assert_eq!(facts.clock_event_device, text("lapic-deadline"));
    assert_eq!(facts.scheduler.base_slice_ns, Known::Value(3_000_000));
    assert_eq!(facts.scheduler.round_robin_ns, Known::Value(100_000_000));
    // In force, whatever it was booted with.
    assert_eq!(facts.scheduler.preemption, text("full"));
}

#[test]
fn a_laptop_shows_its_timers_and_which_are_in_use() {
    let (facts, _) = laptop();
    for (name, in_use) in [
        ("tsc", true),
        ("hpet", false),
        ("acpi_pm", false),
        ("i8254", false),
        ("rtc", false),
        ("lapic", true),
    ] {
        let timer = timer(&facts, name);
        assert_eq!(timer.present, Known::Value(true), "{name}");
        assert_eq!(timer.in_use, Known::Value(in_use), "{name}");
    }
    let frequency = |name| timer(&facts, name).frequency_hz.clone();
    assert_eq!(frequency("acpi_pm"), Known::Value(3_579_545));
    assert_eq!(frequency("i8254"), Known::Value(1_193_182));
    assert_eq!(frequency("rtc"), Known::Value(32_768));
    // As the devices' factors say; the deadline is set in eighths.
    assert_eq!(frequency("hpet"), Known::Value(19_200_000));
    assert_eq!(frequency("tsc"), Known::Value(3_000_000_000));
    assert_eq!(kind(&frequency("lapic")), Some(MissingKind::Unknown));
}

#[test]
fn a_laptop_shows_what_its_power_goes_into() {
    let (facts, counters) = laptop();
    let states = facts.idle_states.value().unwrap();
    let names: Vec<_> = states.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["POLL", "C10", "C99"]);
    assert_eq!(states[1].exit_latency_ns, 230_000);
    assert_eq!(states[1].target_residency_ns, 700_000);
    assert_eq!(states[1].entered, 3000);
    assert!(states[1].disabled && !states[2].disabled);
    assert_eq!(facts.on_battery, Known::Value(true));
    assert_eq!(facts.frequency_governor, text("powersave (intel_pstate)"));
    let meters = facts.energy_counters.value().unwrap();
    let names: Vec<_> = meters.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(
        names,
        ["package-0 (intel-rapl-mmio)", "package-0", "package-0/core", "psys"]
    );
    assert_eq!(meters[1].energy_uj, Known::Value(5_000_000));
    // Neither parts nor the same package twice.
    assert_eq!(counters.energy_uj, Known::Value(5_000_000));
    assert_eq!(counters.idle_wakeups, Known::Value(3035));
}

#[test]
fn the_holder_of_a_latency_request_is_named() {
    let (facts, _) = laptop();
    let holders = facts.latency_requests.value().unwrap();
    assert_eq!(holders.len(), 1);
    assert_eq!(holders[0].process, "pipewire");
    assert_eq!(holders[0].pid, 801);
    assert_eq!(kind(&holders[0].latency_ns), Some(MissingKind::Unknown));
}

#[test]
fn counters_count_the_whole_machine() {
    let (_, counters) = laptop();
    assert_eq!(counters.switches, Known::Value(987_654));
    assert_eq!(counters.busy_ns, Known::Value(15_200_000_000));
    assert_eq!(counters.stolen_ns, Known::Value(0));
    assert_eq!(counters.ticks, Known::Value(9 + 1_500_000));
    assert_eq!(kind(&counters.wakeups), Some(MissingKind::Unknown));
}

#[test]
fn a_guest_lacks_things_and_says_so() {
    let (facts, counters) = guest();
    assert_eq!(facts.system, "Linux 5.10.0-28-cloud-amd64");
    assert_eq!(facts.virtual_machine, text("QEMU"));
    assert_eq!(facts.stolen_ns, Known::Value(2_500_000_000));
    assert_eq!(facts.cpus, [0]);
    for absent in [
        kind(&facts.idle_states),
        kind(&facts.energy_counters),
        kind(&facts.on_battery),
        kind(&facts.frequency_governor),
        kind(&facts.latency_limit_ns),
        kind(&facts.requests),
        kind(&counters.energy_uj),
    ] {
        assert_eq!(absent, Some(MissingKind::Absent));
    }
    assert_eq!(kind(&facts.tick_hz), Some(MissingKind::Unknown));
    assert_eq!(kind(&counters.idle_wakeups), Some(MissingKind::Absent));
    assert_eq!(timer(&facts, "hpet").present, Known::Value(false));
    let pit = kind(&timer(&facts, "i8254").present);
    assert_eq!(pit, Some(MissingKind::Unknown));
    let waits: Vec<_> = facts.waits.iter().map(|wait| wait.name).collect();
    assert!(!waits.contains(&WaitKind::EpollPwait2));
    assert!(!waits.contains(&WaitKind::IoUringTimeout));
}

#[test]
fn a_board_without_fine_timers_has_one_interval_for_all() {
    let (facts, counters) = board();
    let period = Known::Value(10_000_000);
    assert_eq!(facts.high_resolution_timers, Known::Value(false));
    assert_eq!(facts.tick_hz, Known::Value(100));
    assert_eq!(facts.interval.coarsest_ns, period);
    assert_eq!(facts.interval.finest_ns, period);
    assert_eq!(facts.interval.current_ns, period);
    assert_eq!(facts.nohz.mode, text("every CPU ticks always, idle or not"));
    assert_eq!(kind(&facts.nohz.idle_calls), Some(MissingKind::Absent));
    assert_eq!(facts.clock_event_device, text("board_timer0"));
    assert_eq!(facts.scheduler.base_slice_ns, Known::Value(750_000));
    assert_eq!(facts.scheduler.preemption, text("full"));
    assert_eq!(facts.on_battery, Known::Value(false));
    assert_eq!(timer(&facts, "tsc").present, Known::Value(false));
    assert_eq!(timer(&facts, "i8254").present, Known::Value(false));
    assert_eq!(counters.ticks, Known::Value(52_000));
    assert_eq!(kind(&counters.stolen_ns), Some(MissingKind::Absent));
}

#[test]
fn an_emulated_pc_keeps_the_roles_of_its_timers_apart() {
    let (facts, _) = emulated();
    for (name, counts, interrupts, in_use) in [
        ("tsc", true, false, false),
        ("hpet", true, true, true),
        ("acpi_pm", true, false, false),
        ("i8254", true, true, false),
        ("rtc", false, true, false),
        ("lapic", false, true, true),
    ] {
        let timer = timer(&facts, name);
        assert_eq!((timer.counts, timer.interrupts), (counts, interrupts));
        assert_eq!(timer.in_use, Known::Value(in_use), "{name}");
    }
    let hpet = timer(&facts, "hpet");
    assert_eq!(hpet.frequency_hz, Known::Value(100_000_000));
    assert_eq!(hpet.wraps_after_ns, Known::Value(42_949_672_960));
    let acpi_pm = timer(&facts, "acpi_pm");
    assert_eq!(acpi_pm.wraps_after_ns, Known::Value(4_686_968_874));
    // Every 16th beat is counted.
    let lapic = timer(&facts, "lapic");
    assert_eq!(lapic.frequency_hz, Known::Value(1_000_000_000));
    assert_eq!(lapic.wraps_after_ns, Known::Value(68_719_476_736));
}

// The line of the interval timer counted 99 interrupts of the HPET, and
// timerscope took them for the interval timer's. The HPET's place in the
// timer list, before the CPU's own, must not make it the CPU's.
#[test]
fn the_hpet_is_not_taken_for_the_timer_whose_line_it_has() {
    let (facts, _) = emulated();
    let i8254 = timer(&facts, "i8254");
    assert_eq!(kind(&i8254.present), Some(MissingKind::Unknown));
    assert_eq!(facts.clock_event_device, text("lapic"));
}

#[test]
fn where_only_ticks_end_waits_slack_delays_none() {
    let (facts, _) = emulated();
    let period = Known::Value(4_000_000);
    assert_eq!(facts.high_resolution_timers, Known::Value(false));
    assert_eq!(facts.interval.coarsest_ns, period);
    assert_eq!(facts.interval.finest_ns, period);
    assert_eq!(facts.interval.current_ns, period);
    assert!(facts.waits.iter().all(|wait| !wait.slack_applies));
    // A tick that may be put off is put off by slack, too.
    let tree = include_str!("trees/emulated.tree");
    let (facts, _) = read(
        &tree
            .replace(" nohz=off", "")
            .replace("nohz_mode      : 0", "nohz_mode      : 1"),
    );
    assert_eq!(facts.interval.current_ns, period);
    assert!(facts.waits.iter().any(|wait| wait.slack_applies));
}

// Idle entries are counted on the way to stopping the tick: a kernel that
// never stops it shows nought after any number of them.
#[test]
fn a_kernel_that_always_ticks_does_not_count_its_idle_entries() {
    let (facts, _) = emulated();
    assert_eq!(facts.nohz.mode, text("every CPU ticks always, idle or not"));
    assert_eq!(kind(&facts.nohz.idle_calls), Some(MissingKind::Absent));
    assert_eq!(kind(&facts.nohz.idle_sleeps), Some(MissingKind::Absent));
}

#[test]
fn a_recorded_tree_says_nothing_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let facts = facts(&Root::at(folder.path()));
    for missing in [
        kind(&facts.tick_hz),
        kind(&facts.high_resolution_timers),
        kind(&facts.timer_slack_ns),
        kind(&facts.policy),
        kind(&facts.rate_error_ppm),
        kind(&facts.synchronised),
        kind(&facts.virtual_machine),
        kind(&timer(&facts, "tsc").frequency_hz),
    ] {
        assert_eq!(missing, Some(MissingKind::Unknown));
    }
    assert_eq!(facts.system, "Linux");
    assert!(facts.cpus.is_empty());
    let steps = facts.clocks.iter().filter(|clock| {
        !["gettimeofday", "time"].contains(&clock.name.as_str())
    });
    assert!(steps.clone().count() > 0);
    for clock in steps {
        assert!(clock.nominal_step_ns.value().is_none(), "{}", clock.name);
    }
}

/// Every path of the recorded trees, with `content` in each file.
fn spoiled(content: &[u8]) -> tempfile::TempDir {
    let folder = unpacked(concat!(
        include_str!("trees/laptop.tree"),
        "\n",
        include_str!("trees/board.tree"),
    ));
    fs::write(folder.path().join("proc/config.gz"), content).unwrap();
    fs::create_dir(folder.path().join("dev")).unwrap();
    fs::write(folder.path().join("dev/cpu_dma_latency"), content).unwrap();
    overwrite(folder.path(), content);
    folder
}

fn overwrite(folder: &Path, content: &[u8]) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let what = entry.file_type().unwrap();
        if what.is_dir() {
            overwrite(&entry.path(), content);
        } else if what.is_file() {
            fs::write(entry.path(), content).unwrap();
        }
    }
}

#[test]
fn no_content_makes_a_number_out_of_garbage() {
    let noise: Vec<u8> = (0..20_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for content in [
        b"" as &[u8],
        b"\n\n\n",
        b"\0\0\0\0\0\0",
        b"\xff\xfe\xfd:\xfc=\n: : :\n",
        b"cpu\nctxt\nLOC:\nnow at\njiffies:\nflags:\n.resolution:\n",
        b"-9223372036854775808",
        b"999999999999999999999999999999999999999999",
        &noise,
    ] {
        let folder = spoiled(content);
        let root = Root::at(folder.path());
        let (facts, counters) = (facts(&root), counters(&root));
        assert!(facts.tick_hz.value().is_none());
        assert!(facts.stolen_ns.value().is_none());
        assert!(facts.latency_limit_ns.value().is_none());
        assert!(facts.idle_states.value().is_none());
        assert!(facts.scheduler.base_slice_ns.value().is_none());
        assert!(counters.switches.value().is_none());
        assert!(counters.busy_ns.value().is_none());
        assert!(counters.energy_uj.value().is_none());
        assert!(counters.idle_wakeups.value().is_none());
        assert!(!facts.system.contains(char::is_control));
    }
}

#[test]
fn the_largest_numbers_overflow_nothing() {
    let folder = spoiled(b"18446744073709551615");
    let root = Root::at(folder.path());
    let (facts, counters) = (facts(&root), counters(&root));
    assert_eq!(counters.idle_wakeups, Known::Value(u64::MAX));
    assert_eq!(facts.idle_states.value().unwrap()[0].exit_latency_ns, u64::MAX);
    assert_eq!(facts.scheduler.round_robin_ns, Known::Value(u64::MAX));
}

#[test]
fn folders_where_files_should_be_are_no_facts() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["proc/stat", "proc/timer_list", "proc/1/fd/7", "proc/cmdline"]
    {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    let facts = facts(&Root::at(folder.path()));
    assert_eq!(kind(&facts.stolen_ns), Some(MissingKind::Failed));
    assert_eq!(kind(&facts.nohz.idle_calls), Some(MissingKind::Failed));
}

/// Runs `look` without the right to pass over permissions.
fn as_nobody<T: Send>(look: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            // SAFETY: setfsuid(2) takes a number, and changes how this one
            // thread is checked, which ends here.
            unsafe { libc::setfsuid(65_534) };
            look()
        });
        looking.join().unwrap()
    })
}

#[test]
fn what_may_not_be_read_is_refused_and_not_absent() {
    let folder = unpacked(include_str!("trees/laptop.tree"));
    let allow = |path: &str, mode| {
        let place = folder.path().join(path);
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(place, permissions).unwrap();
    };
    let closed = [
        "proc/timer_list",
        "proc/801/fd",
        "sys/class/powercap/intel-rapl:0/energy_uj",
        "sys/kernel/debug",
    ];
    allow("", 0o755);
    for path in closed {
        allow(path, 0);
    }
    let root = Root::at(folder.path());
    let (facts, counters) = as_nobody(|| (facts(&root), counters(&root)));
    for path in closed {
        allow(path, 0o755);
    }
    let refused = Some(MissingKind::Refused);
    assert_eq!(kind(&facts.nohz.idle_calls), refused);
    assert_eq!(kind(&counters.energy_uj), refused);
    assert_eq!(kind(&facts.scheduler.base_slice_ns), refused);
    assert_eq!(kind(&facts.latency_requests), refused);
    assert!(facts.latency_requests.missing().unwrap().why.contains("1 of 2"));
    let meters = facts.energy_counters.value().unwrap();
    assert_eq!(kind(&meters[1].energy_uj), refused);
    assert_eq!(meters[2].energy_uj, Known::Value(3_000_000));
    // What another file tells is known all the same.
    assert_eq!(facts.tick_hz, Known::Value(1000));
    assert_eq!(facts.scheduler.preemption, text("voluntary"));
}

#[test]
fn this_machine_ticks_and_we_may_run_on_it() {
    let facts = facts(&Root::real());
    assert!(facts.system.starts_with("Linux "));
    let hz = *facts.tick_hz.value().unwrap();
    assert!((24..=10_000).contains(&hz), "{hz}");
    assert!(!facts.cpus.is_empty());
    let fine = *facts.high_resolution_timers.value().unwrap();
    assert_eq!(facts.interval.current_ns.value().is_none(), fine);
    let names: Vec<_> =
        facts.clocks.iter().map(|clock| clock.name.as_str()).collect();
    for name in ["realtime", "monotonic", "monotonic-coarse"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn counters_of_this_machine_do_not_go_backward() {
    let before = counters(&Root::real());
    std::thread::sleep(std::time::Duration::from_millis(20));
    let after = counters(&Root::real());
    let switches = [&before, &after].map(|c| *c.switches.value().unwrap());
    assert!(switches[0] < switches[1]);
    for pick in [
        (|c| &c.ticks) as fn(&Counters) -> &Known<u64>,
        |c| &c.busy_ns,
        |c| &c.stolen_ns,
        |c| &c.idle_wakeups,
    ] {
        let pair = (pick(&before), pick(&after));
        if let (Known::Value(before), Known::Value(after)) = pair {
            assert!(before <= after);
        }
        assert_eq!(kind(pair.0), kind(pair.1));
    }
}
