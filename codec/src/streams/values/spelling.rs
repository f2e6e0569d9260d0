//! Short texts, byte by byte.

use std::sync::Arc;

use super::HashMap;
use crate::entropy::{Coder, ContextMixer, Node, Nodes, hash};
use crate::streams::warm::letter_codes::{
    self, Branch, END, Letter, LetterCodes, MOST_NODES, Tree,
};
use crate::streams::warm::{Dictionary, Matching, odds};
use crate::{Error, Result};

/// Codes short texts by what texts in the same place looked like.
#[derive(Debug, Clone)]
pub(in crate::streams) struct Spelling {
    mixing: ContextMixer,
    /// How many contexts each letter has.
    contexts: usize,
    codes: Arc<LetterCodes>,
    /// By column and words: what [`Advice::of`] makes of them, where these are many.
    advice: HashMap<(u32, Matching), Advice>,
}

/// The setting of a text: its place, and the texts that it may resemble.
#[derive(Debug, Clone, Copy)]
pub(in crate::streams) struct Setting<'a> {
    /// Texts of one column look alike, and have the same words.
    pub column: u32,
    /// Texts with one key are likely to be the same.
    pub key: u32,
    /// The text may start like this one.
    pub guide: &'a [u8],
    /// Words that are frequent here, if any are known.
    pub words: Option<&'a Dictionary>,
}

/// The kinds of events of the mixer.
const TURN: usize = 0;
const BYTE: usize = 1;
/// Weights differ by the node, up to this number of nodes, and by the class of what is known.
const NODES: usize = 256;
const CLASSES: usize = 5;
/// What tells the nodes of an escaped byte from those of a tree.
const ESCAPED: u32 = 1;

impl Spelling {
    /// All contexts of a letter. The last two tell nothing where a text has neither key nor guide.
    pub const CONTEXTS: usize = 8;

    /// A model that needs about 8 × 2<sup>`slot_bits`</sup> bytes; letters have the first `contexts` of their contexts.
    pub fn new(slot_bits: u32, contexts: usize, codes: Arc<LetterCodes>) -> Spelling {
        let mixing = ContextMixer::new(slot_bits, contexts, 2, CLASSES * NODES);
        Spelling { mixing, contexts, codes, advice: HashMap::default() }
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
            let class = prefix.class();
            let mut nodes = Nodes::of(&prefix.contexts()[..self.contexts]);
            let next = text.get(prefix.text.len()).copied();
            let letter = self.letter(coder, &prefix, &mut nodes, next)?;
            if letter == END {
                return Ok(prefix.text);
            }
            if prefix.text.len() == most {
                return Err(Error::Limit("texts longer than announced".into()));
            }
            let byte = match u8::try_from(letter) {
                Ok(byte) => byte,
                Err(_) => {
                    let byte = next.unwrap_or(0);
                    self.mixing.byte_at(coder, &mut nodes, ESCAPED, [BYTE, class], byte)?
                }
            };
            prefix.push(byte);
        }
    }

    /// Codes what a text goes on with: `next`, or its end.
    fn letter<C: Coder>(
        &mut self,
        coder: &mut C,
        prefix: &Prefix<'_>,
        nodes: &mut Nodes,
        next: Option<u8>,
    ) -> Result<Letter> {
        let class = prefix.class();
        let tree = self.codes.after(letter_codes::kind(prefix.text.last().copied()));
        self.mixing.prefetch_node(nodes, tree.place(0));
        let few;
        let advice = match prefix.matching() {
            None => &Advice::NONE,
            Some((words, matching)) if matching.count() < MANY_WORDS => {
                few = Advice::of(tree, words, matching);
                &few
            }
            Some((words, matching)) => {
                let advice = self.advice.entry((prefix.setting.column, matching));
                advice.or_insert_with(|| Advice::of(tree, words, matching))
            }
        };
        let (code, _) = tree.code(tree.leaf(next.map_or(END, Letter::from)));
        let (mut node, mut depth) = (0, 0);
        loop {
            // What comes next is one of two nodes: where that is another group of slots, both are fetched beforehand.
            if tree.place(node).place >= Node::LAST_TURN {
                for turn in [false, true] {
                    if let Branch::Node(next) = tree.branch(node, turn) {
                        self.mixing.prefetch_node(nodes, tree.place(next));
                    }
                }
            }
            let rows = [TURN, class * NODES + node];
            let turn = code >> depth & 1 != 0;
            let odds = advice.odds(node);
            let turn = self.mixing.at_node(coder, nodes, tree.place(node), odds, rows, turn)?;
            match tree.branch(node, turn) {
                Branch::Leaf(letter) => return Ok(letter),
                Branch::Node(next) => (node, depth) = (next, depth + 1),
            }
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
    /// Of the present word; 0 between words.
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

    /// The contexts of the next letter.
    fn contexts(&self) -> [u32; Spelling::CONTEXTS] {
        let Setting { column, key, .. } = self.setting;
        let order1 = self.past(1);
        [
            self.hash,
            hash(order1, column),
            hash(self.past(2), column),
            hash(self.past(3), 3),
            hash(self.past(4), 4),
            hash(self.word, column),
            hash(self.hash, key),
            hash(self.advice(), hash(column, order1)),
        ]
    }

    /// Which weights to use: by what the dictionary knows, or else by whether the guide was right.
    fn class(&self) -> usize {
        match self.matching.map_or(0, Dictionary::class) {
            0 => usize::from(self.guided),
            class => 1 + class,
        }
    }

    /// The words that match, if any do.
    fn matching(&self) -> Option<(&'a Dictionary, Matching)> {
        self.setting.words.zip(self.matching).filter(|(_, matching)| matching.count() > 0)
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

/// Advice of at least this many matching words is cached.
const MANY_WORDS: usize = 8;

/// What the words that match advise at each node of a tree.
#[derive(Debug, Clone)]
struct Advice {
    /// By node: the log odds that the turn is `true`; 0 behind the end.
    odds: Vec<i16>,
}

impl Advice {
    /// No word matches.
    const NONE: Advice = Advice { odds: Vec::new() };

    /// By how often the words take each turn.
    fn of(tree: &Tree, words: &Dictionary, matching: Matching) -> Advice {
        let mut seen = [[0u32; 2]; MOST_NODES];
        let mut nodes = 0;
        words.following(matching, |byte, weight| {
            let (code, length) = tree.code(tree.leaf(byte.map_or(END, usize::from)));
            let mut node = 0;
            for depth in 0..length {
                let turn = code >> depth & 1 != 0;
                seen[node][usize::from(turn)] += weight;
                nodes = nodes.max(node + 1);
                if let Branch::Node(next) = tree.branch(node, turn) {
                    node = next;
                }
            }
        });
        Advice { odds: seen[..nodes].iter().map(|&[no, yes]| odds(yes, no) as i16).collect() }
    }

    fn odds(&self, node: usize) -> i32 {
        self.odds.get(node).copied().unwrap_or(0).into()
    }
}
