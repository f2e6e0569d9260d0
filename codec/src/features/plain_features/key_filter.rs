//! A Bloom filter of the keys of positions.

/// Keys by their first bits: most of those that were not added are told without a search.
#[derive(Debug, Default)]
pub struct KeyFilter([u64; 4]);

impl KeyFilter {
    /// The word and the bit of a key.
    fn place(key: u64) -> (usize, u64) {
        ((key >> 62) as usize, 1 << (key >> 56 & 63))
    }

    /// False if the key was not added; true if it was, and for some others.
    pub fn may_contain(&self, key: u64) -> bool {
        let (word, bit) = KeyFilter::place(key);
        self.0[word] & bit != 0
    }
}

impl FromIterator<u64> for KeyFilter {
    fn from_iter<T: IntoIterator<Item = u64>>(keys: T) -> KeyFilter {
        let mut filter = KeyFilter::default();
        for key in keys {
            let (word, bit) = KeyFilter::place(key);
            filter.0[word] |= bit;
        }
        filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    #[test]
    fn keys_that_were_added_are_found_and_few_others() {
        let mut numbers = SplitMix(5);
        let keys: Vec<u64> = (0..20).map(|_| numbers.next()).collect();
        let filter: KeyFilter = keys.iter().copied().collect();
        assert!(keys.iter().all(|&key| filter.may_contain(key)));
        let others = (0..1000).filter(|_| filter.may_contain(numbers.next())).count();
        assert!(others < 150, "{others}");
    }
}
