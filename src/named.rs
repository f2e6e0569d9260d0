//! Moves with their names, and a game move by move: what boards and lists show.

use plyzip_codec::unstable::chess::arrival;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Square};

/// A legal move with its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NamedMove {
    /// Its name in a game (SAN), such as `Nf3+`.
    pub san: String,
    /// Its name among programs (UCI), such as `g1f3`; for castling the king's squares, in Chess960 the king's and the
    /// rook's.
    pub uci: String,
    /// The square that the piece leaves, for castling the king.
    pub from: Square,
    /// The square where it arrives, for castling the king.
    pub to: Square,
}

impl NamedMove {
    /// The names of a legal move of `position`.
    ///
    /// ```
    /// use plyzip::NamedMove;
    /// use plyzip::shakmaty::{CastlingMode, Chess, Square, fen::Fen, uci::UciMove};
    ///
    /// let castling: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let position: Chess = castling.into_position(CastlingMode::Standard)?;
    /// let played = "e1g1".parse::<UciMove>()?.to_move(&position)?;
    /// let named = NamedMove::new(&position, played);
    /// assert_eq!((&*named.san, &*named.uci), ("O-O", "e1g1"));
    /// assert_eq!((named.from, named.to), (Square::E1, Square::G1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Chess, played: Move) -> NamedMove {
        NamedMove {
            san: SanPlus::from_move(position.clone(), played).to_string(),
            uci: UciMove::from_move(played, position.castles().mode()).to_string(),
            // Chess without drops: a piece leaves a square with every move.
            from: played.from().unwrap_or(Square::A1),
            to: arrival(played),
        }
    }
}

/// A move of a game.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NamedPly {
    /// The position before it.
    pub before: Chess,
    /// The move.
    pub played: NamedMove,
    /// The position after it.
    pub after: Chess,
}

impl NamedPly {
    /// The plies of a game, from its start and legal moves.
    ///
    /// ```
    /// use plyzip::{NamedPly, pgn};
    ///
    /// let game = pgn::parse(b"1. e4 e5 2. Nf3 *").into_games().next().unwrap();
    /// let plies = NamedPly::of_game(game.start().unwrap_or_default(), &game.lines[0].moves);
    /// let names: Vec<String> = plies.map(|ply| format!("{} {}", ply.number(), ply.played.san)).collect();
    /// assert_eq!(names, ["1. e4", "1... e5", "2. Nf3"]);
    /// ```
    pub fn of_game<'a>(
        start: Chess,
        moves: impl IntoIterator<Item = &'a Move>,
    ) -> impl Iterator<Item = NamedPly> {
        moves.into_iter().scan(start, |position, &played| {
            let before = position.clone();
            let named = NamedMove::new(&before, played);
            position.play_unchecked(played);
            Some(NamedPly { before, played: named, after: position.clone() })
        })
    }

    /// Whose move it was.
    pub fn color(&self) -> Color {
        self.before.turn()
    }

    /// The number of the move, from 1 on: White's and Black's have the same.
    pub fn move_number(&self) -> u32 {
        self.before.fullmoves().into()
    }

    /// The number as it stands before the move, such as `12.` or `12...`.
    pub fn number(&self) -> String {
        let dots = self.color().fold_wb(".", "...");
        format!("{}{dots}", self.move_number())
    }
}
