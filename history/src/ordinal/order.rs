//! The orders in which the systems number the legal moves.

use plyzip_codec::unstable::chess::{History, arrival, gives_check, legal_moves};
use plyzip_codec::{Error, Result};
use shakmaty::{Chess, Color, Move, MoveList, Position, Role, san::San};

use super::likelihood::{Likelihood, Ranked};

/// An order of legal moves, known to writer and reader.
#[derive(Debug, Clone)]
pub enum Order {
    /// plyzip's own, [`legal_moves`], for the texts that leave the order open. It agrees with what
    /// Robison gives as an example: Na3 is 0 and h4 is 19 at the start.
    Canonical,
    /// Parikh's: by square of departure, then by square of arrival (the king's for
    /// castling), then queen, bishop, knight, rook for promotions.
    Ascending,
    /// PGC's: by the moves' names in algebraic notation, as ASCII strings
    /// (PGN standard of 1994, section 20.2).
    San,
    /// Mallett's eight classes, and within a class the canonical order.
    Knowledge {
        /// Whether moves that give check come before all others.
        checks: bool,
    },
    /// The likeliest first.
    Likely(Likelihood),
}

/// A game being replayed, with the moves of each position in one [`Order`].
#[derive(Debug)]
pub struct Walk<'a> {
    order: &'a Order,
    history: Replay,
}

/// The part of the game that an order depends on.
#[derive(Debug)]
enum Replay {
    /// The position alone.
    Position(Chess),
    /// The position and the moves before it.
    Whole(History),
}

impl<'a> Walk<'a> {
    /// A game from `start`.
    pub fn new(start: &Chess, order: &'a Order) -> Walk<'a> {
        let history = match order {
            Order::Likely(_) => Replay::Whole(History::new(start.clone())),
            _ => Replay::Position(start.clone()),
        };
        Walk { order, history }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        match &self.history {
            Replay::Position(position) => position,
            Replay::Whole(history) => history.position(),
        }
    }

    /// The legal moves in order.
    ///
    /// # Errors
    /// [`Error::Model`] if the network that the order depends on fails.
    pub fn legal(&self) -> Result<MoveList> {
        Ok(self.ranked()?.moves)
    }

    /// The legal moves in order, and how many are reasonable: all, unless the order is one of
    /// likelihood.
    ///
    /// # Errors
    /// Those of [`Walk::legal`].
    pub fn ranked(&self) -> Result<Ranked> {
        if let (Order::Likely(likelihood), Replay::Whole(history)) = (self.order, &self.history) {
            return likelihood.rank(history);
        }
        let moves = in_order(self.position(), self.order);
        Ok(Ranked { reasonable: moves.len(), moves })
    }

    /// Plays a legal move.
    pub fn play(&mut self, legal: Move) {
        match &mut self.history {
            Replay::Position(position) => position.play_unchecked(legal),
            Replay::Whole(history) => history.play(legal),
        }
    }
}

/// The ordinal of `played` in `legal`.
///
/// # Errors
/// [`Error::Usage`] if it is not among them.
pub fn ordinal(legal: &MoveList, played: Move) -> Result<usize> {
    legal
        .iter()
        .position(|&candidate| candidate == played)
        .ok_or_else(|| Error::Usage("a game with an illegal move".into()))
}

/// The legal moves of `position` in an order that needs nothing but the position; in the
/// canonical one if `order` needs more.
fn in_order(position: &Chess, order: &Order) -> MoveList {
    match *order {
        Order::Canonical | Order::Likely(_) => legal_moves(position),
        Order::Ascending => {
            let mut moves = position.legal_moves();
            moves.sort_unstable_by_key(ascending);
            moves
        }
        Order::San => {
            let mut moves = position.legal_moves();
            moves.sort_by_cached_key(|&candidate| San::from_move(position, candidate).to_string());
            moves
        }
        Order::Knowledge { checks } => {
            let mut moves = legal_moves(position);
            moves.sort_by_cached_key(|&candidate| {
                (!(checks && gives_check(position, candidate)), class(candidate, position.turn()))
            });
            moves
        }
    }
}

/// Parikh's key. Where chess960 lets a king step and castle to the same square, the step is first.
fn ascending(candidate: &Move) -> (Option<u32>, u32, bool, u8) {
    let promotion = match candidate.promotion() {
        Some(Role::Queen) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Knight) => 3,
        Some(_) => 4,
        None => 0,
    };
    let from = candidate.from().map(u32::from);
    (from, u32::from(arrival(*candidate)), candidate.is_castle(), promotion)
}

