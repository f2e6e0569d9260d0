//! The first moves of games.

use shakmaty::{Chess, Move, Position};

use super::facts::Facts;
use super::next_moves::NextMoves;
use crate::pgn::Game;
use crate::{Error, Result};

/// The first moves of games from the initial position: a tree of which each place can be asked for, without reading the
/// games again. It takes 100 bytes for a game.
///
/// ```
/// use std::io::Cursor;
/// use plyzip::Model;
/// use plyzip::archive::{AllGames, ArchiveWriter, IndexedReader};
/// use plyzip::openings::OpeningTree;
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(b"[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. e4 c5 *\n\n[Event \"C\"]\n\n1. d4 *\n\n")?;
/// let mut reader = IndexedReader::open(Cursor::new(writer.finish()?.0))?;
///
/// let mut tree = OpeningTree::new();
/// reader.select(&AllGames).moves(OpeningTree::PLIES, |_, game| {
///     tree.push(game);
///     Ok(())
/// })?;
/// let start = tree.after(&[])?;
/// let (e4, outcomes) = start.moves()[0];
/// assert_eq!((tree.len(), outcomes.games()), (3, 2));
/// assert_eq!(tree.after(&[e4])?.moves().len(), 2);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OpeningTree {
    games: Vec<Opening>,
}

/// What is kept of a game.
#[derive(Debug, Clone)]
struct Opening {
    moves: [Packed; OpeningTree::PLIES],
    facts: Facts,
}

/// A move in 15 bits: six for each square, three for what a pawn becomes. 0 is none: no move leads from a1 to a1.
type Packed = u16;

impl OpeningTree {
    /// Plies of the tree.
    pub const PLIES: usize = 40;

    /// A tree of no games.
    pub fn new() -> OpeningTree {
        OpeningTree::default()
    }

    /// Games that it has.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Adds a game of which the first [`PLIES`](OpeningTree::PLIES) moves are known, if it begins in the initial
    /// position; whether it does.
    pub fn push(&mut self, game: &Game) -> bool {
        if game.start() != Some(Chess::default()) {
            return false;
        }
        let mut moves = [0; OpeningTree::PLIES];
        let played = game.lines.first().map_or(&[][..], |line| &line.moves);
        moves.iter_mut().zip(played).for_each(|(packed, &played)| *packed = pack(played));
        self.games.push(Opening { moves, facts: Facts::of(&game.tags) });
        true
    }

    /// The games that begin with these moves, by the move that they go on with. Behind [`PLIES`](OpeningTree::PLIES)
    /// moves the tree does not tell how they go on: there, games neither end nor have next moves.
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal, or if there are more moves than the tree has plies.
    pub fn after(&self, moves: &[Move]) -> Result<NextMoves> {
        if moves.len() > OpeningTree::PLIES {
            let what = format!("the tree is {} plies deep", OpeningTree::PLIES);
            return Err(Error::Usage(what));
        }
        let mut found = NextMoves::after(moves)?;
        let before: Vec<Packed> = moves.iter().map(|&played| pack(played)).collect();
        let legal = found.position().legal_moves();
        let codes: Vec<Packed> = legal.iter().map(|&played| pack(played)).collect();
        for Opening { moves, facts } in
            self.games.iter().filter(|game| game.moves.starts_with(&before))
        {
            match moves.get(before.len()) {
                None => found.count_deepest(facts),
                Some(0) => found.count(facts, None),
                Some(code) => match codes.iter().position(|known| known == code) {
                    Some(place) => found.count(facts, Some(legal[place])),
                    // Games have legal moves alone.
                    None => found.count_deepest(facts),
                },
            }
        }
        Ok(found)
    }
}

fn pack(played: Move) -> Packed {
    let from = played.from().map_or(0, u16::from);
    let promotion = played.promotion().map_or(0, u16::from);
    from | u16::from(played.to()) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    #[test]
    fn a_tree_says_what_counting_says() {
        let document = pgn::parse(include_bytes!("../../samples/famous.pgn"));
        let mut tree = OpeningTree::new();
        assert!(tree.is_empty());
        let added = document.games().filter(|game| tree.push(game)).count();
        assert_eq!((tree.len(), added), (16, 16));
        let mut deepest = 0;
        for game in document.games() {
            let line = &game.lines[0].moves;
            for depth in 0..=line.len().min(OpeningTree::PLIES) {
                let mut expected = NextMoves::after(&line[..depth]).unwrap();
                document.games().for_each(|game| _ = expected.add(game));
                let found = tree.after(&line[..depth]).unwrap();
                assert_eq!(found.all(), expected.all());
                if depth == OpeningTree::PLIES {
                    deepest += 1;
                    assert!(found.moves().is_empty() && found.ended().games() == 0);
                } else {
                    assert_eq!(found.moves(), expected.moves());
                    assert_eq!(found.ended(), expected.ended());
                }
            }
        }
        assert!(deepest > 0);
        let long = document.games().map(|game| &game.lines[0].moves);
        let long = long.max_by_key(|moves| moves.len()).unwrap();
        assert!(matches!(tree.after(&long[..OpeningTree::PLIES + 1]), Err(Error::Usage(_))));
        assert!(matches!(tree.after(&long[1..2]), Err(Error::Usage(_))));
    }
}
