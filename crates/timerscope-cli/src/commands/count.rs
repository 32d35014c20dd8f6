//! How many of something are measured.

use clap::Args;

/// How many of each are measured, usually so many.
#[derive(Args, Clone, Debug)]
pub(crate) struct CountArgs<const USUAL: u64> {
    /// How many of each
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        default_value_t = USUAL,
        allow_hyphen_values = true,
        value_parser = count
    )]
    pub(crate) count: u64,
}

/// The most of anything that is counted.
const MOST: u64 = 1_000_000_000;

fn count(text: &str) -> Result<u64, String> {
    if text.starts_with('-') {
        return Err("a count cannot be negative".to_owned());
    }
    let count: Option<u64> = text.parse().ok();
    let range = format!("a count is a whole number from 1 to {MOST}");
    count.filter(|count| (1..=MOST).contains(count)).ok_or(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_whole_and_within_reason() {
        assert_eq!(count("1"), Ok(1));
        assert_eq!(count("1000000000"), Ok(MOST));
        for text in ["0", "-1", "1.5", "", "1000000001", "many"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
