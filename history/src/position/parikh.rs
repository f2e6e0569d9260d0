//! P1: Parikh's storage system for positions.

use shakmaty::{Bitboard, Board, Chess, Color, Rank, Role, Setup, Square};

use super::placement::{king_home, parts, place, position};
use super::{CodeError, Coverage, PositionCode, Result};
use crate::bits::{BitReader, BitString};

/// Stores which squares are filled, the kings' squares, the colours, and the other pieces in one of two formats.
///
/// From "Chess Storage System (Positions)" by Anup K. Parikh, 2011 to 2017: 65 to 174
/// bits, and one more for the turn, which the text puts last. Black's positions are stored as
/// White's, colours exchanged and the board turned over. Stores castling rights and the
/// legal en passant capture, but no counters. Boards of more than 32 pieces have no
/// code; others that no game can reach have one, which may be longer than the text says.
///
/// Where the text leaves a choice, or errs:
///
/// * Promoted pieces are those beyond two queens and four each of rooks, bishops and
///   knights on the whole board; four and more take format 1.
/// * In format 0 a rook with castling rights is a "pawn" in the corner. As the text counts pieces by
///   the zeros of the pawn bits, it needs no piece bits.
/// * The text allocates one bit for each pawn that could be captured en passant, up to
///   five, but counts three in all. Here the pawn is stored by its number, 0 for none, in as many
///   bits as the highest number needs: never more than three.
#[derive(Debug, Clone, Copy)]
pub struct Parikh;

/// Most pieces that five bits can tell apart.
const MAX_PIECES: usize = 32;

/// Most promoted pieces in format 0.
const FEW_PROMOTIONS: usize = 3;

/// The kinds of pieces by their numbers in the code. The pawn has a number in format 1 only.
const ROLES: [Role; 5] = [Role::Queen, Role::Bishop, Role::Knight, Role::Rook, Role::Pawn];

fn role_number(role: Role) -> u64 {
    ROLES.iter().position(|&other| other == role).unwrap_or(0) as u64
}

/// Pieces beyond the initial set of both sides.
fn promoted(board: &Board) -> usize {
    [(board.queens(), 2), (board.rooks(), 4), (board.bishops(), 4), (board.knights(), 4)]
        .map(|(pieces, initial)| pieces.count().saturating_sub(initial))
        .iter()
        .sum()
}

/// The squares behind Black's pawns that White, to move, might capture en passant: a white
/// pawn stands beside, and the square is empty.
fn en_passable(board: &Board) -> Vec<Square> {
    let fifth = Bitboard::from_rank(Rank::Fifth);
    let white = board.by_piece(Color::White.pawn()) & fifth;
    let black = board.by_piece(Color::Black.pawn()) & fifth;
    let beside = |pawn: Square| white.into_iter().any(|other| pawn.distance(other) == 1);
    let behind = |pawn: Square| Square::from_coords(pawn.file(), Rank::Sixth);
    black
        .into_iter()
        .filter(|&pawn| beside(pawn))
        .map(behind)
        .filter(|&behind| !board.occupied().contains(behind))
        .collect()
}

/// Bits for the numbers from 0 to `highest`.
fn bits_up_to(highest: usize) -> u32 {
    usize::BITS - highest.leading_zeros()
}

/// Bits for one, two or three of five kinds.
const GROUP_BITS: [u32; 4] = [0, 3, 5, 7];

/// The rooks of `color` in their corners.
fn rooks_at_home(board: &Board, color: Color) -> Bitboard {
    board.by_piece(color.rook()) & Bitboard::from_rank(color.backrank()) & Bitboard::CORNERS
}

impl PositionCode for Parikh {
    fn id(&self) -> &str {
        "P1"
    }

    fn name(&self) -> &str {
        "Parikh's storage system"
    }

    fn estimate(&self) -> &str {
        "65 to 174 bits, and one for the turn"
    }

    fn coverage(&self) -> Coverage {
        Coverage::RULES
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let mut setup = parts(position)?;
        let black_to_move = setup.turn.is_black();
        if black_to_move {
            setup.mirror();
        }
        if setup.board.occupied().count() > MAX_PIECES {
            return Err(CodeError::Uncovered("more than 32 pieces"));
        }
        let mut bits = BitString::new();
        push_for_white(&mut bits, &setup);
        bits.push(black_to_move);
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let position = Parikh::read(&mut reader)?;
        reader.finish()?;
        Ok(position)
    }
}

impl Parikh {
    /// Reads a position from the front of `reader`. The code tells its own end, so that the code of a game can follow.
    ///
    /// # Errors
    /// Those of [`PositionCode::decode`].
    pub fn read(reader: &mut BitReader) -> Result<Chess> {
        let mut setup = read_for_white(reader)?;
        if reader.bit()? {
            setup.mirror();
        }
        position(setup)
    }
}

