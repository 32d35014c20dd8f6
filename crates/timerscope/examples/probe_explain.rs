//! Scratch.
use timerscope::explain::{explain, known};
use timerscope::lab::play::Silent;
use timerscope::machine::Machine;
use timerscope::sim::{Sim, catalogue::opened};
fn main() {
    for name in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        let mut sim = Sim::new(opened(&name).unwrap(), 7);
        let facts = sim.facts().unwrap();
        let e = explain(&mut sim, &facts, &known(), &mut Silent).unwrap();
        println!("== {name}: {:?} {:?} in {:?}", e.rule.value(), e.verdict, t.elapsed());
        for b in &e.because { println!("   {b}"); }
        for c in e.candidates.iter().take(6) { println!("   {} {}", c.rule, c.fit); }
        for f in &e.follows { println!("   + {} {}", f.id, f.says); }
        println!("   next {:?} tick {:?} tests {}", e.next_test, e.tick_ns.value(), e.tests.len());
    }
}
