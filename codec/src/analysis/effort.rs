//! The effort of a model's searches, and the share of it that a position gets.

use std::fmt;

use super::move_priors::MovePriors;
use super::parameters::{LOW_ENTROPY, MAX_NODES, MAX_SCOUT_MARGIN, MAX_WIDTH, OPENING_PLIES};
use crate::features::class;

/// The effort of a model's searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Nodes for a position, 1 to 1,000,000.
    pub nodes: u64,
    /// Moves that are fully searched, the likeliest, 2 to 255.
    pub width: usize,
    /// [`SearchLimits::scout_margin`](crate::engine::SearchLimits::scout_margin), 0 to 1,000
    /// centipawns.
    pub scout_margin: Option<i32>,
}

impl Effort {
    /// The effort that a model's metadata give: nodes, width and, if moves are scouted, the margin,
    /// with single spaces between them; `None` if `text` is something else or a number is out of
    /// range.
    pub fn parse(text: &str) -> Option<Effort> {
        let numbers: Option<Vec<u64>> = text.split(' ').map(|number| number.parse().ok()).collect();
        let (nodes, width, scout_margin) = match numbers?[..] {
            [nodes, width] => (nodes, width, None),
            [nodes, width, margin @ 0..=MAX_SCOUT_MARGIN] => (nodes, width, Some(margin as i32)),
            _ => return None,
        };
        let in_range = (1..=MAX_NODES).contains(&nodes) && (2..=MAX_WIDTH).contains(&width);
        in_range.then_some(Effort { nodes, width: width as usize, scout_margin })
    }
}

/// As [`Effort::parse`] reads it.
impl fmt::Display for Effort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.nodes, self.width)?;
        self.scout_margin.map_or(Ok(()), |margin| write!(formatter, " {margin}"))
    }
}

/// The share of `nodes` that a position after `ply` plies gets; 0 if it is not searched. A search
/// adds little to the prediction in the opening, which players know by heart and where counts of
/// earlier games help, and where the network is nearly sure.
pub fn node_limit(nodes: u64, ply: usize, priors: &MovePriors) -> u64 {
    let ply = i32::try_from(ply).unwrap_or(i32::MAX);
    let quarters = [0, 1, 2, 4][class(ply, &OPENING_PLIES)];
    if quarters == 0 {
        return 0;
    }
    let quarters = quarters.min([1, 2, 4][class(priors.entropy(), &LOW_ENTROPY)]);
    (nodes * quarters / 4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_and_sure_predictions_get_fewer_nodes() {
        let even = vec![0; 16];
        let sure = vec![3 << 16, 0];
        let spent = |ply, logits: &[i32]| node_limit(1000, ply, &MovePriors::new(logits));
        assert_eq!(
            [15, 16, 19, 20, 31, 32, 300].map(|ply| spent(ply, &even)),
            [0, 250, 250, 500, 500, 1000, 1000]
        );
        assert_eq!([15, 16, 32].map(|ply| spent(ply, &sure)), [0, 250, 250]);
        assert_eq!(spent(40, &[0, 0]), 500);
        assert_eq!(node_limit(1, 16, &MovePriors::new(&even)), 1);
    }

    #[test]
    fn efforts_are_bounded() {
        let effort = Effort { nodes: 1500, width: 12, scout_margin: None };
        assert_eq!(Effort::parse("1500 12"), Some(effort));
        assert_eq!(Effort::parse("1500 12 30"), Some(Effort { scout_margin: Some(30), ..effort }));
        let small = ["", "1500", "0 12", "1500 1", "-1 12", "1500 12 -1", "1500 12 "];
        let large = ["1500 256", "1000001 12", "1500 12 1001", "1500 12 3 4"];
        for text in small.into_iter().chain(large) {
            assert_eq!(Effort::parse(text), None, "{text}");
        }
    }
}
