//! Repeatable draws for this room's tests.

/// Knuth's linear congruential generator (MMIX), upper bits only.
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        let mut draws = Self(seed ^ 0x9E37_79B9_7F4A_7C15);
        draws.share();
        draws.share();
        draws
    }

    /// A number from 0 to 1, without 1.
    pub(super) fn share(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as f64 / f64::from(u32::MAX).next_up()
    }

    /// A whole number from 0 to below `end`.
    pub(super) fn within(&mut self, end: i64) -> i64 {
        (self.share() * end as f64) as i64
    }

    /// Exponentially distributed around a mean.
    pub(super) fn exponential(&mut self, mean: f64) -> i64 {
        (-mean * (1.0 - self.share()).ln()) as i64
    }
}
