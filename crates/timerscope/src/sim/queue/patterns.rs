//! Times as simulated machines have them, each with its exact order.

use super::wheel::enough_for;
use super::{Entry, Queue};

const MS: i64 = 1_000_000;
const HOUR: i64 = 3_600_000 * MS;

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: i64) -> i64 {
        let end = u128::from(end.cast_unsigned());
        ((u128::from(self.next()) * end) >> 64) as i64
    }

    /// From 1 us to 137 s, as often in each doubling.
    pub(super) fn log_uniform(&mut self) -> i64 {
        let base = 1 << (10 + self.below(27));
        base + self.below(base)
    }
}

/// Pushes `count` entries, their `id` the number of the push.
fn filled(count: u32, mut key: impl FnMut(u32) -> i64) -> Queue {
    let mut queue = Queue::new();
    for id in 0..count {
        queue.push(Entry { key: key(id), seq: 0, id });
    }
    queue
}

/// Pops `count` entries and pushes each again, `span` later, under the next
/// number; says whether all came by key and then by number.
fn in_order(
    queue: &mut Queue,
    count: u32,
    mut span: impl FnMut() -> Option<i64>,
) -> bool {
    let (mut last, mut number) = ((i64::MIN, 0), 1 << 31);
    (0..count).all(|_| {
        let next = queue.next_key();
        let entry = queue.pop().unwrap();
        let is_next = next == Some(entry.key) && last <= (entry.key, entry.id);
        last = (entry.key, entry.id);
        if let Some(span) = span() {
            queue.push(Entry { key: entry.key + span, seq: 0, id: number });
            number += 1;
        }
        is_next
    })
}

fn drains_in_order(mut queue: Queue) -> bool {
    let count = queue.len() as u32;
    in_order(&mut queue, count, || None) && queue.pop().is_none()
}

#[test]
fn periods_of_about_a_millisecond_come_in_order() {
    for count in [1, 2, 10, 31, 32, 33, 100, 1_000, 10_000, 100_000] {
        let mut random = Random(7);
        let mut queue = filled(count, |_| random.below(MS));
        let span = || Some(900_000 + random.below(200_000));
        assert!(in_order(&mut queue, 3 * count, span), "{count}");
        assert_eq!(queue.len(), count as usize);
        assert!(drains_in_order(queue), "{count}");
    }
}

#[test]
fn a_hundred_thousand_at_one_instant_come_as_they_were_pushed() {
    let mut queue = filled(100_000, |_| MS);
    assert!(in_order(&mut queue, 300_000, || Some(MS)));
    assert!(drains_in_order(queue));
}

#[test]
fn what_comes_in_while_its_instant_is_served_is_served_last() {
    let mut queue = filled(1_000, |_| MS);
    for id in 1_000..3_000 {
        assert_eq!(
            queue.pop(),
            Some(Entry { key: MS, seq: 0, id: id - 1_000 })
        );
        queue.push(Entry { key: MS, seq: 0, id });
    }
    assert!(drains_in_order(queue));
}

#[test]
fn ticks_that_wake_crowds_come_in_order() {
    let mut random = Random(11);
    let tick = 15_625_000;
    let mut queue = filled(20_000, |_| tick * random.below(8));
    let span = || Some(tick * (1 + random.below(4)));
    assert!(in_order(&mut queue, 100_000, span));
    assert!(drains_in_order(queue));
}

#[test]
fn times_from_a_microsecond_to_minutes_come_in_order() {
    for count in [10, 300, 30_000] {
        let mut random = Random(13);
        let mut queue = filled(count, |_| random.log_uniform());
        let span = || Some(random.log_uniform());
        assert!(in_order(&mut queue, 5 * count, span), "{count}");
        assert!(drains_in_order(queue), "{count}");
    }
}

#[test]
fn a_few_that_are_hours_away_hold_nothing_up() {
    let mut random = Random(17);
    let mut queue = filled(10_000, |id| match id % 1_000 {
        0 => HOUR * i64::from(id),
        _ => random.below(MS),
    });
    let span = || Some(900_000 + random.below(200_000));
    assert!(in_order(&mut queue, 50_000, span));
    assert!(drains_in_order(queue));
}

