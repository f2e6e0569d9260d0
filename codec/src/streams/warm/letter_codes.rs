//! Prefix codes of letters, so that the likely letters of a text take few binary events.
//!
//! A letter is coded as the way from the root of a binary tree to its leaf, and each turn is an event of its own. After
//! each kind of letter comes another tree, the Huffman code of what follows such letters in the words of the
//! [dictionaries](super::Dictionary). Rare bytes have no leaf: an escape stands for them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Dictionary, WarmTables};
use crate::Result;
use crate::entropy::Node;

/// The next letter of a text: a byte, or one of the two below.
pub(in crate::streams) type Letter = usize;
/// The end of the text.
pub(in crate::streams) const END: Letter = 256;
/// A byte that has no leaf.
pub(in crate::streams) const ESCAPE: Letter = 257;
const LETTERS: usize = 258;
/// Inner nodes of a tree: its leaves are 95 printable letters, the end and the escape.
pub(in crate::streams) const MOST_NODES: usize = 96;

/// The columns whose words tell how often a letter follows another.
const COLUMNS: [&str; 2] = ["", "Site"];

/// A tree for each kind of letter that may come before.
#[derive(Debug, Clone)]
pub(in crate::streams) struct LetterCodes {
    trees: Vec<Tree>,
}

/// A binary tree with letters as leaves.
#[derive(Debug, Clone)]
pub(in crate::streams) struct Tree {
    /// By the number of the inner node, the root being 0 and the others in order of their depth: where `false` and
    /// `true` lead.
    branches: Vec<[Branch; 2]>,
    /// By inner node: its place among the nodes whose slots lie together.
    places: Vec<Node>,
    /// By letter: the turns from the root on, the first in the lowest bit, and how many they are; 0 for letters that
    /// have no leaf.
    codes: Vec<(u64, u32)>,
}

/// The branch behind a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::streams) enum Branch {
    Node(usize),
    Leaf(Letter),
}

/// Kinds of letters that may come before, the start of a text among them.
const KINDS: usize = 59;

/// The kind of the letter before; `None` at the start.
pub(in crate::streams) fn kind(before: Option<u8>) -> usize {
    match before {
        None => 0,
        Some(letter @ b'a'..=b'z') => 1 + usize::from(letter - b'a'),
        Some(letter @ b'A'..=b'Z') => 27 + usize::from(letter - b'A'),
        Some(b'0'..=b'9') => 53,
        Some(b' ') => 54,
        Some(b',') => 55,
        Some(b'.') => 56,
        Some(b'-') => 57,
        Some(_) => 58,
    }
}

/// How often a letter is taken to have been seen beforehand; 0 if it has no leaf.
const fn usual(letter: Letter) -> u64 {
    match letter {
        END => 16,
        ESCAPE => 2,
        LETTERS.. => 0,
        _ => match letter as u8 {
            b'0'..=b'9' | b' ' | b',' | b'.' | b'-' => 16,
            b'a'..=b'z' => 8,
            b'A'..=b'Z' => 4,
            b'!'..=b'~' => 1,
            _ => 0,
        },
    }
}

impl LetterCodes {
    /// The codes that follow from the words of `tables`.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the words cannot be read.
    pub fn of(tables: &WarmTables<'_>) -> Result<LetterCodes> {
        let mut counts: Vec<[u64; LETTERS]> = vec![std::array::from_fn(usual); KINDS];
        for column in COLUMNS {
            count(&tables.dictionary(column)?, &mut counts);
        }
        Ok(LetterCodes {
            trees: (0..).zip(&counts).map(|(kind, counts)| Tree::of(kind, counts)).collect(),
        })
    }

    /// The tree after a letter of some [`kind`].
    pub fn after(&self, kind: usize) -> &Tree {
        &self.trees[kind]
    }
}

/// Counts what follows each kind of letter.
fn count(words: &Dictionary, counts: &mut [[u64; LETTERS]]) {
    for index in 0..words.len() {
        let weight = u64::from(words.weight_of(index));
        let mut before = None;
        for &byte in words.word(index) {
            let letter = if usual(byte.into()) > 0 { byte.into() } else { ESCAPE };
            counts[kind(before)][letter] += weight;
            before = Some(byte);
        }
        counts[kind(before)][END] += weight;
    }
}

