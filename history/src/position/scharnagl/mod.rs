//! S1: Scharnagl's compact encoding.

mod part_a;
mod selection;
mod tally;

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Square};

use self::selection::Selection;
use self::tally::{Tally, tallies_of};
use super::placement::{parts, place, position};
use super::{CodeError, Coverage, PositionCode, Result};
use crate::bits::BitString;

/// Stores the kings, castling rights and en passant by means of two squares, then which squares are filled, the
/// colours, and the other pieces in one of two modes.
///
/// From "Compact encoding of chess positions II", which Reinhard Scharnagl posted on 5 March 2005.
/// Stores turn, castling rights and the legal en passant capture, but no counters. The text
/// promises at most 172 bits for positions that are [relevant](Scharnagl::is_relevant); the
/// longest code of a position that a game can reach has 175. Where a side has more promoted pieces
/// than it has lost pawns, which no game can reach, there is no code.
///
/// Where the text leaves a choice: of the squares that may stand in for a king with castling
/// rights, the writer takes the first on the board of left and right, of above and below, or of
/// the diagonals; the reader takes any. A pawn that can be captured en passant counts
/// among the pieces on the lines 2 to 7: else it could cost a bit more than the text says. The
/// pieces that decide on the mode are those on the lines 2 to 7.
///
/// ```
/// use plyzip_history::position::{PositionCode, Scharnagl};
/// let start = shakmaty::Chess::default();
/// let bits = Scharnagl.encode(&start)?;
/// assert_eq!(bits.len(), 132);
/// assert_eq!(Scharnagl.decode(&bits)?, start);
/// # Ok::<(), plyzip_history::position::CodeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scharnagl;

impl Scharnagl {
    /// True if the bound of 172 bits is promised: if nine or more pieces are promoted, at
    /// most five knights stand on the lines 2 to 7.
    ///
    /// Only pieces beyond the initial set count as promoted.
    pub fn is_relevant(position: &Chess) -> bool {
        let board = position.board();
        let promoted = tallies_of(board, board.occupied()).map(Tally::promoted);
        let knights = board.knights() & !Bitboard::BACKRANKS;
        promoted.iter().sum::<usize>() < 9 || knights.count() <= 5
    }
}

/// Most pieces on the board, and of one side.
const MAX_PIECES: usize = 32;
const MAX_SIDE: usize = 16;

/// From so many pieces on the lines 2 to 7 on, there is no flag for the mode.
const CROWDED: usize = 28;

/// The squares in the order of the code: a1, h8, a2, h7, … towards the centre of the board.
fn sequence() -> impl Iterator<Item = Square> {
    File::ALL[..4].iter().flat_map(|&file| {
        Rank::ALL.into_iter().flat_map(move |rank| {
            let first = Square::from_coords(file, rank);
            [first, first.flip_horizontal().flip_vertical()]
        })
    })
}

/// Whether no side has more than it could begin with and its pawns could become.
fn possible_material(board: &Board) -> bool {
    [board.white(), board.black()].iter().all(|side| side.count() <= MAX_SIDE)
        && tallies_of(board, board.occupied()).iter().all(|tally| tally.initial_pawns() <= 8)
}

/// Pieces other than kings on the lines 2 to 7.
fn inner(board: &Board, squares: Bitboard) -> Bitboard {
    squares & !board.kings() & !Bitboard::BACKRANKS
}

/// Whether the 16 pieces of one side are known, and so all others are of the opposite colour.
fn other_side(known: [usize; 2]) -> Option<Color> {
    if known[0] == MAX_SIDE {
        Some(Color::Black)
    } else if known[1] == MAX_SIDE {
        Some(Color::White)
    } else {
        None
    }
}

impl PositionCode for Scharnagl {
    fn id(&self) -> &str {
        "S1"
    }

    fn name(&self) -> &str {
        "Scharnagl's compact code"
    }

    fn estimate(&self) -> &str {
        "at most 172 bits, 152.5 on average for 32 pieces"
    }

    fn coverage(&self) -> Coverage {
        Coverage::RULES
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let setup = parts(position)?;
        let board = &setup.board;
        if !possible_material(board) {
            return Err(CodeError::Uncovered("more promoted pieces than pawns are missing"));
        }
        let mut bits = BitString::new();
        part_a::push(&mut bits, &setup)?;

        let told = part_a::told(&setup);
        let mut known = told.count();
        for square in sequence().filter(|&square| !told.contains(square)) {
            if known < MAX_PIECES {
                let filled = board.occupied().contains(square);
                bits.push(filled);
                known += usize::from(filled);
            }
        }

        let mut sides = [board.white(), board.black()].map(|side| (side & told).count());
        let mut pieces = vec![];
        for square in sequence().filter(|&square| !told.contains(square)) {
            let Some(piece) = board.piece_at(square) else { continue };
            if other_side(sides).is_none() {
                bits.push(piece.color.is_black());
            }
            sides[usize::from(piece.color.is_black())] += 1;
            pieces.push((square, piece));
        }

        let inner = inner(board, board.occupied());
        let pawns = (inner & board.pawns()).count();
        let mut many_sliders = false;
        if inner.count() < CROWDED {
            many_sliders = 2 * pawns < (inner & board.sliders()).count();
            bits.push(many_sliders);
        }

        let mut tallies = tallies_of(board, told);
        for (square, piece) in pieces {
            let tally = &mut tallies[usize::from(piece.color.is_black())];
            Selection::new(square, *tally, many_sliders).push(&mut bits, piece.role);
            tally.add(piece.role, square);
        }
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let mut setup = part_a::read(&mut reader)?;
        let board = &mut setup.board;

        let told = board.occupied();
        let mut known = told.count();
        let mut filled = vec![];
        for square in sequence().filter(|&square| !told.contains(square)) {
            if known < MAX_PIECES && reader.bit()? {
                filled.push(square);
                known += 1;
            }
        }

        let mut sides = [board.white(), board.black()].map(Bitboard::count);
        let mut pieces = Vec::with_capacity(filled.len());
        for &square in &filled {
            let color = match other_side(sides) {
                Some(color) => color,
                None => Color::from_black(reader.bit()?),
            };
            sides[usize::from(color.is_black())] += 1;
            pieces.push((square, color));
        }

        let crowd = inner(board, told | Bitboard::from_iter(filled)).count();
        let many_sliders = crowd < CROWDED && reader.bit()?;

        let mut tallies = tallies_of(board, told);
        for (square, color) in pieces {
            let tally = &mut tallies[usize::from(color.is_black())];
            let role = Selection::new(square, *tally, many_sliders).read(&mut reader)?;
            tally.add(role, square);
            place(board, square, role.of(color))?;
        }
        reader.finish()?;
        if !possible_material(board) {
            return Err(CodeError::Damaged("more promoted pieces than pawns are missing"));
        }
        position(setup)
    }
}
