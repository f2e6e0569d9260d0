//! Short texts, byte by byte.

use crate::entropy::{Coder, ContextMixer, hash};
use crate::streams::warm::{Dictionary, Matching};
use crate::{Error, Result};

/// Codes short texts by what texts in the same place looked like.
#[derive(Debug, Clone)]
pub(in crate::streams) struct Spelling {
    mixing: ContextMixer,
}

/// Where a text stands, and what it may resemble.
#[derive(Debug, Clone, Copy)]
pub(in crate::streams) struct Setting<'a> {
    /// Texts of one column look alike.
    pub column: u32,
    /// Texts with one key are likely to be the same.
    pub key: u32,
    /// The text may start like this one.
    pub guide: &'a [u8],
    /// Words that are frequent here, if any are known.
    pub words: Option<&'a Dictionary>,
}

const END: usize = 0;
const BYTE: usize = 1;

impl Spelling {
    /// A model that needs about 8 × 2<sup>`slot_bits`</sup> bytes.
    pub fn new(slot_bits: u32) -> Spelling {
        Spelling { mixing: ContextMixer::new(slot_bits, 8, 2, 5 << 8) }
    }

    /// The mixer, for its warm start.
    pub fn mixer(&mut self) -> &mut ContextMixer {
        &mut self.mixing
    }

    /// Codes `text`, which has no more than `most` bytes.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Limit`] if a text read has more.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        setting: Setting<'_>,
        text: &[u8],
        most: usize,
    ) -> Result<Vec<u8>> {
        if !C::LEARNING {
            return Ok(text.to_vec());
        }
        let mut prefix = Prefix::of(setting);
        loop {
            let place = prefix.text.len();
            let (class, ends) = (prefix.class(), prefix.ends());
            let end = prefix.contexts_of_end();
            if self.mixing.advised(coder, &end, ends, END, class << 8, place == text.len())? {
                return Ok(prefix.text);
            }
            if place == most {
                return Err(Error::Limit("texts longer than announced".into()));
            }
            let byte = text.get(place).copied().unwrap_or(0);
            let contexts = prefix.contexts();
            let advise = |node| (prefix.bit(node), 0);
            let byte = self.mixing.advised_byte(coder, &contexts, advise, BYTE, class, byte)?;
            prefix.push(byte);
        }
    }
}

/// The beginning of a text, as far as it is coded.
struct Prefix<'a> {
    setting: Setting<'a>,
    text: Vec<u8>,
    /// The words that begin like the text.
    matching: Option<Matching>,
    /// Of the column and all of the text.
    hash: u32,
    /// Of the word at hand; 0 between words.
    word: u32,
    /// Whether the guide was right so far.
    guided: bool,
}

impl<'a> Prefix<'a> {
    fn of(setting: Setting<'a>) -> Prefix<'a> {
        Prefix {
            setting,
            text: Vec::new(),
            matching: setting.words.map(Dictionary::all),
            hash: hash(setting.column, 1),
            word: 0,
            guided: true,
        }
    }

    /// The last `n` bytes.
    fn past(&self, n: usize) -> u32 {
        self.text[self.text.len().saturating_sub(n)..]
            .iter()
            .fold(n as u32, |past, &byte| past << 8 | u32::from(byte))
    }

    /// What the guide says here, in 9 bits, whether it was right so far, and whether it ends.
    fn advice(&self) -> u32 {
        let (place, guide) = (self.text.len(), self.setting.guide);
        let sign = guide.get(place).map_or(256, |&byte| u32::from(byte));
        sign << 2 | u32::from(self.guided) << 1 | u32::from(guide.len() == place + 1)
    }

    /// The contexts of the next byte.
    fn contexts(&self) -> [u32; 8] {
        let Setting { column, key, .. } = self.setting;
        let order1 = self.past(1);
        [
            self.hash,
            hash(order1, column),
            hash(self.past(2), column),
            hash(self.past(3), 3),
            hash(self.past(4), 4),
            hash(self.hash, key),
            hash(self.advice(), hash(column, order1)),
            hash(self.word, column),
        ]
    }

    /// The contexts of whether the text ends.
    fn contexts_of_end(&self) -> [u32; 8] {
        let Setting { column, key, .. } = self.setting;
        let length = self.text.len().min(15) as u32;
        [
            self.hash,
            hash(self.past(1), column),
            hash(self.past(2), column),
            hash(length, column),
            hash(self.past(4), 4),
            hash(self.hash, key),
            hash(self.advice(), column),
            hash(hash(self.word, length), column),
        ]
        .map(|context| hash(context, 0))
    }

    /// Which weights to use: by what the dictionary knows, or else by whether the guide was right.
    fn class(&self) -> usize {
        match self.matching.map_or(0, Dictionary::class) {
            0 => usize::from(self.guided),
            class => 1 + class,
        }
    }

    /// The dictionary's log odds that the text ends.
    fn ends(&self) -> i32 {
        self.setting.words.zip(self.matching).map_or(0, |(words, matching)| words.ends(matching))
    }

    /// The dictionary's log odds of the next bit.
    fn bit(&self, node: usize) -> i32 {
        let known = self.setting.words.zip(self.matching);
        known.map_or(0, |(words, matching)| words.bit(matching, node))
    }

    fn push(&mut self, byte: u8) {
        let Setting { guide, words, .. } = self.setting;
        self.matching =
            words.zip(self.matching).map(|(words, matching)| words.next(matching, byte));
        self.guided &= guide.get(self.text.len()) == Some(&byte);
        self.hash = hash(self.hash, byte.into());
        let in_word = byte.is_ascii_alphabetic() || byte >= 128;
        self.word = if in_word { hash(self.word, byte.into()) } else { 0 };
        self.text.push(byte);
    }
}
