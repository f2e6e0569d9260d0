//! A labelled position, 28 bytes: what `nnue-label` writes and `nnue-train` reads.
//!
//! | bytes | |
//! |---|---|
//! | 8 | the occupied squares, a1 first, little-endian; ranks are turned over if Black is to move |
//! | 16 | a nibble for each of them, the lower half of a byte first: the role less one, and 8 for pieces of the other side |
//! | 2 | the teacher's value for the side to move, in centipawns (i16) |
//! | 1 | the game's result for the side to move, times two; 3 if the position is not of a game |
//! | 1 | number of pieces |

use shakmaty::{Chess, Position};

/// Bytes of a record.
pub const SIZE: usize = 28;

/// In place of a result.
pub const NO_RESULT: u8 = 3;

/// Pieces of a position, as `place` numbers them, for the side to move and for the other.
pub type Features = [[u16; 32]; 2];

/// The record of a position. It must have 32 pieces at most.
pub fn pack(position: &Chess, value: i16, result: u8) -> [u8; SIZE] {
    let mut record = [0; SIZE];
    let (board, turn) = (position.board(), position.turn());
    let occupied = turn.fold_wb(board.occupied().0, board.occupied().0.swap_bytes());
    record[..8].copy_from_slice(&occupied.to_le_bytes());
    let flip = turn.fold_wb(0, 56);
    let mut number = 0;
    for square in shakmaty::Bitboard(occupied) {
        let square = shakmaty::Square::new(u32::from(square) ^ flip);
        if let Some(piece) = board.piece_at(square) {
            let nibble = piece.role as u8 - 1 + if piece.color == turn { 0 } else { 8 };
            record[8 + number / 2] |= nibble << (4 * (number % 2));
            number += 1;
        }
    }
    record[24..26].copy_from_slice(&value.to_le_bytes());
    record[26] = result;
    record[27] = number as u8;
    record
}

/// The value of a record.
pub fn value(record: &[u8; SIZE]) -> i16 {
    i16::from_le_bytes([record[24], record[25]])
}

/// The features of a record as both sides see them, 0 to 767 as `plyzip` numbers them, and how many there are.
pub fn features(record: &[u8; SIZE], features: &mut Features) -> usize {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&record[..8]);
    let mut rest = u64::from_le_bytes(occupied);
    let mut number = 0;
    while rest != 0 && number < 32 {
        let square = rest.trailing_zeros() as u16;
        rest &= rest - 1;
        let nibble = u16::from(record[8 + number / 2] >> (4 * (number % 2)) & 15);
        let (role, enemy) = (nibble & 7, nibble >> 3);
        features[0][number] = (enemy * 6 + role) * 64 + square;
        features[1][number] = ((1 - enemy) * 6 + role) * 64 + (square ^ 56);
        number += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::{Features, NO_RESULT, features, pack, value};

    #[test]
    fn a_record_holds_all_pieces() {
        let fen: Fen = "4k3/8/8/8/8/2n5/8/R3K3 b - - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let record = pack(&position, -321, NO_RESULT);
        assert_eq!(value(&record), -321);
        let mut found: Features = [[0; 32]; 2];
        assert_eq!(features(&record, &mut found), position.board().occupied().count());
        // Black's king on e8 is the own king on e1 for Black, and the enemy's on e8 for White.
        assert!(found[0][..4].contains(&(5 * 64 + 4)));
        assert!(found[1][..4].contains(&(11 * 64 + 60)));
        // White's rook on a1.
        assert!(found[0][..4].contains(&(9 * 64 + 56)));
        assert!(found[1][..4].contains(&(3 * 64)));
    }
}
