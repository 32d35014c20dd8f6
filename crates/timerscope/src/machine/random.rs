//! Numbers that a seed settles, the same on every system: SplitMix64 (Steele,
//! Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).

/// A stream of numbers that a seed settles.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One stream of several that a seed settles: role, play, concern.
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Self {
        Self(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    #[expect(
        clippy::should_implement_trait,
        reason = "an endless stream is no iterator that may end"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, nearly evenly: the bias is below 2^-40 for
    /// bounds below 2^24.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// True or false, each as often.
    pub fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        // Vigna's splitmix64.c with the seed 1234567, as Rosetta Code's
        // "Pseudo-random numbers/Splitmix64" lists it.
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([(); 5].map(|()| random.next()), expected);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let draw = |seed, number| {
            let mut random = Random::stream(seed, number);
            [(); 4].map(|()| random.below(1 << 40))
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }
}
