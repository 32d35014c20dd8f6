//! Numbers for random phases: SplitMix64 (Steele, Lea and Flood, 2014).

/// A stream of its own for each role of a seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64, role: u64) -> Self {
        Self(seed ^ role.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number below `bound`, nearly evenly: the bias is below 2^-40 for
    /// bounds below 2^24.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_stream_and_roles_differ() {
        let draw = |seed, role| {
            let mut random = Random::new(seed, role);
            [(); 4].map(|()| random.below(1 << 40))
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }
}
