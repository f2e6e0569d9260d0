//! Short texts, byte by byte.

use crate::entropy::{Coder, ContextMixer, hash};
use crate::streams::warm::Dictionary;
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
        let Setting { column, key, guide, words } = setting;
        let mut matching = words.map(Dictionary::all);
        let mut done: Vec<u8> = Vec::new();
        let mut prefix = hash(column, 1);
        let mut word = 0;
        let mut guided = true;
        loop {
            let place = done.len();
            let past = |n: usize| {
                done[place.saturating_sub(n)..]
                    .iter()
                    .fold(n as u32, |past, &byte| past << 8 | u32::from(byte))
            };
            let (order1, order2, order3) = (past(1), past(2), past(3));
            let order4 = hash(past(4), 4);
            // What the guide says here, in 9 bits, and whether it was right so far.
            let sign = guide.get(place).map_or(256, |&byte| u32::from(byte));
            let advice = sign << 2 | u32::from(guided) << 1 | u32::from(guide.len() == place + 1);
            let contexts = [
                prefix,
                hash(order1, column),
                hash(order2, column),
                hash(order3, 3),
                order4,
                hash(prefix, key),
                hash(advice, hash(column, order1)),
                hash(word, column),
            ];
            // Which weights to use: by what the dictionary knows, or else by whether the guide was right.
            let class = match matching.map_or(0, Dictionary::class) {
                0 => usize::from(guided),
                class => 1 + class,
            };
            let ends = words.zip(matching).map_or(0, |(words, matching)| words.ends(matching));
            let length = (place.min(15)) as u32;
            let end = [
                prefix,
                hash(order1, column),
                hash(order2, column),
                hash(length, column),
                order4,
                hash(prefix, key),
                hash(advice, column),
                hash(hash(word, length), column),
            ]
            .map(|context| hash(context, 0));
            if self.mixing.advised(coder, &end, ends, END, class << 8, place == text.len())? {
                return Ok(done);
            }
            if place == most {
                return Err(Error::Limit("texts longer than announced".into()));
            }
            let byte = text.get(place).copied().unwrap_or(0);
            let advise = |node| {
                (words.zip(matching).map_or(0, |(words, matching)| words.bit(matching, node)), 0)
            };
            let byte = self.mixing.advised_byte(coder, &contexts, advise, BYTE, class, byte)?;
            matching = words.zip(matching).map(|(words, matching)| words.next(matching, byte));
            guided &= guide.get(place) == Some(&byte);
            prefix = hash(prefix, byte.into());
            word =
                if byte.is_ascii_alphabetic() || byte >= 128 { hash(word, byte.into()) } else { 0 };
            done.push(byte);
        }
    }
}
