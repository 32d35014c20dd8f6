//! How fast the queue is, beside the standard library's heap.
//!
//! ```text
//! cargo test --release -p timerscope queue_speed -- --ignored --nocapture
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use super::patterns::Random;
use super::{Entry, Queue};

/// A queue in the same sixteen bytes, which relies on `seq` for its order.
#[derive(Default)]
struct Heap(BinaryHeap<Reverse<(i64, u32, u32)>>);

trait Timed {
    fn push(&mut self, entry: Entry);
    fn next_key(&self) -> Option<i64>;
    fn pop(&mut self) -> Option<Entry>;
}

impl Timed for Heap {
    fn push(&mut self, Entry { key, seq, id }: Entry) {
        self.0.push(Reverse((key, seq, id)));
    }

    fn next_key(&self) -> Option<i64> {
        self.0.peek().map(|Reverse((key, _, _))| *key)
    }

    fn pop(&mut self) -> Option<Entry> {
        let Reverse((key, seq, id)) = self.0.pop()?;
        Some(Entry { key, seq, id })
    }
}

impl Timed for Queue {
    fn push(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn next_key(&self) -> Option<i64> {
        self.next_key()
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop()
    }
}

/// A way in which deadlines follow each other.
type Pattern = (&'static str, fn(&mut Random) -> i64);

const PATTERNS: [Pattern; 5] = [
    ("0.9 to 1.1 ms", |random| 900_000 + random.below(200_000)),
    ("all at one instant", |_| 1_000_000),
    ("1 us to 137 s, log-uniform", Random::log_uniform),
    ("0.9 to 1.1 ms, 0.1 % an hour", |random| match random.below(1_000) {
        0 => 3_600_000_000_000,
        _ => 900_000 + random.below(200_000),
    }),
    ("1 to 20 us", |random| 1_000 + random.below(19_000)),
];

/// Million entries a second that are asked for, popped and pushed again.
#[expect(clippy::disallowed_methods, reason = "a benchmark needs a clock")]
fn millions_per_s(mut queue: impl Timed, count: u32, pattern: Pattern) -> f64 {
    let (mut random, mut seq) = (Random(29), 0_u32);
    for id in 0..count {
        seq += 1;
        queue.push(Entry { key: (pattern.1)(&mut random), seq, id });
    }
    let turns = (2 * count).max(1_000_000);
    let mut turn = |turns| {
        for _ in 0..turns {
            black_box(queue.next_key());
            let entry = queue.pop().unwrap();
            let key = entry.key + (pattern.1)(&mut random);
            seq = seq.wrapping_add(1);
            queue.push(Entry { key, seq, ..entry });
        }
    };
    turn(count);
    let begun = Instant::now();
    turn(turns);
    f64::from(turns) / begun.elapsed().as_secs_f64() / 1e6
}

/// The median, and the best, which is the one that other load spoils least.
fn median_and_best(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let (median, best) = (values[values.len() / 2], values[values.len() - 1]);
    format!("{median:>8.1} ({best:>5.1})")
}

#[test]
#[ignore = "it measures this computer"]
fn queue_speed() {
    println!("million (next + pop + push)/s, median (best) of 7");
    for pattern in PATTERNS {
        println!("{}\n{:>9}{:>8}{:>16}", pattern.0, "pending", "heap", "queue");
        for count in [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let (mut heap, mut queue) = (vec![], vec![]);
            for _ in 0..7 {
                heap.push(millions_per_s(Heap::default(), count, pattern));
                queue.push(millions_per_s(Queue::new(), count, pattern));
            }
            let (heap, queue) = (median_and_best(heap), median_and_best(queue));
            println!("{count:>9}{heap}{queue}");
        }
    }
}
