//! How times along an axis are written.

use super::words::TimeUnit;

/// The unit for an axis from `low` to `high` nanoseconds.
pub(super) fn unit(low: i64, high: i64) -> TimeUnit {
    let far = low.unsigned_abs().max(high.unsigned_abs());
    TimeUnit::fitting(i64::try_from(far).unwrap_or(i64::MAX))
}

/// The decimals that tell multiples of `step` nanoseconds apart in `unit`.
pub(super) fn decimals(step: i128, unit: TimeUnit) -> usize {
    let (mut step, mut zeros) = (step.max(1), 0);
    while step % 10 == 0 {
        step /= 10;
        zeros += 1;
    }
    (unit.ns().ilog10() as usize).saturating_sub(zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_decimals_as_the_steps_have() {
        assert_eq!(unit(-40_000, 900), TimeUnit::Us);
        assert_eq!(decimals(5_000, TimeUnit::Ms), 3);
        assert_eq!(decimals(5_000, TimeUnit::Us), 0);
        assert_eq!(decimals(20, TimeUnit::Us), 2);
        assert_eq!(decimals(1, TimeUnit::Ns), 0);
    }
}
