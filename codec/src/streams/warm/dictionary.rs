//! Words that are frequent in a column, as advice on the next byte.

use crate::entropy::stretch;
use crate::{Error, Result, varint};

/// Words in order, each with how often it is to be expected.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    text: Vec<u8>,
    /// Where each word ends in the text.
    ends: Vec<u32>,
    /// The weights of all words before each word, and of all.
    sums: Vec<u32>,
}

/// The words that begin like a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Matching {
    low: usize,
    high: usize,
    /// The length of the text.
    place: usize,
}

impl Matching {
    /// Number of words that begin like the text.
    pub fn count(self) -> usize {
        self.high - self.low
    }
}

/// Log odds for what all words that match agree on.
const AGREED: i32 = 1400;
/// The weights of words are powers of two, kept in four bits.
const MOST_WEIGHT: u8 = 15;
/// Marks the last byte of a word.
const LAST: u8 = 0x80;
/// Stands before a byte of 0x80 or more, which is written without its highest bit.
const ESCAPE: u8 = 0x1f;

impl Dictionary {
    /// Words, which have to be sorted and distinct, with how often they were seen, as bytes. Empty
    /// words are left out; none may hold [`ESCAPE`].
    #[cfg(any(test, feature = "training"))]
    pub fn write<'a>(words: impl Iterator<Item = (&'a [u8], u64)>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut before: &[u8] = &[];
        let mut count = 0;
        for (word, seen) in words {
            let shared = word.iter().zip(before).take_while(|(a, b)| a == b).count().min(15);
            let mut new = Vec::with_capacity(word.len());
            for &byte in &word[shared..] {
                if byte >= LAST {
                    new.push(ESCAPE);
                }
                new.push(byte & !LAST);
            }
            let Some((last, new)) = new.split_last() else { continue };
            let weight = seen.max(1).ilog2().min(MOST_WEIGHT.into());
            out.push((shared as u8) << 4 | weight as u8);
            out.extend(new);
            out.push(last | LAST);
            (before, count) = (word, count + 1);
        }
        let mut bytes = Vec::new();
        varint::put_length(&mut bytes, count);
        bytes.extend(out);
        bytes
    }

    /// Words, which have to be sorted and distinct, all as likely as each other.
    pub fn of<'a>(words: impl Iterator<Item = &'a [u8]>) -> Dictionary {
        let mut dictionary = Dictionary { sums: vec![0], ..Dictionary::default() };
        for word in words {
            dictionary.text.extend_from_slice(word);
            dictionary.ends.push(dictionary.text.len() as u32);
            dictionary.sums.push(dictionary.ends.len() as u32);
        }
        dictionary
    }

    /// Reads what [`Dictionary::write`] wrote.
    ///
    /// # Errors
    /// [`Error::Model`] if it is something else.
    pub fn read(bytes: &[u8]) -> Result<Dictionary> {
        let wrong = || Error::Model("words that cannot be read".into());
        let mut rest = bytes;
        let count = varint::take_length(&mut rest).map_err(|_| wrong())?;
        let mut dictionary = Dictionary { sums: vec![0], ..Dictionary::default() };
        let (mut start, mut sum) = (0, 0u32);
        for _ in 0..count {
            let (&head, tail) = rest.split_first().ok_or_else(wrong)?;
            let (shared, weight) = (head >> 4, head & MOST_WEIGHT);
            let last = tail.iter().position(|&byte| byte >= LAST).ok_or_else(wrong)?;
            let new = &tail[..last];
            rest = &tail[last + 1..];
            let Dictionary { text, ends, sums } = &mut dictionary;
            let shared = start..start + usize::from(shared);
            start = text.len();
            if shared.end > start {
                return Err(wrong());
            }
            text.extend_from_within(shared);
            let mut escaped = 0;
            for byte in new.iter().copied().chain([tail[last] & !LAST]) {
                if byte == ESCAPE {
                    escaped = LAST;
                } else {
                    text.push(byte | escaped);
                    escaped = 0;
                }
            }
            ends.push(text.len() as u32);
            sum = sum.checked_add(1 << weight).ok_or_else(wrong)?;
            sums.push(sum);
        }
        if rest.is_empty() { Ok(dictionary) } else { Err(wrong()) }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A word by its number.
    pub fn word(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[index] as usize]
    }

    /// The expected frequency of a word.
    pub fn weight_of(&self, index: usize) -> u32 {
        self.weight(index, index + 1)
    }

    /// The number of a word.
    pub fn find(&self, word: &[u8]) -> Option<usize> {
        let index = self.partition(0, self.len(), |other| other < word);
        (index < self.len() && self.word(index) == word).then_some(index)
    }

    /// All words.
    pub fn all(&self) -> Matching {
        Matching { low: 0, high: self.len(), place: 0 }
    }

    /// Those of the words that have this byte next.
    pub fn next(&self, matching: Matching, byte: u8) -> Matching {
        let Matching { low, high, place } = matching;
        let at = |word: &[u8]| word.get(place).map_or(-1, |&byte| i32::from(byte));
        let low = self.partition(low, high, |word| at(word) < i32::from(byte));
        let high = self.partition(low, high, |word| at(word) <= i32::from(byte));
        Matching { low, high, place: place + 1 }
    }

    /// The class of the number of words that match: 0 for none, 1 for one, 2 for some, 3 for many.
    pub fn class(matching: Matching) -> usize {
        match matching.count() {
            0 => 0,
            1 => 1,
            2..=20 => 2,
            _ => 3,
        }
    }

    /// Calls `see` with each letter that the text may go on with, `None` for its end, and how often it is to be
    /// expected.
    pub fn following(&self, matching: Matching, mut see: impl FnMut(Option<u8>, u32)) {
        let Matching { mut low, high, place } = matching;
        while low < high {
            let next = self.word(low).get(place).copied();
            let end = match next {
                None => self.partition(low, high, |word| word.len() <= place),
                Some(byte) => self.partition(low, high, |word| word[place] <= byte),
            };
            see(next, self.weight(low, end));
            low = end;
        }
    }

    /// The log odds that the text ends here.
    #[cfg(test)]
    pub fn ends(&self, matching: Matching) -> i32 {
        let Matching { low, high, place } = matching;
        if low == high {
            return 0;
        }
        let ended = self.partition(low, high, |word| word.len() <= place);
        odds(self.weight(low, ended), self.weight(ended, high))
    }

    /// The log odds that the next bit is 1, if the text goes on and `node` is 1 followed by the bits
    /// of the next byte so far.
    #[cfg(test)]
    pub fn bit(&self, matching: Matching, node: usize) -> i32 {
        let Matching { low, high, place } = matching;
        if low == high {
            return 0;
        }
        let bits = 8 - node.ilog2();
        let first = ((node << bits) & 255) as i32;
        let bounds = [first, first + (1 << (bits - 1)), first + (1 << bits)];
        let at = |word: &[u8]| word.get(place).map_or(-1, |&byte| i32::from(byte));
        let [start, middle, end] =
            bounds.map(|bound| self.partition(low, high, |word| at(word) < bound));
        odds(self.weight(middle, end), self.weight(start, middle))
    }

    fn weight(&self, low: usize, high: usize) -> u32 {
        self.sums[high] - self.sums[low]
    }

    fn partition(&self, low: usize, high: usize, before: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (low, high);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.word(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The log odds of what was seen `yes` times, and `no` times not.
pub(in crate::streams) fn odds(yes: u32, no: u32) -> i32 {
    match (yes, no) {
        (0, 0) => 0,
        (_, 0) => AGREED,
        (0, _) => -AGREED,
        _ => {
            let p_true = (u64::from(yes) << 16) / (u64::from(yes) + u64::from(no));
            stretch(p_true.clamp(1, (1 << 16) - 1) as u32).clamp(-AGREED, AGREED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_and_advise_on_what_follows() {
        let words: [(&[u8], u64); 4] =
            [(b"B", 1), (b"Bern", 1), (b"Berlin", 9), ("Köln".as_bytes(), 3)];
        let mut words = words;
        words.sort_unstable();
        let bytes = Dictionary::write(words.into_iter());
        let dictionary = Dictionary::read(&bytes).unwrap();
        assert_eq!(dictionary.len(), 4);
        for (index, (word, _)) in words.into_iter().enumerate() {
            assert_eq!(dictionary.word(index), word);
            assert_eq!(dictionary.find(word), Some(index));
        }
        assert_eq!(dictionary.find(b"Ber"), None);
        let mut matching = dictionary.all();
        for (place, &byte) in b"Ber".iter().enumerate() {
            assert!(place == 1 || dictionary.ends(matching) < 0);
            matching = dictionary.next(matching, byte);
        }
        // `l` and `n` differ in the second lowest bit.
        assert_eq!(Dictionary::class(matching), 2);
        assert_eq!(dictionary.bit(matching, 1), -AGREED);
        assert!(dictionary.bit(matching, 0b101_1011) < 0);
        let end = b"lin".iter().fold(matching, |matching, &byte| dictionary.next(matching, byte));
        assert_eq!(dictionary.ends(end), AGREED);
        assert_eq!(Dictionary::class(dictionary.next(end, b'x')), 0);
        for cut in 0..bytes.len() {
            assert!(Dictionary::read(&bytes[..cut]).is_err(), "{cut}");
        }
    }
}
