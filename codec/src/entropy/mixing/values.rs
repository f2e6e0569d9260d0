//! Bytes and numbers as binary events.

use super::{ContextMixer, Event, GROUP, MOST_CONTEXTS, hash, numbered};
use crate::entropy::Coder;
use crate::{Error, Result};

/// The contexts of something that is coded as several binary events: the nodes of a tree on the way to its leaf.
///
/// Up to seven nodes make a group, a node with those below it, whose slots lie together, so that the processor waits for
/// memory once for three events.
#[derive(Debug, Clone, Copy)]
pub struct Nodes {
    contexts: [u32; MOST_CONTEXTS],
    used: usize,
    /// The contexts in the group that was last used.
    here: [u32; MOST_CONTEXTS],
    group: u32,
}

/// The node of a tree that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Any number that tells the group, but for [`u32::MAX`].
    pub group: u32,
    /// The node in its group, from 0 to 7.
    pub place: u32,
}

impl Nodes {
    /// The nodes of `contexts`.
    pub fn of(contexts: &[u32]) -> Nodes {
        let (contexts, used) = numbered(contexts);
        Nodes { contexts, used, here: [0; MOST_CONTEXTS], group: u32::MAX }
    }

    /// The contexts at a node.
    fn at(&mut self, Node { group, place }: Node) -> [u32; MOST_CONTEXTS] {
        if self.group != group {
            self.group = group;
            for (here, &context) in self.here.iter_mut().zip(&self.contexts[..self.used]) {
                *here = first_of_group(context, group);
            }
        }
        self.here.map(|context| context | place & (GROUP - 1))
    }
}

/// The context of the first place in a group.
fn first_of_group(context: u32, group: u32) -> u32 {
    hash(context, group) & !(GROUP - 1)
}

impl Node {
    /// From this place on, the nodes below are of other groups.
    pub const LAST_TURN: u32 = GROUP / 2;
}

/// The node behind `depth` turns in a binary tree: `value` is 1 followed by the turns, `tree` any number below
/// 2<sup>16</sup> that tells trees apart.
fn node(tree: u32, value: u32, depth: u32) -> Node {
    let below = depth % 3;
    Node { group: tree << 16 ^ value >> below, place: 1 << below | value & ((1 << below) - 1) }
}

impl ContextMixer {
    /// Codes the event of one node; [`ContextMixer::advised`] says what the other arguments are. The first of `rows` is
    /// the family, the second the detail.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn at_node<C: Coder>(
        &mut self,
        coder: &mut C,
        nodes: &mut Nodes,
        node: Node,
        advice: i32,
        [family, detail]: [usize; 2],
        bit: bool,
    ) -> Result<bool> {
        let here = nodes.at(node);
        let contexts = &here[..nodes.used];
        self.event(coder, Event { contexts, advice, family, detail }, bit)
    }

    /// Has the processor fetch what the event of a node needs, if there is something else to do until then.
    pub fn prefetch_node(&self, nodes: &Nodes, node: Node) {
        for &context in &nodes.contexts[..nodes.used] {
            self.prefetch(&[first_of_group(context, node.group)]);
        }
    }

    /// Number of binary digits of a number that are learned.
    pub const DIGITS: u32 = 10;

    /// Codes a byte, the highest bit first. Of the details, the 256 from 256 × `detail` on are
    /// used.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn byte<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        byte: u8,
    ) -> Result<u8> {
        self.byte_at(coder, &mut Nodes::of(contexts), 0, [family, detail], byte)
    }

    /// [`ContextMixer::byte`] with contexts that other events share; `tree`, a number below 2<sup>16</sup>, tells those
    /// of the byte from them.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn byte_at<C: Coder>(
        &mut self,
        coder: &mut C,
        nodes: &mut Nodes,
        tree: u32,
        [family, detail]: [usize; 2],
        byte: u8,
    ) -> Result<u8> {
        let mut value = 1;
        for depth in 0..8 {
            let bit = byte << depth & 0x80 != 0;
            let rows = [family, detail << 8 | value as usize];
            let bit = self.at_node(coder, nodes, node(tree, value, depth), 0, rows, bit)?;
            value = value << 1 | u32::from(bit);
        }
        Ok(value as u8)
    }

    /// Codes a number: whether it is 0, its sign, its length and its digits in base 2, each with
    /// all `contexts`. Of long numbers the [`ContextMixer::DIGITS`] foremost digits are learned,
    /// the rest by their place only.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Damaged`] for a number beyond 2<sup>62</sup>.
    pub fn number<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        number: i64,
    ) -> Result<i64> {
        let mut nodes = Nodes::of(contexts);
        let mut event = |mixing: &mut ContextMixer, node: Node, bit: bool| {
            mixing.at_node(coder, &mut nodes, node, 0, [family, detail], bit)
        };
        // Zero, sign and length in turn, eight events a group.
        let head = |event: u32| Node { group: event / GROUP, place: event % GROUP };
        if event(self, head(0), number == 0)? {
            return Ok(0);
        }
        let negative = event(self, head(1), number < 0)?;
        let size = number.unsigned_abs();
        let length = 64 - size.leading_zeros();
        let mut read = 1;
        while !event(self, head(read + 1), read >= length)? {
            read += 1;
            if read > 62 {
                return Err(Error::damaged("a number of more than 62 bits"));
            }
        }
        let mut value = 1u64;
        for depth in 0..read - 1 {
            let bit = size >> (read - 2 - depth) & 1 != 0;
            // Digits far behind are learned by their place alone.
            let node = if depth < Self::DIGITS {
                node(read, value as u32, depth)
            } else {
                Node { group: read << 16 | 1 << 15 | depth, place: 1 }
            };
            let bit = event(self, node, bit)?;
            value = value << 1 | u64::from(bit);
        }
        Ok(if negative { -(value as i64) } else { value as i64 })
    }
}
