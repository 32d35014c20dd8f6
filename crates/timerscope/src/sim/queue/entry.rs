//! What waits in the queue.

/// A deadline, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// When it is due, in nanoseconds; `i64::MAX` is a time like any other.
    pub(crate) key: i64,
    /// The owner's mark, by which it knows a cancelled entry again. The order
    /// does not depend on it, so it may wrap.
    pub(crate) seq: u32,
    /// Whose deadline it is.
    pub(crate) id: u32,
}

impl Entry {
    /// The key as an unsigned number in the same order, so that its digits
    /// sort.
    pub(super) fn rank(&self) -> u64 {
        self.key.cast_unsigned() ^ SIGN
    }
}

/// The key that has this rank.
pub(super) fn key_of(rank: u64) -> i64 {
    (rank ^ SIGN).cast_signed()
}

const SIGN: u64 = 1 << 63;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_ordered_as_keys_are_and_lead_back_to_them() {
        let keys = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let ranks = keys.map(|key| Entry { key, seq: 0, id: 0 }.rank());
        assert!(ranks.is_sorted());
        assert_eq!(ranks.map(key_of), keys);
    }

    #[test]
    fn an_entry_is_two_words() {
        assert_eq!(size_of::<Entry>(), 16);
    }
}
