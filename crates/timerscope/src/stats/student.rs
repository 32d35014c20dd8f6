//! Student's t: what a standard error from few blocks is worth.
//!
//! With x = sqrt(freedom) tan(angle) the density becomes a power of a cosine
//! (Abramowitz and Stegun, 26.7), so two integrals over an angle do, and no
//! gamma function is needed.

use std::f64::consts::FRAC_PI_2;

/// Steps of Simpson's rule: even a doubt of 1e-10 has three digits.
const STEPS: u32 = 128;

/// The chance that |t| exceeds `t` by luck: the two-sided doubt.
///
/// `freedom` need not be whole: Welch's is not.
pub(super) fn doubt(t: f64, freedom: f64) -> f64 {
    let angle = (t / freedom.sqrt()).atan();
    (tail(angle, freedom) / tail(0.0, freedom)).clamp(0.0, 1.0)
}

/// The t that is exceeded on either side with a chance of `allowed` in all.
///
/// Newton's method on the logarithm of the doubt, which falls smoothly.
pub(super) fn critical(allowed: f64, freedom: f64) -> f64 {
    let whole = tail(0.0, freedom);
    let mut t = 2.0_f64;
    for _ in 0..50 {
        let doubt = doubt(t, freedom);
        let angle = (t / freedom.sqrt()).atan();
        let slope = angle.cos().powf(freedom + 1.0) / freedom.sqrt() / whole;
        let step = doubt * (doubt / allowed).ln() / slope;
        t = (t + step).clamp(t / 4.0, t * 4.0);
        if step.abs() <= 1e-10 * t {
            break;
        }
    }
    t
}

/// The integral of cos^(freedom - 1) from `angle` to a right angle.
fn tail(angle: f64, freedom: f64) -> f64 {
    let step = (FRAC_PI_2 - angle) / f64::from(STEPS);
    let height = |i: u32| {
        // Measured from the right angle, where rounding would hurt.
        (f64::from(STEPS - i) * step).sin().powf(freedom - 1.0)
    };
    let weight = |i: u32| match i {
        0 | STEPS => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=STEPS).map(|i| weight(i) * height(i)).sum();
    sum * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn the_printed_tables_agree() {
        // Any table of t at 5 %, two-sided.
        for (freedom, t) in [(5.0, 2.5706), (10.0, 2.2281), (22.0, 2.0739)] {
            assert!((critical(0.05, freedom) - t).abs() < 5e-5, "{freedom}");
        }
    }

    proptest! {
        #[test]
        fn statrs_doubts_as_much(t in 0.0_f64..40.0, freedom in 3.0_f64..80.0) {
            let oracle = StudentsT::new(0.0, 1.0, freedom).unwrap();
            let expected = 2.0 * oracle.cdf(-t);
            let found = doubt(t, freedom);
            prop_assert!((found - expected).abs() < 1e-3 * expected + 1e-14);
        }

        #[test]
        fn statrs_draws_the_same_line(
            allowed in 1e-6_f64..0.9, freedom in 3.0_f64..80.0,
        ) {
            let oracle = StudentsT::new(0.0, 1.0, freedom).unwrap();
            let t = critical(allowed, freedom);
            let back = 2.0 * oracle.cdf(-t);
            prop_assert!((back - allowed).abs() < 1e-3 * allowed, "{}", t);
        }
    }
}
