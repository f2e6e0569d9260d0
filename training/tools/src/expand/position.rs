//! The records of one position: its squares, its state and its legal moves.
//!
//! Squares, a byte each from a1, b1, … to h8. The low nibble is the piece: 0 none, 1 to 6 White's
//! pawn, knight, bishop, rook, queen and king, 7 to 12 Black's. The high nibble is how many of
//! White's pieces attack the square and, times four, how many of Black's, both at most 3. Pins do
//! not matter, and a piece that stands on a square of its own side's attacks is defended by them.
//!
//! State, four bytes:
//! - bits 0 to 3: castling rights (White short, White long, Black short, Black long); bit 4: Black
//!   to move; bit 5: in check; bits 6 and 7: how often the position occurred before, at most 2;
//! - 1 + the file of a legal capture en passant, or 0;
//! - plies since the last capture or pawn move, at most 255;
//! - the place of the move played among the legal moves, [`END`] or [`NOTHING`].
//!
//! Moves, two bytes each: from, to (6 bits each, castling is the king's own step), promotion (0
//! none, 1 knight, 2 bishop, 3 rook, 4 queen).

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square};

/// Instead of a move's place: the game ended here though there were legal moves.
pub const END: u8 = 255;

/// Instead of a move's place: nobody knows what came next, or nothing can.
pub const NOTHING: u8 = 254;

/// The byte of each square.
pub fn squares(board: &Board) -> [u8; 64] {
    let occupied = board.occupied();
    let mut bytes = [0; 64];
    let mut attackers = [Attackers::default(); 2];
    for (color, attackers) in COLORS.into_iter().zip(&mut attackers) {
        for role in Role::ALL {
            let piece = Piece { color, role };
            for square in board.by_piece(piece) {
                attackers.add(attacks(square, piece, occupied));
            }
        }
    }
    let [white, black] = attackers;
    let planes =
        [white.ones, white.twos, black.ones, black.twos].map(|plane| plane.0.to_le_bytes());
    // Before the pieces, since this sets whole ranks.
    for (rank, bytes) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut high = 0;
        for (bit, plane) in planes.iter().enumerate() {
            high |= SPREAD[usize::from(plane[rank])] << (4 + bit);
        }
        *bytes = high.to_le_bytes();
    }
    for (side, color) in COLORS.into_iter().enumerate() {
        for role in Role::ALL {
            for square in board.by_piece(Piece { color, role }) {
                bytes[usize::from(square)] |= role as u8 + 6 * side as u8;
            }
        }
    }
    bytes
}

/// The order of sides in all records; shakmaty's own begins with Black.
const COLORS: [Color; 2] = [Color::White, Color::Black];

/// How many pieces attack each square, up to 3: a counter of two bits for each square, and each
/// bit of all squares in one bitboard, so that one piece's attacks are counted at once.
#[derive(Clone, Copy, Default)]
struct Attackers {
    ones: Bitboard,
    twos: Bitboard,
}

impl Attackers {
    fn add(&mut self, attacked: Bitboard) {
        let three = self.ones & self.twos;
        self.twos |= self.ones & attacked;
        self.ones = (self.ones ^ attacked) | three;
    }
}

/// The bits of a byte, the lowest bit of a byte each.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The four bytes of state; `before` is how often the position occurred before, `target` the last
/// byte.
pub fn state(position: &Chess, before: u8, target: u8) -> [u8; 4] {
    let mut flags = 0;
    for (side, color) in COLORS.into_iter().enumerate() {
        let castles = position.castles();
        flags |= u8::from(castles.has(color, CastlingSide::KingSide)) << (2 * side);
        flags |= u8::from(castles.has(color, CastlingSide::QueenSide)) << (2 * side + 1);
    }
    flags |= u8::from(position.turn().is_black()) << 4;
    flags |= u8::from(position.is_check()) << 5;
    flags |= before.min(2) << 6;
    let en_passant = position.legal_ep_square().map_or(0, |square| square.file() as u8 + 1);
    let clock = position.halfmoves().min(255) as u8;
    [flags, en_passant, clock, target]
}

/// The two bytes of a move.
pub fn packed_move(played: Move) -> u16 {
    let (from, to) = match played {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            (king, Square::from_coords(side.king_to_file(), king.rank()))
        }
        Move::Put { .. } => unreachable!("chess has no drops"),
    };
    let promotion = played.promotion().map_or(0, |role| role as u16 - 1);
    u16::from(from) | u16::from(to) << 6 | promotion << 12
}
