//! Recorded data in which there is nothing to find, resampled: at the level
//! of 5 % as many of 1000 resamplings find something, and hardly more or less.
//!
//! `null-rates.txt` holds rounds of work in a second, a line for each block
//! of 80 ms of `timerscope cost --rate 1/s --for 40s`: a ticker that comes
//! once a second raises nothing. `null-lateness.txt` holds the nanoseconds by
//! which each wait of `timerscope sleep -n 4000` was late. Both were recorded
//! on a virtual machine with two CPUs, Linux 6.18.

use timerscope::machine::Random;
use timerscope::stats::{
    Block, Figure, Loss, Terms, Verdict, alternate, compare_at,
};

const RATES: &str = include_str!("data/null-rates.txt");
const LATENESS: &str = include_str!("data/null-lateness.txt");

/// What 5 % of 1000 is allowed to come out as.
const CLAIMS: std::ops::RangeInclusive<usize> = 30..=70;

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T>
where
    T::Err: std::fmt::Debug,
{
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn a_cost_is_found_where_there_is_none_at_the_level() {
    let rates: Vec<f64> = numbers(RATES);
    let pairs = rates.len() / 2;
    let claims = (0..1000)
        .filter(|seed| {
            let order = alternate(pairs, *seed);
            let blocks: Vec<Block> = order
                .into_iter()
                .zip(&rates)
                .map(|(raised, rate)| Block { raised, rate: *rate })
                .collect();
            let (low, high) = Loss::of(&blocks).unwrap().interval.unwrap();
            low > 0.0 || high < 0.0
        })
        .count();
    println!("cost: {claims} of 1000");
    assert!(CLAIMS.contains(&claims), "{claims} of 1000");
}

#[test]
fn a_difference_is_found_where_there_is_none_at_the_level() {
    let lateness: Vec<i64> = numbers(LATENESS);
    let stretches: Vec<&[i64]> = lateness.chunks_exact(50).collect();
    let terms = Terms { margin_share: 0.0, ..Terms::default() };
    for figure in [Figure::Quantile(0.5), Figure::Mean] {
        let claimed = |seed: &u64| {
            let mut shuffled = stretches.clone();
            shuffle(&mut shuffled, *seed);
            let (before, after) = shuffled.split_at(shuffled.len() / 2);
            let (before, after) = (before.concat(), after.concat());
            let found = compare_at(&before, &after, figure, &terms).unwrap();
            matches!(found.verdict, Verdict::Lower | Verdict::Higher)
        };
        let claims = (0..1000).filter(claimed).count();
        println!("{figure:?}: {claims} of 1000");
        assert!(CLAIMS.contains(&claims), "{figure:?}: {claims} of 1000");
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u64 + 1) as usize);
    }
}
