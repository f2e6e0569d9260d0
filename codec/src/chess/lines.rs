//! Squares that sliding pieces attack, computed from four lines through a square.
//!
//! The usual way, a table for each set of blockers ("magic bitboards", see the Chess Programming Wiki), takes 700 KB.
//! Features are found once a position; between two positions the weights of a network go through the cache, and most
//! look-ups would wait for memory. The tables here are 2 KB, and the rest is arithmetic ("hyperbola quintessence",
//! likewise). Exchanges and the moves of searches, which come by the thousand, have shakmaty's tables.

use shakmaty::{Bitboard, Piece, Role, Square, attacks};

/// The lines through a square, without the square.
struct Lines {
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

static LINES: [Lines; 64] = {
    let mut table = [const { Lines { file: 0, diagonal: 0, antidiagonal: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (other_file, other_rank) = (other % 8, other / 8);
            let bit = (other != square) as u64 * (1 << other);
            if other_file == file {
                table[square].file |= bit;
            }
            if other_file + rank == file + other_rank {
                table[square].diagonal |= bit;
            }
            if other_file + other_rank == file + rank {
                table[square].antidiagonal |= bit;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The squares of a rank that a rook attacks, by the blockers on files b to g and by the rook's file.
static RANK: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut blockers = 0;
    while blockers < 64 {
        let mut file = 0;
        while file < 8 {
            let mut attacked = 0;
            let mut to = file + 1;
            while to < 8 {
                attacked |= 1 << to;
                if blockers << 1 >> to & 1 != 0 {
                    break;
                }
                to += 1;
            }
            let mut to = file;
            while to > 0 {
                to -= 1;
                attacked |= 1 << to;
                if blockers << 1 >> to & 1 != 0 {
                    break;
                }
            }
            table[blockers][file] = attacked;
            file += 1;
        }
        blockers += 1;
    }
    table
};

/// The squares of a line with one square on each rank that a slider on `square` attacks.
#[inline(always)]
fn along(line: u64, square: u32, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let forward = blockers.wrapping_sub(1 << square);
    let backward = blockers.swap_bytes().wrapping_sub(1 << (square ^ 56)).swap_bytes();
    (forward ^ backward) & line
}

/// The squares that a rook on `square` attacks when the squares of `occupied` block lines.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let (lines, at) = (&LINES[usize::from(square)], u32::from(square));
    let first = at & 56;
    let blockers = (occupied.0 >> (first + 1)) as usize & 63;
    let rank = u64::from(RANK[blockers][(at & 7) as usize]) << first;
    Bitboard(rank | along(lines.file, at, occupied.0))
}

/// The squares that a bishop on `square` attacks when the squares of `occupied` block lines.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let (lines, at) = (&LINES[usize::from(square)], u32::from(square));
    Bitboard(along(lines.diagonal, at, occupied.0) | along(lines.antidiagonal, at, occupied.0))
}

/// The squares that a queen on `square` attacks when the squares of `occupied` block lines.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The squares that a piece on `square` attacks when the squares of `occupied` block lines.
#[inline]
pub fn piece_attacks(square: Square, piece: Piece, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => attacks::pawn_attacks(piece.color, square),
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => bishop_attacks(square, occupied),
        Role::Rook => rook_attacks(square, occupied),
        Role::Queen => queen_attacks(square, occupied),
        Role::King => attacks::king_attacks(square),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::chess::random_games::random_games;
    use crate::split_mix::SplitMix;

    #[test]
    fn attacks_are_those_of_the_rules() {
        let mut numbers = SplitMix(1);
        for round in 0..4000 {
            let mut occupied = numbers.next();
            for _ in 0..round % 4 {
                occupied &= numbers.next();
            }
            let occupied = Bitboard(occupied);
            for square in Square::ALL {
                let rook = attacks::rook_attacks(square, occupied);
                let bishop = attacks::bishop_attacks(square, occupied);
                assert_eq!(rook_attacks(square, occupied), rook);
                assert_eq!(bishop_attacks(square, occupied), bishop);
                assert_eq!(queen_attacks(square, occupied), rook | bishop);
            }
        }
    }

    #[test]
    fn attacks_of_pieces_are_those_of_the_rules() {
        random_games(|position, _| {
            let (board, occupied) = (position.board(), position.board().occupied());
            for (square, piece) in board.iter() {
                let expected = attacks::attacks(square, piece, occupied);
                assert_eq!(piece_attacks(square, piece, occupied), expected);
            }
        });
    }
}
