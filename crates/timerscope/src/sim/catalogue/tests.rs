//! What is no machine is told with its line and a cure.

use super::{CATALOGUE, opened, read};
use crate::sim::Sim;

fn why(text: &str) -> (String, String) {
    let error = read(text, "").unwrap_err();
    (error.why, error.hint)
}

#[test]
fn every_machine_is_the_same_written_out_whole() {
    for (name, text) in CATALOGUE {
        let spec = opened(name).unwrap();
        assert_eq!(spec.name, name);
        assert!(spec.faults().is_empty(), "{name}: {:?}", spec.faults());
        let written = spec.written();
        assert!(!written.contains("like ="), "{written}");
        assert_eq!(read(&written, "").as_ref(), Ok(&spec), "{name}");
        assert_eq!(read(text, "").as_ref(), Ok(&spec), "{name}");
    }
}

#[test]
fn mistakes_are_told_with_their_line_and_a_cure() {
    let like = "like = \"windows-7\"\n[constants]\n";
    for (text, said, cure) in [
        ("like = \"windows-77\"", "line 1: there is no", "`windows-7`?"),
        ("like = 7", "line 1: there is no machine", "windows-xp"),
        ("x = ", "line 1:", ""),
        (&format!("{like}quantun = \"1ms\""), "line 3: unknown", "`quantum`?"),
        (&format!("{like}cpus = 0"), "line 3: constants.cpus", "from 1 to 128"),
        (&format!("{like}cpus = 129"), "line 3: constants.cpus", "128"),
        (&format!("{like}cpus = -1"), "line 3: ", ""),
        (&format!("{like}cpu-khz = 0"), "line 3: constants.cpu-khz", "1000"),
        (&format!("{like}coarsest = \"0\""), "line 3:", "from 10us to 1s"),
        (&format!("{like}finest = \"20ms\""), "line 3:", "`coarsest`"),
        (&format!("{like}quantum = \"584years\""), "line 3:", "a span"),
        (&format!("{like}quantum = \"500h\""), "line 3:", "to 10s"),
        (&format!("{like}steal-ppm = 1000001"), "line 3:", "1000000"),
        (&format!("{like}tick-cost = \"400us\""), "line 3:", "half"),
        ("like = \"windows-7\"\nrulez = 1", "line 2: unknown", "`rules`?"),
        (
            "like = \"windows-7\"\n[rules]\nlooks = \"h9\"",
            "line 3: unknown variant",
            "h1",
        ),
        (
            "like = \"windows-7\"\n[sources]\nquantum = \"who knows\"",
            "line 3: sources.quantum",
            "fitted",
        ),
        (
            "like = \"windows-7\"\n[[clock]]\nname = \"tsc\"\n\
             moves = \"always\"\nunit = \"0\"\ncycles = 1\n\
             loaded-cycles = 1",
            "line 5: clock[0].unit",
            "from 1ns",
        ),
    ] {
        let (why, hint) = why(text);
        assert!(why.starts_with(said), "{text}\n{why}");
        assert!(hint.contains(cure), "{text}\n{why}\n{hint}");
    }
}

#[test]
fn a_clock_may_not_stand_there_twice_nor_be_another_systems() {
    let mut spec = opened("windows-7").unwrap();
    let first = spec.clocks[0].clone();
    spec.clocks.push(first);
    assert!(why(&spec.written()).0.contains("twice"));
    let mut spec = opened("linux-6").unwrap();
    spec.clocks[0].name = crate::machine::ClockKind::TimeGetTime;
    assert!(why(&spec.written()).0.contains("no clock of linux"));
}