/// Appends a position in which White is to move.
fn push_for_white(bits: &mut BitString, setup: &Setup) {
    let board = &setup.board;
    for square in Square::ALL {
        bits.push(board.occupied().contains(square));
    }
    // A king's number among the pieces.
    let number = |color| {
        let king = board.by_piece(Color::king(color));
        board.occupied().into_iter().take_while(|&square| !king.contains(square)).count() as u64
    };
    let [white, black] = [Color::White, Color::Black].map(number);
    if board.occupied().count() == 2 {
        bits.push(white < black);
        return;
    }
    let many_promotions = promoted(board) > FEW_PROMOTIONS;
    bits.push(many_promotions);
    let at_home = [Color::White, Color::Black]
        .map(|color| many_promotions && board.king_of(color) == Some(king_home(color)));
    if many_promotions {
        at_home.iter().for_each(|&at_home| bits.push(at_home));
    }
    for (at_home, number) in at_home.into_iter().zip([white, black]) {
        if !at_home {
            bits.push_bits(number, 5);
        }
    }

    let others = board.occupied() & !board.kings();
    for square in others {
        bits.push(board.black().contains(square));
    }
    let role = |square| board.role_at(square).map_or(0, role_number);
    if many_promotions {
        let numbers: Vec<u64> = others.into_iter().map(role).collect();
        for group in numbers.chunks(3) {
            let value = group.iter().fold(0, |value, number| value * 5 + number);
            bits.push_bits(value, GROUP_BITS[group.len()]);
        }
        for (at_home, color) in at_home.into_iter().zip([Color::White, Color::Black]) {
            if at_home {
                for rook in rooks_at_home(board, color) {
                    bits.push(setup.castling_rights.contains(rook));
                }
            }
        }
    } else {
        let pawns = board.pawns() | setup.castling_rights;
        for square in others {
            bits.push(pawns.contains(square));
        }
        for square in others & !pawns {
            bits.push_bits(role(square), 2);
        }
    }

    let candidates = en_passable(board);
    let captured = candidates.iter().position(|&behind| setup.ep_square == Some(behind));
    bits.push_bits(
        captured.map_or(0, |captured| captured as u64 + 1),
        bits_up_to(candidates.len()),
    );
}

/// The opposite of [`push_for_white`].
fn read_for_white(reader: &mut BitReader) -> Result<Setup> {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    // The text begins with a1, which is the lowest bit of a bitboard.
    let occupied = Bitboard(reader.bits(64)?.reverse_bits());
    if !(2..=MAX_PIECES).contains(&occupied.count()) {
        return Err(CodeError::Damaged("no board has so many pieces"));
    }
    let squares: Vec<Square> = occupied.into_iter().collect();
    if squares.len() == 2 {
        let white = usize::from(!reader.bit()?);
        place(board, squares[white], Color::White.king())?;
        place(board, squares[1 - white], Color::Black.king())?;
        return Ok(setup);
    }
    let many_promotions = reader.bit()?;
    let mut at_home = [false; 2];
    if many_promotions {
        at_home = [reader.bit()?, reader.bit()?];
    }
    for (at_home, color) in at_home.into_iter().zip([Color::White, Color::Black]) {
        let king = if at_home {
            Some(king_home(color)).filter(|&home| occupied.contains(home))
        } else {
            squares.get(reader.bits(5)? as usize).copied()
        };
        place(board, king.ok_or(CodeError::Damaged("no king"))?, color.king())?;
    }

    let others = occupied & !board.kings();
    let mut colors = Vec::with_capacity(others.count());
    for _ in others {
        colors.push(Color::from_black(reader.bit()?));
    }
    let mut roles = Vec::with_capacity(others.count());
    if many_promotions {
        let mut left = others.count();
        while left > 0 {
            let size = left.min(3);
            let mut value = reader.bits(GROUP_BITS[size])? as usize;
            let mut group = [Role::Pawn; 3];
            for role in group[..size].iter_mut().rev() {
                *role = ROLES[value % 5];
                value /= 5;
            }
            if value > 0 {
                return Err(CodeError::Damaged("there are only five kinds of pieces"));
            }
            roles.extend_from_slice(&group[..size]);
            left -= size;
        }
    } else {
        let mut pawns = Vec::with_capacity(others.count());
        for _ in others {
            pawns.push(reader.bit()?);
        }
        for (square, pawn) in others.into_iter().zip(pawns) {
            roles.push(if !pawn {
                ROLES[reader.bits(2)? as usize]
            } else if Bitboard::CORNERS.contains(square) {
                setup.castling_rights.add(square);
                Role::Rook
            } else {
                Role::Pawn
            });
        }
    }
    for ((square, color), role) in others.into_iter().zip(colors).zip(roles) {
        place(board, square, role.of(color))?;
    }
    for (at_home, color) in at_home.into_iter().zip([Color::White, Color::Black]) {
        if at_home {
            for rook in rooks_at_home(board, color) {
                if reader.bit()? {
                    setup.castling_rights.add(rook);
                }
            }
        }
    }

    let candidates = en_passable(board);
    let captured = reader.bits(bits_up_to(candidates.len()))? as usize;
    if captured > 0 {
        let behind = candidates.get(captured - 1);
        setup.ep_square = Some(*behind.ok_or(CodeError::Damaged("no such pawn"))?);
    }
    Ok(setup)
}
