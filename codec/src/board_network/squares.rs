//! The squares of a position, a byte each from a1, b1, … to h8, as `plyzip-training expand` writes them.
//!
//! The low nibble is the piece: 0 none, 1 to 6 White's pawn, knight, bishop, rook, queen and king, 7 to 12 Black's. The
//! high nibble is how many of White's pieces attack the square and, times four, how many of Black's, both at most 3. Pins
//! do not matter, and a piece that stands on a square of its own side's attacks is defended by them.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, Color, Piece, Role};

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

/// The order of sides; shakmaty's own begins with Black.
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
