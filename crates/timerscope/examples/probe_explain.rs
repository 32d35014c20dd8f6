//! Scratch.
use timerscope::explain::calibrate;
use timerscope::lab::play::Silent;
use timerscope::machine::Machine;
use timerscope::sim::{Sim, catalogue::opened};
fn main() {
    for name in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        let mut sim = Sim::new(opened(&name).unwrap(), 7);
        let facts = sim.facts().unwrap();
        let e = calibrate(&mut sim, &facts, &mut Silent).unwrap();
        println!("== {name} {:?}\n{}", t.elapsed(), e.toml);
        for c in e.constants { println!("{} {:?}", c.key, c.value); }
    }
}
