//! Games to test with: random ones from starts that are hard in one way or another.

use plyzip::unstable::SplitMix;
use plyzip::unstable::chess::legal_moves;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position, PositionError};

/// A generator by its seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        let mut numbers = SplitMix(self.0);
        let number = numbers.next();
        self.0 = numbers.0;
        (number % bound as u64) as usize
    }

    #[allow(dead_code)]
    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// A game of random legal moves, at most `longest`. Castling, promotions and captures en passant are
/// played far more often than by chance.
pub fn random_game(start: &Chess, longest: usize, random: &mut Random) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = vec![];
    while moves.len() < longest {
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        let rare: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|rare| rare.is_castle() || rare.is_promotion() || rare.is_en_passant())
            .collect();
        let among = if rare.is_empty() || random.below(2) == 0 { &legal[..] } else { &rare };
        let played = among[random.below(among.len())];
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

pub fn position(fen: &str, mode: CastlingMode) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    Chess::from_setup(setup, mode).or_else(PositionError::ignore_too_much_material).unwrap()
}

/// Starts that are hard in one way or another.
pub fn starts() -> Vec<Chess> {
    let standard = |fen| position(fen, CastlingMode::Standard);
    let chess960 = |fen| position(fen, CastlingMode::Chess960);
    vec![
        Chess::default(),
        // 218 legal moves, the most that are known
        standard("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
        // promotions for both sides
        standard("8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 w - - 0 1"),
        // promotions that take, of several pawns on one square
        standard("rn2k2r/PPP3P1/8/8/8/8/3pp1p1/R3K2R w KQkq - 0 1"),
        // a long endgame
        standard("8/8/4k3/8/8/3K4/8/7R w - - 0 1"),
        // White to move is checkmated, and stalemated
        standard("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
        standard("7k/8/8/8/8/1q6/8/K7 w - - 0 1"),
        // only one move is legal, again and again; and for both sides
        standard("1r5k/8/8/8/8/8/8/K7 w - - 0 1"),
        forced(),
        // the rules end it soon
        standard("8/8/4k3/8/8/3K4/8/7R w - - 97 80"),
        standard("8/8/4k3/8/8/3K4/8/8 w - - 0 80"),
        // en passant is possible
        standard("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
        // castling to where the king could step, or where it stands
        chess960("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        chess960("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"),
        chess960("1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1"),
        // twelve queens and more pieces than a board begins with
        standard("qqqqk3/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1"),
    ]
}

/// Both kings have nowhere to go but one square each, back and forth.
pub fn forced() -> Chess {
    position("k1b5/1p1p4/1P1P4/8/8/1p1p4/1P1P4/K1B5 w - - 0 1", CastlingMode::Standard)
}
