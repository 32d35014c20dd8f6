//! How the wall clock is steered (adjtimex).

use timerscope::machine::{Known, Missing};

use super::reason::{reason, recorded};
use super::root::Root;

/// What the kernel says of its own clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steering {
    /// Parts per million that are added to the counter's own rate.
    pub(super) rate_error_ppm: f64,
    /// Whether something keeps the clock right.
    pub(super) synchronised: bool,
}

/// Asks, changing nothing.
pub(super) fn steering(root: &Root) -> Known<Steering> {
    if !root.is_real() {
        return recorded("the clock's steering").into();
    }
    // SAFETY: timex is a struct of numbers, for which all zeros is a value.
    let mut state: libc::timex = unsafe { std::mem::zeroed() };
    // SAFETY: adjtimex(2) with no bit in `modes` only fills the valid struct
    // we lend it, and keeps no pointer.
    let answer = unsafe { libc::adjtimex(&raw mut state) };
    if answer < 0 {
        let error = std::io::Error::last_os_error();
        return reason("the clock's steering", &error).into();
    }
    told(answer, state.status, state.freq, state.tick)
        .ok_or_else(|| Missing::failed("what the kernel says is no rate"))
        .into()
}

/// `freq` is in 2^-16 ppm; `tick` is how many microseconds a hundredth of a
/// second is made, so that one more is 100 ppm (adjtimex(2)).
fn told(
    answer: libc::c_int,
    status: libc::c_int,
    freq: libc::c_long,
    tick: libc::c_long,
) -> Option<Steering> {
    let steps = tick.checked_sub(10_000)?.checked_mul(100)?;
    Some(Steering {
        rate_error_ppm: freq as f64 / 65_536.0 + steps as f64,
        synchronised: answer != libc::TIME_ERROR
            && status & libc::STA_UNSYNC == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_steering_add_up() {
        let steering = told(0, 0, -32_768, 10_001).unwrap();
        assert!((steering.rate_error_ppm - 99.5).abs() < 1e-9);
        assert!(steering.synchronised);
    }

    #[test]
    fn either_sign_of_neglect_is_believed() {
        let free = |answer, status| {
            !told(answer, status, 0, 10_000).unwrap().synchronised
        };
        assert!(free(libc::TIME_ERROR, 0));
        assert!(free(0, libc::STA_UNSYNC));
        assert!(!free(0, libc::STA_PLL));
    }

    #[test]
    fn no_number_the_kernel_may_say_overflows() {
        assert_eq!(told(0, 0, 0, libc::c_long::MIN), None);
        assert_eq!(told(0, 0, 0, libc::c_long::MAX), None);
    }
}