/// Mallett's classes, 1 to 8.
fn class(candidate: Move, turn: Color) -> u8 {
    let rank = |square: shakmaty::Square| match turn {
        Color::White => u32::from(square.rank()),
        Color::Black => 7 - u32::from(square.rank()),
    };
    if candidate.is_promotion() {
        return 1;
    }
    if candidate.is_castle() {
        return 2;
    }
    match candidate.capture() {
        Some(Role::Queen) => 3,
        Some(Role::Rook) => 4,
        Some(Role::Bishop | Role::Knight) => 5,
        Some(Role::Pawn | Role::King) => 6,
        None if candidate.from().is_some_and(|from| rank(candidate.to()) > rank(from)) => 7,
        None => 8,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::random_games::random_games;

    fn names(fen: &str, order: Order) -> Vec<String> {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let walk = Walk::new(&position, &order);
        walk.legal().unwrap().iter().map(|&m| San::from_move(&position, m).to_string()).collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn robisons_example_numbers_the_first_moves() {
        let moves = names(START, Order::Canonical);
        assert_eq!((&moves[0][..], &moves[19][..], moves.len()), ("Na3", "h4", 20));
    }

    #[test]
    fn the_pgn_standards_example_numbers_the_first_moves() {
        let moves = names(START, Order::San);
        assert_eq!([0, 1, 4, 19].map(|ordinal| &moves[ordinal][..]), ["Na3", "Nc3", "a3", "h4"]);
    }

    #[test]
    fn parikhs_example_numbers_the_kings_moves() {
        let moves = names("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Order::Ascending);
        let king: Vec<&str> =
            moves.iter().map(|name| &name[..]).filter(|n| n.starts_with(['K', 'O'])).collect();
        assert_eq!(king, ["O-O-O", "Kd1", "Kf1", "O-O", "Kd2", "Ke2", "Kf2"]);
    }

    #[test]
    fn parikh_promotes_to_queen_bishop_knight_rook() {
        let moves = names("8/P6k/8/8/8/8/8/K7 w - - 0 1", Order::Ascending);
        assert_eq!(moves[3..], ["a8=Q", "a8=B", "a8=N", "a8=R"]);
    }

    #[test]
    fn malletts_classes_come_in_turn() {
        let fen = "1n2k3/P7/8/q2r4/1P2P1bp/6P1/8/4K2R w K - 0 1";
        let moves = names(fen, Order::Knowledge { checks: false });
        let promotions = moves.iter().take_while(|name| name.contains('=')).count();
        assert_eq!(promotions, 8);
        assert_eq!(moves[8..12], ["O-O", "bxa5", "exd5", "Rxh4"]);
        assert_eq!(names(fen, Order::Knowledge { checks: true })[0], "axb8=R");
    }

    #[test]
    fn orders_are_pinned() {
        // The names of moves by which PGC sorts are shakmaty's: a change there would change this.
        let mut texts = [const { String::new() }; 3];
        random_games(|position, _| {
            let orders = [Order::Ascending, Order::San, Order::Knowledge { checks: true }];
            for (text, order) in texts.iter_mut().zip(orders) {
                for legal in in_order(position, &order) {
                    *text += &format!("{} ", San::from_move(position, legal));
                }
            }
        });
        let digests = texts.map(|text| blake3::hash(text.as_bytes()).to_hex()[..16].to_owned());
        assert_eq!(digests, ["336a0e568b16eb75", "fb28e32df2c29464", "a2f25475ee587ea3"]);
    }
}
