//! The tree of first moves.

use std::cmp::Reverse;

use plyzip::pgn::Game;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move};

use plyzip::openings::GameResults;

/// Most nodes of the tree. There are 206,604 lines of up to four plies, so that a tree of these is always complete.
const MAX_NODES: usize = 1 << 18;

/// The tree of the first moves of games from the initial position.
#[derive(Debug)]
pub(super) struct Openings {
    depth: usize,
    /// The first is the initial position; children of a node are linked.
    nodes: Vec<Node>,
    /// Games from other positions, and of variants that plyzip does not play.
    pub other_starts: u64,
    /// Whether there was no room for some line.
    pub is_cut: bool,
}

#[derive(Debug)]
struct Node {
    played: Option<Move>,
    results: GameResults,
    first_child: Option<u32>,
    next: Option<u32>,
}

/// A line of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opening {
    /// Plies before its last move, which is `san`.
    pub ply: usize,
    pub san: String,
    /// Of the games that begin so.
    pub results: GameResults,
}

impl Openings {
    /// A tree of lines of up to so many plies.
    pub fn new(depth: usize) -> Openings {
        Openings { depth, nodes: vec![Node::new(None)], other_starts: 0, is_cut: false }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game, result: &str) {
        if game.start() != Some(Chess::default()) {
            self.other_starts += 1;
            return;
        }
        self.nodes[0].results.add(result);
        let mut node = 0;
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        for &played in moves.iter().take(self.depth) {
            let Some(child) = self.child(node, played) else {
                self.is_cut = true;
                return;
            };
            self.nodes[child].results.add(result);
            node = child;
        }
    }

    /// The node behind a move, which is new if there is none; `None` if there is no room.
    fn child(&mut self, parent: usize, played: Move) -> Option<usize> {
        let first = self.nodes[parent].first_child;
        let mut next = first;
        while let Some(child) = next {
            let node = &self.nodes[child as usize];
            if node.played == Some(played) {
                return Some(child as usize);
            }
            next = node.next;
        }
        let number = self.nodes.len();
        if number == MAX_NODES {
            return None;
        }
        self.nodes.push(Node { next: first, ..Node::new(Some(played)) });
        self.nodes[parent].first_child = Some(number as u32);
        Some(number)
    }

    /// The lines with at least so many games, each before those that go on from it, the most frequent first.
    pub fn lines(&self, min_games: u64) -> Vec<Opening> {
        let mut lines = vec![];
        self.collect(0, &Chess::default(), 0, min_games.max(1), &mut lines);
        lines
    }

    /// Collects the lines behind a node. Calls itself no deeper than the tree is.
    fn collect(
        &self,
        node: usize,
        position: &Chess,
        ply: usize,
        min_games: u64,
        lines: &mut Vec<Opening>,
    ) {
        let mut children = vec![];
        let mut next = self.nodes[node].first_child;
        while let Some(number) = next {
            let child = &self.nodes[number as usize];
            next = child.next;
            let mut behind = position.clone();
            let played = child.played.filter(|_| child.results.games() >= min_games);
            if let Some(played) = played {
                let san = SanPlus::from_move_and_play_unchecked(&mut behind, played).to_string();
                let opening = Opening { ply, san, results: child.results };
                children.push((opening, number as usize, behind));
            }
        }
        children
            .sort_by_key(|(opening, ..)| (Reverse(opening.results.games()), opening.san.clone()));
        for (opening, number, behind) in children {
            lines.push(opening);
            self.collect(number, &behind, ply + 1, min_games, lines);
        }
    }
}

impl Node {
    fn new(played: Option<Move>) -> Node {
        Node { played, results: GameResults::default(), first_child: None, next: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyzip::pgn;

    fn openings(pgn: &str, depth: usize) -> Openings {
        let mut openings = Openings::new(depth);
        for game in pgn::parse(pgn.as_bytes()).games() {
            openings.add(game, str::from_utf8(game.tag("Result").unwrap_or_default()).unwrap());
        }
        openings
    }

    #[test]
    fn lines_come_in_the_order_of_the_tree() {
        let game = |moves: &str, result: &str| {
            format!("[Event \"?\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
        };
        let games = game("1. d4", "1-0")
            + &game("1. e4 c5 2. Nf3", "0-1")
            + &game("1. e4 e5", "1/2-1/2")
            + &game("1. e4 e5 2. Nf3 Nc6", "1-0")
            + &game("", "*")
            + "[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n\n"
            + "[Event \"?\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n";
        let openings = openings(&games, 3);
        let shown = |min_games| {
            let lines = openings.lines(min_games).into_iter();
            let line =
                |line: Opening| format!("{} {} {}", line.ply, line.san, line.results.games());
            lines.map(line).collect::<Vec<_>>()
        };
        assert_eq!(shown(0), ["0 e4 3", "1 e5 2", "2 Nf3 1", "1 c5 1", "2 Nf3 1", "0 d4 1"]);
        assert_eq!(shown(2), ["0 e4 3", "1 e5 2"]);
        let results = openings.lines(2)[1].results;
        assert_eq!(results, GameResults { white: 1, draws: 1, ..GameResults::default() });
        assert_eq!((openings.other_starts, openings.is_cut), (2, false));
    }

    #[test]
    fn the_tree_has_a_bound() {
        let mut openings = Openings::new(40);
        let mut document = pgn::parse(b"[Event \"?\"]\n\n1. e4 e5 *\n");
        let game = document.items[0].game_mut().unwrap();
        openings.nodes.resize_with(MAX_NODES - 1, || Node::new(None));
        openings.add(game, "1-0");
        openings.add(game, "1-0");
        assert!(openings.is_cut);
        assert_eq!(openings.nodes.len(), MAX_NODES);
        assert_eq!(openings.lines(2).len(), 1);
    }
}
