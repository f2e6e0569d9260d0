//! The first moves of games, which many have in common, played once.

use shakmaty::Move;

use super::rank::Walk;

/// Plies that are remembered.
const PLIES: usize = 20;

/// Positions that are remembered at most, some 200 bytes each.
const MOST: usize = 1 << 15;

/// A tree of first moves from the initial position, with the positions that they lead to.
#[derive(Debug)]
pub struct Openings {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    walk: Walk,
    /// By rank, each with its move and its node.
    children: Vec<(usize, Move, u32)>,
}

/// A place in the tree, or in a game that has left it.
#[derive(Debug)]
pub enum Place {
    /// A node, behind so many plies.
    Known(u32, usize),
    /// Elsewhere.
    Own(Box<Walk>),
}

impl Default for Openings {
    fn default() -> Openings {
        let walk = Walk::new(shakmaty::Chess::default());
        Openings { nodes: vec![Node { walk, children: vec![] }] }
    }
}

impl Openings {
    /// The walk at a place.
    pub fn walk<'a>(&'a self, place: &'a Place) -> &'a Walk {
        match place {
            Place::Known(node, _) => &self.nodes[*node as usize].walk,
            Place::Own(walk) => walk,
        }
    }

    /// Goes on by the move of a rank; `None` if there is none.
    pub fn step(&mut self, place: &mut Place, rank: usize) -> Option<Move> {
        let (node, ply) = match place {
            Place::Own(walk) => {
                let played = walk.at(rank)?;
                walk.play(played);
                return Some(played);
            }
            Place::Known(node, ply) => (*node, *ply),
        };
        let known = &self.nodes[node as usize];
        if let Some(&(_, played, child)) = known.children.iter().find(|child| child.0 == rank) {
            *place = Place::Known(child, ply + 1);
            return Some(played);
        }
        let mut walk = known.walk.clone();
        let played = walk.at(rank)?;
        walk.play(played);
        if ply + 1 >= PLIES || self.nodes.len() >= MOST {
            *place = Place::Own(Box::new(walk));
            return Some(played);
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node { walk, children: vec![] });
        self.nodes[node as usize].children.push((rank, played, child));
        *place = Place::Known(child, ply + 1);
        Some(played)
    }
}
