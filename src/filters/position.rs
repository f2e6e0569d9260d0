//! Positions that a game goes through.

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Move, Position, PositionError, Role,
};

use crate::archive::{Follower, GameSummary, Verdict};

/// A position: pieces, who is to move, rights to castle, and the en passant capture if it is legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPosition(Chess);

/// A game that has not come to the position so far.
struct OnTheWay<'a>(&'a Chess);

impl WantedPosition {
    /// The position.
    pub fn position(&self) -> &Chess {
        &self.0
    }

    /// What follows a game.
    pub(super) fn follower(&self) -> Box<dyn Follower + '_> {
        Box::new(OnTheWay(&self.0))
    }
}

impl Follower for OnTheWay<'_> {
    fn see_summary(&mut self, summary: &GameSummary) -> Verdict {
        if summary.may_follow(self.0) { Verdict::Open } else { Verdict::Unwanted }
    }

    fn see(&mut self, position: &Chess, _: Option<Move>) -> Verdict {
        if position == self.0 {
            return Verdict::Wanted;
        }
        if may_lead_to(position, self.0) { Verdict::Open } else { Verdict::Unwanted }
    }

    fn end(&mut self) -> Verdict {
        Verdict::Unwanted
    }
}

/// Whether moves may lead from one position to another, as far as men, pawns and rights to castle tell, none of which
/// ever come back.
fn may_lead_to(from: &Chess, to: &Chess) -> bool {
    let homes = |board: &Board| {
        let of = |color: Color, rank: Bitboard| board.by_color(color) & board.pawns() & rank;
        of(Color::White, Bitboard::from(shakmaty::Rank::Second))
            | of(Color::Black, Bitboard::from(shakmaty::Rank::Seventh))
    };
    let men = |color: Color| {
        let count =
            |position: &Chess, set: Bitboard| (position.board().by_color(color) & set).count();
        let pawns = |position: &Chess| count(position, position.board().by_role(Role::Pawn));
        count(from, Bitboard::FULL) >= count(to, Bitboard::FULL) && pawns(from) >= pawns(to)
    };
    let rights = |position: &Chess| position.castles().castling_rights();
    Color::ALL.into_iter().all(men)
        && rights(to).is_subset(rights(from))
        && homes(to.board()).is_subset(homes(from.board()))
}

/// Reads a position in Forsyth-Edwards notation, with or without its last two fields, which do not count.
pub(super) fn parse(text: &str) -> Result<WantedPosition, String> {
    let fields = text.split_whitespace().count();
    if !(4..=6).contains(&fields) {
        return Err(
            "a FEN of 4 to 6 fields is wanted: pieces, side to move, castling, en passant".into()
        );
    }
    let fen: Vec<&str> = text.split_whitespace().collect();
    let fen: Fen = fen.join(" ").parse().map_err(|error| format!("no FEN: {error}"))?;
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map(WantedPosition)
        .map_err(|error| format!("no game has this position: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games;

    #[test]
    fn positions_are_read_with_or_without_clocks() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
        let position = parse(&format!("{fen} -")).unwrap();
        // No pawn can capture on e6.
        for same in [" e6", " - 0 2", " e6 3 17", "  -  1"] {
            assert_eq!(parse(&format!("{fen}{same}")).as_ref(), Ok(&position), "{same}");
        }
        for other in [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQk -",
        ] {
            assert_ne!(parse(other).unwrap(), position);
        }
        for wrong in [
            "",
            "startpos",
            fen,
            "8/8/8/8/8/8/8/8 w - -",
            "x w - - 0 1",
            "k6K/8/8/8/8/8/8/8 w K - 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 7",
            "4k3/8/8/8/8/8/8/4K2R x K -",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn positions_behind_are_never_given_up() {
        let mut before: Vec<Chess> = vec![];
        random_games::random_games(|position, seed| {
            if seed % 1000 == 0 {
                before.clear();
            }
            before.push(position.clone());
            for earlier in &before {
                assert!(may_lead_to(earlier, position));
            }
        });
    }
}
