//! B5: the state of the game beside the board.

use shakmaty::{Bitboard, Board, Chess, Color, File, Rank, Setup, Square};

use super::baeldung::{push_board, read_board};
use super::placement::{parts, passed_square, position};
use super::{CodeError, Coverage, PositionCode, Result};
use crate::bits::BitString;

/// 14 bits of state after the 256 of [`BoardCentric`](super::BoardCentric), the board that
/// the text itself takes as the basis: 270 bits.
///
/// From the tutorial "Encoding chess" of Baeldung, section 4: turn (1 bit), a castling right for
/// each rook (4), the pawn that can be captured en passant (3), the fifty-move counter (6).
/// The pawn's number is its place among the pawns of its side on the rank where a double step ends. No more than
/// seven pawns need a number, since eight leave no square of that rank to a capturing pawn: 7 stands for "none".
///
/// The counter's 6 bits reach 63 only in moves of both sides, so an odd ply is dropped.
/// From 64 moves on, which a game can reach as nobody has to claim the draw at 50,
/// there is no code.
#[derive(Debug, Clone, Copy)]
pub struct GameState;

/// Castling rights in the order of their bits.
const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// Stands for no en passant capture.
const NONE: u64 = 7;

/// Files with pawns of `mover` where its double steps end.
fn double_steps(board: &Board, mover: Color) -> impl Iterator<Item = File> {
    let rank = Bitboard::from_rank(mover.relative_rank(Rank::Fourth));
    (board.by_piece(mover.pawn()) & rank).into_iter().map(Square::file)
}

impl PositionCode for GameState {
    fn id(&self) -> &str {
        "B5"
    }

    fn name(&self) -> &str {
        "four bits a square, and the game's state"
    }

    fn estimate(&self) -> &str {
        "14 bits beside the board"
    }

    fn coverage(&self) -> Coverage {
        Coverage::COUNTED
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let setup = parts(position)?;
        if setup.halfmoves >= 128 {
            return Err(CodeError::Uncovered("64 moves without capture or pawn's move"));
        }
        let mut bits = BitString::new();
        push_board(&mut bits, &setup.board);
        bits.push(setup.turn.is_black());
        for corner in CORNERS {
            bits.push(setup.castling_rights.contains(corner));
        }
        let pawn = setup.ep_square.and_then(|passed| {
            double_steps(&setup.board, !setup.turn).position(|file| file == passed.file())
        });
        bits.push_bits(pawn.map_or(NONE, |pawn| pawn as u64), 3);
        bits.push_bits(u64::from(setup.halfmoves / 2), 6);
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let board = read_board(&mut reader)?;
        let turn = Color::from_black(reader.bit()?);
        let mut castling_rights = Bitboard::EMPTY;
        for corner in CORNERS {
            if reader.bit()? {
                castling_rights.add(corner);
            }
        }
        let pawn = reader.bits(3)?;
        let passed = match pawn {
            NONE => None,
            _ => double_steps(&board, !turn).nth(pawn as usize),
        };
        let ep_square = passed.map(|file| passed_square(file, !turn));
        let halfmoves = reader.bits(6)? as u32 * 2;
        reader.finish()?;
        position(Setup { board, turn, castling_rights, ep_square, halfmoves, ..Setup::empty() })
    }
}
