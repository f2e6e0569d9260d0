//! Games that come to a place, by the move that they go on with.

use std::cmp::Reverse;
use std::collections::HashMap;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};

use super::facts::Facts;
use super::outcomes::Outcomes;
use crate::pgn::Game;
use crate::{Error, Result};

/// The games that come to a place, counted by the move that they go on with. Variations do not count.
///
/// ```
/// use std::io::Cursor;
/// use plyzip::Model;
/// use plyzip::archive::{AllGames, ArchiveWriter, IndexedReader};
/// use plyzip::openings::NextMoves;
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"*\"]\n\n1. e4 c5 *\n\n")?;
/// writer.push(b"[Result \"0-1\"]\n\n1. e4 e5 0-1\n\n")?;
/// let mut reader = IndexedReader::open(Cursor::new(writer.finish()?.0))?;
///
/// let e4 = "e4".parse::<plyzip::filters::FirstMoves>()?;
/// let mut next = NextMoves::after(e4.moves())?;
/// reader.select(&AllGames).moves(next.plies(), |_, game| {
///     next.add(game);
///     Ok(())
/// })?;
/// assert_eq!((next.all().games(), next.ended().games()), (3, 0));
/// let [(e5, outcomes), (_c5, _)] = next.moves()[..] else { panic!() };
/// assert_eq!((e5.to(), outcomes.games()), (plyzip::shakmaty::Square::E5, 2));
/// assert_eq!(outcomes.results.score(), Some(50.0));
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NextMoves {
    position: Chess,
    /// The moves that lead there; `None` if any may.
    before: Option<Vec<Move>>,
    all: Outcomes,
    ended: Outcomes,
    next: HashMap<Move, Outcomes>,
}

impl NextMoves {
    /// No games yet; those count that begin with these moves from the initial position.
    ///
    /// # Errors
    /// [`Error::Usage`] if a move is not legal.
    pub fn after(moves: &[Move]) -> Result<NextMoves> {
        let mut position = Chess::default();
        for &played in moves {
            if !position.is_legal(played) {
                let what = format!("{} is not legal there", SanPlus::from_move(position, played));
                return Err(Error::Usage(what));
            }
            position.play_unchecked(played);
        }
        Ok(NextMoves::of(position, Some(moves.to_vec())))
    }

    /// No games yet; those count that come to this position by whatever moves. A game that comes there twice counts
    /// with its first move.
    pub fn in_position(position: Chess) -> NextMoves {
        NextMoves::of(position, None)
    }

    fn of(position: Chess, before: Option<Vec<Move>>) -> NextMoves {
        let (all, ended, next) = Default::default();
        NextMoves { position, before, all, ended, next }
    }

    /// The position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves that lead there from the initial position; `None` if any may.
    pub fn before(&self) -> Option<&[Move]> {
        self.before.as_deref()
    }

    /// How many of a game's moves have to be known to count it; `usize::MAX` for all.
    pub fn plies(&self) -> usize {
        self.before.as_ref().map_or(usize::MAX, |before| before.len() + 1)
    }

    /// Counts a game if it comes to the place; whether it does.
    pub fn add(&mut self, game: &Game) -> bool {
        let next = self.next_of(game);
        if let Some(next) = next {
            self.count(&Facts::of(&game.tags), next);
        }
        next.is_some()
    }

    /// All games that come there.
    pub fn all(&self) -> &Outcomes {
        &self.all
    }

    /// Those of them that end there.
    pub fn ended(&self) -> &Outcomes {
        &self.ended
    }

    /// The moves that others go on with, the most frequent first, and where several are as frequent in the order of
    /// their names; each with its games.
    pub fn moves(&self) -> Vec<(Move, &Outcomes)> {
        let mut moves: Vec<_> = self.next.iter().map(|(&played, games)| (played, games)).collect();
        moves.sort_by_cached_key(|(played, games)| {
            let name = SanPlus::from_move(self.position.clone(), *played).to_string();
            (Reverse(games.games()), name)
        });
        moves
    }

    pub(super) fn count(&mut self, facts: &Facts, next: Option<Move>) {
        self.all.count(facts);
        let games = match next {
            Some(played) => self.next.entry(played).or_default(),
            None => &mut self.ended,
        };
        games.count(facts);
    }

    /// Counts a game of which it is not known how it goes on.
    pub(super) fn count_deepest(&mut self, facts: &Facts) {
        self.all.count(facts);
    }

    /// What a game goes on with: `None` if it does not come there, `Some(None)` if it ends there.
    fn next_of(&self, game: &Game) -> Option<Option<Move>> {
        let mut position = game.start()?;
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        if let Some(before) = &self.before {
            let begins = position == Chess::default() && moves.starts_with(before);
            return begins.then(|| moves.get(before.len()).copied());
        }
        for &played in moves {
            if position == self.position {
                return Some(Some(played));
            }
            position.play_unchecked(played);
        }
        (position == self.position).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::{FirstMoves, WantedPosition};
    use crate::pgn;

    const GAMES: &str = "\
        [Date \"2001.02.03\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2101\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 (2. f4) Nc6 1-0\n\n\
        [UTCDate \"1999.12.31\"]\n[Result \"0-1\"]\n\n1. Nf3 Nc6 2. e4 e5 0-1\n\n\
        [Date \"????.??.??\"]\n[WhiteElo \"2000\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. Bb5 *\n\n\
        [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *\n\n";

    fn counted(mut next: NextMoves) -> (NextMoves, usize) {
        let document = pgn::parse(GAMES.as_bytes());
        let added = document.games().filter(|game| next.add(game)).count();
        (next, added)
    }

    fn names(next: &NextMoves) -> Vec<(String, u64)> {
        let name = |played| SanPlus::from_move(next.position().clone(), played).to_string();
        next.moves().into_iter().map(|(played, games)| (name(played), games.games())).collect()
    }

    #[test]
    fn games_count_by_moves_or_by_position() {
        let moves: FirstMoves = "e4 e5 Nf3 Nc6".parse().unwrap();
        let (by_moves, added) = counted(NextMoves::after(moves.moves()).unwrap());
        assert_eq!((added, by_moves.all().games(), by_moves.ended().games()), (2, 2, 1));
        assert_eq!(names(&by_moves), [("Ng1".to_owned(), 1)]);
        assert_eq!((by_moves.plies(), by_moves.before().unwrap().len()), (5, 4));
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
        let wanted: WantedPosition = fen.parse().unwrap();
        let (by_position, added) = counted(NextMoves::in_position(wanted.position().clone()));
        assert_eq!((added, by_position.ended().games(), by_position.plies()), (3, 2, usize::MAX));
        assert_eq!(names(&by_position), [("Ng1".to_owned(), 1)]);
        let all = by_position.all();
        assert_eq!((all.years(), all.elo()), (Some((1999, 2001)), Some(2050)));
        assert_eq!(
            (all.last_date(), by_position.ended().last_date()),
            (Some("2001.02.03"), Some("2001.02.03"))
        );
        let (start, _) = counted(NextMoves::after(&[]).unwrap());
        assert_eq!(names(&start), [("e4".to_owned(), 2), ("Nf3".to_owned(), 1)]);
        assert_eq!(start.moves()[1].1.last_date(), Some("1999.12.31"));
    }

    #[test]
    fn moves_have_to_be_legal() {
        let moves: FirstMoves = "e4 e5".parse().unwrap();
        assert!(matches!(NextMoves::after(&moves.moves()[1..]), Err(Error::Usage(_))));
    }
}