#[test]
fn changes_are_checked_like_texts() {
    for (name, said, cure) in [
        ("windows-7,", "", ""),
        ("windows-7,quantun=1ms", "no rule or constant", "`quantum`?"),
        ("windows-7,cpus=0", "`cpus=0`: 0 is too little", "from 1 to 128"),
        ("windows-7,cpus=x", "`cpus=x`: not a whole", "cpus=1"),
        ("windows-7,interval=9h", "`interval=9h`:", "from 1ns to 1s"),
        ("linux-6,hz=0", "`0` is no rate", "hz=1000"),
        ("openbsd-7.0,slew=584y/s", "`584y/s` is no rate", "slew=5000us/s"),
        ("openbsd-7.0,slew=500y/s", "`500y/s` is no rate", "slew=5000us/s"),
        ("openbsd-7.0,slew=900h/s", "`slew=900h/s`:", "500000000"),
        ("openbsd-7.0,tick-phases=1ms", "`tick-phases` is a list", "file"),
        ("windows-10-2004,rule=h9", "`rule=h9`: unknown variant", "h1"),
        ("windows-7,x", "`x` changes nothing", "key=value"),
    ] {
        let Err(error) = opened(name) else {
            assert!(said.is_empty(), "{name}");
            continue;
        };
        assert!(error.why.starts_with(said), "{name}: {}", error.why);
        assert!(error.hint.contains(cure), "{name}: {}", error.hint);
    }
}

#[test]
fn a_text_of_any_size_ends() {
    let long = "#".repeat(1 << 17);
    assert!(why(&long).0.contains("longer than 64 KiB"));
    let changes = ",x=1".repeat(2000);
    assert!(opened(&format!("linux-6{changes}")).is_err());
}

#[test]
fn whoever_changes_a_constant_answers_for_it() {
    let source = |spec: crate::sim::Spec| {
        let told = spec.constants_told().into_iter();
        told.filter(|one| one.0 == "quantum").map(|one| one.2).next().unwrap()
    };
    let own = |name| source(opened(name).unwrap());
    assert!(own("windows-7").contains("two default ticks"));
    let asked = "invented: asked for by quantum=1ms";
    assert_eq!(own("windows-7,quantum=1ms"), asked);
    let text = "like = \"windows-7\"\n[constants]\nquantum = \"1ms\"";
    assert_eq!(source(read(text, "").unwrap()), "invented");
}

#[test]
fn whoever_writes_clocks_answers_for_what_a_reading_costs() {
    let said = |spec: &crate::sim::Spec| {
        let name = crate::machine::ClockKind::SystemTime;
        let clock = spec.clocks.iter().find(|own| own.name == name).unwrap();
        spec.clock_source(clock).to_owned()
    };
    let eight = opened("windows-8").unwrap();
    assert_eq!(said(&eight), "measured: cygwin-precise-time");
    assert_eq!(said(&opened("windows-11").unwrap()), said(&eight));
    let text = "like = \"windows-8\"\n[[clock]]\nname = \"system-time\"\n\
                moves = \"at-tick\"\nunit = \"100ns\"\ncycles = 1\n\
                loaded-cycles = 1";
    assert_eq!(said(&read(text, "").unwrap()), "invented");
}

#[test]
fn a_machine_with_faults_neither_plays_nor_tells() {
    use crate::machine::Machine;
    let mut spec = opened("windows-7").unwrap();
    spec.constants.finest = crate::machine::Span::from_s(1);
    let error = Sim::new(spec, 1).facts().unwrap_err();
    assert!(error.why.contains("finest"), "{}", error.why);
}

#[test]
fn changes_come_after_commas() {
    let spec = opened("windows-10-2004,rule=h2,interval=1ms,cpus=2").unwrap();
    assert_eq!(spec.rules.looks, crate::sim::rules::Looks::H2);
    assert_eq!(spec.constants.interval.unwrap().ns(), 1_000_000);
    assert_eq!(spec.constants.cpus, 2);
    let spec = opened("linux-6?hz=1000").unwrap();
    assert_eq!(spec.constants.coarsest.ns(), 1_000_000);
    let slewed = "openbsd-7.0,slew=5000us/s,slew-budget=1.48s";
    let spec = opened(slewed).unwrap();
    assert_eq!(spec.constants.slew_ns_per_s, 5_000_000);
}

#[test]
fn a_file_takes_over_another_machine_and_cannot_take_over_itself() {
    let text = "like = \"windows-7\"\nname = \"mine\"\n[rules]\nlooks = \"h3\"";
    let spec = read(text, "cpus=1").unwrap();
    assert_eq!((spec.name.as_str(), spec.constants.cpus), ("mine", 1));
    assert!(read("like = \"mine\"", "").is_err());
    assert!(read("like = 3", "").is_err());
    assert!(read("name = [", "").unwrap_err().why.contains("line 1"));
    assert!(read("", "").is_err());
}
