//! How much is searched, and how much of that a position is worth.

use super::opinion::Opinion;
use crate::features::class;

/// How much is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Nodes for a position, at most `MAX_NODES`.
    pub nodes: u64,
    /// Moves that are looked at thoroughly, the likeliest, at most 255.
    pub width: usize,
    /// [`SearchLimits::glance`](crate::engine::SearchLimits::glance), at most 1,000.
    pub glance: Option<i32>,
}

/// Most nodes that a model may ask for: some seconds a position.
pub const MAX_NODES: u64 = 1_000_000;

impl Effort {
    /// The effort that a model's metadata give: nodes, width and perhaps the glance, with spaces
    /// between them.
    pub fn parse(text: &str) -> Option<Effort> {
        let numbers: Option<Vec<u64>> = text.split(' ').map(|number| number.parse().ok()).collect();
        let (nodes, width, glance) = match numbers?[..] {
            [nodes, width] => (nodes, width, None),
            [nodes, width, glance @ 0..=1000] => (nodes, width, Some(glance as i32)),
            _ => return None,
        };
        let sound = (1..=MAX_NODES).contains(&nodes) && (2..256).contains(&width);
        sound.then_some(Effort { nodes, width: width as usize, glance })
    }
}

/// Bounds of what is left open, in bits of entropy in units of 2<sup>-16</sup>, below which a
/// search is worth a quarter and half of the nodes.
const LITTLE_OPEN: [i32; 2] = [3 << 14, 5 << 14];

/// How many of `nodes` a position is worth. Openings are known by heart: a search says nothing of
/// their first plies that the network and what was played before do not, and little of the next;
/// and little where the network leaves little open.
pub fn worthwhile(nodes: u64, ply: usize, opinion: &Opinion) -> u64 {
    let early = match ply {
        ..16 => return 0,
        16..20 => 1,
        20..32 => 2,
        _ => 4,
    };
    let settled = [1, 2, 4][class(opinion.open(), &LITTLE_OPEN)];
    (nodes * early.min(settled) / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_spent_where_they_tell_most() {
        let even = vec![0; 16];
        let settled = vec![3 << 16, 0];
        let spent = |ply, logits: &[i32]| worthwhile(1000, ply, &Opinion::new(logits));
        assert_eq!(
            [15, 16, 19, 20, 31, 32, 300].map(|ply| spent(ply, &even)),
            [0, 250, 250, 500, 500, 1000, 1000]
        );
        assert_eq!([15, 16, 32].map(|ply| spent(ply, &settled)), [0, 250, 250]);
        assert_eq!(spent(40, &[0, 0]), 500);
        assert_eq!(worthwhile(1, 16, &Opinion::new(&even)), 1);
    }

    #[test]
    fn efforts_are_bounded() {
        let effort = Effort { nodes: 1500, width: 12, glance: None };
        assert_eq!(Effort::parse("1500 12"), Some(effort));
        assert_eq!(Effort::parse("1500 12 30"), Some(Effort { glance: Some(30), ..effort }));
        let small = ["", "1500", "0 12", "1500 1", "-1 12", "1500 12 -1", "1500 12 "];
        let large = ["1500 256", "1000001 12", "1500 12 1001", "1500 12 3 4"];
        for text in small.into_iter().chain(large) {
            assert_eq!(Effort::parse(text), None, "{text}");
        }
    }
}
