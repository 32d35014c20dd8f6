//! Chance: one named stream per concern, so that a draw more in one place
//! shifts nothing in another.

use crate::machine::Random;

/// One in this many parts.
const MILLION: u64 = 1_000_000;

/// The streams of one run.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    /// W-T8: how many interrupts until the next pass.
    pub(super) pass: Random,
    /// W-S10: whether and for how long the host takes the CPU away.
    pub(super) steal: Random,
    /// OB-7: how late a tick is handled.
    pub(super) late: Random,
    /// OB-6: when a burning task moves, and where to.
    pub(super) moves: Random,
    /// OB-7: when others take the CPU, and for how long.
    pub(super) taken: Random,
    /// OB-3: whether a tick finds user mode.
    pub(super) user: Random,
}

impl Chance {
    /// The streams of the `play`-th run of a machine with this seed.
    pub(super) fn new(seed: u64, play: u64) -> Self {
        let own = Random::stream(seed, play).next();
        let stream = |name| Random::new(own ^ hash(name));
        Self {
            pass: stream("pass"),
            steal: stream("steal"),
            late: stream("late"),
            moves: stream("moves"),
            taken: stream("taken"),
            user: stream("user"),
        }
    }
}

/// FNV-1a of a stream's name.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// True in `ppm` of a million cases; draws nothing where that is certain.
pub(super) fn happens(random: &mut Random, ppm: u64) -> bool {
    match ppm {
        0 => false,
        MILLION.. => true,
        ppm => random.below(MILLION) < ppm,
    }
}

/// A whole number from `least` to `most`.
pub(super) fn between(random: &mut Random, least: i64, most: i64) -> i64 {
    let width = most.saturating_sub(least).max(0) as u64;
    least + random.below(width.saturating_add(1)) as i64
}

/// An exponentially spread number with this mean, by whole numbers alone.
pub(super) fn exponential(random: &mut Random, mean: i64) -> i64 {
    // -ln(u) = ln 2 * -log2(u), with u of 32 bits and 16 bits of fraction.
    let u = (random.next() >> 32).max(1);
    let log = (32 << FRACTION) - log2(u);
    let ln = (u128::from(log) * 45_426) >> FRACTION;
    ((mean.max(0) as u128 * ln) >> FRACTION) as i64
}

/// Bits of fraction of [`log2`]; 45426 / 2^16 is ln 2.
const FRACTION: u32 = 16;

/// log2 of `value` (not 0) in units of 2^-16, by repeated squaring.
fn log2(value: u64) -> u64 {
    let whole = u64::from(value.ilog2());
    let mut mantissa = (value << (63 - whole)) >> 32;
    let mut log = whole;
    for _ in 0..FRACTION {
        mantissa = (mantissa * mantissa) >> 31;
        let bit = mantissa >> 32;
        mantissa >>= bit;
        log = log << 1 | bit;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_is_right_to_its_last_bit() {
        assert_eq!(log2(1), 0);
        assert_eq!(log2(1 << 31), 31 << 16);
        // log2(3) = 1.58496
        assert!(log2(3).abs_diff(103_872) <= 1);
        // log2(10) = 3.32193
        assert!(log2(10).abs_diff(217_706) <= 1);
    }

    #[test]
    fn the_exponential_has_its_mean_and_its_median() {
        let mut random = Random::new(7);
        let mut all: Vec<i64> =
            (0..20_001).map(|_| exponential(&mut random, 1_000_000)).collect();
        all.sort_unstable();
        let mean = all.iter().sum::<i64>() / all.len() as i64;
        assert!((970_000..1_030_000).contains(&mean), "{mean}");
        assert!((670_000..715_000).contains(&all[10_000]), "{}", all[10_000]);
        assert!(all[0] >= 0);
    }

    #[test]
    fn streams_do_not_shift_one_another() {
        let mut one = Chance::new(1, 0);
        let mut other = Chance::new(1, 0);
        one.steal.next();
        assert_eq!(one.pass.next(), other.pass.next());
        assert_ne!(other.late.next(), other.user.next());
        assert_ne!(
            Chance::new(1, 1).pass.next(),
            Chance::new(1, 0).pass.next()
        );
    }
}