#[test]
fn what_is_pushed_before_all_that_was_popped_is_next() {
    let mut queue = filled(2, |id| HOUR * i64::from(id + 1));
    assert_eq!(queue.pop().map(|entry| entry.key), Some(HOUR));
    for id in 0..100_000 {
        queue.push(Entry { key: i64::from(id % 1_000), seq: 0, id });
    }
    assert_eq!(queue.next_key(), Some(0));
    assert!(drains_in_order(queue));
}

/// Where a bucket of 2^16 ns begins.
const BUCKET: i64 = 1 << 20;

/// A queue whose run is one bucket, 655 ns apart, and the first of it popped.
fn with_a_run() -> Queue {
    let mut queue = filled(101, |id| match i64::from(id) {
        0 => 0,
        id => BUCKET + 655 * (id - 1),
    });
    assert_eq!(queue.pop().map(|entry| entry.key), Some(0));
    assert_eq!(queue.pop().map(|entry| entry.key), Some(BUCKET));
    queue
}

#[test]
fn many_pushes_into_the_run_that_is_being_served_come_in_order() {
    let mut queue = with_a_run();
    let mut least = BUCKET + 655;
    for id in 101..100_101 {
        let key = BUCKET + 65_000 - i64::from(id) % 65_000;
        queue.push(Entry { key, seq: 0, id });
        least = least.min(key);
        assert_eq!(queue.next_key(), Some(least));
    }
    assert!(drains_in_order(queue));
}

#[test]
fn what_joins_an_instant_of_the_run_is_served_after_it() {
    let mut queue = with_a_run();
    for id in 101..121 {
        let key = BUCKET + 655 * i64::from(id % 3 + 1);
        queue.push(Entry { key, seq: 0, id });
    }
    assert!(drains_in_order(queue));
}

#[test]
fn the_ends_of_time_are_times() {
    let keys = [i64::MAX, 0, i64::MIN, i64::MAX, -1, i64::MIN, i64::MAX - 1];
    for copies in [1, 100] {
        let count = keys.len() as u32 * copies;
        assert!(drains_in_order(filled(count, |id| keys[id as usize % 7])));
    }
}

#[test]
fn seq_may_wrap_without_changing_the_order() {
    let mut queue = Queue::new();
    let seqs = [u32::MAX - 1, u32::MAX, 0, 1];
    for seq in seqs {
        queue.push(Entry { key: MS, seq, id: 0 });
    }
    let popped = seqs.map(|_| queue.pop().unwrap().seq);
    assert_eq!(popped, seqs);
}

#[test]
fn what_is_retained_keeps_its_order_and_the_rest_is_gone() {
    for count in [20, 2_000, 200_000] {
        let mut random = Random(19);
        let mut queue = filled(count, |_| random.below(MS / 100));
        for _ in 0..count / 10 {
            queue.pop();
        }
        let (mut asked, before) = (0, queue.len());
        queue.retain(|entry| {
            asked += 1;
            entry.id % 3 == 0
        });
        assert_eq!(asked, before);
        let mut last = (i64::MIN, 0);
        for _ in 0..queue.len() {
            let entry = queue.pop().unwrap();
            assert_eq!(entry.id % 3, 0);
            assert!(last < (entry.key, entry.id));
            last = (entry.key, entry.id);
        }
        assert_eq!(queue.pop(), None);
    }
}

#[test]
fn memory_follows_the_number_of_entries_up_and_down() {
    let mut random = Random(23);
    let mut queue = filled(1_000_000, |_| random.below(MS));
    // Memory grows by a quarter, and each bucket may end in a blank.
    assert!(queue.capacity() <= 1_250_000 + enough_for(0));
    for id in 0..1_000_000 {
        let key = queue.pop().unwrap().key + MS;
        if id % 100 == 0 {
            queue.push(Entry { key, seq: 0, id });
        }
        if id % 1_000 == 0 {
            // A run may have been popped since memory was looked at, and has
            // memory of its own.
            assert!(queue.capacity() <= enough_for(queue.len() + 256), "{id}");
        }
    }
    queue.retain(|entry| entry.id == 0);
    assert_eq!(queue.len(), 1);
    assert!(queue.capacity() <= enough_for(1 + 256));
}
