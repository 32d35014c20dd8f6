//! Every machine of the catalogue keeps the laws of every machine.

use super::Sim;
use super::catalogue::{CATALOGUE, opened};
use crate::machine::conformance::LAWS;

#[test]
fn every_machine_keeps_every_law() {
    let mut broken = Vec::new();
    for (name, _) in CATALOGUE {
        let spec = opened(name).unwrap();
        for law in LAWS {
            let mut machine = Sim::new(spec.clone(), 1);
            if let Err(how) = law.hold(&mut machine) {
                broken.push(format!("{name}: {}: {how}", law.says));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
