//! The input of Leela's policy networks: `INPUT_CLASSICAL_112_PLANE` of lc0.
//!
//! Thirteen planes for the position and each of the seven before it, seen from the side to move: its pawns, knights,
//! bishops, rooks, queens and king, those of the other side, and whether the position has stood before. Then whether the
//! side to move may castle long and short and the other, whether Black is to move, the halfmove clock, zeros and ones.

use plyzip::unstable::chess::position_key;
use shakmaty::{Board, CastlingSide, Chess, Color, Position, Role};

/// Planes of 64 squares: a1, b1 … h8.
pub const PLANES: usize = 112;

/// Positions that the network sees.
const SEEN: usize = 8;

/// Planes of a position.
const OF_POSITION: usize = 13;

/// A game as the network sees it.
#[derive(Debug)]
pub struct SeenGame {
    position: Chess,
    /// All positions so far, and whether each had stood before; the present one last.
    boards: Vec<(Board, bool)>,
    keys: Vec<u64>,
    /// Whether the game began with the initial position: lc0 repeats other first positions where the network would see
    /// what was before the game.
    usual_start: bool,
}

impl SeenGame {
    pub fn new(start: Chess) -> SeenGame {
        SeenGame {
            boards: vec![(start.board().clone(), false)],
            keys: vec![position_key(&start)],
            usual_start: start.board() == Chess::default().board() && start.turn().is_white(),
            position: start,
        }
    }

    /// The present position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: shakmaty::Move) {
        self.position.play_unchecked(played);
        let key = position_key(&self.position);
        self.boards.push((self.position.board().clone(), self.keys.contains(&key)));
        self.keys.push(key);
    }

    /// Writes the planes of the present position.
    ///
    /// # Panics
    /// If `planes` does not have [`PLANES`] times 64 numbers.
    pub fn write_planes(&self, planes: &mut [f32]) {
        assert_eq!(planes.len(), PLANES * 64, "planes of one position");
        planes.fill(0.0);
        let turn = self.position.turn();
        let before = self.boards.iter().rev();
        let first = (!self.usual_start).then_some(&self.boards[0]);
        let seen = before.chain(std::iter::repeat_with(|| first).map_while(|first| first));
        for (planes, (board, repeated)) in planes.chunks_mut(OF_POSITION * 64).zip(seen.take(SEEN))
        {
            for (planes, color) in planes.chunks_mut(6 * 64).zip([turn, !turn]) {
                for (plane, role) in planes.chunks_mut(64).zip(Role::ALL) {
                    for square in board.by_piece(role.of(color)) {
                        let square = turn.fold_wb(square, square.flip_vertical());
                        plane[usize::from(square)] = 1.0;
                    }
                }
            }
            planes[(OF_POSITION - 1) * 64..].fill(f32::from(u8::from(*repeated)));
        }
        let may = |color: Color, side| self.position.castles().has(color, side);
        let state = [
            may(turn, CastlingSide::QueenSide).into(),
            may(turn, CastlingSide::KingSide).into(),
            may(!turn, CastlingSide::QueenSide).into(),
            may(!turn, CastlingSide::KingSide).into(),
            turn.is_black().into(),
            self.position.halfmoves().min(u16::MAX.into()) as u16,
            0,
            1,
        ];
        for (plane, number) in planes[SEEN * OF_POSITION * 64..].chunks_mut(64).zip(state) {
            plane.fill(number.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;
    use shakmaty::san::San;

    fn planes(game: &SeenGame) -> Vec<f32> {
        let mut planes = vec![f32::NAN; PLANES * 64];
        game.write_planes(&mut planes);
        planes
    }

    fn play(game: &mut SeenGame, moves: &str) {
        for san in moves.split(' ') {
            let san: San = san.parse().unwrap();
            game.play(san.to_move(game.position()).unwrap());
        }
    }

    /// The numbers of a plane that are not 0.
    fn sum(planes: &[f32], plane: usize) -> f32 {
        planes[plane * 64..][..64].iter().sum()
    }

    #[test]
    fn both_colors_see_themselves_below() {
        let mut game = SeenGame::new(Chess::default());
        let at =
            |planes: &[f32], plane: usize, square: Square| planes[plane * 64 + usize::from(square)];
        let start = planes(&game);
        assert_eq!((sum(&start, 0), at(&start, 0, Square::E2)), (8.0, 1.0));
        assert_eq!((sum(&start, 5), at(&start, 5, Square::E1)), (1.0, 1.0));
        assert_eq!(at(&start, 11, Square::E8), 1.0);
        // Nothing stands before the initial position, and nobody has moved.
        assert!(start[13 * 64..104 * 64].iter().all(|&number| number == 0.0));
        assert_eq!(
            [104, 107, 108, 109, 110, 111].map(|plane| sum(&start, plane) / 64.0),
            [1.0, 1.0, 0.0, 0.0, 0.0, 1.0]
        );
        play(&mut game, "Nf3");
        let black = planes(&game);
        assert_eq!(at(&black, 5, Square::E1), 1.0); // the black king
        assert_eq!((at(&black, 7, Square::F6), at(&black, 13 + 7, Square::G8)), (1.0, 1.0));
        assert_eq!([108, 109].map(|plane| sum(&black, plane)), [64.0, 64.0]);
    }

    #[test]
    fn what_stood_before_is_marked() {
        let mut game = SeenGame::new(Chess::default());
        play(&mut game, "Nf3 Nf6 Ng1");
        assert_eq!(sum(&planes(&game), 12), 0.0);
        play(&mut game, "Ng8");
        let planes = planes(&game);
        assert_eq!([12, 13 + 12, 4 * 13 + 12].map(|plane| sum(&planes, plane)), [64.0, 0.0, 0.0]);
    }

    #[test]
    fn another_first_position_stands_for_those_before_it() {
        let fen: shakmaty::fen::Fen = "8/8/4k3/8/8/4K3/4P3/8 w - - 7 50".parse().unwrap();
        let start = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
        let planes = planes(&SeenGame::new(start));
        assert_eq!([0, 7 * 13, 5, 7 * 13 + 5].map(|plane| sum(&planes, plane)), [1.0; 4]);
        assert_eq!(sum(&planes, 109), 7.0 * 64.0);
    }
}
