//! Waits over a threshold, listed as SleepTest prints them.

use super::Block;
use super::words::{count, duration};

/// Lines in a text; the JSON lists all.
const MOST: usize = 40;

/// Which wait, counted from 1, and how long it took; nothing for none.
pub(super) fn long_ones(what: &str, over: &[(u64, i64)]) -> Option<Block> {
    if over.is_empty() {
        return None;
    }
    let line = |(index, ns): &(u64, i64)| format!("{index}: {}", duration(*ns));
    let mut lines = vec![format!("{what}, the long ones:")];
    lines.extend(over.iter().take(MOST).map(line));
    let more = over.len().saturating_sub(MOST);
    if more > 0 {
        lines.push(format!("... and {} more", count(more as u64)));
    }
    Some(Block::Verbatim(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let over: Vec<_> = (1..=50).map(|n| (n, 31_980_000)).collect();
        let Some(Block::Verbatim(text)) = long_ones("x", &over) else {
            panic!()
        };
        assert!(text.starts_with("x, the long ones:\n1: 31.98 ms\n"));
        assert!(text.ends_with("\n... and 10 more"));
        assert_eq!(long_ones("x", &[]), None);
    }
}
