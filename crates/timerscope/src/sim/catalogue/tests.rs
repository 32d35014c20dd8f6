use super::{CATALOGUE, opened, read};

fn error(name: &str) -> String {
    let error = opened(name).unwrap_err();
    format!("{} / {}", error.why, error.hint)
}

#[test]
fn every_machine_of_the_catalogue_is_possible_and_bears_its_name() {
    for (name, _) in CATALOGUE {
        let spec = opened(name).unwrap();
        assert_eq!(spec.name, name);
        assert_eq!(spec.faults(), []);
    }
}

#[test]
fn a_machine_is_the_same_however_it_was_written() {
    for (name, _) in CATALOGUE {
        let spec = opened(name).unwrap();
        assert_eq!(read(&spec.written(), "").unwrap(), spec, "{name}");
    }
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
fn what_is_impossible_is_said_with_what_is_allowed() {
    for (name, says) in [
        ("windows-9", "no machine `windows-9`"),
        ("windows-7,rule=h9", "unknown variant `h9`"),
        ("windows-7,colour=red", "no rule or constant is called `colour`"),
        ("windows-7,cpus", "changes nothing"),
        ("windows-7,cpus=0", "`cpus` is impossible: 0 / 1 to 128"),
        ("windows-7,cpus=-1", "invalid value"),
        ("windows-7,cpus=many", "not a whole number"),
        ("windows-7,coarsest=0ns", "`coarsest` is impossible"),
        ("windows-7,finest=20ms", "`finest` is impossible"),
        ("windows-7,quantum=0ns", "`quantum` is impossible"),
        ("windows-7,tick-cost=1ms", "`tick-cost` is impossible"),
        ("windows-7,steal-ppm=2000000", "1000000 at most"),
        ("linux-6,hz=0", "no rate of a tick"),
        ("linux-6,slew=fast", "no rate of slewing"),
    ] {
        let told = error(name);
        assert!(told.contains(says), "{name}: {told}");
    }
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
