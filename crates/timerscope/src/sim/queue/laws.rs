//! Laws, against a model that is slow and plainly right.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Entry, Queue};

/// By key, then by the number of the push.
#[derive(Default)]
struct Model {
    entries: BTreeMap<(i64, u64), Entry>,
    pushes: u64,
}

impl Model {
    fn push(&mut self, entry: Entry) {
        self.pushes += 1;
        self.entries.insert((entry.key, self.pushes), entry);
    }

    fn next_key(&self) -> Option<i64> {
        self.entries.keys().next().map(|(key, _)| *key)
    }

    fn pop(&mut self) -> Option<Entry> {
        self.entries.pop_first().map(|(_, entry)| entry)
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// At a time of its own.
    At(i64),
    /// So long after the last that was popped.
    After(i64),
    /// So many at one time, so long after the last that was popped.
    Crowd(i64, usize),
    Pop(usize),
    /// Throws out those whose `id` is a multiple of this.
    Cancel(u32),
}

fn span() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => 0_i64..300,
        4 => 0_i64..100_000,
        2 => 900_000_i64..1_100_000,
        2 => (0_u32..62).prop_map(|bits| 1 << bits),
        2 => -70_000_i64..0,
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let extreme = prop_oneof![
        Just(i64::MAX),
        Just(i64::MIN),
        Just(i64::MAX - 1),
        Just(0),
        any::<i64>(),
    ];
    prop_oneof![
        1 => extreme.prop_map(Step::At),
        16 => span().prop_map(Step::After),
        4 => (span(), 0_usize..80).prop_map(|(at, n)| Step::Crowd(at, n)),
        8 => (0_usize..6).prop_map(Step::Pop),
        2 => (0_usize..200).prop_map(Step::Pop),
        1 => (2_u32..9).prop_map(Step::Cancel),
    ]
}

/// A queue and its model, which must never differ.
struct Pair {
    queue: Queue,
    model: Model,
    now: i64,
    made: u32,
}

impl Pair {
    fn new() -> Self {
        // So that `seq` wraps on the way.
        let made = u32::MAX - 50;
        Self { queue: Queue::new(), model: Model::default(), now: 0, made }
    }

    fn push(&mut self, key: i64) {
        self.made = self.made.wrapping_add(1);
        let entry = Entry { key, seq: self.made, id: self.made };
        self.queue.push(entry);
        self.model.push(entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        let popped = self.queue.pop();
        assert_eq!(popped, self.model.pop());
        self.now = popped.map_or(self.now, |entry| entry.key);
        popped
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::At(key) => self.push(key),
            Step::After(span) => self.push(self.now.saturating_add(span)),
            Step::Crowd(span, count) => {
                let key = self.now.saturating_add(span);
                (0..count).for_each(|_| self.push(key));
            }
            Step::Pop(count) => (0..count).for_each(|_| {
                self.pop();
            }),
            Step::Cancel(of) => {
                self.queue.retain(|entry| entry.id % of != 0);
                self.model.entries.retain(|_, entry| entry.id % of != 0);
            }
        }
        assert_eq!(self.queue.len(), self.model.entries.len());
        assert_eq!(self.queue.next_key(), self.model.next_key());
    }
}

proptest! {
    #[test]
    fn a_queue_gives_back_what_its_model_does(
        steps in prop::collection::vec(step(), 0..400),
    ) {
        let mut pair = Pair::new();
        for step in &steps {
            pair.take(step);
        }
        while pair.pop().is_some() {}
        prop_assert_eq!(pair.queue.len(), 0);
        prop_assert_eq!(pair.queue.next_key(), None);
    }

    #[test]
    fn to_ask_for_the_next_key_changes_nothing(
        steps in prop::collection::vec(step(), 0..100),
        asked_at in 0_usize..100,
    ) {
        let (mut asked, mut silent) = (Queue::new(), Queue::new());
        for (number, step) in steps.iter().enumerate() {
            let (Step::At(time) | Step::After(time) | Step::Crowd(time, _)) =
                *step
            else {
                prop_assert_eq!(asked.pop(), silent.pop());
                continue;
            };
            let entry = Entry { key: time, seq: 0, id: number as u32 };
            asked.push(entry);
            silent.push(entry);
            if number >= asked_at {
                asked.next_key();
            }
        }
        while let Some(entry) = silent.pop() {
            prop_assert_eq!(asked.next_key(), Some(entry.key));
            prop_assert_eq!(asked.pop(), Some(entry));
        }
    }
}
