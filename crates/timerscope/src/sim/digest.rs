//! One number for a whole run: equal only if two runs did the same.

use crate::trace::Event;

/// Folds the digest of one more run into that of those before it, in order.
///
/// The digest of one run alone is its own; what is no digest counts as zero.
#[must_use]
pub fn folded(before: Option<String>, run: &str) -> String {
    let Some(before) = before else { return run.to_owned() };
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
    let mixed = number(&before).rotate_left(23) ^ number(run);
    format!("{:016x}", mixed.wrapping_mul(0xa076_1d64_78bd_642f))
}

/// A closing digest over all events of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn new() -> Self {
        // The fractional digits of pi, as good as any.
        Self(0x243f_6a88_85a3_08d3)
    }

    /// Folds one event in. The words are spread side by side, so that an
    /// event costs one multiplication in the chain of all of them.
    #[inline]
    pub(super) fn add(&mut self, event: &Event) {
        let [at, what, one, other] = event.words();
        let spread = at.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ what.wrapping_mul(0xbf58_476d_1ce4_e5b9)
            ^ one.wrapping_mul(0x94d0_49bb_1331_11eb)
            ^ other.wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = (self.0.rotate_left(23) ^ spread)
            .wrapping_mul(0xa076_1d64_78bd_642f);
    }

    /// As sixteen hexadecimal digits.
    pub(super) fn written(self) -> String {
        let mixed = self.0 ^ (self.0 >> 32);
        format!("{:016x}", mixed.wrapping_mul(0xe703_7ed1_a0b4_28db))
    }
}
