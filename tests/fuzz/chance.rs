//! Chance that is the same each time.

/// A generator of numbers (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn seeded(seed: u64) -> Chance {
        Chance(seed)
    }

    /// A number below `end`; 0 where that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % end.max(1) as u64) as usize
    }

    /// One of several.
    pub fn of<T: Copy>(&mut self, several: &[T]) -> T {
        several[self.below(several.len())]
    }

    /// Yes, once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