impl Tree {
    /// The Huffman code of letters with these counts. Of equals, the first ones are joined first: letters in their
    /// order, then inner nodes as they were made.
    fn of(kind: u32, counts: &[u64; LETTERS]) -> Tree {
        let mut made: Vec<[usize; 2]> = Vec::new();
        let leaves = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let mut heap: BinaryHeap<Reverse<(u64, usize)>> =
            leaves.map(|(letter, &count)| Reverse((count, letter))).collect();
        while let (Some(Reverse((first, a))), Some(Reverse((second, b)))) = (heap.pop(), heap.pop())
        {
            made.push([a, b]);
            heap.push(Reverse((first + second, LETTERS + made.len() - 1)));
            if heap.len() == 1 {
                break;
            }
        }
        let (branches, codes) = (Vec::new(), vec![(0, 0); LETTERS]);
        let mut tree = Tree { branches, places: vec![first_of(kind, 0)], codes };
        // From the root on, which was made last, level by level.
        let mut order = vec![(made.len() - 1, 0u64, 0u32)];
        let mut next = 0;
        while next < order.len() {
            let (node, code, length) = order[next];
            let mut branches = [Branch::Leaf(END); 2];
            for (turn, branch) in branches.iter_mut().enumerate() {
                let (code, length) = (code | (turn as u64) << length, length + 1);
                *branch = match made[node][turn].checked_sub(LETTERS) {
                    Some(inner) => {
                        order.push((inner, code, length));
                        let above = tree.places[next];
                        tree.places.push(match above.place {
                            ..Node::LAST_TURN => {
                                Node { place: above.place << 1 | turn as u32, ..above }
                            }
                            _ => first_of(kind, tree.places.len() as u32),
                        });
                        Branch::Node(order.len() - 1)
                    }
                    None => {
                        let letter = made[node][turn];
                        tree.codes[letter] = (code, length);
                        Branch::Leaf(letter)
                    }
                };
            }
            tree.branches.push(branches);
            next += 1;
        }
        tree
    }

    /// The place of a node.
    pub fn place(&self, node: usize) -> Node {
        self.places[node]
    }

    /// The branch behind a turn at a node.
    pub fn branch(&self, node: usize, turn: bool) -> Branch {
        self.branches[node][usize::from(turn)]
    }

    /// The letter that stands for a byte or the end: itself, or else [`ESCAPE`].
    pub fn leaf(&self, letter: Letter) -> Letter {
        if self.codes[letter].1 > 0 { letter } else { ESCAPE }
    }

    /// The turns to a letter that has a leaf, the first in the lowest bit, and how many they are.
    pub fn code(&self, letter: Letter) -> (u64, u32) {
        self.codes[letter]
    }
}

/// The place of a node that is the first of its group.
fn first_of(kind: u32, node: u32) -> Node {
    Node { group: kind << 8 | node, place: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_its_way_and_likely_ones_are_short() {
        let codes = LetterCodes::of(&WarmTables::shipped().unwrap()).unwrap();
        for kind in 0..KINDS {
            let tree = codes.after(kind);
            let mut kraft = 0u128;
            for letter in (0..LETTERS).filter(|&letter| usual(letter) > 0) {
                let (code, length) = tree.code(letter);
                kraft += 1 << (64 - length);
                let mut at = Branch::Node(0);
                for turn in 0..length {
                    let Branch::Node(node) = at else { panic!("a leaf on the way to {letter}") };
                    at = tree.branch(node, code >> turn & 1 != 0);
                }
                assert_eq!(at, Branch::Leaf(letter));
                assert_eq!(tree.leaf(letter), letter);
            }
            assert_eq!(kraft, 1 << 64, "{kind}");
            assert_eq!(tree.branches.len(), MOST_NODES);
            assert_eq!(tree.leaf(0xe9), ESCAPE);
        }
        let after_comma = codes.after(kind(Some(b',')));
        assert!(after_comma.code(b' '.into()).1 < after_comma.code(b'q'.into()).1);
    }
}
