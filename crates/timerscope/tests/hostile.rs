//! Machines of random rules and constants: each is refused, or plays to an
//! end. Arithmetic that overflows panics here.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use timerscope::machine::{Machine, Recording, Workload};
use timerscope::sim::catalogue::{CATALOGUE, opened, read};
use timerscope::sim::spec::Kernel;
use timerscope::sim::{Limits, Sim};
use toml::{Table, Value};

/// Numbers at which something may happen: ends of ranges, and around them.
const NUMBERS: [i64; 20] = [
    0,
    1,
    2,
    3,
    15,
    16,
    128,
    129,
    999,
    1_000,
    10_000,
    999_999,
    1_000_000,
    100_000_000,
    500_000_000,
    1_000_000_000,
    10_000_000_000,
    1_000_000_000_000,
    86_400_000_000_000,
    i64::MAX,
];

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![select(&NUMBERS[..]), 0..1_000_000_000_000_i64]
}

/// Changes one constant to a value of its own type, or one rule to a rival.
fn change(table: &mut Table, at: Index, number: i64) {
    let section = if number % 5 == 4 { "rules" } else { "constants" };
    let own = table[section].as_table_mut().unwrap();
    let keys: Vec<String> = own.keys().cloned().collect();
    let key = at.get(&keys);
    let value = match &own[key] {
        _ if section == "rules" => rival(key, number),
        Value::Integer(_) => Value::Integer(number),
        Value::Array(_) => vec![format!("{number}ns")].into(),
        _ => format!("{number}ns").into(),
    };
    own.insert(key.clone(), value);
}

fn rival(key: &str, number: i64) -> Value {
    let spec = opened("windows-10-2004").unwrap();
    let mut all = spec.rules.chosen(Kernel::Windows);
    all.extend(opened("openbsd-7.0").unwrap().rules.chosen(Kernel::Openbsd));
    let own = all.into_iter().find(|own| own.key.replace('_', "-") == key);
    let Some(own) = own else { return "none".into() };
    let words: Vec<&str> = own.rivals.iter().map(|rival| rival.0).collect();
    words[number as usize / 5 % words.len()].into()
}

proptest! {
    #[test]
    fn a_machine_of_any_constants_is_refused_or_plays_to_an_end(
        name in select(&CATALOGUE[..]),
        changes in vec((any::<Index>(), number()), 0..6),
        kernel in select(&["windows", "openbsd", "linux"][..]),
    ) {
        let mut table: Table =
            opened(name.0).unwrap().written().parse().unwrap();
        for (at, number) in changes {
            change(&mut table, at, number);
        }
        let Ok(spec) = read(&table.to_string(), "") else { return Ok(()) };
        let again = read(&spec.written(), "").unwrap();
        prop_assert_eq!(&again, &spec);
        let text = match kernel {
            "windows" => include_str!("standard/windows.toml"),
            "openbsd" => include_str!("standard/openbsd.toml"),
            _ => include_str!("standard/linux.toml"),
        };
        let workload = Workload::from_toml(text).unwrap();
        let limits = Limits { tasks: 100, events: 20_000, at_once: 2_000 };
        let mut machine = Sim::new(spec, 1).with_limits(limits);
        machine.facts().unwrap();
        let _ = machine.play(&workload, &mut Recording::new(&workload));
    }
}
